"""M8: a platform presses a body against what cannot move; it stops, or goes on through it."""

from __future__ import annotations

import esper
import pytest
from boards import Board, event_tuples
from worlds import fresh_world

from ecs_collision import (
    BoxCollider,
    Carries,
    CollisionSystem,
    Crushed,
    Fused,
    Inertia,
    Motion,
    Static,
    Transform,
)

UP = (0, -1)


def elevator(crushes=False, **settings):
    """Return a board with a platform from (0, 0), 4 wide, and its id; y grows downwards."""
    board = Board(**settings)
    return board, board.body(0, 0, 4, motion=Motion(force=5), carries=Carries(crushes=crushes))


def ride(board, platform, *by):
    """Ask the platform to move, step, and return who was crushed."""
    board.world.request(platform, *by)
    frame = board.world.step()
    board.world.check()
    return [(entity, crusher) for _, entity, crusher in event_tuples(frame.events, Crushed)]


def test_between_lift_and_ceiling_frame_by_frame_M8():
    board, platform = elevator()
    player, crate, ceiling = board.body(0, -1), board.crate(2, -1, inertia=9), board.wall(0, -4)
    assert [] == ride(board, platform, *UP)
    assert [] == ride(board, platform, *UP), "it comes to the ceiling exactly where the motion ends"
    assert [(0, -2), (0, -3), (2, -3)] == [board.at(each) for each in (platform, player, crate)]
    assert [(player, platform)] == ride(board, platform, *UP)
    assert [(player, platform)] == ride(board, platform, *UP), "again in each frame"
    assert [(0, -2), (0, -3), (2, -3)] == [board.at(each) for each in (platform, player, crate)]
    assert [] == ride(board, platform, 0, 1)
    board.world.remove(ceiling)
    assert [] == ride(board, platform, 0, -3)


def test_all_between_the_platform_and_what_stops_it_are_crushed_M8():
    # B on A under the ceiling; C rides beside them and has room
    board, platform = elevator()
    a, b, c = board.crate(0, -1), board.crate(0, -2), board.crate(2, -1)
    board.wall(0, -3)
    assert [(a, platform), (b, platform)] == ride(board, platform, *UP)
    assert (2, -1) == board.at(c)


def test_the_bounds_crush_too_M8():
    board, platform = elevator(bounds=((-9, -2), (9, 9)))
    crate = board.crate(1, -1)
    assert [] == ride(board, platform, *UP)
    assert [(crate, platform)] == ride(board, platform, *UP)


def test_what_the_platform_itself_meets_is_not_crushed_M8():
    board, platform = elevator()
    board.crate(0, -1)
    board.wall(3, -1)
    assert [] == ride(board, platform, *UP)


@pytest.mark.parametrize(("inertia", "crushed"), [(9, True), (1, False)])
def test_a_platform_crushes_against_what_is_too_heavy_in_any_direction_M8(inertia, crushed):
    board, platform = elevator()
    crate, block = board.crate(4, 0, inertia=1), board.crate(5, 0, inertia=inertia)
    assert ([(crate, platform)] if crushed else []) == ride(board, platform, 1)
    assert [4 + (not crushed), 5 + (not crushed)] == board.xs(crate, block)


def test_a_rider_that_a_wall_pushes_off_is_not_crushed_M8():
    board, platform = elevator()
    board.crate(3, -1)
    board.wall(4, -1)
    assert [] == ride(board, platform, 1)


def test_a_body_without_carries_crushes_nothing_M8():
    board = Board()
    pusher, crate = board.player(0), board.crate(1)
    board.wall(2)
    assert [] == ride(board, pusher, 1) and 1 == board.xs(crate)[0]


def test_all_or_nothing_that_does_not_happen_crushes_nothing_M8_P11():
    board, platform = elevator(all_or_nothing=True)
    board.crate(1, -1)
    board.wall(1, -2)
    assert [] == ride(board, platform, *UP)


def test_a_platform_that_crushes_goes_on_through_the_body_M8():
    board, platform = elevator(crushes=True)
    crushed, free = board.crate(0, -1), board.crate(2, -1)
    board.wall(0, -2)
    assert [(crushed, platform)] == ride(board, platform, 0, -0.5)
    assert [(0, -0.5), (0, -1), (2, -1.5)] == [board.at(each) for each in (platform, crushed, free)]
    assert [] == ride(board, platform, 0, -0.25), "they pass through each other now"
    assert (0, -0.75) == board.at(platform)
    assert [] == ride(board, platform, 0, 2)
    assert [(0, 1.25), (0, -1)] == [board.at(each) for each in (platform, crushed)]


def test_a_crushing_platform_passes_through_a_stack_and_lifts_the_others_M8():
    board, platform = elevator(crushes=True)
    a, b, c = board.crate(0, -1), board.crate(0, -2), board.crate(2, -1)
    board.wall(0, -3)
    assert [(a, platform), (b, platform)] == ride(board, platform, 0, -1)
    assert [(0, -1), (0, -1), (0, -2), (2, -2)] == [board.at(each) for each in (platform, a, b, c)]


def test_a_crushing_platform_is_still_stopped_by_what_it_meets_itself_M8():
    board, platform = elevator(crushes=True)
    crate = board.crate(0, -1)
    board.wall(0, -2)
    board.wall(3, -1.5)
    assert [(crate, platform)] == ride(board, platform, 0, -1)
    assert [(0, -0.5), (0, -1)] == [board.at(platform), board.at(crate)]


def test_crushed_names_groups_by_their_roots_M8_P8():
    board = Board()
    root = board.body(0, 0, 2, motion=Motion(force=5))
    board.body(4, 0, 2, fused=Fused(root), carries=Carries())
    crate = board.crate(4, -1)
    hat = board.body(4, -2, fused=Fused(crate), inertia=Inertia(1))
    board.wall(4, -3)
    assert [(crate, root)] == ride(board, root, *UP)
    assert (4, -2) == board.at(hat)


def test_crushed_comes_after_blocked_and_is_pending_in_a_snapshot_M8_N1_T7():
    board, platform = elevator()
    board.crate(1, -1)
    board.wall(1, -2.5)
    board.push(platform, 0, -1)
    board.push(platform, 0, -1)
    saved = board.world.snapshot()
    kinds = [type(event).__name__ for event in board.world.step().events]
    assert ["Moved", "Moved", "Pushed", "Blocked", "Blocked", "Crushed"] == kinds
    board.world.restore(saved)
    assert saved == board.world.snapshot()
    assert kinds == [type(event).__name__ for event in board.world.step().events]


def test_esper_hears_of_what_is_crushed_M8():
    with fresh_world():
        system, heard, dispatched = CollisionSystem(), [], []
        esper.add_processor(system)
        motion = Motion(force=1)
        platform = esper.create_entity(Transform(0, 0), BoxCollider(2, 0.5), motion, Carries())
        crate = esper.create_entity(Transform(0, -1), BoxCollider(0.5, 0.5), Inertia(1))
        esper.create_entity(Transform(0, -2), BoxCollider(0.5, 0.5), Static())
        motion.move(0, -1)
        system.on(Crushed, heard.append, entity=crate)
        hear = dispatched.append
        esper.set_handler("collision_crushed", hear)
        esper.process()
        esper.remove_handler("collision_crushed", hear)
        assert [Crushed(1, crate, platform)] == heard == dispatched
