"""Searches plain Sokoban levels without the engine.

A level of walls, one player and crates that are pushed one at a time does not need the engine: a push is one line of
arithmetic on sets of cells, stored as the bits of integers. The search proceeds by pushes and not by steps. It follows
all paths with p pushes before those with p + 1, and for equal pushes to the same position it keeps the path with fewer
steps. So the first win has the fewest pushes and, among those, the fewest steps. `Search` finds the same result with
the engine, about a hundred times slower; tests compare both.

Not used: A* with a matching of crates to goals as its bound (it finds the fewest pushes, but ties must then be searched
for the fewest steps), and one node for all cells the player can reach (it loses the steps).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ecs_collision.components import SUM, Box
from ecs_collision.errors import UnknownEntity
from ecs_collision.levels.level import Level, Thing
from ecs_collision.solver.general_search import BYTES_OF_A_STATE, Limits, SearchResult

Cell = tuple[int, int]

LETTERS = "LRUD"


@dataclass(frozen=True, slots=True)
class SokobanLevel:
    """A plain Sokoban level; cells are (column, row), rows downwards. There may be more goals than crates."""

    walls: frozenset[Cell]
    crates: frozenset[Cell]
    goals: frozenset[Cell]
    player: Cell


def sokoban_level(level: Level) -> SokobanLevel | None:
    """Return a level as a SokobanLevel, or None if it is not plain Sokoban.

    Plain means: a turn moves the player by one cell or not at all, and with it at most one crate; nothing else moves;
    the level is won when every crate overlaps a goal.
    """
    words = (level.win or "").split()
    if len(words) != 4 or words[0] != "all" or words[2] != "on" or not _has_plain_rules(level):
        return None
    try:
        crates, goals = level.select(words[1]), level.select(words[3])
    except UnknownEntity:
        return None
    players = [thing for thing in level.things if thing.kind == "player"]
    bodies = [thing for thing in level.things if thing.is_body and set(thing.components) != {"Trigger"}]
    walls = [thing for thing in bodies if thing not in crates and thing not in players]
    is_plain = (
        len(players) == 1
        and _can_push_one(players[0], crates)
        and all(map(_reports_crates, goals))
        and all(list(wall.components) == ["Static"] for wall in walls)
    )
    return _sokoban_level(walls, crates, goals, players[0]) if is_plain else None


def _has_plain_rules(level: Level) -> bool:
    settings = dict(level.settings)
    return level.gravity is None and settings.pop("rule", None) == SUM and settings in ({}, {"all_or_nothing": True})


def _can_push_one(player: Thing, crates: Iterable[Thing]) -> bool:
    """Return whether the player's force moves any single crate but no two together (rule P4)."""
    force = _only_number(player, "Motion", "force")
    inertias = [_only_number(crate, "Inertia", "value") for crate in crates]
    if force is None or None in inertias:
        return False
    known = sorted(inertia for inertia in inertias if inertia is not None)
    return bool(known) and known[-1] < force <= sum((known * 2)[:2])


def _only_number(thing: Thing, component: str, field: str) -> float | None:
    """Return the number in the only field of a thing's only component, or None."""
    fields = thing.fields(component)
    if fields is None or len(thing.components) != 1 or list(fields) != [field]:
        return None
    value = fields[field]
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _reports_crates(goal: Thing) -> bool:
    """Return whether a goal is only a trigger that reports crates."""
    fields = dict(goal.fields("Trigger") or {})
    mask = fields.pop("mask", None)
    sees = mask is None or mask == "default" or (isinstance(mask, tuple) and "default" in mask)
    return set(goal.components) == {"Trigger"} and not fields and sees


def _sokoban_level(
    walls: Iterable[Thing], crates: Iterable[Thing], goals: Iterable[Thing], player: Thing
) -> SokobanLevel | None:
    """Return the level if all things fill whole cells, crates and player one each, without overlaps; else None."""
    single = [_cells(thing) for thing in (*crates, player)]
    wide = [_cells(thing) for thing in walls]
    on_floor = [_cells(thing) for thing in goals]
    if not all(cells is not None and len(cells) == 1 for cells in single) or None in wide or None in on_floor:
        return None
    loose = [cell for cells in single for cell in cells or ()]
    blocked = {cell for cells in wide for cell in cells or ()}
    if len(set(loose)) != len(loose) or blocked & set(loose):
        return None
    places = frozenset(cell for cells in on_floor for cell in cells or ())
    return SokobanLevel(frozenset(blocked), frozenset(loose[:-1]), places, loose[-1])


def _cells(thing: Thing) -> frozenset[Cell] | None:
    """Return the cells a thing fills, or None if a box fills only part of a cell or is out of the plane."""
    found: set[Cell] = set()
    for box in thing.parts or (Box(0.5, 0.5),):
        if not isinstance(box, Box):
            return None
        x, y, z = (at + by for at, by in zip(thing.position, box.offset, strict=True))
        edges = (x - box.hx, y - box.hy, x + box.hx, y + box.hy)
        if not all(edge.is_integer() for edge in edges) or (z, box.hz) != (0.0, 0.5):
            return None
        left, top, right, bottom = map(int, edges)
        found.update(product(range(left, right), range(top, bottom)))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Visit:
    """How a state was reached with the fewest steps: the steps, the state before, and the last push."""

    steps: int
    before: tuple[int, int] | None
    from_cell: int
    letter: str


class SokobanSearch:
    """The search of one level. Cells are bit numbers, sets of cells are integers, a state is (crates, player).

    floor_count: number of cells the player could reach without crates. is_closed: whether walls surround them.
    """

    def __init__(self, level: SokobanLevel) -> None:
        cells = level.walls | level.crates | level.goals | {level.player}
        # A border of one free cell, so that gaps in the walls lead to it and no shift wraps into another row.
        self._first_column, self._first_row = min(x for x, _ in cells) - 1, min(y for _, y in cells) - 1
        self._width = max(x for x, _ in cells) - self._first_column + 2
        self._height = max(y for _, y in cells) - self._first_row + 2
        self._shifts = {"L": -1, "R": 1, "U": -self._width, "D": self._width}
        player = self._bit(level.player)
        self._floor = self._walkable(player, self._mask(level.walls))
        self.is_closed = not self._floor & self._border()
        self.floor_count = self._floor.bit_count()
        all_crates = self._mask(level.crates)
        self._goals = self._mask(level.goals) & self._floor
        self._start = (all_crates & self._floor, player.bit_length() - 1)
        self._unreachable_crates_are_on_goals = not all_crates & ~self._floor & ~self._mask(level.goals)
        self._live = self._live_cells()

    def run(self, max_states: int, is_late: Callable[[], bool], max_bytes: float = math.inf) -> SearchResult:
        """Search until a win, until all states are searched, or until a limit is reached."""
        seen = {self._start: _Visit(0, None, 0, "")}
        try:
            return self._run(Limits(max_states, max_bytes, is_late), seen)
        except MemoryError:
            count = len(seen)
            seen.clear()
            return SearchResult(None, 0, count, "memory")

    def _run(self, limits: Limits, seen: dict[tuple[int, int], _Visit]) -> SearchResult:
        bytes_of_a_state = BYTES_OF_A_STATE + self._width * self._height // 7  # one bit per cell, in 30-bit digits
        if not self._can_be_won():
            return SearchResult(None, 0, 1)
        layer = [self._start]
        pushes = 0
        while layer:
            won = [state for state in layer if not state[0] & ~self._goals]
            if won:
                best = min(won, key=lambda state: (seen[state].steps, state))
                return SearchResult(self._moves(best, seen), pushes, len(seen))
            found: dict[tuple[int, int], _Visit] = {}
            for state in layer:
                self._expand(state, seen, found)
                count = len(seen) + len(found)
                limit = limits.reached(count, bytes_of_a_state * count)
                if limit:
                    return SearchResult(None, 0, count, limit)
            seen.update(found)
            layer = list(found)
            pushes += 1
        return SearchResult(None, 0, len(seen))

    def _expand(
        self,
        state: tuple[int, int],
        seen: dict[tuple[int, int], _Visit],
        found: dict[tuple[int, int], _Visit],
    ) -> None:
        """Add the states after one push from a state, if they are new or reached in fewer steps."""
        crates, player = state
        free = self._floor & ~crates
        distances = list(self._distance_layers(1 << player, free))
        reach = sum(distances)
        steps = seen[state].steps
        for letter, shift in self._shifts.items():
            pushable = crates & _moved(reach, shift) & _moved(free & self._live, -shift)
            while pushable:
                crate = pushable & -pushable
                pushable ^= crate
                behind = _moved(crate, -shift)
                after = (crates ^ crate | _moved(crate, shift), crate.bit_length() - 1)
                if after in seen:
                    continue
                walked = steps + next(count for count, layer in enumerate(distances) if layer & behind)
                known = found.get(after)
                if known is None or walked < known.steps:
                    found[after] = _Visit(walked, state, behind.bit_length() - 1, letter)

    def _distance_layers(self, start: int, free: int) -> Iterator[int]:
        """Yield the sets of cells at distance 0, 1, 2, ... from a cell."""
        layer, unvisited = start, free & ~start
        while layer:
            yield layer
            layer = self._neighbours(layer) & unvisited
            unvisited &= ~layer

    def _neighbours(self, cells: int) -> int:
        width = self._width
        return cells << 1 | cells >> 1 | cells << width | cells >> width

    def _moves(self, state: tuple[int, int], seen: dict[tuple[int, int], _Visit]) -> str:
        """Return the letters that lead to a state, collected from its last push back to the first."""
        parts: list[str] = []
        while (reached := seen[state]).before is not None:
            crates, player = reached.before
            parts += [reached.letter, self._walk(player, reached.from_cell, self._floor & ~crates)]
            state = reached.before
        return "".join(reversed(parts))

    def _walk(self, start: int, end: int, free: int) -> str:
        """Return the letters of a shortest walk, among several the first in the order of `LETTERS`."""
        layers = list(self._distance_layers(1 << end, free))
        at = 1 << start
        count = next(count for count, layer in enumerate(layers) if layer & at)
        letters = ""
        for layer in reversed(layers[:count]):
            letter = next(letter for letter in LETTERS if _moved(at, self._shifts[letter]) & layer)
            at = _moved(at, self._shifts[letter])
            letters += letter
        return letters

    def _can_be_won(self) -> bool:
        """Return False if too few goals, an unreachable crate or a crate that cannot reach a goal prevent a win."""
        crates = self._start[0]
        return (
            self._unreachable_crates_are_on_goals
            and crates.bit_count() <= self._goals.bit_count()
            and not crates & ~self._live
        )

    def _live_cells(self) -> int:
        """Return the cells from which a single crate could be pushed onto a goal, found by pulling from the goals."""
        live, frontier = self._goals, self._goals
        while frontier:
            found = 0
            for shift in self._shifts.values():
                # A pull along `shift` moves the crate to the next cell and the player to the one after it.
                found |= _moved(frontier, shift) & self._floor & _moved(self._floor, -shift)
            frontier = found & ~live
            live |= frontier
        return live

    def _walkable(self, player: int, walls: int) -> int:
        inside = (1 << self._width * self._height) - 1
        return sum(self._distance_layers(player, inside & ~walls | player))

    def _border(self) -> int:
        columns, rows = range(self._width), range(self._height)
        rim = {(x, y) for x in columns for y in (0, self._height - 1)} | {
            (x, y) for x in (0, self._width - 1) for y in rows
        }
        return sum(1 << x + y * self._width for x, y in rim)

    def _mask(self, cells: frozenset[Cell]) -> int:
        return sum(map(self._bit, cells))

    def _bit(self, cell: Cell) -> int:
        return 1 << (cell[0] - self._first_column) + (cell[1] - self._first_row) * self._width


def _moved(cells: int, shift: int) -> int:
    return cells << shift if shift > 0 else cells >> -shift
