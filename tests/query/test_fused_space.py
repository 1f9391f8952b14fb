"""Queries about fused bodies: each body is found by its own boxes, and never as a neighbour of its group."""

from __future__ import annotations

import numpy
import pytest
from boards import Board

from ecs_collision import Fused, Trigger, UnknownEntity


@pytest.fixture
def board() -> Board:
    """Three fused crates in a row that overlap and touch, a sensor on them, and two more bodies at their sides."""
    board = Board()
    board.crate(0, id=1)
    board.crate(0.5, id=2, fused=Fused(1))
    board.crate(1.5, id=3, fused=Fused(2))
    board.body(1, trigger=Trigger(), id=6, fused=Fused(2))
    board.crate(0, 1, id=4)
    board.crate(2.25, id=5)
    return board


def test_a_member_queries_with_its_own_boxes_and_leaves_out_its_group(board):
    space = board.world.space
    assert space.touching(1) == [4]
    assert space.touching(2) == [4]
    assert space.overlapping(1) == space.overlapping(2) == []
    assert space.overlapping(3) == [5]
    assert space.overlapping(1, triggers=True) == []
    assert space.overlapping(5, triggers=True) == [3]
    assert board.world.touching(4) == [1, 2]
    assert space.touching(4, ignore=[1]) == [2]
    assert space.touching(1, ignore=[4]) == []


def test_regions_and_points_return_members(board):
    space = board.world.space
    assert space.at(0.75, 0.5) == [1, 2]
    assert space.overlapping(((-1, -1), (9, 0.5))) == [1, 2, 3, 5]
    assert space.at(1.75, 0.5, triggers=True) == [3, 6]


def test_pairs_are_of_different_groups(board):
    space = board.world.space
    assert space.pairs() == [(3, 5)]
    assert space.pairs(triggers=True) == [(3, 5)]
    assert space.pairs_array().tolist() == [[3, 5]]
    assert space.pairs_array().dtype == numpy.int64
    parts = board.world._bodies.of(board.world._bodies.row(2))
    board.world._stage(2, parts._replace(fused=None))
    assert space.pairs() == [(1, 2), (3, 5)]
    assert space.pairs(triggers=True) == [(1, 2), (3, 5)]
    parts = board.world._bodies.of(board.world._bodies.row(6))
    board.world._stage(6, parts._replace(fused=None))
    assert space.pairs(triggers=True) == [(1, 2), (2, 6), (3, 5), (3, 6)]


def test_a_body_that_was_just_split_off_is_a_neighbour_at_once(board):
    fused = board.world._bodies.of(board.world._bodies.row(3)).fused
    fused.to = 6
    assert board.world.space.touching(2) == [4]
    parts = board.world._bodies.of(board.world._bodies.row(3))
    board.world._stage(3, parts._replace(fused=None))
    assert board.world.space.touching(2) == [3, 4]
    with pytest.raises(UnknownEntity):
        board.world.space.touching(99)
