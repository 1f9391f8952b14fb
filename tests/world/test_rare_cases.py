"""Rare cases: stamps that overflow, logs of distant ids, more filters than are cached, motions cut short."""

from __future__ import annotations

import pytest
from boards import Board, stop_of

from ecs_collision import BoxCollider, Transform, Trigger, TriggerEntered, TriggerLeft
from ecs_collision._build import hot_files_are_compiled
from ecs_collision.bodies.filters import MAX_LAYER_SETS
from ecs_collision.contacts.pair_log import PairLog

plain_only = pytest.mark.skipif(hot_files_are_compiled(), reason="the stamps of compiled kernels cannot be set")

LAST = 2**31 - 1
"""The last stamp; the next plan, comparison or pass has number 1 again."""


@plain_only
def test_stamps_of_plans_restart_after_two_billion():
    board = Board()
    player, crate = board.player(0), board.crate(1)
    assert board.push(player, 1).complete
    graph = board.world._step.motions._planner.graph
    graph.plan = LAST
    graph.stamps[crate - 1] = 1  # as if the first plan had reached it, and the next plan had number 1 again
    assert board.push(player, 1).complete
    assert ([2.0, 3.0], 1) == (board.xs(player, crate), graph.plan)


@plain_only
def test_stamps_of_comparisons_restart_after_two_billion():
    board = Board()
    board.body(0, trigger=Trigger())
    guest = board.body(0)
    board.world.step()
    board.world._step.triggers.contacts.pass_number = LAST
    for place, expected in ((5, TriggerLeft), (0, TriggerEntered), (5, TriggerLeft)):
        board.transforms[guest].x = place + 0.5
        assert [expected] == [type(event) for event in board.world.step().events]
    assert 3 == board.world._step.triggers.contacts.pass_number


def test_a_log_of_ids_too_far_apart_for_counting_is_sorted():
    log, far = PairLog(), 2**62
    entries = [(far * (at % 2) - at, far - at * at, at) for at in range(60)]
    for first, second, code in entries:
        log.add(first, second, code)
    log.sort()
    assert sorted(entries) == log.rows()


def test_more_sets_of_layers_can_be_queried_than_are_cached():
    board = Board()
    names = [f"layer {number}" for number in range(MAX_LAYER_SETS + 2)]
    for number, name in enumerate(names):
        board.body(3 * number, layer=name)
    for _ in range(2):
        found = [board.world.space.overlapping(((-9, -9), (999, 9)), layers=name) for name in names]
        assert [[number + 1] for number in range(len(names))] == found


@pytest.mark.parametrize("whole", [False, True])
def test_a_disabled_body_moves_to_the_end_of_the_index_or_not_at_all(whole):
    board = Board()
    ghost = board.player(0)
    board.colliders[ghost].enabled = False
    end = board.world._settings.range_high / 65536 - 1
    result = board.push(ghost, 2.0**30, 3, all_or_nothing=whole)
    reasons = {stop.axis: (stop.reason.name, stop.allowed) for stop in result.stops}
    if whole:
        assert {"x": ("BOUNDS", end), "y": ("ALL_OR_NOTHING", 0.0)} == reasons
        assert ((0.0, 0.0, 0.0), (0.0, 0.0)) == (result.moved, board.at(ghost))
    else:
        assert {"x": ("BOUNDS", end)} == reasons
        assert (end, 3.0) == board.at(ghost)
        assert ("x", None, "BOUNDS", 0.0) == stop_of(board.push(ghost, 1)), "it is there already"
    board.world.check()


def test_front_first_has_a_result_for_a_request_that_rounds_to_zero():
    board = Board(order="front_first")
    player = board.player(0)
    board.world.request(player, 2.0**-20)
    result = board.world.step().results[player]
    assert ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), ()) == (result.requested, result.moved, result.stops)
    for _ in range(15):
        board.world.request(player, 2.0**-20)
        board.world.step()
    assert 2.0**-16 == board.at(player)[0], "what rounding left over adds up"


def test_the_error_for_a_body_too_large_for_the_world_names_the_field():
    board = Board()
    far = BoxCollider(0.5, 0.5, offset=(2.0**30, 0))
    for collider, words in ((far, r"BoxCollider\.offset x is 1073741824\.0"), (BoxCollider(2.0**30, 1), r"\.hx is")):
        with pytest.raises(ValueError, match=words):
            board.world.add(transform=Transform(0, 0), collider=collider)
    assert 0 == len(board.world)


def test_the_repr_of_a_space_counts_bodies_and_cells():
    board = Board()
    board.wall(0.25, 0.25, w=0.5, h=0.5)
    assert "Space(1 bodies, 0 cells, 1 static cells)" == repr(board.world.space)
