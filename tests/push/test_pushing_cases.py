"""The push cases P, C, D and K: the engine and the model of the rules play each drawing in three orientations.

The compounds that no drawing of whole tiles can show are in test_compound_cases.py.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest
from boards import Board, event_tuples, stop_of
from drawing import PLANS, Plan, drawn

from ecs_collision import LATTICE, Blocked, Moved, Pushed, Sleeping, Trigger, TriggerEntered
from tests.model.oracle import checked

ORIENTATIONS = {"": lambda plan: plan}
MIRRORED, TURNED = str.maketrans("<>", "><"), str.maketrans("^>", ">^")  # one-way walls


def orientation(turn):
    ORIENTATIONS[turn.__name__] = turn
    return turn


@orientation
def mirrored(plan: Plan) -> Plan:
    """Left is right (case P12)."""
    flip = lambda text: "\n".join(line[::-1] for line in text.translate(MIRRORED).splitlines())  # noqa: E731
    stop = plan.stop and (plan.stop[0].translate(MIRRORED), plan.stop[1])
    way = (-plan.way[0], plan.way[1])
    return replace(plan, before=flip(plan.before), after=flip(plan.after), way=way, stop=stop)


@orientation
def turned(plan: Plan) -> Plan:
    """X is y and y is x."""
    flip = lambda text: "\n".join(  # noqa: E731
        map("".join, list(zip(*text.translate(TURNED).splitlines()[::-1], strict=True))[::-1])
    )
    order = plan.axis_order.translate(str.maketrans("xy", "yx"))
    stop = plan.stop and (plan.stop[0].translate(TURNED), plan.stop[1])
    return replace(
        plan, before=flip(plan.before), after=flip(plan.after), way=plan.way[::-1], axis_order=order, stop=stop
    )


@pytest.mark.parametrize("turn", ORIENTATIONS.values(), ids=lambda turn: getattr(turn, "__name__", "").strip("<>"))
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_the_engine_and_the_model_play_the_drawing(plan, turn):
    case = turn(plan)
    plot = drawn(case.before, case.inertias)
    mover, way = plot["A"], (*map(float, case.way), 0.0)
    world = plot.scene(axis_order=case.axis_order).world()
    with checked(world):
        result = world.move(mover, *way, **case.how)
    assert plot.after({**result.pushed, mover: result.moved}) == case.after
    stops = [({*map(plot.signs.get, stop.blockers)}, stop.reason.name) for stop in result.stops]
    assert stops == ([({*case.stop[0]}, case.stop[1])] if case.stop else [])
    world.check()


# --- single pushes ----------------------------------------------------------------------------------------------------


def test_p01_a_free_move_reports_only_moved():
    board = Board()
    player = board.player(0)
    board.world.request(player, dx=3)
    frame = board.world.step()
    assert [("Moved", player, (3.0, 0.0, 0.0))] == event_tuples(frame.events, object)


@pytest.mark.once
@pytest.mark.parametrize("start", [0.0, 0.1, 0.3, 1 / 3, 7.7])
def test_p07_ten_thousand_pushes_into_a_wall_leave_the_position_bit_identical(start):
    board = Board()
    player = board.player(start)
    board.wall(start + 1.2)
    board.push(player, 0.5)
    place = board.places()[player]
    for _ in range(10_000 if start == 0.1 else 100):
        board.push(player, 0.1)
    assert place == board.places()[player]


def test_p13_a_zero_motion_does_nothing_and_wakes_no_body():
    board = Board()
    player = board.player(0, sleeping=(rest := Sleeping(asleep=True)))
    board.crate(1, sleeping=(sleeper := Sleeping(asleep=True)))
    board.world.request(player)
    frame = board.world.step()
    result = board.push(player)
    assert result.complete and (0.0, 0.0, 0.0) == result.moved and {} == result.pushed and () == result.stops
    assert [] == frame.events
    assert rest.asleep and sleeper.asleep


def test_p14_a_wall_without_thickness_stops_a_motion():
    board = Board()
    player, wall = board.player(0), board.wall(50, w=0)
    assert ("x", wall, "IMMOVABLE", 49.0) == stop_of(board.push(player, 100))


@pytest.mark.parametrize("way", [(4, 0), (-2, 0), (0, 5), (0, -2)])
def test_p16_a_motion_that_ends_at_the_bounds_was_not_stopped_by_them(way):
    board = Board(bounds=((-2, -2), (5, 6)))
    player = board.player(0)
    result = board.push(player, *way)
    assert result.complete and result.stops == ()
    assert way == board.at(player)
    assert ("x" if way[0] else "y", None, "BOUNDS", 0.0) == stop_of(board.push(player, *way))


@pytest.mark.parametrize(("way", "allowed"), [((9, 0), 3.0), ((-9, 0), 2.0), ((0, 9), 1.0)])
def test_p16_the_part_of_a_compound_that_reaches_furthest_meets_the_bounds(way, allowed):
    board = Board(bounds=((-3, -3), (6, 4)))
    arm = board.compound((0, 0, 1, 1), (1, 0, 3, 1), (-1, 2, 1, 3))
    assert ("x" if way[0] else "y", None, "BOUNDS", allowed) == stop_of(board.push(arm, *way))


def test_p16_flat_bounds_leave_z_free():
    board = Board(bounds=((0, 0), (6, 1)))
    player = board.player(0)
    assert board.push(player, dz=50).complete
    assert 50.0 == board.transforms[player].z


def test_p11_a_wall_is_met_at_any_distance():
    board = Board()
    player, wall = board.player(0), board.wall(100_000.25, 0.25, w=0.5, h=0.5)
    for x in range(10, 90_000, 9_000):
        board.body(x, 50)
    assert ("x", wall, "IMMOVABLE", 99_999.25) == stop_of(board.push(player, 1_000_000))
    assert ("x", wall, "IMMOVABLE", 0.0) == stop_of(board.push(player, 1_000_000))


@pytest.mark.parametrize("way", [5, -5])
def test_p16_a_face_beyond_the_bounds_is_not_stopped_and_one_within_is(way):
    # the body outside may move on; the compound has one part outside and one a unit before the bounds
    board = Board(bounds=((0, 0), (6, 9)))
    outside = board.player(9 if way > 0 else -4)
    far = 4 if way > 0 else -4
    astride = board.compound((0, 3, 1, 4), (far, 5, far + 1, 6), x=4 if way > 0 else 1)
    assert board.push(outside, way).complete
    assert ("x", None, "BOUNDS", 1.0) == stop_of(board.push(astride, way))


def test_p16_a_body_at_the_bounds_is_named_before_them():
    board = Board(bounds=((0, 0), (5, 1)))
    player, crate, second = board.player(0), board.crate(2), board.crate(4)
    assert ("x", second, "CHAIN_LIMIT", 2.0) == stop_of(board.push(player, 9, max_chain=1))
    assert [2.0, 3.0] == board.xs(player, crate)


def test_p16_a_trigger_and_a_disabled_body_meet_the_index_range_only():
    board = Board(bounds=((0, 0), (6, 1)))
    zone, off = board.body(0, trigger=Trigger()), board.body(3)
    board.colliders[off].enabled = False
    assert board.push(zone, 50).complete and board.push(off, 50).complete
    for entity, sign in ((zone, 1), (off, 1), (zone, -1), (off, -1)):
        assert ("x", None, "BOUNDS") == stop_of(board.push(entity, sign * 1e9))[:3]
        assert (2.0**20 - 1 - LATTICE if sign > 0 else -(2.0**20)) == board.at(entity)[0]
    board.world.check()


def test_p16_the_index_range_acts_as_bounds_for_motions():
    board = Board()
    player = board.player(0)
    assert ("x", None, "BOUNDS", 2.0**20 - 1 - LATTICE) == stop_of(board.push(player, 1e9))
    assert ("x", None, "BOUNDS", 2.0**21 - 1 - LATTICE) == stop_of(board.push(player, -1e9))
    assert -(2.0**20) == board.at(player)[0]


def test_p19_a_failed_all_or_nothing_request_moves_nothing_and_names_the_wall():
    board = Board(all_or_nothing=True)
    player, crate, wall = board.player(0), board.crate(1), board.wall(5)
    board.world.request(player, dx=4, dy=1)
    frame = board.world.step()
    result = frame.results[player]
    assert ((0.0, 0.0, 0.0), {}, ()) == (result.moved, result.pushed, result.links)
    stops = {(stop.axis, stop.blocker, stop.reason.name) for stop in result.stops}
    assert {("x", wall, "IMMOVABLE"), ("y", None, "ALL_OR_NOTHING")} == stops
    assert {(player, wall, "x"), (player, None, "y")} == {event[1:4] for event in event_tuples(frame.events, Blocked)}
    assert [] == event_tuples(frame.events, Moved, Pushed)
    assert board.push(player, 3).complete and [3.0, 4.0] == board.xs(player, crate)


@pytest.mark.parametrize("axis_order", ["xyz", "yxz"])
def test_p19_a_request_that_fits_along_one_axis_alone_moves_along_none(axis_order):
    board = Board(axis_order=axis_order)
    player, _, wall = board.player(0), board.crate(2), board.wall(0, 3, w=9)
    places = board.places()
    result = board.push(player, 3, 5, all_or_nothing=True)
    stops = {stop.axis: (stop.blocker, stop.reason.name, stop.allowed) for stop in result.stops}
    assert {"x": (None, "ALL_OR_NOTHING", 0.0), "y": (wall, "IMMOVABLE", 2.0)} == stops
    assert ((0.0, 0.0, 0.0), {}, ()) == (result.moved, dict(result.pushed), result.links)
    assert places == board.places()
    assert ["Blocked", "Blocked"] == [type(event).__name__ for event in board.world.step().events]
    board.world.check()
    assert board.push(player, 3, 2, all_or_nothing=True).complete


def test_p20_sum_adds_the_inertias_of_all_pushed_bodies():
    board = Board(rule="sum")
    player, crates = board.player(0, force=5), [board.crate(x, inertia=2) for x in (1, 2, 3)]
    assert ("x", crates[2], "FORCE", 0.0) == stop_of(board.push(player, 1))
    board.world.remove(crates[2])
    assert board.push(player, 1).complete
    board.crate(4, inertia=2)
    assert board.push(player, 1, rule="each").complete


# --- chains -----------------------------------------------------------------------------------------------------------


def test_c07_a_diamond_of_18_layers_is_pushed_with_one_search_around_each_body():
    """Recursion would visit 2**18 paths."""
    board = Board()
    player = board.player(-1, 0, h=2)
    for layer in range(18):
        for brick in range(layer + 1):
            board.crate(layer, 2 * brick - layer, h=2)
    board.world.apply_changes()
    index = board.world._bodies.dynamic
    before = index.cells_visited
    result = board.push(player, 1)
    assert result.complete and 171 == len(result.pushed)
    assert {(1.0, 0.0, 0.0)} == set(result.pushed.values())
    assert 171 <= index.cells_visited - before < 171 * 20


def test_c08_a_train_of_3000_boxes_is_pushed():
    board = Board()
    player = board.player(0)
    train = [board.crate(1 + number) for number in range(3000)]
    result = board.push(player, 2)
    assert result.complete and 3000 == len(result.pushed)
    assert [3.0 + number for number in range(3000)] == board.xs(*train)


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))), ids=str)
def test_c09_a_tie_does_not_depend_on_creation_order(order):
    board = Board()
    make = {1: lambda: board.player(0, h=2, id=1), 2: lambda: board.crate(2, id=2), 3: lambda: board.wall(2, 1, id=3)}
    for entity in order:
        make[entity]()
    assert ("x", 3, "IMMOVABLE", 1.0) == stop_of(board.push(1, 3))
    assert [1.0, 2.0, 2.0] == board.xs(1, 2, 3)


def test_c10_a_body_pushed_out_of_another_does_not_drag_it():
    #        caught
    # A  pushed  next     `pushed` overlaps `caught`, whose near face it has passed
    board = Board(overlap_policy="leave")
    player, pushed, caught = board.player(0), board.crate(2, h=2), board.crate(2.5, 1)
    following = board.crate(4)
    assert board.push(player, 3).complete
    assert [3.0, 4.0, 2.5, 5.0] == board.xs(player, pushed, caught, following)


def test_c12_a_box_pushed_among_sleepers_meets_them_in_the_same_frame():
    board = Board(bin_size=1.0)
    player, crate = board.player(0), board.crate(1)
    sleeper = board.crate(40, sleeping=(rest := Sleeping(asleep=True)))
    zone = board.body(41.5, trigger=Trigger(), sleeping=Sleeping(asleep=True))
    board.world.step()
    board.world.request(player, dx=39.5)
    frame = board.world.step()
    assert [39.5, 40.5, 41.5] == board.xs(player, crate, sleeper)
    assert [("TriggerEntered", zone, sleeper)] == event_tuples(frame.events, TriggerEntered)
    assert not rest.asleep


def test_c13_a_chain_reaches_far_beyond_the_path_of_the_mover():
    board = Board(bin_size=1.0)
    player = board.player(0)
    chain = [board.crate(11.0 * number) for number in range(1, 11)]
    wall = board.wall(131)
    # Ten gaps of 10, then 20 to the wall: 120 in all.
    assert ("x", wall, "IMMOVABLE", 120.0) == stop_of(board.push(player, 500))
    assert [120.0, *(121.0 + number for number in range(10))] == board.xs(player, *chain)


def test_c15_a_blocker_as_far_on_another_path_is_named_if_its_id_is_lower():
    # A..9   nine is 3 away; three is 1 + 2 away, behind the crate
    # A.2..3
    board = Board()
    board.player(0, h=2, id=1)
    board.crate(2, 0, id=2)
    board.wall(5, 0, id=3)
    board.wall(4, 1, id=9)
    assert ("x", 3, "IMMOVABLE", 3.0) == stop_of(board.push(1, 5))
    assert [3.0, 4.0] == board.xs(1, 2)


def test_c15_a_blocker_behind_a_crate_that_it_touches_is_sorted_among_the_others():
    # A.9    all are 1 away: the crate has no room
    # A.23
    board = Board()
    board.player(0, h=2, id=1)
    board.crate(2, 0, id=2)
    board.wall(3, 0, id=3)
    board.wall(2, 1, id=9)
    stop = board.push(1, 5).stops[0]
    assert (3, (3, 9), 1.0) == (stop.blocker, stop.blockers, stop.allowed)


# The path is searched in stretches of 8, 32 and 128 bins; their ends are tested, and one unit before and after.
STRETCHES = [end + off for end in (8.0, 32.0, 128.0) for off in (-LATTICE, 0.0, LATTICE)]


@pytest.mark.parametrize("sign", [1, -1], ids=["forth", "back"])
@pytest.mark.parametrize("gap", STRETCHES)
def test_c13_a_body_at_the_end_of_a_stretch_is_met_there(gap, sign):
    for make, reason in ((Board.wall, "IMMOVABLE"), (Board.body, "IMMOVABLE"), (Board.crate, None)):
        board = Board(bin_size=1.0)
        player = board.player(0)
        other = make(board, sign * (1 + gap))
        result = board.push(player, sign * 500)
        if reason:
            assert ("x", other, reason, gap) == stop_of(result)
        else:
            assert {other: (sign * (500 - gap), 0.0, 0.0)} == result.pushed


@pytest.mark.parametrize("sign", [1, -1], ids=["forth", "back"])
def test_c13_the_next_stretch_is_searched_before_a_body_behind_its_start_decides(sign):
    # lane 1: a wall at 8, where the mover's first stretch ends; lane 0: a crate, and a wall 8.5 away behind it
    board = Board(bin_size=1.0)
    player = board.player(0, h=2)
    crate, wall = board.crate(sign * 3, 0), board.wall(sign * 9, 1)
    board.wall(sign * 10.5, 0)
    assert ("x", wall, "IMMOVABLE", 8.0) == stop_of(board.push(player, sign * 20))
    assert [sign * 8.0, sign * 9.0] == board.xs(player, crate)


@pytest.mark.parametrize("limit", range(0, 40, 3))
def test_p21_the_nearest_are_counted_first_for_any_number_of_bodies(limit):
    # forty lanes, a crate in each, no two at one distance
    board, gaps = Board(), [number / 4 for number in range(1, 41)]
    random.Random(limit).shuffle(gaps)
    player = board.player(0, h=40)
    crates = {gap: board.crate(1 + gap, lane) for lane, gap in enumerate(gaps)}
    stop = limit / 4 + 0.25
    result = board.push(player, 20, max_chain=limit)
    assert ("x", crates[stop], "CHAIN_LIMIT", stop) == stop_of(result)
    assert {crates[gap]: (stop - gap, 0.0, 0.0) for gap in sorted(gaps)[:limit]} == result.pushed
