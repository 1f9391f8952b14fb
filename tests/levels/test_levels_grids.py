"""Cells of a grid cut into rectangles and parts, against the plain way of doing it."""

from __future__ import annotations

import numpy as np
import pytest
from boards import trials

from ecs_collision.levels.grids import connected_parts, part_of_cells, rectangles_of


def drawn(*rows):
    """Return the numbers of the cells of a picture, and its columns."""
    taken = np.array([[letter == "#" for letter in row] for row in rows])
    return np.flatnonzero(taken), taken.shape[1]


def flooded(cells, columns):
    """Return the parts that hang together, found by walking."""
    left, parts = set(cells.tolist()), []
    for first in cells.tolist():
        part, edge = set(), [first] if first in left else []
        left.discard(first)
        while edge:
            cell = edge.pop()
            part.add(cell)
            beside = [cell - columns, cell + columns]
            beside += [cell - 1] * (cell % columns > 0) + [cell + 1] * (cell % columns < columns - 1)
            near = left.intersection(beside)
            left -= near
            edge += near
        parts += [part] if part else []
    return parts


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([".", "."], []),
        (["##", "##"], [(0, 0, 2, 2)]),
        (["#.", "##"], [(0, 0, 1, 1), (1, 0, 2, 2)]),
        (["###", "#.#", "###"], [(0, 0, 1, 3), (1, 0, 2, 1), (1, 2, 2, 3), (2, 0, 3, 3)]),
        (["..#", "#.."], [(0, 2, 1, 3), (1, 0, 2, 1)]),
        (["##.", "...", "##."], [(0, 0, 1, 2), (2, 0, 3, 2)]),
    ],
)
def test_runs_that_are_the_same_below_each_other_are_one_rectangle(rows, expected):
    assert expected == [tuple(found) for found in rectangles_of(*drawn(*rows)).tolist()]


def test_parts_hang_together_by_their_sides_and_not_by_their_corners():
    cells, columns = drawn("##..#", ".#.#.", "...##", "#.#..")
    rectangles = rectangles_of(cells, columns)
    parts = part_of_cells(cells, rectangles, connected_parts(rectangles), columns)
    assert [0, 0, 1, 0, 2, 2, 2, 3, 4] == parts.tolist()


def test_rectangles_cover_just_the_cells_and_parts_are_those_found_by_walking():
    random = np.random.default_rng(4)
    for _ in range(trials(300)):
        columns, rows = random.integers(1, 12, 2).tolist()
        cells = np.flatnonzero(random.random(columns * rows) < random.random())
        rectangles = rectangles_of(cells, columns)
        covered = [
            row * columns + column
            for top, left, bottom, right in rectangles.tolist()
            for row in range(top, bottom)
            for column in range(left, right)
        ]
        assert cells.tolist() == sorted(covered)
        numbers = part_of_cells(cells, rectangles, connected_parts(rectangles), columns)
        found = [set(cells[numbers == number].tolist()) for number in range(len(set(numbers.tolist())))]
        assert flooded(cells, columns) == found
