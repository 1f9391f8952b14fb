"""`Board`: a world made from a drawing and compared with drawings."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, Unpack, overload

import esper

from ecs_collision.components import CompoundCollider, Faces
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import LATTICE, finite, instance_of, whole
from ecs_collision.game import NamedEvent, Turn
from ecs_collision.game.game import Game, GameOptions
from ecs_collision.game.mechanics.gravity import DIRECTIONS
from ecs_collision.levels import Level, Thing, load_level
from ecs_collision.levels.registry import ComponentFactory
from ecs_collision.results import MoveResult
from ecs_collision.settings import MotionOptions
from ecs_collision.systems import CollisionSystem, Puzzle
from ecs_collision.systems.world_binding import switch_to
from ecs_collision.testing.drawings import (
    PARTLY,
    Alphabet,
    Cell,
    Legend,
    Picture,
    alphabet_of,
    kind_letters,
    level_of,
)
from ecs_collision.testing.messages import hide_traceback, number_text
from ecs_collision.testing.naming import EntityNames, EntityRef, attach_names, detach_names
from ecs_collision.world import Frame, Plan

__tracebackhide__ = hide_traceback

Kind = TypeVar("Kind")


class Board:
    """A world made from a drawing: each letter is an entity of an esper world with a CollisionSystem.

    drawing: rows of letters, or a whole level as text, `Level` or `pathlib.Path`. legend: what letters mean, besides
    the default ones (`#` wall, `@` player, `$` crate, `_` plate, `*` crate on plate, `+` player on plate, `.` and space
    nothing). components: the game's own component classes that the legend uses. script, can_push and settings: as for
    `Puzzle`.

    The esper world of the board is current until `close()`. Bodies are found by letter or name: `board["$"]` is an
    entity. `game` is the Puzzle that runs the board. A board equals a drawing of its current state: `assert board ==
    '''...'''`.
    """

    __hash__ = None  # type: ignore[assignment]  # boards are mutable

    def __init__(
        self,
        drawing: str | Level | os.PathLike[str],
        legend: Legend = None,
        *,
        components: Mapping[str, ComponentFactory] | None = None,
        script: Callable[[Puzzle], object] | os.PathLike[str] | None = None,
        **options: Unpack[GameOptions],
    ) -> None:
        if isinstance(drawing, Level | os.PathLike):
            if legend is not None:
                raise CollisionValueError("a level has its own legend; leave the legend argument out")
            level = drawing if isinstance(drawing, Level) else load_level(Path(drawing), components=components)
            alphabet = alphabet_of(level)
        else:
            level, alphabet = level_of(drawing, legend, components)
        previous_world = esper.current_world
        puzzle = Puzzle(level, components=components, script=script, **options)
        self._set_game(puzzle, alphabet)
        self._previous_world: str | None = previous_world
        esper.switch_world(puzzle.esper_world)

    def _set_game(self, game: Game, alphabet: Alphabet) -> None:
        self.game = game
        self._names = EntityNames(self._find, game.things.names.display_name)
        self._alphabet = alphabet
        self._previous_world = None
        self._last_events: tuple[Frame, list[NamedEvent]] | None = None

    @classmethod
    def of(cls, game: Game) -> Board:
        """Return a board that shows a running `Game` or `Puzzle`, drawn with the letters of its level."""
        if not isinstance(game, Game):
            raise CollisionTypeError(f"Board.of() got {game!r}; give a Game or a Puzzle, or call Board(drawing)")
        board = cls.__new__(cls)
        board._set_game(game, alphabet_of(game.level))
        return board

    # Bodies.

    def entity(self, entity: EntityRef) -> int:
        """Return the entity of a letter, kind or name; raises CollisionValueError if it matches several."""
        return self._names.entity(entity, "entity")

    __getitem__ = entity

    def all(self, entity: EntityRef) -> list[int]:
        """Return the entities of a letter, kind or name, in order; raises UnknownEntity if there are none."""
        return list(self._names.entities(entity, "entity"))

    def _find(self, name: str) -> Sequence[int]:
        """Return the entities of a letter, kind or name; in a level without letters, each letter stands for a kind."""
        drawn = self.game.level.letters
        if drawn is None:
            return self.game.things.members(self._alphabet.kinds.get(name, name))
        ids = [self.game.ids[each] for each, letter in drawn.of.items() if letter == name and each in self.game.ids]
        return sorted(ids) or self.game.things.members(name)

    def name(self, entity: int) -> str:
        """Return the name of an entity."""
        return self.game.name(entity)

    def position(self, entity: EntityRef) -> tuple[float, float, float]:
        """Return the position (x, y, z) of a body: the middle of its cell, or of its first cell."""
        entity = self.entity(entity)
        with self.game.in_world():
            self.game.world.apply_changes()
            transform = self.game.things.parts(entity).transform
        assert transform is not None
        return transform.position

    def cell(self, entity: EntityRef) -> tuple[int, int]:
        """Return the column and row, from 0, of the cell that contains the position of a body."""
        x, y, _ = self.position(entity)
        return math.floor(x), math.floor(y)

    def inside(self, trigger: EntityRef) -> list[str]:
        """Return the names of the bodies in a trigger at the end of the last frame."""
        with self.game.in_world():
            return [self.game.things.names.display_name(id) for id in self.game.world.inside(self.entity(trigger))]

    def sees(self, a: EntityRef, b: EntityRef) -> bool:
        """Return whether nothing solid lies on the straight line between two things (rule Q3)."""
        return self.system.space.line_of_sight(self.entity(a), self.entity(b))

    @overload
    def get(self, entity: EntityRef, component: type[Kind]) -> Kind | None: ...
    @overload
    def get(self, entity: EntityRef, component: str) -> Any: ...
    def get(self, entity: EntityRef, component: str | type[Any]) -> Any:
        """Return a component of an entity, or None."""
        entity = self.entity(entity)
        with self.game.in_world():
            return self.game.things.game_world.component(entity, component)

    @property
    def system(self) -> CollisionSystem:
        """The CollisionSystem of the board."""
        if isinstance(self.game, Puzzle):
            return self.game.system
        raise CollisionTypeError("a Game has no esper world and no system; use board.game.world")

    @property
    def _is_bare(self) -> bool:
        """Whether the game has neither script nor gravity, so that a frame is a plain `esper.process()`."""
        game, handlers = self.game, self.game._handlers
        return not (
            game.has_begun or handlers.subscribed_kinds or handlers.turn or game._state.mechanics or game.gravity
        )

    # Motions and frames.

    def move(
        self,
        entity: EntityRef,
        letters: str = "",
        *,
        dx: float = 0.0,
        dy: float = 0.0,
        **options: Unpack[MotionOptions],
    ) -> MoveResult:
        """Move a body now, in one motion: by letters ("R", "RRU"), one cell each, or by a distance.

        options: as for `system.move`.
        """
        if not isinstance(letters, str) or not set(letters) <= DIRECTIONS.keys():
            raise CollisionValueError(
                f"letters is {letters!r}; give letters of L, R, U and D, or a distance as dx= and dy="
            )
        x = finite(dx, "dx of move") + sum(DIRECTIONS[letter][0] for letter in letters)
        y = finite(dy, "dy of move") + sum(DIRECTIONS[letter][1] for letter in letters)
        with self.game.in_world():
            return attach_names(self.game.things.move(self.entity(entity), x, y, **options), self._names)

    def request(self, entity: EntityRef, dx: float = 0.0, dy: float = 0.0) -> None:
        """Add a displacement to the request for the next frame in the Motion of a body."""
        with self.game.in_world():
            self.game.world.request(self.entity(entity), dx, dy)

    def teleport(self, entity: EntityRef, x: float, y: float) -> None:
        """Set the position of a body. Nothing is pushed, and the position may be between cells."""
        entity = self.entity(entity)
        with self.game.in_world():
            self.game.world.apply_changes()
            position = self.game.things.position_of(entity)
            self.game.things.teleport(
                entity, finite(x, "x of teleport") - position[0], finite(y, "y of teleport") - position[1]
            )

    def process(self, frames: int = 1) -> list[NamedEvent]:
        """Run frames and return their events. With a script or gravity, these are steps of the game."""
        events: list[NamedEvent] = []
        for _ in range(whole(frames, "frames", minimum=0)):
            if self._is_bare:
                with self.game.in_world():
                    frame = self.game.things.game_world.step()
                events += self._named(frame.events)
            else:
                events += self.game.step().events
        self._store_events(events)
        return events

    def turn(self, letter: str) -> Turn:
        """Play a letter, as `Puzzle.turn` does: bodies move whole cells or not at all, then a frame runs."""
        turn = self._with_names(self.game.turn(letter))
        self._store_events(turn.events)
        return turn

    def play(self, letters: str) -> list[Turn]:
        """Play letters, one turn each; whitespace is ignored."""
        turns = [self._with_names(turn) for turn in self.game.play(letters)]
        self._store_events([event for turn in turns for event in turn.events])
        return turns

    def _with_names(self, turn: Turn) -> Turn:
        """Return a turn after attaching the names of this board to it and to its results."""
        for result in turn.results.values():
            attach_names(result, self._names)
        return attach_names(turn, self._names)

    @property
    def events(self) -> list[NamedEvent]:
        """Events with names: of the last `process`, `turn` or `play`, or of the last frame if that was later."""
        if self._last_events is not None and self._last_events[0] is self.game.world.frame:
            return list(self._last_events[1])
        return self._named(self.game.world.events)

    @property
    def results(self) -> dict[str, MoveResult]:
        """The result of each request of the last frame, by name."""
        return {
            self._names.name_of(id): attach_names(result, self._names) for id, result in self.game.world.results.items()
        }

    def explain(self, result: MoveResult) -> str:
        """Return a description of a motion, with names."""
        instance_of(result, (MoveResult, Plan, Turn), "result", "give the return value of move(), a Plan or a Turn")
        return self._names.replace_ids(result.explain())

    def _named(self, events: Iterable[Any]) -> list[NamedEvent]:
        return [NamedEvent(event, self.game.things.names) for event in events]

    def _store_events(self, events: list[NamedEvent]) -> None:
        self._last_events = (self.game.world.frame, events)

    # Pictures.

    @property
    def picture(self) -> Picture:
        """The contents of each cell now."""
        return picture_of(self.game, self._alphabet)

    def difference(self, other: str | Board) -> str:
        """Return how the board differs from a drawing or another board, side by side; "" if it does not."""
        return "\n".join(self.picture.difference(other.picture if isinstance(other, Board) else other))

    def __eq__(self, other: object) -> bool:
        """Return whether the board matches a drawing or another board, cell by cell."""
        return not self.difference(other) if isinstance(other, str | Board) else NotImplemented

    def __str__(self) -> str:
        """Return the drawing of the current state, with a note for each body that is not on whole cells."""
        return str(self.picture)

    def __repr__(self) -> str:
        return repr(self.picture).replace("Picture", "Board", 1)

    def _repr_html_(self) -> str:
        """Return a picture of the bodies with their names, for notebooks."""
        return self.game._repr_html_()

    # Closing.

    def close(self) -> None:
        """Delete the esper world of the board and make the previous one current."""
        detach_names(self._names)
        if self._previous_world is not None and isinstance(self.game, Puzzle):
            if esper.current_world == self.game.esper_world:
                switch_to(self._previous_world)
            self.game.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class MakeBoard(Protocol):
    """The type of the pytest fixture `board`: makes a `Board` from a drawing."""

    def __call__(
        self,
        drawing: str | Level | os.PathLike[str],
        legend: Legend = None,
        *,
        components: Mapping[str, ComponentFactory] | None = None,
        script: Callable[[Puzzle], object] | os.PathLike[str] | None = None,
        **options: Unpack[GameOptions],
    ) -> Board:
        """Return a new board; the arguments are those of `Board`."""


def picture(game: Game | Board) -> str:
    """Return the drawing of the current state of a game, as text that can be compared; see `Board`."""
    return str(game if isinstance(game, Board) else Board.of(game))


# The picture of a game.

CELL = int(1 / LATTICE)
"""Lattice units in a cell."""

SLAB = (-CELL // 2, CELL // 2)
"""The z range that all bodies of a board share."""

MAX_EXTRA_CELLS = 64
"""A drawing grows by at most this many cells beyond its level. Bodies further out appear in notes only."""


def picture_of(game: Game, alphabet: Alphabet) -> Picture:
    """Return the picture of a game as it is now. Disabled bodies are left out."""
    letters = _letters(game)
    cells: dict[Cell, list[str]] = {}
    off_grid: list[str] = []
    partly_covered: set[Cell] = set()
    columns, rows = game.level.size
    for name, letter, boxes in _bodies(game, letters):
        covered = _cells(boxes)
        aligned = all(face % CELL == 0 for box in boxes for face in (box[0], box[1], box[3], box[4]))
        flat = all((box[2], box[5]) == SLAB for box in boxes)
        inside = all(_is_drawn(cell, game.level.size) for cell in covered)
        if aligned and flat and inside and covered:
            for cell in covered:
                cells.setdefault(cell, []).append(letter)
        else:
            off_grid.append(name)
            partly_covered |= {cell for cell in covered if _is_drawn(cell, game.level.size)}
    found = dict.fromkeys(partly_covered, PARTLY) | {cell: tuple(sorted(those)) for cell, those in cells.items()}
    size = (max([columns, *(column + 1 for column, _ in found)]), max([rows, *(row + 1 for _, row in found)]))
    return Picture(alphabet, found, tuple(off_grid), size)


def _is_drawn(cell: Cell, size: tuple[int, int]) -> bool:
    """Return whether a cell is part of the picture."""
    return 0 <= cell[0] < size[0] + MAX_EXTRA_CELLS and 0 <= cell[1] < size[1] + MAX_EXTRA_CELLS


def _letters(game: Game) -> dict[str, str]:
    """Return the letter of each thing of a level."""
    drawn = game.level.letters
    by_kind = kind_letters(game.level) if drawn is None else {}
    return {thing.name: by_kind[thing.kind] if drawn is None else drawn.of[thing.name] for thing in game.level.things}


def _bodies(game: Game, letters: dict[str, str]) -> Iterator[tuple[str, str, list[Faces]]]:
    """Yield an off-grid note, the letter, and the boxes in units of each visible body."""
    with game.in_world():
        world = game.world
        world.apply_changes()
        names = {id: name for name, id in game.ids.items()}
        for id in sorted(world._bodies.row_of):
            if game.things.is_enabled(id):
                name, row = names.get(id, f"entity-{id}"), world._bodies.row(id)
                boxes = world._bodies.boxes(row)
                place = world._bodies.position(row)
                yield _off_grid_note(name, place, boxes), letters.get(name, name), boxes
    for thing in game.level.things:
        if thing.name not in game.ids:
            boxes = _scenery(thing)
            yield _off_grid_note(thing.name, _units(thing.position), boxes), letters[thing.name], boxes


def _units(place: tuple[float, float, float]) -> tuple[int, int, int]:
    x, y, z = (round(value * CELL) for value in place)
    return x, y, z


def _scenery(thing: Thing) -> list[Faces]:
    """Return the boxes of a thing that is not a body."""
    x, y, z = _units(thing.position)
    faces = CompoundCollider(thing.parts)._form().boxes if thing.parts else ()
    return [(x + a, y + b, z + c, x + d, y + e, z + f) for a, b, c, d, e, f in faces]


def _cells(boxes: list[Faces]) -> set[Cell]:
    """Return the cells that boxes cover, wholly or in part. Of a huge box only the corner cells are returned."""
    found: set[Cell] = set()
    for box in boxes:
        columns, rows = range(box[0] // CELL, -(-box[3] // CELL)), range(box[1] // CELL, -(-box[4] // CELL))
        if len(columns) * len(rows) > 10**6:
            found.update({(columns[0], rows[0]), (columns[-1], rows[-1])})
        else:
            found.update((column, row) for row in rows for column in columns)
    return found


def _off_grid_note(name: str, place: tuple[int, int, int], boxes: list[Faces]) -> str:
    """Return the exact position of a body, and its size if that is not a whole number of cells."""
    numbers = [number_text(units * LATTICE) for units in (place if place[2] else place[:2])]
    note = f"{name} at {' '.join(numbers)}"
    sides = [[box[axis + 3] - box[axis] for axis in range(3)] for box in boxes]
    if any(side % CELL or not side for box in sides for side in box):
        note += ", " + " and ".join(" x ".join(number_text(side * LATTICE) for side in box[:2 if box[2] == CELL else 3])
                                    for box in sides)  # fmt: skip
    return note
