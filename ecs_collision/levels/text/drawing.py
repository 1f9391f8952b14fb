"""The maps of a text level: groups cells into things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from ecs_collision.errors import LevelError
from ecs_collision.levels.grids import Rectangle, Run, connected_parts, merged_runs, rectangles_of, runs_in
from ecs_collision.levels.level import listed
from ecs_collision.levels.limits import check_size
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

    rectangles: those of its cells, in reading order; None for the single cell at `place`.
    """

    entry: Entry
    place: Place
    rectangles: list[Rectangle] | None = None


class _Piece(NamedTuple):
    """A run of equal letters on a map, and the number of an entry in the stack of that letter."""

    run: Run
    map: int
    order: int


def drawn_things(source: Source, maps: list[Map], legend: Legend) -> tuple[list[DrawnThing], tuple[int, int]]:
    """Return the things of all maps in reading order, and the size of the level in columns and rows."""
    columns = rows = 1
    for map in maps:
        map.trim()
        width = max((len(text) for _, text in map.rows), default=0)
        columns, rows = max(columns, map.column + width), max(rows, map.row + len(map.rows))
        check_size(columns, rows, partial(source.error, line=map.line))
    pieces: dict[str, list[_Piece]] = {}
    for number, map in enumerate(maps):
        for letter, run in _runs(source, map, legend):
            stack = legend.stacks[letter]
            source.limit("runs of equal cells", len(stack), line=map.line)
            for order, entry in enumerate(stack):
                pieces.setdefault(entry.letter, []).append(_Piece(run, number, order))
    drawn: list[DrawnThing] = []
    for letter, found in pieces.items():
        drawn += _things(source, legend.entries[letter], found)
    return sorted(drawn, key=attrgetter("place")), (columns, rows)


def _runs(source: Source, map: Map, legend: Legend) -> Iterator[tuple[str, Run]]:
    """Yield each run of a letter with its place in the level; raises LevelError for an unknown letter."""
    for row, (line, text) in enumerate(map.rows, map.row):
        for letter, left, right in runs_in(text):
            if letter in legend.stacks:
                yield letter, Run(row, left + map.column, right + map.column)
            elif letter not in EMPTY:
                raise _unknown(source, legend, (line, text), left)


def _unknown(source: Source, legend: Legend, row: tuple[int, str], column: int) -> LevelError:
    line, text = row
    remedy = f"add a line such as {shown(f'{text[column]} wall: Static')} to the legend, or correct the map"
    if column == 0 and ":" in text:
        remedy += "; settings belong above the legend"
    known = legend.stacks
    letters = f"a letter of the legend: {listed(known, 30)}" if known else "a legend that defines letters"
    return source.error(f"the unknown letter {shown(text[column])}", letters, remedy, line=line, column=column + 1)


def _things(source: Source, entry: Entry, pieces: list[_Piece]) -> Iterator[DrawnThing]:
    if entry.grouping == "single":
        source.limit("things", sum(run.right - run.left for run, _, _ in pieces), line=entry.line)
        for run, map, order in pieces:
            for column in range(run.left, run.right):
                yield DrawnThing(entry, (run.row, column, map, order))
    elif entry.grouping == "whole":
        run, map, order = min(pieces)
        yield DrawnThing(entry, (run.row, run.left, map, order), _rectangles(source, entry, pieces))
    else:
        for number in sorted({piece.map for piece in pieces}):
            yield from _joined_things(source, entry, [piece for piece in pieces if piece.map == number])


def _rectangles(source: Source, entry: Entry, pieces: Iterable[_Piece]) -> list[Rectangle]:
    found = rectangles_of(merged_runs(piece.run for piece in pieces))
    source.limit("boxes", len(found), line=entry.line)
    return found


def _joined_things(source: Source, entry: Entry, pieces: list[_Piece]) -> Iterator[DrawnThing]:
    """Yield one thing for each set of cells of a map that are connected by their sides."""
    rectangles = _rectangles(source, entry, pieces)
    parts: dict[int, list[Rectangle]] = {}
    for rectangle, part in zip(rectangles, connected_parts(rectangles), strict=True):
        parts.setdefault(part, []).append(rectangle)
    source.limit("things", len(parts), line=entry.line)
    orders = {(run.row, run.left): order for run, _, order in pieces}
    for some in parts.values():
        corner = some[0][:2]
        yield DrawnThing(entry, (*corner, pieces[0].map, orders[corner]), some)
