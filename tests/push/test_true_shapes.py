"""Pushes of spheres, capsules and turned boxes end where the true shapes meet (rules H4, P2, P9, T11)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from boards import AS_SHIPPED, many, trials
from soak.scene_generator import SceneGenerator

from ecs_collision import (
    Blocked,
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
)
from ecs_collision.bodies.columns import ENABLED, SOLID
from ecs_collision.bodies.filters import may_meet
from ecs_collision.testing import assert_no_overlap
from tests.model.oracle import checked

ROOT = math.sqrt(0.5)
PLACES: dict[str, dict[str, Any]] = {
    "a heap": {"reach": 1.5, "grain": 2},
    "a room": {"reach": 3.0, "grain": 4},
    "a room in 3D": {"reach": 2.0, "grain": 2, "in_3d": True},
    "off the lattice": {"reach": 2.0, "crooked": True},
}


class Shapes(SceneGenerator):
    is_shaped = True

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "order": "sequential", "can_push": None}


def world_of(*bodies: tuple[Any, ...], **settings: Any) -> CollisionWorld:
    """Return a world of bodies: a place, a collider and further components each."""
    world = CollisionWorld(**settings)
    for place, collider, *more in bodies:
        world.add(
            transform=Transform(*place), collider=collider, **{type(each).__name__.lower(): each for each in more}
        )
    return world


def overlapping_pairs(world: CollisionWorld) -> set[tuple[int, int]]:
    return {(a, b) for a in world._bodies.row_of for b in world.space.overlapping(a) if a < b}


@pytest.mark.once
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("batch", many(2))
def test_a_push_ends_as_in_the_model_and_begins_no_overlap_H4_T11(place, batch):
    pushed = 0
    for seed in range(100 * batch, 100 * batch + max(trials(20), 8)):
        dice = Shapes(seed, **place)
        bodies = dice.scene(dice.random.randint(4, 10), fusing=dice.chance(0.3)).bodies
        world = CollisionWorld(**dice.settings())
        world._add_all([*bodies.values()], [*bodies])
        movers = [id for id, parts in bodies.items() if parts.static is None]
        meet = {(a, b) for a in bodies for b in bodies if _may_meet(world, a, b)}
        with checked(world) as oracle:
            for _ in range(3 if movers else 0):
                before = overlapping_pairs(world)
                result = world.move(dice.choice(movers), *dice.displacement(), **{"force": 3.0} | dice.move_options())
                assert not (overlapping_pairs(world) - before) & meet, seed
                pushed += bool(result.pushed)
        assert oracle.checks or not movers
        world.check()
    assert pushed or not AS_SHIPPED


def _may_meet(world: CollisionWorld, a: int, b: int) -> bool:
    """Return whether two bodies are solid and meet by their layers and masks (P14)."""
    bodies = world._bodies
    rows = bodies.row(a), bodies.row(b)
    one, two = (bodies.filters.of(bodies.columns.classes[row]) for row in rows)
    is_solid = all(bodies.has(row, SOLID) and bodies.has(row, ENABLED) for row in rows)
    return is_solid and may_meet(one, two) and not bodies.group_links.is_same_body(*rows)


def test_a_ball_rolls_under_the_corner_of_a_wall_that_its_bounds_meet_H4():
    world = world_of(((0, 0), SphereCollider(1)), ((3, 1.8), BoxCollider(1, 1), Static()))
    result = world.move(1, dx=9, force=1)
    assert (result.moved[0], result.stops[0].blocker) == (1.399993896484375, 2), "the root of 1 - 0.8 * 0.8 is 0.6"
    world.teleport(2, 3, 2)
    assert not world.move(1, dx=9, force=1).stops


def test_a_train_of_balls_pushes_over_the_gaps_of_their_true_shapes_P2():
    balls = [((2.5 * at, 1.2 * (at % 2)), SphereCollider(1), Inertia(1)) for at in range(3)]
    world = world_of(*balls, ((8, 0), BoxCollider(1, 1), Static()))
    result = world.move(1, dx=9, force=2)
    gaps = [2.5 - 1.6, 2.5 - 1.6, 8 - 1 - 5 - 1]
    assert [pytest.approx(gap, abs=2e-5) for gap in gaps[:2]] == [link.gap for link in result.links]
    assert result.moved[0] == pytest.approx(sum(gaps), abs=2e-5)
    assert_no_overlap(world)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_crate_is_pushed_up_to_a_leaning_plank_P2(axis, sign):
    place = [0.0, 0.0]
    place[axis] = 5.0 * sign
    plank = Transform(*place, rotation=math.pi / 4)
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1))
    world.add(transform=plank, collider=OrientedBoxCollider(4, 0.5), static=Static())
    way = [0.0, 0.0]
    way[axis] = 9.0 * sign
    expected = 5 - 2 - ROOT  # from the corner of the crate to the side of the plank
    moved = world.move(1, *way, force=1).moved[axis] * sign
    assert 0 <= expected - moved < 2**-15
    assert_no_overlap(world)


def test_a_body_beyond_a_round_one_is_not_hidden_by_it_P2():
    """The box would pass above the ball, which covers it with its bounds, and meets the wall behind."""
    world = world_of(
        ((0, 0.9), BoxCollider(0.5, 0.05)),
        ((3, 0), SphereCollider(1), Inertia(1)),
        ((3.9, 0.9), BoxCollider(0.25, 0.05), Static()),
    )
    assert [2, 3] == [*world.move(1, dx=3, force=2).pushed, 3]
    world = world_of(
        ((0, 0.99), BoxCollider(0.5, 0.005)),
        ((30, 0), SphereCollider(1), Inertia(1)),
        ((60, 0.99), BoxCollider(0.25, 0.005), Static()),
    )
    assert world.move(1, dx=90, force=2).stops[0].blocker == 3


def test_a_ball_that_is_beside_a_corner_meets_it_P2():
    """The bounds overlap at the start, the shapes do not."""
    world = world_of(((0, 0), SphereCollider(1)), ((1.75, 1.75), BoxCollider(1, 1), Static()))
    expected = 0.75 - math.sqrt(1 - 0.75**2)
    assert world.move(1, dx=9, force=1).moved[0] == pytest.approx(expected, abs=2**-16)
    assert world.move(1, dy=9, force=1).moved[1] == 0.0
    world = world_of(((0, 0), BoxCollider(1, 1)), ((1.75, 1.75), SphereCollider(1), Static()))
    assert world.move(1, dx=9, force=1).moved[0] == pytest.approx(expected, abs=2**-16)


def test_later_axes_see_parts_where_the_earlier_ones_displaced_them_P1():
    """The ball goes to the right until its centre is below that of the other, and then up until they touch."""
    world = world_of(((0, 0), SphereCollider(1)), ((4, 5), SphereCollider(1), Static()))
    assert world.move(1, 4, 9, force=1).moved == (4.0, 3.0, 0.0)
    world = world_of(
        ((0, 0), SphereCollider(1)), ((2, 0), SphereCollider(1), Inertia(1)), ((4, 5), BoxCollider(1, 1), Static())
    )
    result = world.move(1, 2, 9, force=2)
    assert (result.moved, result.pushed) == ((2.0, 9.0, 0.0), {2: (2.0, 0.0, 0.0)})


def test_a_compound_and_a_group_stop_by_the_part_that_can_move_least_P8():
    pair = CompoundCollider([Box(1, 1), Sphere(1, (0, 3))])
    post = (5, 3.6)
    world = world_of(((0, 0), pair), (post, SphereCollider(1), Static()))
    assert world.move(1, dx=9, force=1).moved[0] == pytest.approx(5 - math.sqrt(4 - 0.36), abs=2**-16)
    world = world_of(
        ((0, 0), BoxCollider(1, 1)), ((0, 3), SphereCollider(1), Fused(1)), (post, SphereCollider(1), Static())
    )
    assert world.move(1, dx=9, force=1).moved[0] == pytest.approx(5 - math.sqrt(4 - 0.36), abs=2**-16)


@pytest.mark.parametrize(
    ("policy", "moved"),
    [("block_deeper", [0.0, 9.0, 9.0, 9.0]), ("leave", [9.0, 9.0, 9.0, 9.0])],
)
def test_what_overlaps_comes_out_but_goes_not_deeper_against_the_normal_P9(policy, moved):
    """The ball is in the left side of a wall: right is deeper; left, up and down are not."""
    found = []
    for way in ((9, 0), (-9, 0), (0, 9), (0, -9)):
        world = world_of(((0, 0), SphereCollider(1)), ((3.5, 0), BoxCollider(3, 30), Static()), overlap_policy=policy)
        found.append(max(map(abs, world.move(1, *way, force=1).moved)))
    assert found == moved


def test_a_turned_plank_that_overlaps_is_left_along_its_side_P9():
    for way, stops in (((1, 0), True), ((0, 1), True), ((-1, 0), False), ((0, -1), False)):
        world = CollisionWorld()
        world.add(transform=Transform(0, 0), collider=CapsuleCollider(0.5, 1, axis="y"))
        plank = Transform(1, 1, rotation=-math.pi / 4)
        world.add(transform=plank, collider=OrientedBoxCollider(4, 0.5), static=Static())
        assert [2] == world.space.overlapping(1)
        assert stops == bool(world.move(1, *way, force=1).stops), way


def test_the_normal_of_a_body_that_left_the_plane_in_this_motion_has_a_z_P9():
    world = world_of(((0, 0, -8), SphereCollider(1)), ((0, 0, 0), SphereCollider(1), Static()), axis_order="zxy")
    assert world.move(1, 0.5, 0, 6.5, force=1).moved == (0.5, 0.0, 6.0)


def test_boxes_that_are_turned_by_quarters_push_as_boxes_do_P2():
    turned = OrientedBoxCollider(2, 1)
    world = CollisionWorld()
    world.add(transform=Transform(0, 0, rotation=math.pi / 2), collider=turned)
    world.add(transform=Transform(4, 2.5), collider=BoxCollider(1, 1), static=Static())
    assert world.move(1, dx=9, force=1).moved[0] == 2.0


def test_what_stops_a_round_body_at_a_corner_is_named_by_blocked_and_by_touching_C5():
    world = CollisionWorld()
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(0.375), motion=Motion())
    box = world.add(transform=Transform(2, 0.75), collider=BoxCollider(0.5, 0.5), static=Static())
    world.request(ball, 5)
    blocked = [event.blocker for event in world.step().events if isinstance(event, Blocked)]
    assert [box] == blocked
    assert [box] == world.touching(ball)
    assert [box] == world.space.overlapping_circle(ball, 0.375 + 1 / 8)
