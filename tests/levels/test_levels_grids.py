"""Cells of a grid divided into rectangles and connected parts, compared with a simple flood fill."""

from __future__ import annotations

import numpy as np
import pytest
from boards import trials

from ecs_collision.levels.grids import connected_parts, part_of_cells, rectangles_of


def drawn(*rows):
    """Return the cell numbers of a drawing, and its number of columns."""
    taken = np.array([[letter == "#" for letter in row] for row in rows])
    return np.flatnonzero(taken), taken.shape[1]


def flooded(cells, columns):
    """Return the connected parts, found by flood fill."""
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
def test_equal_runs_in_consecutive_rows_become_one_rectangle(rows, expected):
    assert expected == [tuple(found) for found in rectangles_of(*drawn(*rows)).tolist()]


def test_parts_are_connected_by_sides_and_not_by_corners():
    cells, columns = drawn("##..#", ".#.#.", "...##", "#.#..")
    rectangles = rectangles_of(cells, columns)
    parts = part_of_cells(cells, rectangles, connected_parts(rectangles), columns)
    assert [0, 0, 1, 0, 2, 2, 2, 3, 4] == parts.tolist()


def test_rectangles_cover_exactly_the_cells_and_parts_equal_those_of_a_flood_fill():
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
