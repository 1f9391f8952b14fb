"""One-way bodies: they block what comes against their direction, from outside (rule M5)."""

from __future__ import annotations

import random

import pytest
from boards import Board, many, stop_of, trials
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CollisionTypeError,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    OneWay,
    Overlapped,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.testing import assert_no_overlap, parse_scene, record_scene
from ecs_collision.testing import strategies as cst
from ecs_collision.testing.scene_replay import Player

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def platform(board: Board, x: float = 0, y: float = 4, w: float = 3, direction: str = "up", **more: object) -> int:
    return board.body(x, y, w=w, one_way=OneWay(direction), static=Static(), **more)


# Motions.


@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("way", WAYS)
def test_it_blocks_only_what_comes_against_its_direction_M5(direction, way):
    board = Board()
    (dx, dy), one_way = WAYS[way], board.body(0, 0, one_way=OneWay(direction), static=Static())
    mover = board.player(-3 * dx, -3 * dy)
    result = board.push(mover, 9 * dx, 9 * dy)
    if WAYS[direction] == (-dx, -dy):
        assert ("y" if dy else "x", one_way, "IMMOVABLE", 2.0) == stop_of(result)
    else:
        assert not result.blocked
        assert (9.0 * dx, 9.0 * dy, 0.0) == result.moved


def test_a_hero_jumps_through_a_platform_and_lands_on_it_M5():
    board = Board()
    floor, hero = platform(board), board.player(1, 7)
    assert not board.push(hero, dy=-2.5).blocked  # its head is inside
    assert not board.push(hero, dy=1).blocked  # falls back
    assert not board.push(hero, dy=-2).blocked  # above, but its feet are inside
    assert not board.push(hero, dx=0.5).blocked
    assert not board.push(hero, dy=1).blocked  # inside: it falls through
    assert not board.push(hero, dy=-3.5).blocked
    assert ("y", floor, "IMMOVABLE", 2.0) == stop_of(board.push(hero, dy=9))
    assert (1.5, 3.0) == board.at(hero)
    assert ("y", floor, "IMMOVABLE", 0.0) == stop_of(board.push(hero, dy=9))


@pytest.mark.parametrize("policy", ["block_deeper", "leave"])
def test_what_is_inside_may_go_deeper_P9_M5(policy):
    board = Board(overlap_policy=policy)
    platform(board)
    hero = board.player(1, 3.25)
    assert (0.0, 5.0, 0.0) == board.push(hero, dy=5).moved


def test_a_platform_of_several_tiles_is_passed_tile_by_tile_M5():
    # the hero stands in the upper tile, on the lower one: it does not fall through that
    #   . H .
    #   T H .     T from 2 to 3, B from 3 to 4
    #   . B B
    board = Board()
    stairs = board.compound((0, 2, 1, 3), (0, 3, 3, 4), one_way=OneWay("up"), static=Static())
    hero = board.player(0.5, 2)
    assert ("y", stairs, "IMMOVABLE", 0.0) == stop_of(board.push(hero, dy=5))
    assert not board.push(hero, dx=-1).blocked  # one-way along y: walls of tiles do not stop it
    assert (-0.5, 2.0) == board.at(hero)


def test_a_hero_of_several_parts_does_not_hang_by_its_head_M5():
    # the head is above the platform, the body below and in it
    board = Board()
    floor = platform(board)
    hero = board.compound((0, 0, 1, 1), (0, 1, 1, 3), x=1, y=2.5, motion=Motion(5))
    assert not board.push(hero, dy=9).blocked
    other = board.compound((0, 0, 1, 1), (0, 1, 1, 3), x=1, y=0.5, motion=Motion(5))
    assert ("y", floor, "IMMOVABLE", 0.5) == stop_of(board.push(other, dy=9))


def test_an_inner_box_of_a_tile_counts_by_itself_M5():
    board = Board()
    nested = board.compound((0, 0, 4, 4), (1, 2, 3, 3), one_way=OneWay("up"), static=Static())
    inside = board.player(1, 1)  # in the outer box, above the inner one
    assert ("y", nested, "IMMOVABLE", 0.0) == stop_of(board.push(inside, dy=5))


def test_a_one_way_platform_that_moves_pushes_what_stands_on_it_M5():
    board = Board()
    lift = board.player(0, 4, w=3, one_way=OneWay("up"))
    crate, beside, under = board.crate(1, 2), board.crate(4, 4), board.crate(1, 6)
    result = board.push(lift, dy=-2)
    assert {crate: (0.0, -1.0, 0.0)} == dict(result.pushed)
    assert not board.push(lift, dx=3).blocked
    assert not board.push(lift, dx=-3, dy=9).blocked
    assert [(1.0, 1.0), (4.0, 4.0), (1.0, 6.0)] == [board.at(each) for each in (crate, beside, under)]


def test_two_one_way_bodies_meet_only_if_both_do_M5():
    board = Board()
    board.body(0, 4, one_way=OneWay("up"), static=Static())
    for direction, stops in {"up": False, "down": True, "left": False}.items():
        mover = board.player(0, 0, one_way=OneWay(direction))
        assert stops == board.push(mover, dy=9).blocked
        board.world.remove(mover)


def test_what_is_pushed_meets_one_way_bodies_too_and_they_hide_nothing_M5():
    #  H c = w    the platform `=` is passed by the first crate only from the left
    board = Board()
    hero, crate = board.player(0), board.crate(2)
    board.body(4, 0, one_way=OneWay("right"), static=Static())
    wall = board.wall(8)
    assert ("x", wall, "IMMOVABLE", 6.0) == stop_of(board.push(hero, 9))
    assert 7.0 == board.at(crate)[0]


@pytest.mark.parametrize("direction", ["left", "right"])
def test_a_pushed_one_way_crate_hides_nothing_behind_it_P2_M5(direction):
    # moving right, a crate open to the left is pushed, but passes through the wall, which stops the hero
    board = Board()
    hero, wall = board.player(0, force=3), board.wall(40)
    crate = board.crate(2, one_way=OneWay(direction))
    assert ("x", wall, "IMMOVABLE", 39.0) == stop_of(board.push(hero, 100))
    assert (40.0 if direction == "left" else 2.0) == board.at(crate)[0]


def test_drop_through_on_request_M5():
    board = Board()
    floor, hero, crate = platform(board), board.player(1, 3), board.crate(2.5, 3)
    assert board.push(hero, dy=3).blocked
    plan = board.world.plan(hero, dy=0.5, through=True)
    assert not plan.result.blocked
    board.push(hero, dy=0.5, through=True)
    assert not board.push(hero, dy=3).blocked  # it is inside now
    # what it pushes meets the platform as always
    above = board.player(2.5, 1)
    result = board.push(above, dy=3, through=True)
    assert result.blocked
    assert ("y", floor, "IMMOVABLE", 1.0) == stop_of(result)
    assert (2.5, 3.0) == board.at(crate)
    with pytest.raises(CollisionTypeError, match="through of entity"):
        board.push(hero, dy=1, through=2)


def test_a_mover_with_through_is_no_one_way_body_itself_M5():
    board = Board()
    lift, crate = board.player(0, 4, one_way=OneWay("up")), board.crate(0, 3)
    assert {crate: (0.0, -1.0, 0.0)} == dict(board.push(lift, dy=-1, through=True).pushed)


def test_members_of_a_group_are_one_way_by_themselves_P8_M5():
    board = Board()
    bar = board.crate(0, 4, one_way=OneWay("up"))
    post = board.crate(1, 4, fused=Fused(bar))
    falls, stands = board.player(0, 7), board.player(1, 7)
    assert not board.push(falls, dy=-3, force=0).blocked
    assert ("y", bar, "FORCE", 2.0) == stop_of(board.push(stands, dy=-3, force=0))
    assert post != bar


def test_the_hook_is_called_for_no_pair_that_does_not_meet_P15_M5():
    calls = []
    board = Board(can_push=lambda *pair: calls.append(pair))
    platform(board, direction="down")
    crate = board.crate(1, 6, one_way=OneWay("up"))
    board.push(board.player(1, 0), dy=9)
    assert [] == calls or [crate] == [pushed for _, pushed, _, _ in calls]


def test_round_parts_pass_and_land_M5():
    board = Board()
    floor = platform(board)
    ball = board.world.add(transform=Transform(1, 7), collider=SphereCollider(0.5), motion=Motion(1))
    assert not board.push(ball, dy=-2.25).blocked
    assert not board.push(ball, dy=0.5).blocked
    assert not board.push(ball, dy=-4).blocked
    assert floor == stop_of(board.push(ball, dy=9))[1]
    # where an earlier axis has displaced it
    assert board.push(ball, 0.5, 9).blocked
    below = board.world.add(transform=Transform(-5, 4.75), collider=SphereCollider(0.5), motion=Motion(1))
    assert not board.push(below, 6, 3).blocked


def test_a_trigger_with_one_way_is_a_trigger_E8_M5():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), trigger=Trigger(), one_way=OneWay("up"))
    world.step()
    world.check()
    assert 0 == world._bodies.columns.one_way_count
    assert ["unused"] == [advice.kind for advice in world.doctor() if "OneWay" in advice]


@pytest.mark.parametrize("change", ["added", "removed", "turned"])
def test_a_component_that_comes_goes_or_turns_counts_from_the_next_motion_M5(change):
    world = CollisionWorld()
    one_way = OneWay("up")
    floor = world.add(
        transform=Transform(0, 4), collider=BoxCollider(2, 0.5), static=Static(),
        one_way=None if change == "added" else one_way,
    )  # fmt: skip
    hero = world.add(transform=Transform(0, 8), collider=BoxCollider(0.5, 0.5), motion=Motion(1))
    assert (change == "added") == world.plan(hero, dy=-4).result.blocked
    parts = world._bodies.of(world._bodies.row(floor))
    if change == "turned":
        one_way.direction = "down"
    else:
        new = parts._replace(one_way=one_way if change == "added" else None)
        world.remove(floor)
        world._add_all([new], [floor])
    assert (change != "added") == world.plan(hero, dy=-4).result.blocked
    world.check()


# Overlaps.


def test_what_passes_is_no_solid_pair_T11_M5():
    board = Board()
    board.world.reports_overlaps = True
    floor, hero = platform(board), board.player(1, 7)
    board.push(hero, dy=-2.5)
    assert [] == [event for event in board.world.step().events if isinstance(event, Overlapped)]
    assert_no_overlap(board.world)
    assert not [advice for advice in board.world.doctor() if advice.kind == "overlap"]
    assert [floor] == board.world.space.overlapping(hero)
    board.world.check()


# Properties.


@given(cst.pushed_scenes(max_bodies=7, max_pushes=4, reach=3.0, boxes=2, one_way=True))
def test_no_pair_begins_to_overlap_but_what_passes_M5(drawn):
    made, pushes = drawn
    world = made.world()
    for each in pushes:
        each.make(world)
        assert_no_overlap(world)


@pytest.mark.parametrize("batch", many(2))
def test_what_is_in_front_stays_in_front_M5(batch):
    """A crowd of crates falls on platforms and is pushed about: none enters a platform from its front."""
    for seed in range(10 * batch, 10 * batch + max(2, trials(10))):
        dice = random.Random(seed)
        world = CollisionWorld()
        floors = [
            world.add(transform=Transform(dice.randint(-4, 4), 3 * level), collider=BoxCollider(1.5, 0.5),
                      static=Static(), one_way=OneWay("up"))
            for level in range(3)
        ]  # fmt: skip
        crates = [
            world.add(transform=Transform(dice.randint(-8, 8) / 2, -2 - 2 * number), collider=BoxCollider(0.5, 0.5),
                      inertia=Inertia(1), motion=Motion(2))
            for number in range(6)
        ]  # fmt: skip
        for _ in range(40):
            crate = dice.choice(crates)
            before = {id: world.space.overlapping(id) for id in crates}
            dx, dy = dice.choice([(0, 1), (0, 3), (0, 0.25), (1, 0), (-1, 0)])
            world.move(crate, dx, dy)
            for id in crates if dy else ():
                assert set(world.space.overlapping(id)) <= set(before[id]), seed
        assert floors


PARTS = [Box(0.5, 0.5), Sphere(0.5), Capsule(0.25, 0.25, "y")]


@given(st.sampled_from(PARTS), st.sampled_from(list(WAYS)), st.integers(-8, 8), st.integers(-8, 8))
def test_every_kind_of_part_falls_through_what_it_is_inside_M5(shape, direction, x, y):
    world = CollisionWorld()
    floor = world.add(
        transform=Transform(0, 0), collider=BoxCollider(0.75, 0.75), static=Static(), one_way=OneWay(direction)
    )
    hero = world.add(transform=Transform(x / 4, y / 4), collider=CompoundCollider([shape]), motion=Motion(1))
    inside = floor in world.space.overlapping(hero)
    for dx, dy in WAYS.values():
        blocked = world.plan(hero, 4 * dx, 4 * dy).result.blocked
        assert not (blocked and (inside or WAYS[direction] != (-dx, -dy)))


def test_a_recorded_scene_drops_through_too_M5():
    world = CollisionWorld()
    with record_scene(world) as recording:
        world.add(transform=Transform(0, 0), collider=BoxCollider(1, 0.5), static=Static(), one_way=OneWay("up"))
        hero = world.add(transform=Transform(0, -1), collider=BoxCollider(0.5, 0.5), motion=Motion(1))
        world.move(hero, dy=1, through=True)
    assert "through=true" in recording.text()
    assert not any(each.problem for each in Player(parse_scene(recording.text())).play())
