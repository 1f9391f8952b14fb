"""The compound cases K without a drawing: slack, long loops, changed parts, and long distances (rule P8)."""

from __future__ import annotations

import pytest
from boards import Board, event_tuples, part, trials

from ecs_collision import LATTICE, Inertia, Sleeping, Trigger, TriggerEntered


def test_k05_interlocked_with_slack_the_partner_moves_what_is_left():
    # A: a hollow of 2.5 between two teeth, [1, 3.5]; the partner's head of 2 inside it, [1.5, 3.5].
    board = Board()
    mover = board.compound((0, 0, 1, 1), (3.5, 0, 4.5, 1), (0, 1, 4.5, 2))
    partner = board.compound((1.5, -1, 3.5, 1), inertia=Inertia(1))
    result = board.push(mover, 2, force=5)
    assert result.complete and {partner: (1.5, 0.0, 0.0)} == result.pushed
    assert (2.0, 1.5) == (board.at(mover)[0], board.at(partner)[0])


@pytest.mark.parametrize("count", [2, 3, 10, 50])
@pytest.mark.parametrize("way", [2, -2])
def test_k06_a_closed_chain_of_links_is_pulled_by_pushing_one(count, way):
    # Row by row: link i holds a tooth of link i + 1 between two of its own: `i j i`; the last one holds the first.
    board = Board()
    links = []
    for number in range(count):
        held = (number - 1) % count
        boxes = [(0, number, 1, number + 1), (2, number, 3, number + 1), (1, held, 2, held + 1)]
        links.append(board.compound(*boxes, inertia=Inertia(1)))
    result = board.push(links[count // 2], way, force=5)
    assert result.complete
    assert [float(way)] * count == board.xs(*links)


def test_k09_parts_that_overlap_each_other_are_one_body():
    board = Board()
    blob = board.compound((0, 0, 2, 2), (1, 0, 3, 2), (1, 1, 2, 3))
    assert board.push(blob, 5, 1).complete
    assert [] == board.world.space.overlapping(blob)
    assert [] == board.world.space.touching(blob)
    assert [] == board.world.space.pairs()
    assert board.world.space.cast(blob, (1, 0, 0)) is None


def test_k13_parts_assigned_at_run_time_count_at_once():
    board = Board()
    player = board.player(0)
    shape = board.compound((5, 0, 6, 1), inertia=Inertia(1), sleeping=(rest := Sleeping(asleep=True)))
    zone = board.body(20, trigger=Trigger())
    board.world.step()
    board.colliders[shape].parts = [part(2, 0, 3, 1), part(20, 0, 21, 1)]
    events = board.world.step().events
    assert [("TriggerEntered", zone, shape)] == event_tuples(events, TriggerEntered)
    assert not rest.asleep
    assert [shape] == board.world.space.at(20.25, 0.5)
    assert [] == board.world.space.at(5.5, 0.5)
    assert board.push(player, 2).complete
    assert 1.0 == board.at(shape)[0]


def test_k14_all_parts_always_move_by_the_same_displacement():
    board = Board()
    shape = board.compound((0, 0, 1, 1), (100, 0, 101, 1))
    count = trials(100_000)
    for _ in range(count):
        board.push(shape, 0.1)
    step = round(0.1 / LATTICE) * LATTICE
    assert (count * step, 0.0) == board.at(shape)
    space, far = board.world.space, count * step + 101
    assert [shape] == space.at(far - LATTICE, 0.5)
    assert [] == space.at(far, 0.5)


@pytest.mark.parametrize("turned", [False, True], ids=["outer first", "inner first"])
def test_a_part_inside_another_stops_at_what_the_outer_one_has_passed_P9(turned):
    board = Board(overlap_policy="leave")
    outer, inner = (0, 0, 4, 4), (0, 0, 3.5, 4)
    shape = board.compound(*((inner, outer) if turned else (outer, inner)))
    board.compound((3.75, 1, 6, 2))
    assert board.push(shape, 2).blocked
    assert (0.25, 0.0) == board.at(shape)
    assert board.push(shape, -1).complete
    assert (-0.75, 0.0) == board.at(shape)
