"""The `things` section of a text level: names, components and properties of single things.

A line selects a thing by its default name, as in `crate 2 = heavy crate: Inertia(3)`, or by its cell, as in `4 3 = left
plate` (column and row, from 1). If the cell has several things, the kind is added: `4 3 plate = left plate`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecs_collision.levels.level import listed
from ecs_collision.levels.load import Options
from ecs_collision.levels.registry import component_conflict
from ecs_collision.levels.source import Source, shown
from ecs_collision.levels.text.drawing import DrawnThing
from ecs_collision.levels.text.legend import NO_PARTS, LineParts, read_parts
from ecs_collision.levels.value_parser import ValueParser

_CELL = re.compile(r"([0-9]{1,7}) +([0-9]{1,7})(?: +(.*))?", re.ASCII)


@dataclass(slots=True)
class ThingLine:
    """One line of the section; `line` and `column` are the position of the name."""

    line: int
    column: int
    name: str | None = None
    parts: LineParts = NO_PARTS


def read_things(
    source: Source,
    lines: list[tuple[int, str]],
    drawn: list[DrawnThing],
    names: list[str],
    options: Options,
) -> dict[int, ThingLine]:
    """Return the lines by the number of their thing; `names` are the default names of the things."""
    lookup = _Lookup(source, drawn, names)
    found: dict[int, ThingLine] = {}
    for line, text in lines:
        parser = ValueParser(source, line, text)
        if not parser.next():
            continue
        column = parser.column
        number = _selected(parser, lookup)
        if number in found:
            raise parser.error(
                f"a second line about {names[number]!r}", f"each thing once (it is in line {found[number].line})",
                "combine both lines", column,
            )  # fmt: skip
        found[number] = _single(parser, drawn[number], options)
    return found


class _Lookup:
    """Finds things by their default names and by their cells."""

    def __init__(self, source: Source, drawn: list[DrawnThing], names: list[str]) -> None:
        self.drawn, self.by_name = drawn, {name: number for number, name in enumerate(names)}
        self._source = source
        self._single: dict[tuple[int, int], list[int]] = {}
        self._wide: dict[int, list[tuple[int, int, int]]] = {}
        """By row: left, right and number of the things of several cells."""

    def at(self, column: int, row: int, line: int) -> list[int]:
        """Return the numbers of the things on a cell; column and row from 1."""
        if not self._single and not self._wide:
            self._fill()
        wide = self._wide.get(row - 1, [])
        self._source.limit("runs of equal cells", len(wide), line=line)
        found = {number for left, right, number in wide if left <= column - 1 < right}
        return sorted(found.union(self._single.get((row - 1, column - 1), ())))

    def _fill(self) -> None:
        for number, thing in enumerate(self.drawn):
            if thing.rectangles is None:
                self._single.setdefault(thing.place[:2], []).append(number)
            for top, left, bottom, right in thing.rectangles or ():
                for row in range(top, bottom):
                    self._wide.setdefault(row, []).append((left, right, number))


def _selected(parser: ValueParser, lookup: _Lookup) -> int:
    """Read the thing that a line starts with and return its number."""
    remedy = "write the name, numbered in reading order, or column and row, from 1"
    column, quoted = parser.column, parser.next() == '"'
    selector = parser.name("a thing", remedy)
    cell = None if quoted else _CELL.fullmatch(selector)
    if cell is None:
        if selector not in lookup.by_name:
            raise parser.error(f"the unknown thing {selector!r}", f"one of {listed(lookup.by_name)}", remedy, column)
        return lookup.by_name[selector]
    here = lookup.at(int(cell[1]), int(cell[2]), parser.line)
    kinds = [lookup.drawn[number].entry.kind for number in here]
    chosen = [number for number, kind in zip(here, kinds, strict=True) if cell[3] in (None, kind)]
    if len(chosen) != 1:
        how_many = f"{len(chosen)} things" if chosen else "nothing"
        kind = f" of kind {cell[3]!r}" if cell[3] else ""
        raise parser.error(
            f"{how_many}{kind} at column {cell[1]}, row {cell[2]}", f"one thing; there are {listed(kinds)}",
            "name another cell, or add the kind, as in '4 3 plate'", column,
        )  # fmt: skip
    return chosen[0]


def _single(parser: ValueParser, thing: DrawnThing, options: Options) -> ThingLine:
    thing_line = ThingLine(parser.line, parser.column)
    if parser.accept("="):
        parser.next()
        thing_line.column = parser.column
        thing_line.name = parser.name("a name", "write the name of the thing after '='")
    if parser.accept(":"):
        thing_line.parts = parts = read_parts(parser, parser.parts(), options)
        conflict = component_conflict({**thing.entry.components, **parts.components})
        if conflict:
            column = min(parts.columns.values())
            raise parser.error(conflict, "compatible components", "choose others, or another letter", column)
    parser.end("write 'thing = name: parts'")
    if thing_line.name is None and not thing_line.parts.columns:
        remedy = f"write a name or parts for {shown(thing.entry.kind)}"
        raise parser.unexpected("'=' and a name, or ':' and parts", remedy)
    return thing_line
