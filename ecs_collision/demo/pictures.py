"""A world as text: one cell of the plan is two characters wide, so that it looks square in a terminal.

A picture knows nothing but the answers of `space.overlapping`; what a game has disabled is therefore not drawn.
"""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.query import Space

BLANK = "  "


def picture(space: Space, columns: int, rows: int, glyph: Callable[[int], str]) -> str:
    """Return the cells [0, columns) x [0, rows) as lines of text, y growing downwards.

    `glyph` gives the two characters of an entity; the lowest id of a cell is drawn, solid bodies before triggers.
    """
    return "\n".join(
        "".join(_cell(space, column, row, glyph) for column in range(columns)).rstrip() for row in range(rows)
    )


def _cell(space: Space, column: int, row: int, glyph: Callable[[int], str]) -> str:
    box = ((column, row), (column + 1, row + 1))
    found = space.overlapping(box) or space.overlapping(box, triggers=True)
    return glyph(found[0]) if found else BLANK
