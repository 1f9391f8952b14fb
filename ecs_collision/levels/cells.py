"""Cells of a map merged into few boxes, and how much of them one file may ask for.

A run of cells along a row grows downwards as long as the rows below have the same run. `polyomino.merge` does the same
in three dimensions, cell by cell, and takes ten times as long for a map of a hundred by a hundred cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ecs_collision.components import Box
from ecs_collision.errors import LevelError
from ecs_collision.levels.source import MOST_CELLS, MOST_SIDE, MOST_THINGS, Source

Refusal = Callable[[str, str, str], LevelError]
"""Makes the refusal of what was found, what was expected, and what to do."""

Cell = tuple[int, int]
"""Row and column, from 0: so cells sort in reading order."""

UNIT = (Box(0.5, 0.5),)
"""The boxes of a thing of one cell."""

MOST_DRAWN = 2**20
"""The most cells of the maps of one level of letters: a thousand by a thousand, each a tuple while it is read."""

MOST_OF_FILE = 4 * MOST_THINGS
"""The most things, and boxes of them, in all the levels of one file together."""


def body_of(cells: Iterable[Cell]) -> tuple[tuple[float, float, float], tuple[Box, ...]]:
    """Return the position of a thing that fills these cells, the middle of the first in reading order, and its boxes.

    O(cells log cells).
    """
    ordered = sorted(cells)
    row, column = ordered[0]
    x, y = column + 0.5, row + 0.5
    if len(ordered) == 1:
        return (x, y, 0.0), UNIT
    boxes = []
    for top, left, bottom, right in rectangles(ordered):
        middle = ((left + right) / 2 - x, (top + bottom) / 2 - y, 0.0)
        boxes.append(Box((right - left) / 2, (bottom - top) / 2, offset=middle))
    return (x, y, 0.0), tuple(boxes)


def rectangles(ordered: list[Cell]) -> list[tuple[int, int, int, int]]:
    """Return few rectangles (top, left, bottom, right) that cover just these cells, which are in reading order.

    Bottom and right are the first row and column outside. Ordered by top, then left.
    """
    found: list[tuple[int, int, int, int]] = []
    growing: dict[tuple[int, int], int] = {}
    last = -1
    for row, runs in _runs_by_row(ordered):
        grown = {run: growing.pop(run, row) if row == last + 1 else row for run in runs}
        found += [(top, left, last + 1, right) for (left, right), top in growing.items()]
        growing, last = grown, row
    found += [(top, left, last + 1, right) for (left, right), top in growing.items()]
    return sorted(found)


def _runs_by_row(ordered: list[Cell]) -> Iterable[tuple[int, list[tuple[int, int]]]]:
    """Yield each row that has cells, with its runs (first column, column behind the last)."""
    if not ordered:
        return
    row, first = ordered[0]
    behind = first
    runs: list[tuple[int, int]] = []
    for at in ordered:
        if at != (row, behind):
            runs.append((first, behind))
            if at[0] != row:
                yield row, runs
                runs = []
            row, first = at
        behind = at[1] + 1
    runs.append((first, behind))
    yield row, runs


@dataclass(slots=True)
class Budget:
    """What is left of the room one file may ask for; spending is refused before anything is made."""

    source: Source
    cells: int = MOST_CELLS
    of_level: int = MOST_CELLS
    things: int = MOST_OF_FILE

    @property
    def most_cells(self) -> int:
        """How many cells the level that is read may still have."""
        return min(self.cells, self.of_level)

    def begin_drawing(self) -> None:
        """Give the next level what one of letters may have."""
        self.of_level = MOST_DRAWN

    def spend_cells(
        self, columns: int, rows: int, *, line: int | None = None, column: int | None = None,
        refused: Refusal | None = None,
    ) -> None:  # fmt: skip
        """Refuse a map that is too large for one side, or with the others for its level or the file.

        The place is a line and column of the source; `refused` makes the refusal where it is somewhere else.
        """
        if max(columns, rows) > MOST_SIDE or columns * rows > self.most_cells:
            raise (refused or self._at(line, column))(
                f"a map of {columns} columns and {rows} rows",
                f"at most {MOST_SIDE} a side and {self.most_cells} cells, which are left for this level and file",
                "divide the level",
            )
        self.cells -= columns * rows
        self.of_level -= columns * rows

    def spend_things(
        self, count: int, *, line: int | None = None, column: int | None = None, refused: Refusal | None = None
    ) -> None:
        """Refuse more things, or boxes, than a level and a file may have."""
        if count > min(MOST_THINGS, self.things):
            before = MOST_OF_FILE - self.things if count <= MOST_THINGS else 0
            raise (refused or self._at(line, column))(
                f"{before + count} things and boxes",
                f"at most {MOST_THINGS} in a level, and {MOST_OF_FILE} in a file",
                "divide the level",
            )
        self.things -= count

    def _at(self, line: int | None, column: int | None) -> Refusal:
        return lambda found, expected, remedy: self.source.error(found, expected, remedy, line=line, column=column)
