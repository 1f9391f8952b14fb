"""Recorded Sokoban games, replayed.

The player's force is 1.5 and a crate's inertia 1.0: under the rule "sum" one crate can be pushed and two cannot,
which is all of Sokoban (rule P4). Levels are the common text format: # wall, @ player, $ crate, . goal, * and +
a crate and the player on a goal; rows end at the first line that holds anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecs_collision.components import BoxCollider, CompoundCollider, Inertia, Motion, Static, Transform
from ecs_collision.demo.replays import DIRECTIONS, Outcome, ReplayFileError, field, moves_of, read_records
from ecs_collision.world import CollisionWorld

PLAYER_FORCE = 1.5
CRATE_INERTIA = 1.0
SYMBOLS = frozenset("#@+$*. -_")

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SokobanRecord:
    """A level and its recorded solution; cells are (column, row), rows counted downwards."""

    name: str
    walls: frozenset[Cell]
    crates: tuple[Cell, ...]
    goals: frozenset[Cell]
    player: Cell
    moves: str


def read_sokoban(path: Path) -> list[SokobanRecord]:
    """Return the games of a JSON file: a list of objects with `level` (text), `lurd` (moves) and perhaps `id`."""
    return read_records(path, parse_sokoban)


def parse_sokoban(game: dict[str, Any]) -> SokobanRecord:
    """Return one recorded game; raises ReplayFileError saying what is wrong with it."""
    cells = _cells(field(game, "level", str))
    moves = moves_of(game, "lurd", "lurdLURD").lower()
    players = [cell for cell, symbol in cells.items() if symbol in "@+"]
    if len(players) != 1:
        raise ReplayFileError(f"the level needs exactly one player (@ or +), found {len(players)}")
    return SokobanRecord(
        name=str(game.get("id", "level")),
        walls=frozenset(cell for cell, symbol in cells.items() if symbol == "#"),
        crates=tuple(cell for cell, symbol in cells.items() if symbol in "$*"),
        goals=frozenset(cell for cell, symbol in cells.items() if symbol in ".*+"),
        player=players[0],
        moves=moves,
    )


def _cells(text: str) -> dict[Cell, str]:
    cells: dict[Cell, str] = {}
    for row, line in enumerate(text.splitlines()):
        if not set(line) <= SYMBOLS:
            break
        cells.update({(column, row): symbol for column, symbol in enumerate(line)})
    return cells


class SokobanGame:
    """A level in a world of its own: one player, a body a crate, and all walls as one static compound."""

    def __init__(self, record: SokobanRecord) -> None:
        self._goals = record.goals
        self.world = CollisionWorld(rule="sum")
        self._transform = Transform(*_middle(record.player))
        self.player = self.world.add(
            transform=self._transform, collider=BoxCollider(0.5, 0.5), motion=Motion(force=PLAYER_FORCE)
        )
        self._crates = {self._add_crate(transform): transform for transform in map(_at, record.crates)}
        if record.walls:
            walls = CompoundCollider.from_cells(record.walls)
            self.world.add(transform=Transform(0, 0), collider=walls, static=Static())

    def _add_crate(self, transform: Transform) -> int:
        return self.world.add(transform=transform, collider=BoxCollider(0.5, 0.5), inertia=Inertia(CRATE_INERTIA))

    def step(self, letter: str) -> Outcome:
        """Take one step, pushing the crate ahead if there is one; a turn is a frame."""
        dx, dy = DIRECTIONS[letter]
        result = self.world.move(self.player, dx, dy)
        self.world.step()
        return Outcome(bool(result), result)

    def is_won(self) -> bool:
        """Return whether every crate stands on a goal."""
        return all(cell in self._goals for cell in self.crates().values())

    def crates(self) -> dict[int, Cell]:
        """Return the cell of every crate, by entity."""
        return {entity: _cell(transform) for entity, transform in self._crates.items()}

    def player_cell(self) -> Cell:
        """Return the cell the player stands on."""
        return _cell(self._transform)


def _at(cell: Cell) -> Transform:
    return Transform(*_middle(cell))


def _middle(cell: Cell) -> tuple[float, float]:
    return cell[0] + 0.5, cell[1] + 0.5


def _cell(transform: Transform) -> Cell:
    x, y = transform.x - 0.5, transform.y - 0.5
    if not (x.is_integer() and y.is_integer()):
        raise AssertionError(f"a body stands between two cells: {transform}")
    return int(x), int(y)
