"""What touches a body on one side of it (rule C5)."""

from __future__ import annotations

import math

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    UnknownEntity,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

SIDES = ("left", "right", "up", "down", (0, 0, -1), (0, 0, 1))


def put(world, x, y, collider=None, z=0, **more):
    return world.add(transform=Transform(x, y, z), collider=collider or BoxCollider(0.5, 0.5), **more)


def sides_of(world, entity, other):
    """Return the sides of a body on which another one touches it."""
    return [side for side in SIDES if other in world.touching(entity, side)]


@pytest.mark.parametrize(
    ("place", "sides"),
    [
        pytest.param((-1, 0.25), ["left"], id="left"),
        pytest.param((1, -0.75), ["right"], id="right"),
        pytest.param((0.25, -1), ["up"], id="up-is-where-y-is-less"),
        pytest.param((-0.75, 1), ["down"], id="down-is-where-y-is-more"),
        pytest.param((0, 0.5, -1), [(0, 0, -1)], id="less-z"),
        pytest.param((0, 0.5, 1), [(0, 0, 1)], id="more-z"),
        pytest.param((1, 1), [], id="an-edge"),
        pytest.param((0, 1 - 2**-16), [], id="overlapping"),
        pytest.param((0, 1 + 2**-16), [], id="a-gap"),
    ],
)
def test_a_box_touches_on_the_side_of_the_equal_faces_C5(place, sides):
    world = CollisionWorld()
    crate, other = put(world, 0, 0), put(world, *place[:2], z=(*place, 0)[2])
    assert sides == sides_of(world, crate, other)


def test_what_a_player_stands_on_is_one_call_C5():
    world = CollisionWorld()
    player = put(world, 0, 0)
    left, right = put(world, -0.75, 1), put(world, 0.75, 1, static=Static())
    wall, lamp, plate = put(world, 1, 0), put(world, 0, -1), put(world, 0, 1, trigger=Trigger())
    assert [left, right] == world.touching(player, "down")
    assert [left] == world.space.touching(player, "down", where=lambda entity: entity != right)
    assert [left, right, plate] == world.space.touching(player, side="down", triggers=True)
    assert ([wall], [lamp], []) == tuple(world.touching(player, side) for side in ("right", "up", "left"))
    assert [left, right, wall, lamp] == world.touching(player)


@pytest.mark.parametrize(
    ("place", "sides"),
    [
        pytest.param((1.5, 2), ["down"], id="more-down-than-right"),
        pytest.param((-2, 1.5), ["left"], id="more-left-than-down"),
        pytest.param((0, -2.5), ["up"], id="straight-up"),
        pytest.param((1.5, 1.5), [], id="overlapping"),
    ],
)
def test_round_parts_touch_on_the_side_of_the_largest_component_of_the_normal_C5(place, sides):
    world = CollisionWorld()
    ball, other = put(world, 0, 0, SphereCollider(1.25)), put(world, *place, SphereCollider(1.25))
    assert sides == sides_of(world, ball, other)


@pytest.mark.parametrize(
    ("place", "side"),
    [((2, 2, 1), "right"), ((-2, 1, 2), "left"), ((1, -2, 2), "up"), ((-1, 2, -2), "down"), ((0, 0, -3), (0, 0, -1))],
    ids=str,
)
def test_of_equal_components_x_counts_before_y_before_z_C5(place, side):
    """The centres are 3 apart, the sum of the radii."""
    world, (x, y, z) = CollisionWorld(), place
    ball, other = put(world, 0, 0, SphereCollider(1.5)), put(world, x, y, SphereCollider(1.5), z)
    assert [side] == sides_of(world, ball, other)


def test_a_ball_at_the_corner_of_a_box_touches_on_the_side_of_the_longer_way_C5():
    world = CollisionWorld()
    box, ball = put(world, 0, 0), put(world, 0.5 + 3, 0.5 + 4, SphereCollider(5))
    assert (["down"], ["up"]) == (sides_of(world, box, ball), sides_of(world, ball, box))


def test_a_body_of_several_parts_touches_on_several_sides_C5():
    world = CollisionWorld()
    corner = put(world, 0, 0, CompoundCollider([Box(0.5, 1.5), Box(1, 0.5, offset=(1.5, 1))]), static=Static())
    crate = put(world, 1, 0)
    assert ["left", "down"] == sides_of(world, crate, corner)
    assert ["right", "up"] == sides_of(world, corner, crate)


def test_plates_in_one_plane_touch_on_both_sides_C5():
    world = CollisionWorld()
    a, b = put(world, 0, 0, BoxCollider(1, 0)), put(world, 0.5, 0, BoxCollider(1, 0))
    assert ["up", "down"] == sides_of(world, a, b) == sides_of(world, b, a)


def test_boxes_and_parts_without_an_entity_have_sides_C5():
    world = CollisionWorld()
    floor, ball = put(world, 0, 2.5, BoxCollider(9, 1)), put(world, 3, 0, SphereCollider(1))
    space = world.space
    assert [floor] == space.touching(((0, 0), (1, 1.5)), "down")
    assert [floor] == space.touching((Box(0.5, 0.5), (0, 1)), "down")
    assert [floor] == space.touching((Sphere(1.5), (-2, 0)), "down")
    assert [] == space.touching((Sphere(1.5), (-2, 0)), "up")
    assert [ball] == space.touching((Sphere(1), (1, 0)), "right") == space.touching(((1, -1), (2, 1)), (1, 0))


def test_turned_parts_touch_on_no_side_and_quarter_turns_do_C5_H5():
    world = CollisionWorld()
    pill = world.add(transform=Transform(0, 0, rotation=math.pi / 2), collider=CapsuleCollider(0.5, 1, axis="x"))
    diamond = world.add(transform=Transform(0, 3, rotation=0.5), collider=OrientedBoxCollider(1, 1))
    crate = put(world, 0, -2)
    assert (["up"], []) == (sides_of(world, pill, crate), sides_of(world, pill, diamond))


def test_a_disabled_body_has_the_sides_that_it_would_have_C5_E9():
    world = CollisionWorld()
    door, floor = put(world, 0, 0, BoxCollider(0.5, 0.5, enabled=False)), put(world, 0, 1)
    ghost = put(world, 0, 0.25, SphereCollider(0.25, enabled=False))
    assert (["down"], ["down"]) == (sides_of(world, door, floor), sides_of(world, ghost, floor))


@pytest.mark.parametrize(
    "ways", [[(0, 1), "down"], [[0, 0.25], "down"], [(-3, 0, 0), "left"], [Transform(0, -2), "up"]]
)
def test_a_direction_along_an_axis_has_any_length_and_form_C5(ways):
    world = CollisionWorld()
    crate, others = put(world, 0, 0), [put(world, 0, 1), put(world, -1, 0), put(world, 0, -1)]
    way, name = ways
    assert world.space.touching(crate, way) == world.space.touching(crate, name)
    assert [others[("down", "left", "up").index(name)]] == world.touching(crate, side=way)


NAMES = 'side must be one of "left", "right", "up", "down", or a direction along one axis such as (0, -1) or (0, 0, 1)'


@pytest.mark.parametrize(
    ("side", "error", "given"),
    [
        ("below", CollisionValueError, "'below'; did you mean \"down\"?"),
        ("LEFT", CollisionValueError, "'LEFT'; did you mean \"left\"?"),
        ("front", CollisionValueError, "'front'"),
        ((0, 0), CollisionValueError, r"(0, 0)"),
        ((1, 1), CollisionValueError, r"(1, 1)"),
        (1, CollisionTypeError, "1"),
        (["down"], CollisionTypeError, "['down']"),
    ],
    ids=repr,
)
def test_another_side_is_refused_with_the_names_of_the_sides_C5_L3(side, error, given):
    world = CollisionWorld()
    crate = put(world, 0, 0)
    for ask in (world.touching, world.space.touching):
        with pytest.raises(error) as refused:
            ask(crate, side)
        assert f"{NAMES}, not {given}" == str(refused.value)
    with pytest.raises(CollisionTypeError, match=r"side\.y must be a number, not 'x'"):
        world.touching(crate, (0, "x"))


def test_what_is_no_body_has_no_sides():
    with pytest.raises(UnknownEntity, match="entity 7 is not a body of this world"):
        CollisionWorld().touching(7, "down")


def test_a_game_knows_what_a_thing_stands_on_C5():
    game = Game(parse_level("legend\n@ player: Motion(1)\n$ crate: Inertia(1)\n# wall: Static\nmap\n.$.\n#@#\n.#.\n"))
    sides = {side: game.touching("player", side) for side in ("left", "up", "right", "down")}
    assert {"left": ["wall"], "up": ["crate"], "right": ["wall"], "down": ["wall"]} == sides
    assert ["crate", "wall"] == game.touching("player")
