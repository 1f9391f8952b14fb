"""Several movers in a frame (M), teleports and spawns into other bodies (I), plans and commits (U)."""

from __future__ import annotations

from itertools import permutations

import pytest
from boards import Board, event_tuples, stop_of

from ecs_collision import Inertia, Motion, Moved, Pushed, StalePlan, UnknownEntity


def request_and_step(board, **displacements):
    """Request a motion for each (`b1=(1, 0)` is body 1) and step."""
    for name, displacement in displacements.items():
        board.world.request(int(name[1:]), *displacement)
    return board.world.step()


# --- M: several motions in one frame ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "places"), [("sequential", [1.0, 3.0]), ("front_first", [1.0, 2.0])])
def test_m01_a_convoy_advances_twice_only_in_the_order_of_ids(order, places):
    # rear (1) and front (2) touch and request +1: in id order the rear pushes the front, which then moves too.
    board = Board(order=order)
    board.player(0, id=1)
    board.player(1, id=2, inertia=Inertia(1))
    request_and_step(board, b1=(1, 0), b2=(1, 0))
    assert places == board.xs(1, 2)


def test_m01_motions_are_ordered_by_id_and_not_by_creation():
    # the front one was created first, but the rear one has the lower id
    board = Board()
    board.player(1, id=9, inertia=Inertia(1))
    board.player(0, id=7)
    request_and_step(board, b9=(1, 0), b7=(1, 0))
    assert [1.0, 3.0] == board.xs(7, 9)


@pytest.mark.parametrize(("inertia", "places"), [(1, [0.0, 1.0]), (5, [1.0, 2.0])])
@pytest.mark.parametrize("order", ["sequential", "front_first"])
def test_m02_head_on_the_first_gets_the_gap_and_the_second_pushes_back_if_it_can(inertia, places, order):
    board = Board(order=order)
    for entity, x in ((1, 0), (2, 2)):
        board.player(x, id=entity, inertia=Inertia(inertia))
    frame = request_and_step(board, b1=(1, 0), b2=(-1, 0))
    assert places == board.xs(1, 2)
    assert (inertia < 5) == frame.results[2].complete


@pytest.mark.parametrize("order", ["sequential", "front_first"])
def test_m03_two_movers_push_one_box_in_the_same_direction_one_after_the_other(order):
    # 1 and 2 stand side by side behind a wide crate: front_first finds them level and orders them by id.
    board = Board(order=order)
    board.player(0, 0, id=1)
    board.player(0, 1, id=2)
    board.body(1, 0, h=2, id=3, inertia=Inertia(1))
    frame = request_and_step(board, b1=(1, 0), b2=(2, 0))
    assert [1.0, 2.0, 3.0] == board.xs(1, 2, 3)
    assert [("Pushed", 3, 1, (1.0, 0.0, 0.0)), ("Pushed", 3, 2, (1.0, 0.0, 0.0))] == event_tuples(frame.events, Pushed)
    assert ("Moved", 3, (2.0, 0.0, 0.0)) in event_tuples(frame.events, Moved)


@pytest.mark.parametrize(("priority", "places"), [(0, [2.0, 4.0, 3.0]), (1, [1.0, 3.0, 2.0])])
def test_m05_opposite_pushes_on_one_box_follow_the_order(priority, places):
    # 1 . 3 . . 2: each requests two units towards the other, and cannot push the other.
    board = Board()
    board.player(0, id=1)
    board.player(5, id=2, priority=priority)
    board.crate(2, id=3)
    request_and_step(board, b1=(2, 0), b2=(-2, 0))
    assert places == board.xs(1, 2, 3)
    assert [] == board.world.space.pairs()


def test_m07_the_request_of_a_removed_mover_is_dropped():
    board = Board()
    board.player(0, id=1)
    board.player(5, id=2)
    board.world.request(2, dx=-9)
    board.world.request(1, dx=9)
    board.world.remove(2)
    frame = board.world.step()
    assert [1] == list(frame.results)
    assert 9.0 == board.at(1)[0]
    with pytest.raises(UnknownEntity, match="2"):
        board.world.request(2, dx=1)


@pytest.mark.parametrize("made", list(permutations((1, 2, 3, 4))), ids=str)
def test_m09_motions_are_ordered_by_priority_and_not_by_creation(made):
    board = Board()
    for entity in made:
        board.player(entity, id=entity, priority=10 * entity, inertia=Inertia(1))
    request_and_step(board, b1=(1, 0), b2=(1, 0), b3=(-1, 0), b4=(0, 1))
    # 4 steps aside; 3 pushes 2 and 1 back by one; 2 pushes 3 forth again; 1 follows.
    assert [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 1.0)] == [board.at(entity) for entity in (1, 2, 3, 4)]


def test_p10_front_first_orders_by_priority_then_direction_then_leading_face():
    board = Board(order="front_first")
    board.player(0, id=1, inertia=Inertia(1), priority=1)
    board.player(1, id=2, inertia=Inertia(1))
    request_and_step(board, b1=(1, 0), b2=(1, 0))
    assert [1.0, 3.0] == board.xs(1, 2), "a higher priority goes first though it is behind"


@pytest.mark.parametrize("x", [-50, 0, 50])
def test_p10_front_first_does_those_that_go_up_an_axis_before_those_that_go_down(x):
    # 2.1    both move into the unit between them; 2 moves in the + direction and goes first
    board = Board(order="front_first")
    board.player(x + 2, id=1)
    board.player(x, id=2)
    request_and_step(board, b1=(-1, 0), b2=(1, 0))
    assert [x + 2.0, x + 1.0] == board.xs(1, 2)


@pytest.mark.parametrize("sign", [1, -1], ids=["forth", "back"])
def test_p10_front_first_goes_by_the_part_that_is_furthest_ahead(sign):
    # 22222c   the long arm of 2 is ahead of 1, though its first part is not: it goes first and pushes the crate,
    # 2..1.c   and 1 only reaches it; in the order of ids it would push the crate and 2 would not
    board = Board(order="front_first")
    flip = lambda low, high: (low, high) if sign > 0 else (-high, -low)  # noqa: E731
    span = lambda low, high, y: (flip(low, high)[0], y, flip(low, high)[1], y + 1)  # noqa: E731
    board.compound(span(0, 1, 0), span(0, 5, 1), id=2, motion=Motion(force=5))
    board.player(flip(3, 4)[0], id=1)
    board.crate(flip(5, 6)[0], h=2, id=3)
    frame = request_and_step(board, b1=(2 * sign, 0), b2=(sign, 0))
    assert [("Pushed", 3, 2, (1.0 * sign, 0.0, 0.0))] == event_tuples(frame.events, Pushed)


@pytest.mark.parametrize(
    ("order", "places"), [("sequential", [(2.0, 1.0), (1.0, 1.0)]), ("front_first", [(1.0, 1.0), (1.0, 2.0)])]
)
def test_p10_front_first_goes_axis_by_axis(order, places):
    # 2     2 moves right; 1 moves right and then up, into it or out of its path
    # 1
    board = Board(order=order)
    board.player(0, 0, id=1, inertia=Inertia(1))
    board.player(0, 1, id=2, inertia=Inertia(1))
    request_and_step(board, b1=(1, 1), b2=(1, 0))
    assert places == [board.at(1), board.at(2)]


@pytest.mark.parametrize("order", ["sequential", "front_first"])
@pytest.mark.parametrize(("axis_order", "place"), [("xyz", (0.0, 1.0)), ("yxz", (2.0, 1.0))])
def test_p01_the_motions_of_a_frame_follow_the_axis_order(axis_order, place, order):
    # A#    by x first it meets the wall, by y first it passes above
    board = Board(axis_order=axis_order, order=order)
    board.player(0, id=1)
    board.wall(1)
    request_and_step(board, b1=(2, 1))
    assert place == board.at(1)


# --- I: bodies that overlap already -----------------------------------------------------------------------------------

SIDES = [(9, 0), (-9, 0), (0, 9), (0, -9)]


@pytest.mark.parametrize("displacement", SIDES)
def test_i01_a_body_overlapping_a_door_can_leave_on_all_sides_but_not_return(displacement):
    board = Board(overlap_policy="leave")
    player, door = board.player(0), board.wall(0.25, 0.25)
    assert board.push(player, *displacement).complete
    assert [] == board.world.space.pairs()
    result = board.push(player, -displacement[0], -displacement[1])
    assert door == result.stops[0].blocker
    assert [door] == board.world.touching(player)


@pytest.mark.parametrize(
    ("policy", "displacement", "moved"),
    [("leave", 1, 1.0), ("leave", -1, -1.0), ("block_deeper", 1, 0.0), ("block_deeper", -1, -1.0)],
)
def test_i02_block_deeper_stops_a_deeper_overlap_and_leave_allows_it(policy, displacement, moved):
    board = Board(overlap_policy=policy)
    player, wall = board.player(0), board.wall(0.5, w=9)
    result = board.push(player, displacement)
    assert (moved, 0.0, 0.0) == result.moved
    if not moved:
        assert ("x", wall, "IMMOVABLE", 0.0) == stop_of(result)


def test_i02_block_deeper_pushes_a_body_that_would_be_overlapped_deeper():
    board = Board(overlap_policy="block_deeper")
    player, crate = board.player(0), board.crate(0.5)
    assert board.push(player, 2).complete
    assert [2.0, 2.5] == board.xs(player, crate)


def test_i02_block_deeper_allows_a_motion_through_a_body_that_is_spanned_already():
    # On x the player spans the wall: no motion along x makes that overlap longer.
    board = Board(overlap_policy="block_deeper")
    player = board.player(0, w=3)
    board.wall(1)
    assert board.push(player, 0.5).complete and board.push(player, -1).complete


@pytest.mark.parametrize("displacement", [0.5, -0.5])
def test_i02_block_deeper_allows_a_motion_inside_a_larger_body(displacement):
    # Its whole side overlaps already: no motion along x makes that overlap longer.
    board = Board(overlap_policy="block_deeper")
    player = board.player(1)
    board.wall(0, w=3)
    assert board.push(player, displacement).complete


@pytest.mark.parametrize("policy", ["leave", "block_deeper"])
@pytest.mark.parametrize("displacement", SIDES)
def test_i03_coincident_boxes_can_be_separated_in_any_direction(displacement, policy):
    board = Board(overlap_policy=policy)
    player, twin = board.player(0), board.wall(0)
    assert board.push(player, *displacement).complete
    assert (tuple(map(float, displacement)), (0.0, 0.0)) == (board.at(player), board.at(twin))


def test_i04_a_push_passes_a_body_teleported_into_a_chain_and_hits_the_next():
    # crate, and a second crate teleported into it; the next one is further ahead.
    board = Board(overlap_policy="leave")
    player, crate, guest, following = board.player(0), board.crate(2), board.crate(9), board.crate(4)
    board.world.teleport(guest, 3.0, 0.5)
    assert [(crate, guest)] == board.world.space.pairs()
    # gaps: crate 1, guest 1.5 (from the player), following 0.5 behind the guest, 2 in all.
    result = board.push(player, 3)
    assert {crate: (2.0, 0.0, 0.0), guest: (1.5, 0.0, 0.0), following: (1.0, 0.0, 0.0)} == result.pushed
    assert [3.0, 4.0, 4.0, 5.0] == board.xs(player, crate, guest, following)


# --- U: plans and commits ---------------------------------------------------------------------------------------------


DISTURBANCES = {
    "move": lambda board: board.push(2, 0.5),
    "teleport": lambda board: board.world.teleport(2, 20.0, 0.5),
    "write": lambda board: setattr(board.transforms[2], "y", 7.0),
    "resize": lambda board: setattr(board.colliders[2], "hx", 0.25),
    "add": lambda board: board.crate(50),
    "remove": lambda board: board.world.remove(2),
    "second commit": lambda board: None,
}


@pytest.mark.parametrize("disturb", DISTURBANCES)
def test_u02_a_plan_is_stale_after_any_change(disturb):
    board = Board()
    board.player(0, id=1)
    board.crate(2, id=2)
    plan = board.world.plan(1, 3)
    DISTURBANCES[disturb](board)
    if disturb == "second commit":
        plan.commit()
    places = board.places()
    with pytest.raises(StalePlan, match="plan"):
        plan.commit()
    assert places == board.places()


def test_u02_queries_do_not_make_a_plan_stale():
    board = Board()
    board.player(0, id=1)
    board.crate(2, id=2)
    plan = board.world.plan(1, 3)
    board.world.space.pairs()
    board.world.touching(1)
    board.world.plan(2, 1)
    plan.commit()
    assert [3.0, 4.0] == board.xs(1, 2)


@pytest.mark.parametrize("by", [0, 1], ids=["a quiet frame", "another one moves"])
def test_results_of_a_body_that_made_no_motion_name_the_remedy(by):
    board = Board()
    mover, idle = board.player(0), board.player(5)
    board.world.request(mover, dx=by)
    board.world.request(idle, dx=0)
    results = board.world.step().results
    with pytest.raises(UnknownEntity) as caught:
        results[idle]
    assert str(caught.value) == (
        f"entity {idle} made no motion in this frame; use results.get({idle}), which is None then"
    )
    assert isinstance(caught.value, KeyError)
    assert (None, False) == (results.get(idle), idle in results)
    assert ([mover] * by, by) == (list(results), len(results))
    assert results == ({mover: results.get(mover)} if by else {})
