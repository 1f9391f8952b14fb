"""Rules P3 to P18 one by one: force and inertia, which rule applies, the hook, the result, and errors of calls."""

from __future__ import annotations

import math

import pytest
from boards import Board, stop_of

from ecs_collision import CollisionValueError, Inertia, Motion, MoveResult, ReentryError, Transform, UnknownEntity


def board_with_hook(answer, **settings):
    """Return a board whose hook records its calls, and the list of these calls."""
    calls = []

    def can_push(pusher, pushed, axis, force):
        calls.append((pusher, pushed, axis, force))
        return answer(pusher, pushed)

    return Board(can_push=can_push, **settings), calls


# --- P2: gaps and distances -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lane", [0, 1])
def test_p02_a_crate_does_not_hide_a_distant_body_beside_it(lane):
    # the crate covers one half of the player; the distant wall blocks the other half
    board = Board()
    player, crate, wall = board.player(0, h=2), board.crate(1, lane), board.wall(40, 1 - lane)
    assert ("x", wall, "IMMOVABLE", 39.0) == stop_of(board.push(player, 100))
    assert 40.0 == board.at(crate)[0]


def test_p02_a_crate_does_not_hide_a_body_that_it_does_not_meet():
    board = Board()
    player, crate = board.player(0), board.crate(1, layer="ghost", mask="default")
    wall = board.wall(40, layer="default", mask="default")
    glass = board.wall(30, layer="glass", mask="default")
    board.colliders[crate].mask = ("default", "glass")
    assert ("x", glass, "IMMOVABLE", 29.0) == stop_of(board.push(player, 100))
    board.world.remove(glass)
    assert ("x", wall, "IMMOVABLE", 10.0) == stop_of(board.push(player, 100))
    assert 40.0 == board.at(crate)[0]


@pytest.mark.parametrize("how", [{"rule": "sum"}, {"max_chain": 1}], ids=["sum", "max_chain"])
def test_p02_at_one_distance_an_immovable_body_is_named_before_one_too_many(how):
    # the player meets first after 1, second and the wall after 2: second exceeds the limit, but the wall comes first
    board = Board()
    player, wall = board.player(0, force=2, h=2, id=1), board.wall(3, 1, id=9)
    first, second = board.crate(2, id=2), board.crate(4, id=3, inertia=1.5)
    result = board.push(player, 5, **how)
    assert ("x", wall, "IMMOVABLE", 2.0) == stop_of(result)
    assert {first: (1.0, 0.0, 0.0)} == dict(result.pushed)
    assert 4.0 == board.at(second)[0]


def test_p04_a_body_reached_at_the_end_of_the_motion_is_not_in_pushed():
    board = Board()
    player, upper, lower = board.player(0, h=2), board.crate(2, 1), board.crate(2, 0)
    result = board.push(player, 3, max_chain=1)
    assert ("x", lower, "CHAIN_LIMIT", 1.0) == stop_of(result)
    assert ({}, ()) == (dict(result.pushed), result.links)
    assert [1.0, 2.0, 2.0] == board.xs(player, upper, lower)


# --- P3 to P5: force and inertia, and which rule applies---------------------------------------------------------------


def test_p03_a_crate_on_rails_is_pushed_along_them_only():
    board = Board()
    crate = board.body(2, inertia=Inertia(x=1))
    player, above = board.player(0), board.player(2, 2)
    assert ("y", crate, "IMMOVABLE", 1.0) == stop_of(board.push(above, 0, -3))
    board.world.remove(above)
    assert board.push(player, 2).complete
    assert (3.0, 0.0) == board.at(crate)


def test_p03_a_body_without_motion_can_be_moved_but_has_no_force():
    board = Board()
    thing, light = board.body(0), board.crate(2, inertia=0)
    assert ("x", light, "FORCE", 1.0) == stop_of(board.push(thing, 5))
    assert board.push(thing, 1, force=0.5).complete


def test_p03_the_force_of_a_move_replaces_that_of_the_motion():
    board = Board()
    player, crate = board.player(0, force=1), board.crate(1)
    assert board.push(player, 1).blocked
    assert board.push(player, 1, force=2).complete
    assert [1.0, 2.0] == board.xs(player, crate)
    assert board.push(player, 1, force=0).blocked


@pytest.mark.parametrize(
    ("system", "motion", "move", "moves"),
    [
        ("sum", None, None, False),
        ("sum", "each", None, True),
        ("sum", "each", "sum", False),
        ("each", "sum", None, False),
        ("each", "sum", "each", True),
        ("each", None, None, True),
    ],
)
def test_p04_the_rule_of_the_move_precedes_that_of_the_motion_and_of_the_system(system, motion, move, moves):
    board = Board(rule=system)
    player = board.body(0, motion=Motion(force=2, rule=motion))
    board.crate(1)
    board.crate(2)
    assert moves == board.push(player, 1, rule=move).complete


@pytest.mark.parametrize(
    ("system", "motion", "move", "moves"),
    [(1, None, None, False), (1, 2, None, True), (2, None, 1, False), (None, 1, None, False), (None, 1, 2, True)],
)
def test_p04_the_chain_limit_of_the_move_precedes_those_of_motion_and_system(system, motion, move, moves):
    board = Board(max_chain=system)
    player = board.body(0, motion=Motion(force=2, max_chain=motion))
    board.crate(1)
    board.crate(2)
    assert moves == board.push(player, 1, max_chain=move).complete


@pytest.mark.parametrize("made", [(2, 3), (3, 2)], ids=str)
@pytest.mark.parametrize("how", [{"rule": "sum", "force": 3}, {"max_chain": 1}], ids=["sum", "chain"])
def test_p04_of_two_at_one_distance_the_lower_id_is_counted_first(how, made):
    # A.2    the two together exceed the limit, so the second one counted stops the motion
    # A.3
    board = Board()
    board.player(0, h=2, id=1)
    for entity in made:
        board.crate(2, 3 - entity, inertia=1 if entity == 2 else 2.5, id=entity)
    result = board.push(1, 3, **how)
    assert ("x", 3, {"rule": "FORCE"}.get(next(iter(how)), "CHAIN_LIMIT"), 1.0) == stop_of(result)


def test_p04_bodies_that_touch_are_at_one_distance_and_counted_by_id_too():
    # A.32   pushing 3 pushes 2; of the two, the one with the higher id exceeds the limit
    board = Board(max_chain=1)
    board.player(0, id=1)
    board.crate(2, id=3)
    board.crate(3, id=2)
    assert ("x", 3, "CHAIN_LIMIT", 1.0) == stop_of(board.push(1, 3))


@pytest.mark.parametrize(("system", "motion", "move"), [(True, None, None), (False, True, None), (False, False, True)])
def test_p05_all_or_nothing_is_set_by_system_motion_or_move(system, motion, move):
    board = Board(all_or_nothing=system)
    player = board.body(0, motion=Motion(force=2, all_or_nothing=motion))
    board.wall(3)
    assert (0.0, 0.0, 0.0) == board.push(player, 5, all_or_nothing=move).moved
    assert (2.0, 0.0, 0.0) == board.push(player, 5, all_or_nothing=False).moved


# --- P14, P15: filters and the hook -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "meet"),
    [
        (("a", None), ("b", None), True),
        (("a", "b"), ("b", None), True),
        (("a", "b"), ("b", "a"), True),
        (("a", "a"), ("b", None), False),
        (("a", None), ("b", "b"), False),
        (("a", ()), ("b", None), False),
        (("a", ("a", "b")), ("b", ("b",)), False),
    ],
)
def test_p14_two_bodies_meet_only_if_each_is_in_the_other_s_mask(mine, theirs, meet):
    board = Board()
    player = board.player(0, layer=mine[0], mask=mine[1])
    board.wall(2, layer=theirs[0], mask=theirs[1])
    assert meet == board.push(player, 5).blocked


def test_p15_the_hook_is_called_for_pairs_at_the_shortest_distance():
    # Aab.d
    # Ac..d   to d: by b 1, by c 2; c pushes nothing before its gap is closed
    board, calls = board_with_hook(lambda pusher, pushed: None)
    player = board.player(0, h=2)
    a, b, c = board.crate(1, 1), board.crate(2, 1), board.crate(1, 0)
    d = board.body(4, h=2, inertia=Inertia(1))
    assert board.push(player, 2).complete
    assert {(player, a, "x", 5.0), (a, b, "x", 5.0), (player, c, "x", 5.0), (b, d, "x", 5.0)} == set(calls)


def test_p15_a_body_reached_only_through_a_vetoed_body_is_not_the_blocker():
    # A54    A may not push 5, which would have pushed the wall, whose id is lower
    board, calls = board_with_hook(lambda pusher, pushed: False)
    board.player(0, id=6)
    board.crate(1, id=5)
    board.wall(2, id=4)
    assert ("x", 5, "HOOK", 0.0) == stop_of(board.push(6, 1))
    assert [(6, 5, "x", 5.0)] == calls


def test_p15_a_body_behind_a_vetoed_body_is_the_blocker_only_on_another_path():
    # A98#   9 is vetoed; 8 would have pushed the wall; only in the second scene 5, 6 and 7 reach it too
    # A567#
    for lane, blamed, reason in ((False, 9, "HOOK"), (True, 2, "IMMOVABLE")):
        board, _ = board_with_hook(lambda pusher, pushed: False if pushed == 9 else None)
        board.player(0, h=2, id=1)
        board.crate(1, 0, id=9)
        board.body(2, 0, w=2, inertia=Inertia(1), id=8)
        for entity in (5, 6, 7) if lane else ():
            board.crate(entity - 4, 1, id=entity)
        board.wall(4, h=2, id=2)
        assert ("x", blamed, reason, 0.0) == stop_of(board.push(1, 1))


def test_p15_the_hook_is_called_once_for_a_pair_with_several_boxes():
    board, calls = board_with_hook(lambda pusher, pushed: None)
    board.compound((0, 0, 1, 1), (0, 2, 1, 3), id=1, motion=Motion(force=5))
    board.body(2, h=3, inertia=Inertia(1), id=2)
    assert board.push(1, 2).complete
    assert [(1, 2, "x", 5.0)] == calls


def test_p15_the_hook_is_called_again_for_a_pusher_found_later():
    # A22    no body has an inertia; A may push 2 and 3, and 3, being pushed, reaches 2, which it may not push
    # A32
    board, calls = board_with_hook(lambda pusher, pushed: (pusher, pushed) != (3, 2))
    board.player(0, h=2, id=1)
    board.compound((1, 1, 2, 2), (2, 0, 3, 2), id=2)
    board.body(1, 0, id=3)
    assert ("x", 2, "HOOK", 0.0) == stop_of(board.push(1, 1))
    assert [(1, 2), (1, 3), (3, 2)] == [pair[:2] for pair in calls]


def test_p15_verdicts_hold_for_one_motion():
    # 2A.3.4   2 is vetoed; 3 and 4 have no inertia and are allowed
    board, calls = board_with_hook(lambda pusher, pushed: pushed != 2)
    board.player(1, id=1)
    board.crate(0, id=2)
    board.body(3, id=3)
    board.body(5, id=4)
    assert ("x", 2, "HOOK", 0.0) == stop_of(board.push(1, -1))
    assert board.push(1, 3).complete
    assert [4.0, 0.0, 5.0, 6.0] == board.xs(1, 2, 3, 4)
    assert [(1, 2), (1, 3), (3, 4)] == [pair[:2] for pair in calls]


@pytest.mark.parametrize("made", [(2, 3, 4, 5), (5, 4, 3, 2)], ids=str)
def test_p15_calls_of_the_hook_are_ordered_by_id_and_not_by_creation(made):
    # A2.5   first the two at 0, then 5, for both bodies that reach it at 1
    # A3.5
    board, calls = board_with_hook(lambda pusher, pushed: None)
    board.player(0, h=4, id=1)
    for entity in made:
        if entity == 5:
            board.body(3, h=2, inertia=Inertia(1), id=5)
        else:
            board.crate(1, entity - 2, id=entity)
    assert board.push(1, 2).complete
    assert [(1, 2), (1, 3), (1, 4), (2, 5), (3, 5)] == [pair[:2] for pair in calls]


@pytest.mark.parametrize("vetoed", [2, 3])
def test_p15_a_veto_among_equals_wins(vetoed):
    # A2.4
    # A3.4
    board, _ = board_with_hook(lambda pusher, pushed: pusher != vetoed if pushed == 4 else None)
    board.player(0, h=2, id=1)
    board.crate(1, 1, id=2)
    board.crate(1, 0, id=3)
    board.body(3, h=2, inertia=Inertia(1), id=4)
    assert ("x", 4, "HOOK", 1.0) == stop_of(board.push(1, 3))


def test_p15_true_allows_any_inertia_and_adds_nothing_to_the_sum():
    board, _ = board_with_hook(lambda pusher, pushed: True if pushed == 2 else None, rule="sum")
    player = board.player(0, force=1.5, id=1)
    board.body(1, id=2)
    board.crate(2, inertia=1, id=3)
    assert board.push(player, 2).complete
    assert [2.0, 3.0, 4.0] == board.xs(1, 2, 3)


@pytest.mark.parametrize(("inertia", "reason"), [(1, None), (5, "FORCE"), (math.inf, "IMMOVABLE"), (None, "IMMOVABLE")])
def test_p15_none_leaves_the_decision_to_the_rule(inertia, reason):
    board, _ = board_with_hook(lambda pusher, pushed: None)
    player, other = board.player(0), board.body(2, inertia=None if inertia is None else Inertia(inertia))
    result = board.push(player, 3)
    assert ([(other, reason)] if reason else []) == [(stop.blocker, stop.reason.name) for stop in result.stops]


def test_p15_true_moves_neither_static_bodies_nor_bounds():
    board, _ = board_with_hook(lambda pusher, pushed: True, bounds=((0, 0), (9, 9)))
    player, wall = board.player(0), board.wall(3)
    assert ("x", wall, "IMMOVABLE", 2.0) == stop_of(board.push(player, 5))
    assert ("y", None, "BOUNDS", 8.0) == stop_of(board.push(player, dy=9))


def test_p15_the_hook_is_not_called_for_static_bodies():
    board, calls = board_with_hook(lambda pusher, pushed: False)
    player, wall = board.player(0), board.wall(3)
    assert ("x", wall, "IMMOVABLE", 2.0) == stop_of(board.push(player, 5))
    assert [] == calls


def test_p15_true_counts_in_the_chain_like_any_push():
    board, _ = board_with_hook(lambda pusher, pushed: True, max_chain=1)
    player, first, second = board.player(0), board.body(1), board.body(3)
    assert ("x", second, "CHAIN_LIMIT", 1.0) == stop_of(board.push(player, 5))
    assert [1.0, 2.0, 3.0] == board.xs(player, first, second)


def test_p15_the_hook_also_runs_in_plan():
    board, calls = board_with_hook(lambda pusher, pushed: False)
    player, crate = board.player(0), board.crate(1)
    plan = board.world.plan(player, 2)
    assert [(player, crate, "x", 5.0)] == calls
    assert ("x", crate, "HOOK", 0.0) == stop_of(plan.result)


@pytest.mark.parametrize("call", ["move", "plan"])
def test_p15_if_the_hook_raises_on_a_later_axis_nothing_moves(call):
    board, _ = board_with_hook(lambda pusher, pushed: 1 / 0 if pushed == 3 else None)
    board.player(0, id=1)
    board.crate(2, id=2)
    board.crate(3, 2, id=3)
    places = board.places()
    with pytest.raises(ZeroDivisionError):
        getattr(board.world, call)(1, 3, 3)
    assert places == board.places()
    board.world.check()
    assert board.push(1, 2).complete and board.push(2, 1).complete
    assert [2.0, 4.0, 3.0] == board.xs(1, 2, 3)


def test_p15_motions_stopped_by_a_hook_that_raises_are_done_in_the_next_frame():
    faults = [True]
    board, _ = board_with_hook(lambda pusher, pushed: 1 / 0 if pushed == 3 and faults else None)
    for entity, y in ((1, 0), (2, 5), (4, 9)):
        board.player(0, y, id=entity)
    board.crate(2, 5, id=3)
    for entity in (1, 2, 4):
        board.world.request(entity, dx=3)
    with pytest.raises(ZeroDivisionError):
        board.world.step()
    assert [3.0, 0.0, 0.0] == board.xs(1, 2, 4)
    faults.clear()
    frame = board.world.step()
    assert [3.0, 3.0, 3.0] == board.xs(1, 2, 4)
    assert [(3.0, 0.0, 0.0)] * 3 == [frame.results[entity].moved for entity in (1, 2, 4)]
    assert {} == board.world.step().results


WRITING = {
    "move": lambda world: world.move(1, 1),
    "teleport": lambda world: world.teleport(2, 9, 9),
    "plan": lambda world: world.plan(1, 1),
    "step": lambda world: world.step(),
    "remove": lambda world: world.remove(2),
    "request": lambda world: world.request(1, 1),
    "check": lambda world: world.check(),
    "snapshot": lambda world: world.snapshot(),
    "restore": lambda world: world.restore(b""),
    "state_hash": lambda world: world.state_hash(),
}


@pytest.mark.parametrize("name", WRITING)
def test_p15_a_hook_may_only_read(name):
    board, _ = board_with_hook(lambda pusher, pushed: WRITING[name](board.world))
    board.player(0, id=1)
    board.crate(1, id=2)
    before = board.world.snapshot()
    for push in (board.world.move, board.world.plan):
        with pytest.raises(ReentryError, match=f"^{name} was called inside can_push, which may only read"):
            push(1, 1)
        assert before == board.world.snapshot()
    board.world.check()


def test_p15_a_hook_that_writes_is_refused_and_nothing_is_moved():
    board, _ = board_with_hook(lambda pusher, pushed: setattr(board.transforms[pushed], "y", 7.5))
    player, crate = board.player(0), board.crate(1)
    with pytest.raises(ReentryError, match=r"^can_push\(1, 2, 'x', 5.0\) wrote to a component; a hook may only read"):
        board.push(player, 1)
    assert [0.0, 1.0] == board.xs(player, crate)


def test_p15_a_hook_may_query():
    board, _ = board_with_hook(lambda pusher, pushed: board.world.space.at(1.5, 0.5) == [pushed] or None)
    player, crate = board.player(0, force=0), board.body(1)
    assert board.push(player, 2).complete
    assert 3.0 == board.at(crate)[0]


# --- P16: the result -------------------------------------------------------------------------------------------------


def test_p16_links_name_every_pusher_at_the_shortest_distance():
    # A2.4     2 and 3 both reach 4 after one unit
    # A3.4
    board = Board()
    board.player(0, h=2, id=1)
    board.crate(1, 1, id=2)
    board.crate(1, 0, id=3)
    board.body(3, h=2, inertia=Inertia(1), id=4)
    links = [(link.pusher, link.pushed, link.axis, link.gap) for link in board.push(1, 3, 1).links]
    assert [(1, 2, "x", 0.0), (1, 3, "x", 0.0), (2, 4, "x", 1.0), (3, 4, "x", 1.0)] == links


def test_p16_a_result_has_the_request_and_what_became_of_it():
    board = Board()
    player, crate, wall = board.player(0), board.crate(2), board.wall(3, 3)
    result = board.push(player, 3, 5, -0.5)
    assert (player, (3.0, 5.0, -0.5), (3.0, 2.0, -0.5)) == (result.entity, result.requested, result.moved)
    assert {crate: (2.0, 0.0, 0.0)} == result.pushed
    assert result.blocked and ("y", wall, "IMMOVABLE", 2.0) == stop_of(result)


@pytest.mark.parametrize("way", ["move", "plan", "request", "made by hand"])
@pytest.mark.parametrize(
    ("displacement", "blocked"),
    [((2, 2, 1), ""), ((9, 2), "x"), ((2, -9), "y"), ((0, 0, 9), "z"), ((9, -9, 9), "xyz"), ((0, 0, 0), "")],
)
def test_p16_a_result_and_a_plan_say_on_which_axes_they_stopped(way, displacement, blocked):
    board = Board(bounds=((-3, -3, -3), (3, 3, 3)))
    player = board.player(0)
    result = found_by(way, board, player, displacement)
    assert (not blocked, bool(blocked)) == (result.complete, result.blocked)
    assert ["x" in blocked, "y" in blocked, "z" in blocked] == [result.blocked_x, result.blocked_y, result.blocked_z]


def found_by(way, board, player, displacement):
    """Return the result or plan of a motion."""
    if way == "request":
        board.world.request(player, *displacement)
        board.world.step()
        return board.world.results.get(player, board.world.plan(player))
    if way == "plan":
        return board.world.plan(player, *displacement)
    result = board.world.move(player, *displacement)
    return result if way == "move" else MoveResult(*(getattr(result, name) for name in MoveResult.__match_args__))


@pytest.mark.parametrize("distance", [1, 9])
@pytest.mark.parametrize(("call", "kind", "name"), [("move", "MoveResult", "result"), ("plan", "Plan", "plan")])
def test_p16_a_result_and_a_plan_have_no_truth_value(call, kind, name, distance):
    board = Board(bounds=((-3, -3), (3, 3)))
    found = getattr(board.world, call)(board.player(0, id=7), distance)
    for use in (bool, lambda given: not given, lambda given: given and 1):
        with pytest.raises(CollisionValueError) as refused:
            use(found)
        assert str(refused.value) == (
            f"the {kind} of entity 7 has no truth value; use {name}.complete (the whole request was met) or "
            f"{name}.blocked, {name}.blocked_x, {name}.blocked_y, {name}.blocked_z (where it stopped)"
        )


# --- errors of calls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["move", "plan", "request", "touching"])
def test_a_move_of_an_unknown_entity_names_it(call):
    board = Board()
    with pytest.raises(UnknownEntity, match="77") as caught:
        getattr(board.world, call)(77)
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize("call", ["move", "plan", "request", "touching", "teleport"])
@pytest.mark.parametrize("given", [Transform(1, 2), "player", 1.0, True, None])
def test_an_entity_that_is_no_whole_number_is_refused_as_such_L3(call, given):
    board = Board()
    board.player(0)
    with pytest.raises(UnknownEntity) as caught:
        getattr(board.world, call)(given, *((1, 2) if call == "teleport" else ()))
    assert str(caught.value) == (
        f"{given!r} is not a body of this world: an entity id is a whole number, not a {type(given).__name__}; "
        "pass the id that create_entity or add returned"
    )


def test_a_static_body_is_not_moved_and_the_remedy_is_named():
    board = Board()
    wall = board.wall(0)
    with pytest.raises(ValueError, match=f"entity {wall} is Static.*teleport"):
        board.push(wall, 1)
