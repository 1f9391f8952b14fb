"""The maps of a text level: which cells make which things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ecs_collision.errors import LevelError
from ecs_collision.levels.cells import MOST_DRAWN, Budget, Cell
from ecs_collision.levels.grids import Cells, cells_by_value, parts_of, rectangles_of
from ecs_collision.levels.legend import Entry, Legend
from ecs_collision.levels.level import listed
from ecs_collision.levels.source import Source, shown

Place = tuple[int, int, int, int]
"""Row, column, number of the map and of the letter on the cell: so places sort in reading order."""

EMPTY = " ."
"""Letters that mean nothing, unless the legend says otherwise."""


@dataclass(slots=True)
class Map:
    """The rows of a map with their lines, where its first letter lies, and where its heading stands."""

    line: int
    row: int = 0
    column: int = 0
    rows: list[tuple[int, str]] = field(default_factory=list)

    def trim(self) -> None:
        """Drop what is blank at the ends of rows and below the last."""
        self.rows = [(number, text.rstrip()) for number, text in self.rows]
        while self.rows and not self.rows[-1][1]:
            self.rows.pop()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A thing as it is drawn: its entry in the legend, where it comes in reading order, and what it fills.

    rectangles: top, left, bottom and right of each, in reading order; None for the one cell where it begins.
    """

    entry: Entry
    place: Place
    rectangles: Cells | None = None

    def cells(self) -> Iterator[Cell]:
        """Yield the cells it fills."""
        if self.rectangles is None:
            yield self.place[:2]
            return
        for top, left, bottom, right in self.rectangles.tolist():
            yield from ((row, column) for row in range(top, bottom) for column in range(left, right))


class _Lot(NamedTuple):
    """Cells of one map on which something comes at the same place of their stacks."""

    map: int
    order: int
    cells: Cells


def drawn_things(budget: Budget, maps: list[Map], legend: Legend) -> tuple[list[Drawn], tuple[int, int]]:
    """Return the things of all maps in reading order, and the columns and rows they have together."""
    budget.begin_drawing(maps[0].line)
    columns = rows = 1
    for map in maps:
        map.trim()
        width, height = map.column + max((len(text) for _, text in map.rows), default=0), map.row + len(map.rows)
        budget.spend_cells(width, height, line=map.line)
        columns, rows = max(columns, width), max(rows, height)
    lots: dict[str, list[_Lot]] = {}
    count = 0
    for number, map in enumerate(maps):
        for letter, cells in _letters(budget.source, map, legend, columns):
            count += len(cells) * len(legend[letter])
            if count > MOST_DRAWN:
                raise budget.source.error(
                    f"more than {MOST_DRAWN} things on cells", "fewer", "divide the level", line=map.line
                )
            for order, entry in enumerate(legend[letter]):
                lots.setdefault(entry.letter, []).append(_Lot(number, order, cells))
    entries = {entry.letter: entry for several in legend.values() for entry in several}
    drawn: list[Drawn] = []
    for letter, found in lots.items():
        drawn += _things(budget, entries[letter], found, columns)
    return sorted(drawn, key=_place), (columns, rows)


def _place(drawn: Drawn) -> Place:
    return drawn.place


def _letters(source: Source, map: Map, legend: Legend, columns: int) -> Iterator[tuple[str, Cells]]:
    """Yield each letter of a map with its cells, numbered by the columns of the level; raises for unknown ones."""
    width = max((len(text) for _, text in map.rows), default=0)
    drawing = "".join(text.ljust(width) for _, text in map.rows)
    codes = np.frombuffer(drawing.encode("utf-32-le"), np.uint32).astype(np.int64) - ord(" ")
    found = {chr(code + ord(" ")): cells for code, cells in cells_by_value(codes).items()}
    unknown = [int(cells[0]) for letter, cells in found.items() if letter not in legend and letter not in EMPTY]
    if unknown:
        row, column = divmod(min(unknown), width)
        raise _unknown(source, legend, map.rows[row], column)
    for letter, cells in found.items():
        if letter in legend:
            rows, behind = np.divmod(cells, width)
            yield letter, (rows + map.row) * columns + behind + map.column


def _unknown(source: Source, legend: Legend, row: tuple[int, str], column: int) -> LevelError:
    line, text = row
    remedy = "add the letter to the legend, or mend the map"
    if column == 0 and ":" in text:
        remedy += "; settings stand above the legend"
    letters = f"a letter of the legend: {listed(legend, 30)}" if legend else "a legend that says what letters mean"
    return source.error(f"the letter {shown(text[column])}", letters, remedy, line=line, column=column + 1)


def _things(budget: Budget, entry: Entry, lots: list[_Lot], columns: int) -> Iterator[Drawn]:
    if entry.grouping == "single":
        budget.spend_things(sum(len(lot.cells) for lot in lots), line=entry.line)
        for lot in lots:
            for cell in lot.cells.tolist():
                yield Drawn(entry, (*divmod(cell, columns), lot.map, lot.order))
    elif entry.grouping == "whole":
        first, number, order = min((int(lot.cells[0]), lot.map, lot.order) for lot in lots)
        rectangles = rectangles_of(_together(lots), columns)
        budget.spend_things(len(rectangles), line=entry.line)
        yield Drawn(entry, (*divmod(first, columns), number, order), rectangles)
    else:
        for number in sorted({lot.map for lot in lots}):
            yield from _joined(budget, entry, [lot for lot in lots if lot.map == number], columns)


def _together(lots: list[_Lot]) -> Cells:
    """Return the cells of all lots in reading order, each once. `np.unique` would hash them, in ten times the time."""
    if len(lots) == 1:
        return lots[0].cells
    cells = np.sort(np.concatenate([lot.cells for lot in lots]))
    first: Cells = cells[np.append(True, np.diff(cells) > 0)]
    return first


def _joined(budget: Budget, entry: Entry, lots: list[_Lot], columns: int) -> Iterator[Drawn]:
    """Yield things of cells of one map that share sides."""
    order_at = {int(cell): lot.order for lot in lots for cell in lot.cells} if len(lots) > 1 else {}
    rectangles = rectangles_of(_together(lots), columns)
    budget.spend_things(len(rectangles), line=entry.line)
    parts = parts_of(rectangles)
    in_order = np.argsort(parts, kind="stable")
    for part in np.split(in_order, np.flatnonzero(np.diff(parts[in_order])) + 1):
        own = rectangles[part]
        row, column = int(own[0, 0]), int(own[0, 1])
        order = order_at.get(row * columns + column, lots[0].order)
        yield Drawn(entry, (row, column, lots[0].map, order), own)
