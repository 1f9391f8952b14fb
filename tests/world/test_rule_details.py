"""Combinations of rules: ties, later axes, changes while something lasts.

Every scene but those of sleep is held to the model of the rules as well (`checked`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import esper
import pytest
from boards import Board, event_tuples, stop_of
from worlds import a_system, fresh_world

from ecs_collision import (
    AxisStop,
    Blocked,
    Box,
    BoxCollider,
    Contact,
    ContactEnded,
    FellAsleep,
    Inertia,
    LeftReason,
    Mass,
    Moved,
    OrientedBoxCollider,
    Overlapped,
    PushLink,
    Sleeping,
    SphereCollider,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Velocity,
    Woke,
)
from tests.model.oracle import checked


@contextmanager
def a_board(**settings: Any) -> Iterator[Board]:
    """Yield a board that is compared with the model of the rules."""
    board = Board(**settings)
    with checked(board.world):
        yield board


def events_of_next_frame(board: Board, *kinds: type[Any]) -> list[tuple[Any, ...]]:
    """Run a frame and return its events of some kinds."""
    return event_tuples(board.world.step().events, *kinds)


# --- P2, P4, P16: the blocker of a motion, and the reason -------------------------------------------------------------

# A, five high, moves right and meets several bodies at distance 2. By name: settings, the bodies by id as (kind, low
# y), and the blocker and reason of A's stop.
AT_ONE_DISTANCE: dict[str, tuple[dict[str, Any], dict[int, tuple[str, int]], tuple[tuple[int, ...], str]]] = {
    "the bounds": ({}, {}, ((), "BOUNDS")),
    "the bounds and a crate": ({}, {2: ("crate", 0)}, ((), "BOUNDS")),
    "the bounds and a wall": ({}, {2: ("wall", 0)}, ((2,), "IMMOVABLE")),
    "the bounds and a heavy crate": ({}, {2: ("heavy", 0)}, ((2,), "FORCE")),
    "the bounds and a chain too long": ({"max_chain": 0}, {2: ("crate", 0)}, ((2,), "CHAIN_LIMIT")),
    "the bounds and a sum too large": ({"rule": "sum"}, {2: ("crate", 0), 3: ("crate", 2)}, ((3,), "FORCE")),
    "two walls": ({}, {3: ("wall", 0), 2: ("wall", 2)}, ((2, 3), "IMMOVABLE")),
    "two walls and a crate": ({}, {4: ("wall", 0), 3: ("crate", 2), 2: ("wall", 4)}, ((2, 4), "IMMOVABLE")),
    "a heavy crate and a wall": ({}, {2: ("heavy", 0), 3: ("wall", 2)}, ((2, 3), "FORCE")),
    "a wall and a heavy crate": ({}, {2: ("wall", 0), 3: ("heavy", 2)}, ((2, 3), "IMMOVABLE")),
    "a chain too long and a wall": ({"max_chain": 0}, {2: ("crate", 0), 3: ("wall", 2)}, ((3,), "IMMOVABLE")),
    "a sum too large and a wall": ({"rule": "sum"}, {2: ("crate", 0), 3: ("crate", 2), 4: ("wall", 4)},
                                   ((4,), "IMMOVABLE")),
    "two that are each too many": ({"max_chain": 0}, {3: ("crate", 0), 2: ("crate", 2)}, ((2,), "CHAIN_LIMIT")),
}  # fmt: skip


@pytest.mark.parametrize("call", ["move", "plan", "frame"])
@pytest.mark.parametrize(("settings", "bodies", "stop"), AT_ONE_DISTANCE.values(), ids=AT_ONE_DISTANCE)
def test_all_at_one_distance_are_blockers_and_the_bounds_come_last_P2_P16(settings, bodies, stop, call):
    #   AA..|2     the bounds are at the low sides of the bodies
    #   AA..|3
    blockers, reason = stop
    with a_board(bounds=((-9, -9), (3, 9)), **settings) as board:
        mover = board.player(0, force=2, h=5, id=1)
        for entity, (kind, y) in bodies.items():
            {"wall": board.wall, "crate": board.crate, "heavy": heavy(board)}[kind](3, y, id=entity)
        if call == "frame":
            board.world.request(mover, 5)
            result = board.world.step().results[mover]
        else:
            result = board.push(mover, 5) if call == "move" else board.world.plan(mover, 5).result
        first = blockers[0] if blockers else None
        found = (first, StopReason[reason], 2.0, (1.0, 0.0, 0.0), blockers)
        assert (AxisStop("x", *found),) == result.stops
        if call != "plan":
            events = board.world.events if call == "frame" else board.world.step().events
            expected = [("Blocked", mover, first, "x", StopReason[reason], (1.0, 0.0, 0.0), blockers)]
            assert expected == event_tuples(events, Blocked)


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_direction_of_a_stop_is_the_unit_vector_of_the_motion_on_its_axis_P16(axis, sign):
    vector = tuple(sign if each == axis else 0.0 for each in "xyz")
    with a_board() as board:
        mover, wall = board.player(0), board.wall(3 * vector[0], 3 * vector[1], z=3 * vector[2])
        result = board.push(mover, *(9 * by for by in vector))
        assert [(axis, vector, (wall,))] == [(stop.axis, stop.direction, stop.blockers) for stop in result.stops]
        assert "-0.0" not in repr(result.stops)
        (event,) = [event for event in board.world.step().events if isinstance(event, Blocked)]
        assert vector == event.direction


def test_two_motions_of_one_body_in_a_frame_keep_their_own_blockers_T10():
    with a_board() as board:
        mover = board.player(0, h=3)
        walls = {way: (board.wall(3 * way, 0), board.wall(3 * way, 2)) for way in (1, -1)}
        board.push(mover, 9), board.push(mover, -9)
        events = [event for event in board.world.step().events if isinstance(event, Blocked)]
        assert [((1.0, 0.0, 0.0), walls[1]), ((-1.0, 0.0, 0.0), walls[-1])] == [
            (event.direction, event.blockers) for event in events
        ]


def test_a_motion_is_explained_with_all_its_blockers_but_only_the_first_of_many_P16():
    with a_board() as board:
        mover = board.player(0, h=9, force=2, id=1)
        board.crate(3, 0, inertia=7, id=2)
        for count in range(1, 6):
            board.wall(3, count, id=2 + count)
            if count == 1:
                both = board.world.plan(mover, 5).explain()
        many = board.world.plan(mover, 5).explain()
    start = "entity 1 (force 2) moved x +2 of +5; x stopped after 2 by entity 2 (inertia 7): the force is too small"
    walls = "entity 3 (immovable), entity 4 (immovable), entity 5 (immovable)"
    assert (f"{start}, and by entity 3 (immovable)", f"{start}, and by {walls} and 2 more") == (both, many)


def heavy(board: Board) -> Any:
    """Return a call that adds a crate that force 2 does not push."""
    return lambda x, y, id: board.crate(x, y, inertia=2, id=id)


def test_of_a_veto_and_a_wall_at_equal_distance_the_lowest_id_is_the_blocker_P15_P16():
    for vetoed, wall, stop in ((2, 3, (2, "HOOK")), (3, 2, (2, "IMMOVABLE"))):
        with a_board(can_push=lambda pusher, pushed, axis, force: False) as board:
            mover = board.player(0, h=5, id=1)
            board.crate(3, 0, id=vetoed)
            board.wall(3, 2, id=wall)
            result = board.push(mover, 5)
            assert ("x", *stop, 2.0) == stop_of(result)
            assert (2, 3) == result.stops[0].blockers


def test_every_blocker_is_asked_about_once_by_id_and_a_static_is_not_P15():
    asked: list[tuple[int, int]] = []
    with a_board(can_push=lambda pusher, pushed, axis, force: asked.append((pusher, pushed))) as board:
        mover = board.player(0, h=7, id=1)
        for entity, inertia in ((5, 1), (4, 9), (3, 9)):
            board.crate(3, 7 - entity, inertia=inertia, id=entity)
        board.wall(3, 5, id=2)
        assert ((2, 3, 4), [(1, 3), (1, 4), (1, 5)]) == (board.push(mover, 5).stops[0].blockers, asked)


@pytest.mark.parametrize(("force", "max_chain", "reason"), [
    (2.0, 1, "FORCE"), (2.0, 9, "FORCE"), (9.0, 1, "CHAIN_LIMIT"),
], ids=["both", "the sum", "the chain"])  # fmt: skip
def test_a_body_too_heavy_for_the_sum_and_the_chain_stops_by_force_P4(force, max_chain, reason):
    #   A11    the second crate makes a sum of 2 and a chain of 2
    with a_board(rule="sum", max_chain=max_chain) as board:
        mover, _, second = board.player(0, force=force), board.crate(1), board.crate(2)
        assert ("x", second, reason, 0.0) == stop_of(board.push(mover, 1))


def test_a_mover_is_not_its_own_obstacle_with_any_inertia_P7():
    #   AAAA..   ..AAAA
    #   AbbA..   ..AbbA
    for weight in (9, float("inf")):
        with a_board() as board:
            ring = [(0, 1, 4, 2), (0, 0, 1, 1), (3, 0, 4, 1)]
            inside = board.crate(1, w=2)
            mover = board.compound(*ring, inertia=Inertia(weight))
            result = board.push(mover, 2, force=5)
            assert ((2.0, 0.0, 0.0), {inside: (2.0, 0.0, 0.0)}) == (result.moved, dict(result.pushed))


# --- P5: all or nothing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["move", "plan", "frame"])
@pytest.mark.parametrize(("order", "planned"), [("xyz", ""), ("xzy", ""), ("yxz", "y")])
def test_after_the_first_axis_that_does_not_fit_no_axis_is_planned_P5(order, planned, call):
    #   c.#    a wall 1 away on x, and crates in the way on y (c) and on z
    #   A.#
    hooked: list[tuple[Any, ...]] = []
    with a_board(all_or_nothing=True, axis_order=order, can_push=lambda *pair: hooked.append(pair)) as board:
        mover, wall = board.player(0), board.wall(2, -4, h=9)
        board.crate(0, 1), board.crate(0, z=1)
        if call == "frame":
            board.world.request(mover, 3, 2, 1)
            result = board.world.step().results[mover]
        else:
            result = board.push(mover, 3, 2, 1) if call == "move" else board.world.plan(mover, 3, 2, 1).result
        assert planned == "".join(sorted({axis for _, _, axis, _ in hooked}))
        assert ((0.0, 0.0, 0.0), {}, ()) == (result.moved, dict(result.pushed), result.links)
        stops = [(stop.axis, stop.blocker, stop.reason, stop.allowed) for stop in result.stops]
        by_axis = {axis: (axis, None, StopReason.ALL_OR_NOTHING, 0.0) for axis in "yz"}
        by_axis["x"] = ("x", wall, StopReason.IMMOVABLE, 1.0)
        assert [by_axis[axis] for axis in order] == stops
        if call == "plan":
            return
        events = board.world.events if call == "frame" else board.world.step().events
        ways = {"x": ((1.0, 0.0, 0.0), (wall,)), "y": ((0.0, 1.0, 0.0), ()), "z": ((0.0, 0.0, 1.0), ())}
        expected = [("Blocked", mover, by_axis[axis][1], axis, by_axis[axis][2], *ways[axis]) for axis in "xyz"]
        assert expected == event_tuples(events, object)


# --- P9: moving deeper ------------------------------------------------------------------------------------------------

# How A and B lie on x, as (low, high), and whether a step of A to the right or to the left moves deeper.
LYING = {
    "half in": ((0, 2), (1, 3), True, False),
    "half out": ((1, 3), (0, 2), False, True),
    "the same": ((0, 2), (0, 2), False, False),
    "inside": ((1, 2), (0, 4), False, False),
    "around": ((0, 4), (1, 2), False, False),
    "inside, low faces equal": ((0, 2), (0, 4), False, False),
    "inside, high faces equal": ((2, 4), (0, 4), False, False),
    "around, low faces equal": ((0, 4), (0, 2), False, False),
    "around, high faces equal": ((0, 4), (2, 4), False, False),
}


@pytest.mark.parametrize("length", [0.25, 1, 9])
@pytest.mark.parametrize("way", [1, -1], ids=["right", "left"])
@pytest.mark.parametrize(("mine", "theirs", "right", "left"), LYING.values(), ids=LYING)
def test_moving_deeper_is_decided_by_the_first_step_not_by_the_whole_path_P9(mine, theirs, right, left, way, length):
    """A path of 9 leads out on the other side, so at its end the overlap would not have grown."""
    for policy in ("leave", "block_deeper"):
        with a_board(overlap_policy=policy) as board:
            mover = board.player(mine[0], w=mine[1] - mine[0])
            other = board.wall(theirs[0], w=theirs[1] - theirs[0])
            blocks = policy == "block_deeper" and (right if way > 0 else left)
            expected = [("x", other, StopReason.IMMOVABLE, 0.0)] if blocks else []
            result = board.push(mover, way * length)
            assert expected == [(stop.axis, stop.blocker, stop.reason, stop.allowed) for stop in result.stops]
            assert (0.0 if blocks else way * length) == result.moved[0]


def test_a_bullet_that_starts_a_hair_inside_a_wall_passes_only_with_leave_P9():
    for settings, moved in ({}, 0.0), ({"overlap_policy": "leave"}, 3.0):
        with a_board(**settings) as board:
            bullet = board.player(4.05, 0.4, w=0.5, h=0.125)
            wall = board.wall(4.5)
            result = board.push(bullet, 3)
            assert (moved, not moved) == (result.moved[0], result.blocked)
            assert ([] if moved else [wall]) == [stop.blocker for stop in result.stops]
            assert bool(moved) == board.push(bullet, -3).blocked


def test_an_overlapping_body_that_would_be_entered_deeper_is_pushed_with_gap_0_P9():
    with a_board() as board:
        mover, crate = board.player(0), board.crate(0.5)
        result = board.push(mover, 3)
        assert ({crate: (3.0, 0.0, 0.0)}, (PushLink(mover, crate, "x", 0.0),)) == (dict(result.pushed), result.links)


# --- P10: order -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1], ids="xy")
@pytest.mark.parametrize("ids", [(1, 2), (2, 1)], ids=["first made goes up", "first made goes down"])
@pytest.mark.parametrize(("priorities", "winner"), [((0, 0), "up"), ((1, 0), "up"), ((0, 1), "down")],
                         ids=["alike", "up is higher", "down is higher"])  # fmt: skip
def test_front_first_moves_positive_directions_before_negative_P10(axis, ids, priorities, winner):
    #   A.B    A moves up the axis, B down it, and there is space for one of them
    with a_board(order="front_first") as board:
        places = {ids[0]: (0.0, 0), ids[1]: (2.0, 1)}
        for entity, (low, which) in sorted(places.items()):
            board.player(*((low, 0.0) if axis == 0 else (0.0, low)), priority=priorities[which], id=entity)
            way = 1 - 2 * which
            board.world.request(entity, *((way, 0) if axis == 0 else (0, way)))
        results = board.world.step().results
        moved = {"up": results[ids[0]].moved[axis], "down": results[ids[1]].moved[axis]}
        assert {"up": 0.0, "down": 0.0} | {winner: 1.0 if winner == "up" else -1.0} == moved


def test_front_first_compares_directions_before_positions_P10():
    #   AB..C    B moves left and is the first in that direction; A and C move right first
    with a_board(order="front_first") as board:
        a, b, c = board.player(0, id=3), board.player(1, id=2), board.player(4, id=1)
        for entity, way in ((a, 1), (b, -1), (c, 1)):
            board.world.request(entity, way)
        results = board.world.step().results
        assert {a: 0.0, b: 0.0, c: 1.0} == {entity: result.moved[0] for entity, result in results.items()}


# --- S4: waking and removal -------------------------------------------------------------------------------------------

WAKING = {
    "pushed": lambda board, sleeper, sleeping: board.push(1, 1),
    "written": lambda board, sleeper, sleeping: setattr(board.transforms[sleeper], "x", 30),
    "woken by a write": lambda board, sleeper, sleeping: setattr(sleeping, "asleep", False),
}


@pytest.mark.parametrize("asked", [False, True], ids=["", "and looked at"])
@pytest.mark.parametrize("wake", WAKING.values(), ids=WAKING)
def test_a_woken_body_has_an_event_unless_it_is_removed_by_the_end_of_the_frame_S4(wake, asked):
    for gone in (False, True):
        board, sleeping = Board(), Sleeping(asleep=True)
        board.player(0, id=1)
        sleeper = board.crate(1, sleeping=sleeping)
        board.world.step()
        wake(board, sleeper, sleeping)
        if asked:
            assert [] == board.world.space.at(90, 90)
        if gone:
            board.world.remove(sleeper)
        assert ([] if gone else [("Woke", sleeper)]) == events_of_next_frame(board, Woke, FellAsleep)
        board.world.check()


CHANGED_BACK = {
    "teleported": lambda board, sleeper, place: setattr(board.transforms[sleeper], "x", place),
    "resized": lambda board, sleeper, place: setattr(board.colliders[sleeper], "hx", place),
    "of another layer": lambda board, sleeper, place: setattr(board.colliders[sleeper], "layer", f"layer {place}"),
}


@pytest.mark.parametrize("asked", [False, True], ids=["unseen", "seen"])
@pytest.mark.parametrize("change", CHANGED_BACK.values(), ids=CHANGED_BACK)
def test_a_change_that_is_reverted_wakes_if_a_query_came_between_S4(change, asked):
    board = Board()
    sleeper = board.crate(0, sleeping=Sleeping(asleep=True), layer="layer 0.5")
    board.world.step()
    change(board, sleeper, 0.75)
    if asked:
        assert [sleeper] == board.world.space.at(0.5, 0.5)
    change(board, sleeper, 0.5)
    assert [("Woke", sleeper)] * asked == events_of_next_frame(board, Woke, FellAsleep)


def test_a_body_put_asleep_and_removed_by_the_end_of_the_frame_has_no_event_S4():
    board, sleeping = Board(), Sleeping()
    sleeper = board.crate(0, sleeping=sleeping)
    board.world.step()
    sleeping.asleep = True
    assert [sleeper] == board.world.space.at(0.5, 0.5)
    board.world.remove(sleeper)
    assert [] == events_of_next_frame(board, Woke, FellAsleep)


def test_a_new_body_with_the_id_of_one_that_woke_has_not_woken_S4():
    board, sleeping = Board(), Sleeping(asleep=True)
    sleeper = board.crate(0, sleeping=sleeping)
    board.world.step()
    sleeping.asleep = False
    board.world.apply_changes()
    board.world.remove(sleeper)
    board.crate(0, sleeping=Sleeping(), id=sleeper)
    assert [] == events_of_next_frame(board, Woke, FellAsleep)


# --- T4: out and in again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stay", [False, True], ids=["", "stay"])
@pytest.mark.parametrize("linger", [0, 1, 5])
@pytest.mark.parametrize("swept", [False, True], ids=["", "swept"])
def test_a_body_outside_between_frames_left_and_entered_if_swept_without_linger_T4(swept, linger, stay):
    with a_board() as board:
        zone = board.body(0, trigger=Trigger(swept=swept, linger=linger, stay=stay))
        body = board.player(0)
        assert [("TriggerEntered", zone, body)] == events_of_next_frame(board, TriggerEntered, TriggerLeft)
        board.push(body, 3)
        board.push(body, -3)
        crossing = [("TriggerLeft", zone, body, LeftReason.MOVED), ("TriggerEntered", zone, body)]
        expected = [("TriggerStayed", zone, body)] * stay + crossing * (swept and not linger)
        assert expected == events_of_next_frame(board, TriggerEntered, TriggerLeft, TriggerStayed)
        assert [body] == board.world.inside(zone)


def test_a_teleport_out_and_back_is_not_a_crossing_T4():
    with a_board() as board:
        zone, body = board.body(0, trigger=Trigger(swept=True)), board.player(0)
        board.world.step()
        board.world.teleport(body, 30, 0)
        assert [] == board.world.space.overlapping(zone)
        board.world.teleport(body, 0.5, 0.5)
        assert [] == events_of_next_frame(board, object)
        assert [body] == board.world.inside(zone)


# --- T5: lingering ----------------------------------------------------------------------------------------------------


def frames_until_left(board: Board) -> int:
    """Return the number of frames until a body has left, at most 20."""
    return next(frame for frame in range(1, 20) if events_of_next_frame(board, TriggerLeft))


@pytest.mark.parametrize("after", [0, 1, 2, 3, 9])
def test_linger_is_taken_in_the_frame_in_which_the_overlap_ends_T5(after):
    with a_board() as board:
        trigger = Trigger(linger=3)
        board.body(0, trigger=trigger)
        body = board.player(0)
        board.world.step()
        board.push(body, 5)
        trigger.linger = after
        assert after + 1 == frames_until_left(board)


@pytest.mark.parametrize("after", [0, 1, 2, 3, 9])
def test_linger_written_while_a_contact_lingers_applies_to_the_next_end_T5(after):
    with a_board() as board:
        trigger = Trigger(linger=3)
        zone, body = board.body(0, trigger=trigger), board.player(0)
        board.world.step()
        board.push(body, 5)
        assert [] == events_of_next_frame(board, TriggerLeft)
        trigger.linger = after
        assert 3 == frames_until_left(board)
        board.push(body, -5)
        assert [("TriggerEntered", zone, body)] == events_of_next_frame(board, TriggerEntered)
        board.push(body, 5)
        assert after + 1 == frames_until_left(board)


@pytest.mark.parametrize("after", [0, 1, 9])
def test_a_lingering_contact_that_is_seen_again_has_the_linger_of_its_next_end_T5(after):
    with a_board() as board:
        trigger = Trigger(linger=3)
        zone, body = board.body(0, trigger=trigger), board.player(0)
        board.world.step()
        board.push(body, 5)
        board.world.step()
        trigger.linger = after
        board.push(body, -5)
        assert [] == events_of_next_frame(board, TriggerEntered, TriggerLeft)
        assert [body] == board.world.inside(zone)
        board.push(body, 5)
        assert after + 1 == frames_until_left(board)


def test_what_touches_a_wall_from_behind_is_no_blocker_P2():
    with a_board() as board:
        mover, wall, _ = board.player(0), board.wall(2), board.wall(3)
        assert (wall,) == board.push(mover, 5).stops[0].blockers


def test_beside_a_refused_body_only_what_cannot_be_pushed_blocks_P15():
    for inertia, blockers in ((1, (2,)), (9, (2, 3))):
        board = Board(can_push=lambda pusher, pushed, axis, force: False if pushed == 2 else None)
        board.body(0, 0, 1, 2, id=1)
        board.crate(2, -0.5, id=2)
        board.crate(2, 0.5, id=3, inertia=inertia)
        assert blockers == board.push(1, 5, force=5).stops[0].blockers


def test_a_circle_of_radius_0_is_empty_inside_round_parts_too_H7():
    board = Board()
    board.world.add(transform=Transform(0, 0), collider=SphereCollider(1))
    assert [] == board.world.space.overlapping_circle((0, 0), 0)


def test_a_plate_that_is_cast_meets_a_plate_H8():
    board = Board()
    plate = board.world.add(transform=Transform(0, 0), collider=BoxCollider(0, 1))
    hit = board.world.space.cast((Box(0, 1), (3, 0)), (-6, 0))
    assert (plate, 0.5) == (hit.entity, hit.fraction)


def test_the_state_hash_covers_the_after_of_sleeping_and_not_whether_it_sleeps_N2():
    def state_hash(sleeping):
        board = Board()
        board.world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), sleeping=sleeping)
        return board.world.state_hash()

    assert state_hash(Sleeping(True)) == state_hash(Sleeping(False))
    assert 3 == len({state_hash(None), state_hash(Sleeping(after=1)), state_hash(Sleeping(after=2))})


def test_a_body_that_passes_a_swept_trigger_that_lingers_leaves_it_later_T5():
    board = Board()
    board.body(4, trigger=Trigger(swept=True, linger=2))
    board.push(board.player(0), 8)
    kinds = [[type(event) for event in board.world.step().events if type(event) is not Moved] for _ in range(5)]
    assert [[TriggerEntered], [], [], [TriggerLeft], []] == kinds


def test_a_body_that_turns_in_a_step_begins_no_overlap_T11():
    board = Board()
    board.world.reports_overlaps = True
    board.world.add(
        transform=Transform(0, 0),
        collider=OrientedBoxCollider(1, 0.25),
        velocity=Velocity(angular=3),
        mass=Mass(1, moment=1),
    )
    board.world.add(transform=Transform(0, 0.75), collider=BoxCollider(0.25, 0.25))
    for _ in range(60):
        board.world.step_dynamics(1 / 60)
        assert not any(isinstance(event, Overlapped) for event in board.world.step().events)
        assert not board.world.space.pairs()


def test_a_contact_with_a_body_that_gets_a_disabled_trigger_ends_as_disabled_C3():
    with fresh_world():
        system = a_system()
        asks = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Contact())
        other = esper.create_entity(Transform(1, 0), BoxCollider(0.5, 0.5))
        esper.process()
        assert [other] == system.contacts(asks)
        esper.add_component(other, Trigger(enabled=False))
        esper.process()
        assert [LeftReason.DISABLED] == [event.reason for event in system.events if isinstance(event, ContactEnded)]
