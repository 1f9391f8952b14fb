"""M11: movers that press the same way on a common blocker add their forces."""

from __future__ import annotations

import pickle
import random

import pytest
from boards import Board, event_tuples, many, stop_of
from model.oracle import checked

from ecs_collision import (
    Blocked,
    CollisionValueError,
    CollisionWorld,
    Inertia,
    Motion,
    MoveResult,
    Pushed,
    SnapshotError,
    Trigger,
)

ORDERS = ("sequential", "front_first")


def two_players(forces=(2, 2), inertia=3, ids=(1, 2, 3), **settings):
    """Return a board with players at (0, 0) and (0, 1) behind a crate 2 high at x = 1."""
    board = Board(**{"forces": "add"} | settings)
    for number, force in enumerate(forces):
        board.player(0, number, force=force, id=ids[number])
    board.body(1, 0, h=2, inertia=Inertia(inertia), id=ids[2])
    return board


def step(board, **by):
    """Request a motion for each (`b1=(1, 0)` is body 1) and step."""
    for name, displacement in by.items():
        board.world.request(int(name[1:]), *displacement)
    frame = board.world.step()
    board.world.check()
    return frame


@pytest.mark.parametrize("order", ORDERS)
def test_a_crate_that_two_push_frame_by_frame_M11(order):
    board = two_players(order=order)
    step(board, b1=(1, 0))
    assert [0, 0, 1] == board.xs(1, 2, 3), "one is too weak"
    frame = step(board, b1=(1, 0), b2=(1, 0))
    assert [1, 1, 2] == board.xs(1, 2, 3)
    assert {1: 2.0, 2: 2.0} == dict(frame.results[1].shares) == dict(frame.results[2].shares)
    assert frame.results[1].complete and [] == event_tuples(frame.events, Blocked)
    assert [("Pushed", 3, 1, (1.0, 0.0, 0.0))] == event_tuples(frame.events, Pushed)
    step(board, b2=(-1, 0), b1=(1, 0))
    assert [1, 0, 2] == board.xs(1, 2, 3)
    frame = step(board, b1=(1, 0), b2=(3, 0))
    assert [2, 2, 3] == board.xs(1, 2, 3), "the second comes up, then both go by what is left of the first"
    assert frame.results[1].complete and ("x", 3, "FORCE", 2.0) == stop_of(frame.results[2])
    assert [2] == [event[1] for event in event_tuples(frame.events, Blocked)]


def test_alone_is_the_default_M11():
    board = Board()
    for y in (0, 1):
        board.player(0, y, force=2, id=y + 1)
    board.body(1, 0, h=2, inertia=Inertia(3), id=3)
    frame = step(board, b1=(1, 0), b2=(1, 0))
    assert [0, 0, 1] == board.xs(1, 2, 3)
    assert {} == dict(frame.results[1].shares)


@pytest.mark.parametrize(("forces", "inertia", "moved"), [((2, 2), 4, 0), ((2, 2.5), 4, 1), ((0.5, 3), 3.25, 1)])
def test_the_sum_must_exceed_the_inertia_M11_P3(forces, inertia, moved):
    board = two_players(forces, inertia)
    step(board, b1=(1, 0), b2=(1, 0))
    assert [moved, moved, 1 + moved] == board.xs(1, 2, 3)


def test_movers_that_press_in_other_directions_do_not_help_M11():
    board = two_players()
    board.player(2, 0, force=2, id=4)
    step(board, b1=(1, 0), b4=(-1, 0))
    assert [0, 0, 1, 2] == board.xs(1, 2, 3, 4)
    board = two_players()
    board.player(1, 2, force=2, id=5)
    step(board, b1=(1, 0), b5=(0, -1))
    assert (1, 0) == board.at(3)


def test_a_mover_that_does_not_press_yet_comes_up_first_M11():
    board = two_players()
    board.world.teleport(1, -1.5, 0.5)
    step(board, b1=(3, 0), b2=(3, 0))
    assert [1, 1, 2] == board.xs(1, 2, 3), "2 to come up, and 1 together"


def test_three_go_on_as_long_as_enough_of_them_have_something_left_M11():
    board = Board(forces="add")
    for y, force in enumerate((1, 1, 2)):
        board.player(0, y, force=force, id=y + 1)
    board.body(1, 0, h=3, inertia=Inertia(2.5), id=4)
    frame = step(board, b1=(1, 0), b2=(2, 0), b3=(9, 0))
    assert [1, 2, 2, 3] == board.xs(1, 2, 3, 4)
    assert {1: 1.0, 2: 1.0, 3: 2.0} == dict(frame.results[3].shares)
    assert ("x", 4, "FORCE", 2.0) == stop_of(frame.results[3])


def test_a_joint_push_stops_at_a_wall_M11():
    board = two_players()
    wall = board.wall(2.5, 1)
    frame = step(board, b1=(1, 0), b2=(1, 0))
    assert [0.5, 0.5, 1.5] == board.xs(1, 2, 3)
    assert [("x", wall, "IMMOVABLE", 0.5)] * 2 == [stop_of(frame.results[each]) for each in (1, 2)]


def test_movers_in_a_row_add_their_forces_M11():
    # the rear one pushes the front one, and both the crate
    board = Board(forces="add")
    board.player(0, force=2, id=1)
    board.player(1, force=2, id=2, inertia=Inertia(1))
    board.crate(2, inertia=3, id=3)
    frame = step(board, b1=(1, 0), b2=(1, 0))
    assert [1, 2, 3] == board.xs(1, 2, 3)
    assert [{3: (1.0, 0, 0)}] * 2 == [dict(frame.results[each].pushed) for each in (1, 2)]


@pytest.mark.parametrize(("order", "places"), [
    ("front_first", [(1, 1), (1, 2), (2, 0)]), ("sequential", [(0, 0), (0, 2), (1, 0)]),
])  # fmt: skip
def test_forces_add_up_after_each_axis_or_after_all_motions_M11(order, places):
    # sequential: 1 is below 2 and stays, 2 goes up and presses no more
    board = two_players(order=order)
    step(board, b1=(1, 1), b2=(1, 1))
    assert places == [board.at(each) for each in (1, 2, 3)]


@pytest.mark.parametrize("order", ORDERS)
def test_neither_ids_nor_the_order_of_requests_matter_M11(order):
    found = set()
    for ids in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        board = two_players((1, 2.5), 3, ids, order=order)
        for each in (ids if ids[0] == 1 else ids[::-1])[:3]:
            if each != ids[2]:
                board.world.request(each, 1 if each == ids[0] else 2)
        board.world.step()
        found.add(tuple(board.xs(*ids)))
    assert {(1.0, 1.0, 2.0)} == found


def test_the_remainder_of_a_finished_axis_is_kept_M11_L2():
    board = two_players()
    unit = 2.0**-16
    for _ in range(4):
        step(board, b1=(unit / 4, 0), b2=(unit / 4, 0))
    assert [unit, unit] == board.xs(1, 2)


def test_explain_names_each_share_M11():
    frame = step(two_players((2, 2.5)), b1=(1, 0), b2=(1, 0))
    text = frame.results[1].explain()
    assert "entity 1 (force 2) and entity 2 (force 2.5) pushed together" in text
    assert "shares=mappingproxy({1: 2.0, 2: 2.5}))" in repr(frame.results[1])
    assert pickle.loads(pickle.dumps(frame.results[1])) == frame.results[1] != replaced(frame.results[1], shares={})


def replaced(result, **changed):
    return MoveResult(**{name: getattr(result, name) for name in MoveResult.__match_args__} | changed)


def test_all_or_nothing_takes_no_part_M11():
    board = two_players()
    board.world._bodies.of(board.world._bodies.row(1)).motion.all_or_nothing = True
    step(board, b1=(1, 0), b2=(1, 0))
    assert [0, 0, 1] == board.xs(1, 2, 3)


def test_the_rule_sum_holds_for_the_sum_of_the_forces_M11_P4():
    board = two_players((2, 2), 3, rule="sum")
    board.crate(2, 0, inertia=1)
    step(board, b1=(1, 0), b2=(1, 0))
    assert [0, 0, 1] == board.xs(1, 2, 3), "3 + 1 are not below 4"


def test_a_bad_value_names_the_setting_M11_L3():
    with pytest.raises(CollisionValueError, match=r'forces is .*"alone" or "add"'):
        CollisionWorld(forces="sum")


def test_snapshots_say_the_setting_only_if_it_is_not_the_default_M11_N1():
    added, alone = CollisionWorld(forces="add"), CollisionWorld()
    added.restore(added.snapshot())
    for one, other in ((added, alone), (alone, added)):
        with pytest.raises(SnapshotError, match="forces is"):
            one.restore(other.snapshot())
    assert len(alone.snapshot()) < len(added.snapshot())


def test_a_crate_that_is_pushed_jointly_enters_a_swept_trigger_M11():
    board = two_players()
    gate = board.body(3, 0, 0.5, trigger=Trigger(swept=True))
    frame = step(board, b1=(5, 0), b2=(5, 0))
    kinds = [(type(event).__name__, event.other) for event in frame.events if getattr(event, "trigger", 0) == gate]
    assert ("TriggerEntered", 3) in kinds and ("TriggerLeft", 3) in kinds


@pytest.mark.parametrize("seed", many(40))
def test_random_crowds_follow_the_model_M11(seed):
    drawn = random.Random(seed)
    rule, order = drawn.choice(("each", "sum")), drawn.choice(ORDERS)
    world = CollisionWorld(forces="add", rule=rule, order=order, axis_order=drawn.choice(("xyz", "yxz")))
    board = Board()
    board.world = world
    ids = list(range(1, 30))
    drawn.shuffle(ids)
    movers = []
    for x in range(5):
        for y in range(4):
            kind = drawn.choice("ppppccw.")
            parts = {"inertia": Inertia(drawn.choice((1, 2, 3)))} if kind == "c" or drawn.random() < 0.3 else {}
            if kind in "pc":
                motion = {"motion": Motion(force=drawn.choice((1, 1.5, 2)), priority=drawn.choice((0, 0, 1)))}
                height = 1 if y == 3 or kind == "p" else 1 + drawn.choice((0, 0.5))
                entity = board.body(x, 1.5 * y, h=height, id=ids.pop(), **parts, **(motion if kind == "p" else {}))
                movers += [entity] if kind == "p" else []
            elif kind == "w":
                board.wall(x, 1.5 * y, id=ids.pop())
    with checked(world):
        for _ in range(4):
            for entity in movers:
                world.request(entity, drawn.choice((0, 0.5, 1, 2)), drawn.choice((0, 0, 0.5, -1)))
            world.step()
            world.check()
