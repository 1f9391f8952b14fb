"""The maps of a text level: groups cells into things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from ecs_collision.errors import LevelError
from ecs_collision.levels.cells import check_size
from ecs_collision.levels.grids import Cells, cells_by_value, connected_parts, rectangles_of
from ecs_collision.levels.level import listed
from ecs_collision.levels.source import Source, shown
from ecs_collision.levels.text.legend import Entry, Legend

Place = tuple[int, int, int, int]
"""Row, column, number of the map and of the letter on the cell; sorts in reading order."""

EMPTY = " ."
"""Letters without a meaning, unless the legend defines them."""


@dataclass(slots=True)
class Map:
    """The rows of a map with their line numbers, the cell of its first letter, and the line of its heading."""

    line: int
    row: int = 0
    column: int = 0
    rows: list[tuple[int, str]] = field(default_factory=list)

    def trim(self) -> None:
        """Remove trailing spaces and empty rows at the end."""
        self.rows = [(number, text.rstrip()) for number, text in self.rows]
        while self.rows and not self.rows[-1][1]:
            self.rows.pop()


@dataclass(frozen=True, slots=True)
class DrawnThing:
    """A thing on a map: its legend entry, its place in reading order, and the cells it fills.

    rectangles: top, left, bottom and right of each, in reading order; None for the single cell at `place`.
    """

    entry: Entry
    place: Place
    rectangles: Cells | None = None


class _CellGroup(NamedTuple):
    """Cells of one map in which a letter has the same position in the stack of letters."""

    map: int
    order: int
    cells: Cells


def drawn_things(source: Source, maps: list[Map], legend: Legend) -> tuple[list[DrawnThing], tuple[int, int]]:
    """Return the things of all maps in reading order, and the size of the level in columns and rows."""
    columns = rows = 1
    for map in maps:
        map.trim()
        width, height = max((len(text) for _, text in map.rows), default=0), len(map.rows)
        source.charge("map cells", width * height, line=map.line)
        columns, rows = max(columns, map.column + width), max(rows, map.row + height)
        check_size(columns, rows, partial(source.error, line=map.line))
    groups: dict[str, list[_CellGroup]] = {}
    for number, map in enumerate(maps):
        for letter, cells in _letters(source, map, legend, columns):
            stack = legend.stacks[letter]
            source.charge("map letters", len(stack), line=map.line)
            source.charge("filled map cells", len(cells) * len(stack), line=map.line)
            for order, entry in enumerate(stack):
                groups.setdefault(entry.letter, []).append(_CellGroup(number, order, cells))
    drawn: list[DrawnThing] = []
    for letter, found in groups.items():
        drawn += _things(source, legend.entries[letter], found, columns)
    return sorted(drawn, key=_place), (columns, rows)


def filled_cells(drawn: list[DrawnThing], columns: int) -> tuple[Cells, Cells]:
    """Return the filled cells, sorted, and the number of the thing in each; a cell occurs once per thing in it."""
    single = [number for number, thing in enumerate(drawn) if thing.rectangles is None]
    places = np.array([drawn[number].place[:2] for number in single], np.int64).reshape(-1, 2)
    cells, owners = [places[:, 0] * columns + places[:, 1]], [np.array(single, np.int64)]
    wide = [(number, thing.rectangles) for number, thing in enumerate(drawn) if thing.rectangles is not None]
    if wide:
        owner = np.repeat([number for number, _ in wide], [len(found) for _, found in wide])
        top, left, bottom, right = np.concatenate([found for _, found in wide]).T
        owner, row = _spread(owner, top, bottom)
        left, right = np.repeat(left, bottom - top), np.repeat(right, bottom - top)
        begin = row * columns
        owner, cell = _spread(owner, begin + left, begin + right)
        cells.append(cell)
        owners.append(owner)
    found, numbers = np.concatenate(cells), np.concatenate(owners)
    order = np.lexsort((numbers, found))
    return found[order], numbers[order]


def _spread(owners: Cells, begin: Cells, end: Cells) -> tuple[Cells, Cells]:
    """Return the owner of each number in the ranges, and the numbers."""
    lengths = end - begin
    first = np.repeat(begin - np.cumsum(lengths) + lengths, lengths)
    return np.repeat(owners, lengths), first + np.arange(len(first))


def _place(drawn: DrawnThing) -> Place:
    return drawn.place


def _letters(source: Source, map: Map, legend: Legend, columns: int) -> Iterator[tuple[str, Cells]]:
    """Yield each letter of a map with its cell numbers in the level; raises LevelError for an unknown letter."""
    width = max((len(text) for _, text in map.rows), default=0)
    drawing = "".join(text.ljust(width) for _, text in map.rows)
    codes = np.frombuffer(drawing.encode("utf-32-le"), np.uint32).astype(np.int64) - ord(" ")
    found = {chr(code + ord(" ")): cells for code, cells in cells_by_value(codes).items()}
    unknown = [int(cells[0]) for letter, cells in found.items() if letter not in legend.stacks and letter not in EMPTY]
    if unknown:
        row, column = divmod(min(unknown), width)
        raise _unknown(source, legend, map.rows[row], column)
    for letter, cells in found.items():
        if letter in legend.stacks:
            rows, behind = np.divmod(cells, width)
            yield letter, (rows + map.row) * columns + behind + map.column


def _unknown(source: Source, legend: Legend, row: tuple[int, str], column: int) -> LevelError:
    line, text = row
    remedy = f"add a line such as {shown(f'{text[column]} wall: Static')} to the legend, or correct the map"
    if column == 0 and ":" in text:
        remedy += "; settings belong above the legend"
    known = legend.stacks
    letters = f"a letter of the legend: {listed(known, 30)}" if known else "a legend that defines letters"
    return source.error(f"the unknown letter {shown(text[column])}", letters, remedy, line=line, column=column + 1)


def _things(source: Source, entry: Entry, groups: list[_CellGroup], columns: int) -> Iterator[DrawnThing]:
    if entry.grouping == "single":
        source.charge("things", sum(len(group.cells) for group in groups), line=entry.line)
        for group in groups:
            for cell in group.cells.tolist():
                yield DrawnThing(entry, (*divmod(cell, columns), group.map, group.order))
    elif entry.grouping == "whole":
        first, number, order = min((int(group.cells[0]), group.map, group.order) for group in groups)
        rectangles = rectangles_of(_distinct_cells(groups), columns)
        _charge(source, entry, 1, rectangles)
        yield DrawnThing(entry, (*divmod(first, columns), number, order), rectangles)
    else:
        for number in sorted({group.map for group in groups}):
            yield from _joined_things(source, entry, [group for group in groups if group.map == number], columns)


def _charge(source: Source, entry: Entry, count: int, rectangles: Cells) -> None:
    source.charge("things", count, line=entry.line)
    source.charge("boxes", len(rectangles), line=entry.line)


def _distinct_cells(groups: list[_CellGroup]) -> Cells:
    """Return the distinct cells of all groups in reading order. `np.unique` hashes them and is ten times slower."""
    if len(groups) == 1:
        return groups[0].cells
    cells = np.sort(np.concatenate([group.cells for group in groups]))
    first: Cells = cells[np.append(True, np.diff(cells) > 0)]
    return first


def _joined_things(source: Source, entry: Entry, groups: list[_CellGroup], columns: int) -> Iterator[DrawnThing]:
    """Yield one thing for each set of cells connected by their sides."""
    rectangles = rectangles_of(_distinct_cells(groups), columns)
    source.charge("boxes", len(rectangles), line=entry.line)
    parts = connected_parts(rectangles)
    in_order = np.argsort(parts, kind="stable")
    starts = np.append(0, np.flatnonzero(np.diff(parts[in_order])) + 1)
    source.charge("things", len(starts), line=entry.line)
    corners = rectangles[in_order[starts], :2]
    orders = np.full(len(starts), groups[0].order)
    for group in groups:
        orders[np.isin(corners[:, 0] * columns + corners[:, 1], group.cells)] = group.order
    own = np.split(rectangles[in_order], starts[1:])
    for (row, column), order, some in zip(corners.tolist(), orders.tolist(), own, strict=True):
        yield DrawnThing(entry, (row, column, groups[0].map, order), some)
