"""M6: what stands on a body with `Carries` goes along, on all axes; walls push it off."""

from __future__ import annotations

import pytest
from boards import Board, many, stop_of
from model.oracle import checked
from soak.scene_generator import SceneGenerator

from ecs_collision import Carries, Fused, Inertia, Motion, Overlapped, Static, Transform, Trigger


def lift(board, x=0.0, y=0.0, w=4.0, **parts):
    """Add a platform from (x, y) on, 1 high, that carries; y grows downwards, so bodies stand at y - 1."""
    parts = {"motion": Motion(force=5.0), "carries": Carries()} | parts
    return board.body(x, y, w, **parts)


def links_of(result):
    return [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links]


@pytest.mark.parametrize("by", [(0, -2), (0, 3), (2, 0), (-2, 0), (1, -1), (-1, 2)], ids=str)
def test_a_stack_goes_along_in_every_direction_M6(by):
    # B stands on A, which is heavier than the force; C has no inertia at all
    board = Board()
    platform = lift(board)
    a, b, c = board.crate(0, -1, inertia=9), board.crate(0, -2, inertia=9), board.body(2, -1)
    result = board.push(platform, *by)
    assert [by, (by[0], -1 + by[1]), (by[0], -2 + by[1]), (2 + by[0], -1 + by[1])] == [
        board.at(each) for each in (platform, a, b, c)
    ]
    assert {a: (*by, 0), b: (*by, 0), c: (*by, 0)} == dict(result.pushed)
    axes = [axis for axis, step in zip("xy", by, strict=True) if step]
    assert [
        (pusher, pushed, axis, 0.0) for axis in axes for pusher, pushed in ((platform, a), (a, b), (platform, c))
    ] == links_of(result)
    assert result.complete


def test_nothing_is_carried_without_the_component_M6():
    board = Board()
    platform, crate = board.body(0, 0, 4, motion=Motion(force=5)), board.crate(0, -1)
    board.push(platform, 1)
    board.push(platform, 0, 1)
    assert (0, -1) == board.at(crate)


@pytest.mark.parametrize(
    ("x", "y"), [(-1, -1), (4, -1), (0, 1), (0, -1.5), (4, 0)], ids=["corner", "edge", "below", "above", "beside"]
)
def test_what_does_not_stand_on_the_platform_stays_M6(x, y):
    board = Board()
    platform, crate = lift(board), board.crate(x, y)
    board.push(platform, 0, 0.25) if y != 1 else board.push(platform, -1)
    board.push(platform, -0.25)
    assert (x, y) == board.at(crate)


def test_a_wall_pushes_a_rider_off_and_the_platform_goes_on_M6():
    board = Board()
    platform, front, rear = lift(board), board.crate(2, -1), board.crate(0, -1)
    board.wall(4, -1)
    result = board.push(platform, 3)
    assert [(3, 0), (3, -1), (2, -1)] == [board.at(each) for each in (platform, front, rear)]
    assert result.complete and not result.stops


def test_a_rider_of_a_platform_that_goes_down_is_stopped_alone_M6():
    # the crate also stands on the ledge beside the platform
    board = Board()
    platform, crate, other = lift(board), board.body(3, -1, 2, inertia=Inertia(1)), board.crate(0, -1)
    board.wall(4, 0)
    assert board.push(platform, 0, 2).complete
    assert [(0, 2), (3, -1), (0, 1)] == [board.at(each) for each in (platform, crate, other)]


def test_a_rider_pushes_with_the_force_of_the_platform_M6():
    board = Board()
    platform, rider = lift(board), board.crate(0, -1, inertia=99)
    light, heavy = board.crate(5, -1, inertia=4), board.crate(7, -1, inertia=6)
    result = board.push(platform, 10)
    assert [10, 5, 6, 7] == board.xs(platform, rider, light, heavy)
    assert (rider, light, "x", 4.0) in links_of(result) and result.complete


def test_neighbours_ride_front_first_so_none_pushes_another_M6():
    # rear first would push the heavy one in front, for which the force is too small
    board = Board()
    platform = lift(board, motion=Motion(force=1))
    front, rear = board.crate(2, -1, inertia=50), board.crate(1, -1, inertia=50)
    board.push(platform, 2)
    assert [2, 4, 3] == board.xs(platform, front, rear)
    board.push(platform, -3)
    assert [-1, 1, 0] == board.xs(platform, front, rear)


@pytest.mark.parametrize("by", [(1, 0), (-1, 0), (0, 1), (0, -1)], ids=str)
def test_a_platform_that_is_pushed_carries_M6(by):
    board = Board()
    raft = lift(board, motion=None, inertia=Inertia(1))
    crate = board.crate(1, -1, inertia=9)
    pusher = {(1, 0): (-1, 0), (-1, 0): (4, 0), (0, 1): (3, -1), (0, -1): (0, 1)}[by]
    board.push(board.player(*pusher, force=2), *by)
    assert [by, (1 + by[0], -1 + by[1])] == [board.at(raft), board.at(crate)]


def test_a_body_on_two_platforms_goes_with_the_one_that_moves_M6():
    board = Board()
    left, right, crate = lift(board, 0, 0, 2), lift(board, 2, 1, 2), board.body(1, -1, 2, inertia=Inertia(1))
    board.push(right, 0, -1)
    assert (1, -1) == board.at(crate)
    board.push(left, -1)
    assert (0, -1) == board.at(crate)
    board.push(right, 1)
    assert (0, -1) == board.at(crate), "it does not reach the right one any more"


def test_of_two_platforms_in_one_motion_the_farther_one_counts_M6():
    # the pusher meets the first at once and the second, which is 1 further on, with 1 left of 2
    board = Board()
    near, far = lift(board, 1, 0, 2, inertia=Inertia(1)), lift(board, 4, 0, 2, inertia=Inertia(1))
    crate = board.body(2, -1, 3, inertia=Inertia(9))
    board.push(board.player(0, 0, force=5), 2)
    assert [3, 5, 4] == board.xs(near, far, crate)


@pytest.mark.parametrize("up", ["up", "down", "left", "right"])
def test_the_side_may_be_any_M6(up):
    board = Board()
    platform = board.body(0, 0, motion=Motion(force=1), carries=Carries(up))
    around = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
    bodies = {side: board.crate(*at, inertia=9) for side, at in around.items()}
    board.world.remove(bodies.pop({"up": "down", "down": "up", "left": "right", "right": "left"}[up]))
    board.push(platform, *around[up])
    at = around[up]
    assert (2 * at[0], 2 * at[1]) == board.at(bodies[up])
    assert all(around[side] == board.at(body) for side, body in bodies.items() if side != up)


def test_in_3d_up_may_be_along_z_M6():
    board = Board()
    platform = board.body(0, 0, motion=Motion(force=1), carries=Carries((0, 0, 1)))
    shape = board.colliders[platform].copy()
    crate = board.world.add(transform=Transform(0.5, 0.5, 1), collider=shape, inertia=Inertia(9))
    board.world.move(platform, 1, 0, 2)
    board.world.move(platform, 0, 0, -1)
    position = board.world._bodies.transform(board.world._bodies.row(crate)).position
    assert (1.5, 0.5, 2.0) == position


def test_groups_carry_and_ride_as_one_M6():
    board = Board()
    base = board.body(0, 0, 2, motion=Motion(force=5))
    ledge = board.body(4, 0, 2, fused=Fused(base), carries=Carries())
    on_base, rider = board.crate(1, -1), board.crate(4, -1, inertia=9)
    hanging = board.body(8, -3, fused=Fused(rider), inertia=Inertia(9))
    board.push(base, 1, -1)
    assert [(1, -1), (5, -1), (5, -2), (9, -4)] == [board.at(each) for each in (base, ledge, rider, hanging)]
    assert (1, -2) == board.at(on_base), "pushed up by force, but only the ledge carries"


def test_a_compound_rides_with_the_part_that_stands_on_the_platform_M6():
    board = Board()
    platform = lift(board, 0, 0, 2)
    arch = board.compound((1, -1, 2, 0), (1, -2, 6, -1), (5, -1, 6, 3), inertia=Inertia(9))
    board.push(platform, -1)
    assert (-1, 0) == board.at(arch)
    board.push(platform, 0, -1)
    assert -1 == board.at(arch)[1]


def test_statics_triggers_and_disabled_bodies_are_not_carried_M6():
    board = Board()
    platform = lift(board)
    wall, zone, ghost = board.wall(0, -1), board.body(1, -1, trigger=Trigger()), board.crate(2, -1)
    board.colliders[ghost].enabled = False
    board.push(platform, 1)
    assert [0, 1, 2] == board.xs(wall, zone, ghost)
    board.push(platform, -1)
    assert ("y", wall, "IMMOVABLE", 0.0) == stop_of(board.push(platform, 0, -1))


def test_riders_count_for_no_limit_M6():
    board = Board(rule="sum", max_chain=1)
    platform = lift(board, motion=Motion(force=2))
    on = [board.crate(x, -1, inertia=9) for x in range(4)]
    pushed = board.crate(4, 0, inertia=1)
    assert board.push(platform, 1).complete
    assert [1, 2, 3, 4, 5] == board.xs(*on, pushed)
    assert board.push(platform, 0, -1).complete


@pytest.mark.parametrize("by", [(3, 0), (0, 2)], ids=["across", "down"])
def test_a_stopped_rider_does_not_stop_an_all_or_nothing_motion_M6(by):
    board = Board()
    platform, crate = lift(board), board.body(3, -1, 2, inertia=Inertia(1))
    board.wall(5, -1)
    board.wall(4, 0.0) if by[1] else None
    assert board.push(platform, *by, all_or_nothing=True).complete
    assert (3, -1) == board.at(crate)


def test_platforms_on_each_other_end_M6():
    # each stands on the other: A carries upwards and B, on top of it, carries downwards
    board = Board()
    a = lift(board, 0, 0, 2)
    b = board.body(0, -1, 2, carries=Carries("down"), motion=Motion(force=5))
    for by in ((1, 0), (0, 1), (0, -1), (-1, 0)):
        board.push(a, *by)
        board.push(b, *by)
    assert [(0, 0), (0, -1)] == [board.at(a), board.at(b)]


def test_a_rider_may_jump_and_come_back_M6():
    board = Board()
    platform, player = lift(board), board.player(2, -1)
    board.push(player, 0, -2)
    board.push(platform, 1)
    assert (2, -3) == board.at(player)
    board.push(player, 0, 9)
    board.push(platform, 1)
    assert (3, -1) == board.at(player)


def test_riders_wake_and_give_events_M6():
    board = Board()
    platform, crate = lift(board), board.crate(1, -1)
    gate = board.body(6, -1, trigger=Trigger(swept=True))
    board.world.request(platform, 9)
    events = [(type(event).__name__, *vars_of(event)) for event in board.world.step().events]
    assert ("Moved", crate, (9.0, 0.0, 0.0)) in events and ("Pushed", crate, platform, (9.0, 0.0, 0.0)) in events
    assert ("TriggerEntered", gate, crate) in events and any(event[0] == "TriggerLeft" for event in events)


def vars_of(event):
    return [getattr(event, name) for name in type(event).__match_args__ if name != "frame"]


def test_a_swept_trigger_sees_a_body_that_is_pushed_and_carried_once_M6():
    # the crate is pushed by the pole of the platform and rides on: 1 by the push, the rest as a rider
    board = Board()
    platform = board.compound((0, 0, 4, 1), (0, -2, 1, 0), motion=Motion(force=5), carries=Carries())
    crate = board.crate(2, -1, inertia=1)
    gate = board.body(6, -1, trigger=Trigger(swept=True))
    board.world.request(platform, 8)
    frame = board.world.step()
    assert 10 == board.xs(crate)[0]
    entered = [event for event in frame.events if type(event).__name__ == "TriggerEntered" and event.other == crate]
    assert [gate] == [event.trigger for event in entered]


def test_a_body_that_is_sunk_into_the_platform_rides_and_does_not_push_it_on_M6():
    board = Board()
    platform, crate = lift(board), board.body(-0.5, -0.75, inertia=Inertia(1))
    assert (2.0, 0, 0) == board.push(platform, 2).moved
    assert [(2, 0), (1.5, -0.75)] == [board.at(platform), board.at(crate)]


def test_a_plan_shows_riders_and_moves_nothing_M6():
    board = Board()
    platform, crate = lift(board), board.crate(1, -1)
    plan = board.world.plan(platform, 2)
    assert {crate: (2, 0, 0)} == dict(plan.result.pushed) and [0, 1] == board.xs(platform, crate)
    assert plan.result == plan.commit()
    assert [2, 3] == board.xs(platform, crate)


@pytest.mark.parametrize("mirrored", [False, True])
def test_ids_play_no_role_M6(mirrored):
    board = Board()
    ids = list(range(1, 9))
    if mirrored:
        ids.reverse()
    lift(board, id=ids[0])
    for number, (x, y) in enumerate([(0, -1), (1, -1), (2, -1), (1, -2), (1, -3)]):
        board.crate(x, y, inertia=9, id=ids[1 + number])
    board.wall(6, -2, id=ids[6])
    board.push(ids[0], 5)
    board.push(ids[0], 0, 3)
    board.push(ids[0], -2, -1)
    assert [(3, 2), (3, 1), (4, 1), (5, 1), (3, 0), (6, -3)] == [board.at(each) for each in ids[:6]]


def test_carrying_costs_about_as_much_as_pushing_M6():
    counts = []
    for carried in (10, 20):
        board = Board()
        platform = lift(board, 0, 0, 100)
        for x in range(carried):
            board.crate(2 * x, -1)
        board.world.step()
        board.push(platform, 1)
        board.world.step()
        counts.append(board.world.stats.expansions)
    assert [11, 21] == counts


@pytest.mark.parametrize("seed", many(40))
def test_random_worlds_with_platforms_and_grips_follow_the_model_M6_M12(seed):
    drawn = SceneGenerator(seed, reach=2.5, grain=2, in_3d=seed % 5 == 0)
    drawn.is_carrying = True
    settings = {name: value for name, value in drawn.settings().items() if name != "can_push"}
    scene = drawn.scene(9, fusing=seed % 3 == 0, **settings)
    world = scene.world()
    world.step()
    world.reports_overlaps = True
    with checked(world):
        for _ in range(3):
            for entity, parts in scene.bodies.items():
                if parts.motion is not None and drawn.chance(0.8):
                    world.request(entity, *drawn.displacement())
            able = [entity for entity, parts in scene.bodies.items() if parts.static is None]
            if able:
                world.move(drawn.choice(able), *drawn.displacement(), force=2.0, all_or_nothing=False)
            frame = world.step()
            assert [] == [event for event in frame.events if isinstance(event, Overlapped)], "no motion begins one"
            world.check()


def test_a_world_without_platforms_counts_none_M6():
    board = Board()
    platform = lift(board)
    assert 1 == board.world._bodies.columns.carrying_count
    board.world.remove(platform)
    assert 0 == board.world._bodies.columns.carrying_count
    board.body(0, 0, static=Static(), carries=Carries())
    assert 1 == board.world._bodies.columns.carrying_count
    board.world.check()
