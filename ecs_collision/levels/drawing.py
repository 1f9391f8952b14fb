"""The maps of a text level: which cells make which things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ecs_collision.errors import LevelError
from ecs_collision.levels.cells import MOST_DRAWN, Budget, Cell
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
    """A thing as it is drawn: its entry in the legend, where it comes in reading order, and its cells."""

    entry: Entry
    place: Place
    cells: tuple[Cell, ...]


def drawn_things(budget: Budget, maps: list[Map], legend: Legend) -> tuple[list[Drawn], tuple[int, int]]:
    """Return the things of all maps in reading order, and the columns and rows they have together."""
    budget.begin_drawing()
    placed: dict[str, list[Place]] = {}
    columns = rows = count = 0
    for number, map in enumerate(maps):
        map.trim()
        width, height = map.column + max((len(text) for _, text in map.rows), default=0), map.row + len(map.rows)
        budget.spend_cells(width, height, line=map.line)
        columns, rows = max(columns, width), max(rows, height)
        for row, (line, text) in enumerate(map.rows, map.row):
            count += _read_row(budget.source, legend, placed, text, line, (row, map.column, number))
            if count > MOST_DRAWN:
                raise budget.source.error(
                    f"more than {MOST_DRAWN} things on cells", "fewer", "divide the level", line=line
                )
    entries = {entry.letter: entry for several in legend.values() for entry in several}
    drawn: list[Drawn] = []
    for letter, places in placed.items():
        things = list(_things(entries[letter], places))
        budget.spend_things(len(things), line=entries[letter].line)
        drawn += things
    return sorted(drawn, key=_place), (columns, rows)


def _place(drawn: Drawn) -> Place:
    return drawn.place


def _read_row(
    source: Source, legend: Legend, placed: dict[str, list[Place]], text: str, line: int, at: tuple[int, int, int]
) -> int:
    """Note where the letters of a row are; returns how many things are on its cells."""
    row, column, number = at
    count = 0
    for index, letter in enumerate(text):
        if letter in legend:
            for order, entry in enumerate(legend[letter]):
                placed.setdefault(entry.letter, []).append((row, column + index, number, order))
                count += 1
        elif letter not in EMPTY:
            raise _unknown(source, legend, text, line, index)
    return count


def _unknown(source: Source, legend: Legend, text: str, line: int, index: int) -> LevelError:
    remedy = "add the letter to the legend, or mend the map"
    if index == 0 and ":" in text:
        remedy += "; settings stand above the legend"
    letters = f"a letter of the legend: {listed(legend, 30)}" if legend else "a legend that says what letters mean"
    return source.error(f"the letter {shown(text[index])}", letters, remedy, line=line, column=index + 1)


def _things(entry: Entry, places: list[Place]) -> Iterator[Drawn]:
    if entry.grouping == "single":
        for place in places:
            yield Drawn(entry, place, ((place[0], place[1]),))
    elif entry.grouping == "whole":
        yield _one(entry, places)
    else:
        yield from _joined(entry, places)


def _one(entry: Entry, places: list[Place]) -> Drawn:
    return Drawn(entry, min(places), tuple(sorted({(row, column) for row, column, _, _ in places})))


def _joined(entry: Entry, places: list[Place]) -> Iterator[Drawn]:
    """Yield things of cells of one map that share sides."""
    left = {(map, row, column): (row, column, map, order) for row, column, map, order in places}
    while left:
        begin = next(iter(left))
        found = [left.pop(begin)]
        for row, column, map, _ in found:
            above, below = (map, row - 1, column), (map, row + 1, column)
            for beside in (above, below, (map, row, column - 1), (map, row, column + 1)):
                if beside in left:
                    found.append(left.pop(beside))
        yield _one(entry, found)
