"""Cells of a grid divided into rectangles and connected parts, compared with a simple flood fill."""

from __future__ import annotations

import random

import pytest
from boards import trials

from ecs_collision.levels.grids import Run, connected_parts, merged_runs, rectangles_of, runs_in


def runs_of(*rows):
    """Return the runs of "#" in a drawing."""
    found = [(number, *run) for number, row in enumerate(rows) for run in runs_in(row)]
    return [Run(number, left, right) for number, letter, left, right in found if letter == "#"]


def cells_of(rectangles):
    """Return the cells (row, column) of rectangles."""
    return [
        (row, column)
        for top, left, bottom, right in rectangles
        for row in range(top, bottom)
        for column in range(left, right)
    ]


def flooded(cells):
    """Return the connected parts, found by flood fill."""
    remaining, parts = set(cells), []
    for first in sorted(cells):
        part, edge = set(), [first] if first in remaining else []
        remaining.discard(first)
        while edge:
            row, column = edge.pop()
            part.add((row, column))
            near = remaining & {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            remaining -= near
            edge += near
        parts += [part] if part else []
    return parts


def parts_of(rectangles):
    """Return the cells of each connected part of rectangles."""
    parts: dict[int, set[tuple[int, int]]] = {}
    for part, rectangle in zip(connected_parts(rectangles), rectangles, strict=True):
        parts.setdefault(part, set()).update(cells_of([rectangle]))
    return list(parts.values())


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
    assert expected == rectangles_of(runs_of(*rows))


def test_runs_that_touch_or_overlap_are_merged():
    runs = [Run(1, 4, 6), Run(0, 0, 2), Run(1, 0, 3), Run(0, 2, 3), Run(1, 2, 4), Run(1, 1, 2)]
    assert [Run(0, 0, 3), Run(1, 0, 6)] == merged_runs(runs)


def test_parts_are_connected_by_sides_and_not_by_corners():
    rectangles = rectangles_of(runs_of("##..#", ".#.#.", "...##", "#.#.."))
    assert [0, 1, 0, 2, 2, 3, 4] == connected_parts(rectangles)


def test_rectangles_cover_exactly_the_cells_and_parts_equal_those_of_a_flood_fill():
    chance = random.Random(4)
    for _ in range(trials(300)):
        columns, rows, filled = chance.randint(1, 12), chance.randint(1, 12), chance.random()
        drawing = ["".join("#" if chance.random() < filled else "." for _ in range(columns)) for _ in range(rows)]
        rectangles = rectangles_of(runs_of(*drawing))
        cells = [(row, column) for row in range(rows) for column in range(columns) if drawing[row][column] == "#"]
        assert cells == sorted(cells_of(rectangles))
        assert flooded(cells) == parts_of(rectangles)
