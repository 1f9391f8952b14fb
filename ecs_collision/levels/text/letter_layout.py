"""Arranges things on maps of letters so that reading the maps gives the same things in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.grids import Cell
from ecs_collision.levels.level import Thing
from ecs_collision.levels.text.legend import MAX_ON_A_CELL, grouping_by_default


@dataclass(frozen=True, slots=True)
class Symbol:
    """The shared attributes of things drawn with one letter; `number` separates things with unconnected cells."""

    kind: str
    components: FrozenMap
    properties: FrozenMap
    grouping: str
    number: int = -1


@dataclass(slots=True)
class LetterMap:
    """One map: the symbols on each cell, in order."""

    cells: dict[Cell, list[Symbol]] = field(default_factory=dict)

    def can_draw(self, symbol: Symbol, cells: Sequence[Cell]) -> bool:
        """Return whether a thing can be drawn here without merging with another."""
        for cell in cells:
            here = self.cells.get(cell, [])
            if symbol in here or len(here) == MAX_ON_A_CELL:
                return False
            if symbol.grouping == "joined" and any(symbol in self.cells.get(other, []) for other in neighbours(cell)):
                return False
        return True

    def draw(self, symbol: Symbol, cells: Sequence[Cell]) -> None:
        """Add a thing to its cells."""
        for cell in cells:
            self.cells.setdefault(cell, []).append(symbol)


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells that share a side with a cell."""
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def symbols_of(things: Sequence[Thing], cells: Sequence[Sequence[Cell]]) -> list[Symbol]:
    """Return the symbol of each thing."""
    numbers_of: dict[tuple[str, FrozenMap, FrozenMap], list[int]] = {}
    for number, thing in enumerate(things):
        numbers_of.setdefault((thing.kind, thing.components, thing.properties), []).append(number)
    found: dict[int, Symbol] = {}
    for (kind, components, properties), numbers in numbers_of.items():
        is_joined = {number: _is_joined(cells[number]) for number in numbers}
        scattered = [number for number in numbers if not is_joined[number]]
        together = [number for number in numbers if is_joined[number]]
        grouping = "single" if all(len(cells[number]) == 1 for number in together) else "joined"
        if len(numbers) == 1 and (scattered or grouping_by_default(components) == "whole"):
            grouping, together, scattered = "whole", numbers, []
        for number in together:
            found[number] = Symbol(kind, components, properties, grouping)
        for number in scattered:
            found[number] = Symbol(kind, components, properties, "whole", number)
    return [found[number] for number in range(len(things))]


def _is_joined(cells: Sequence[Cell]) -> bool:
    remaining = set(cells[1:])
    found = [cells[0]]
    for cell in found:
        for other in neighbours(cell):
            if other in remaining:
                remaining.remove(other)
                found.append(other)
    return not remaining


def maps_of(symbols: Sequence[Symbol], cells: Sequence[Sequence[Cell]]) -> list[LetterMap]:
    """Return maps with all things: each on the first map where it fits and is read after the things before it.

    Of things with the same first cell, those on an earlier map or earlier in a stack are read first.
    """
    maps = [LetterMap()]
    earliest: dict[Cell, int] = {}
    for symbol, covered in zip(symbols, cells, strict=True):
        depth = earliest.get(covered[0], 0)
        while depth < len(maps) and not maps[depth].can_draw(symbol, covered):
            depth += 1
        if depth == len(maps):
            maps.append(LetterMap())
        maps[depth].draw(symbol, covered)
        earliest[covered[0]] = depth
    return maps
