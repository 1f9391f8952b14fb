"""The level of the built-in demo: a drawing, and a body for every letter of it, created as a game would."""

from __future__ import annotations

from collections.abc import Callable

import esper

from ecs_collision.components import (
    BoxCollider,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.events import TriggerEntered, TriggerLeft
from ecs_collision.query import Space
from ecs_collision.systems import CollisionSystem

PLAN = """\
########################
#                      #
#@ A BC     ST  R      #
#  #########U###########
#              #       #
#              #       #
#     J  K     D   *   #
#    JJ  K     #       #
#        KK_   #       #
########################"""
"""One character a cell: x counts columns, y rows downwards."""

NAMES = {
    "#": "wall",
    "@": "player",
    "A": "wagon A",
    "B": "wagon B",
    "C": "wagon C",
    "S": "crate S",
    "T": "crate T",
    "U": "crate U",
    "R": "rock R",
    "J": "compound J",
    "K": "corner piece K",
    "D": "door D",
    "_": "plate",
    "*": "exit",
}
GLYPHS = {"#": "##", "@": "@@", "K": "%%", "D": "||", "_": "__", "*": "<>"}
"""The two characters of a body, if not its letter twice."""

FORCE = 2.0
INERTIAS = {"A": 1.0, "B": 1.0, "C": 1.0, "S": 1.0, "T": 1.0, "U": 1.0, "R": 5.0, "J": 1.5}
QUIET_FRAMES = 3

Cell = tuple[int, int]


class Puzzle:
    """The level in the current esper world: a plate opens the door, and reaching the exit solves it."""

    def __init__(self) -> None:
        self.system = CollisionSystem()
        esper.add_processor(self.system)
        self.letters: dict[int, str] = {}
        for letter, cells in _cells_by_letter(PLAN).items():
            self.letters[_create(letter, cells)] = letter
        self._entities = {letter: entity for entity, letter in self.letters.items()}
        self.player = self._entities["@"]
        self.is_solved = False
        self._door = door = esper.component_for_entity(self._entities["D"], BoxCollider)

        @self.system.on(TriggerEntered, trigger=self._entities["_"])
        def open_door(event: TriggerEntered) -> None:
            door.enabled = False

        @self.system.on(TriggerLeft, trigger=self._entities["_"])
        def shut_door(event: TriggerLeft) -> None:
            door.enabled = True

        @self.system.on(TriggerEntered, trigger=self._entities["*"], other=self.player)
        def solve(event: TriggerEntered) -> None:
            self.is_solved = True

    def door_is_open(self) -> bool:
        """Return whether the door is open."""
        return not self._door.enabled

    def name(self, entity: int) -> str:
        """Return the name of a body."""
        return NAMES[self.letters[entity]]

    def picture(self) -> str:
        """Return the level as text; a sleeping body is drawn with a small z."""
        rows = PLAN.splitlines()
        return picture(self.system.space, len(rows[0]), len(rows), self._glyph)

    def _glyph(self, entity: int) -> str:
        letter = self.letters[entity]
        sleeping = esper.try_component(entity, Sleeping)
        if sleeping is not None and sleeping.asleep:
            return letter + "z"
        return GLYPHS.get(letter, letter * 2)


def _cells_by_letter(plan: str) -> dict[str, list[Cell]]:
    cells: dict[str, list[Cell]] = {}
    for row, line in enumerate(plan.splitlines()):
        for column, letter in enumerate(line):
            if letter != " ":
                cells.setdefault(letter, []).append((column, row))
    return cells


def _create(letter: str, cells: list[Cell]) -> int:
    """Create the body of a letter: a unit box for one cell, otherwise a compound at its first cell."""
    column, row = cells[0]
    parts: list[object] = []
    if len(cells) == 1:
        parts += [Transform(column + 0.5, row + 0.5), BoxCollider(0.5, 0.5)]
    else:
        parts += [Transform(column, row), CompoundCollider.from_cells((i - column, j - row) for i, j in cells)]
    if letter == "@":
        parts.append(Motion(force=FORCE))
    if letter in "#K":
        parts.append(Static())
    if letter in "_*":
        parts.append(Trigger())
    if letter in INERTIAS:
        parts.append(Inertia(INERTIAS[letter]))
    if letter in "STUR":
        parts.append(Sleeping(after=QUIET_FRAMES))
    return esper.create_entity(*parts)


def picture(space: Space, columns: int, rows: int, glyph: Callable[[int], str]) -> str:
    """Return the cells [0, columns) x [0, rows) as lines of text, y downwards.

    `glyph` returns the two characters of an entity. In each cell the lowest id is drawn, solid bodies before triggers.
    Disabled bodies are not drawn, because `space.overlapping` does not return them.
    """

    def cell(column: int, row: int) -> str:
        box = ((column, row), (column + 1, row + 1))
        found = space.overlapping(box) or space.overlapping(box, triggers=True)
        return glyph(found[0]) if found else "  "

    return "\n".join("".join(cell(column, row) for column in range(columns)).rstrip() for row in range(rows))
