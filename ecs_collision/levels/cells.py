"""Things that fill cells of a map, and how much of them one file may ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ecs_collision.components import Box
from ecs_collision.errors import LevelError
from ecs_collision.levels.grids import Cells
from ecs_collision.levels.source import MOST_CELLS, MOST_LEVELS, MOST_SIDE, MOST_THINGS, Source

Refusal = Callable[[str, str, str], LevelError]
"""Makes the refusal of what was found, what was expected, and what to do."""

Cell = tuple[int, int]
"""Row and column, from 0: so cells sort in reading order."""

UNIT = (Box(0.5, 0.5),)
"""The boxes of a thing of one cell."""

MOST_DRAWN = 2**20
"""The most cells of the maps of one level of letters: a thousand by a thousand."""

MOST_OF_FILE = 4 * MOST_THINGS
"""The most things, and boxes of them, in all the levels of one file together."""


def body_of(rectangles: Cells) -> tuple[tuple[float, float, float], tuple[Box, ...]]:
    """Return the position of a thing that fills these rectangles, and its boxes.

    rectangles: (n, 4), top, left, bottom and right, in reading order, as `grids.rectangles_of` gives them. The position
    is the middle of the first cell in reading order.
    """
    edges: list[list[int]] = rectangles.tolist()
    x, y = edges[0][1] + 0.5, edges[0][0] + 0.5
    boxes = (
        Box((right - left) / 2, (bottom - top) / 2, offset=((left + right) / 2 - x, (top + bottom) / 2 - y, 0.0))
        for top, left, bottom, right in edges
    )
    return (x, y, 0.0), tuple(boxes)


@dataclass(slots=True)
class Budget:
    """What is left of the room one file may ask for; spending is refused before anything is made."""

    source: Source
    cells: int = MOST_CELLS
    of_level: int = MOST_CELLS
    things: int = MOST_OF_FILE
    levels: int = 0

    @property
    def most_cells(self) -> int:
        """How many cells the level that is read may still have."""
        return min(self.cells, self.of_level)

    def begin_drawing(self, line: int) -> None:
        """Give the next level, which begins at this line, what one of letters may have."""
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise self.source.error(
                f"more than {MOST_LEVELS} levels", "fewer in one file", "divide the file", line=line, column=1
            )
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
