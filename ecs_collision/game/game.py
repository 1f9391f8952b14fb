"""`Game`: a level being played, turn by turn or in real time.

A turn has four phases:

1. The controlled things move, each all or nothing unless its Motion or the level says otherwise. Then platforms move.
2. With gravity, everything unsupported falls, except what a teleporter has just placed: triggers detect it there first.
3. A frame. Handlers are called, mechanics act. If any of them changes the world, continue with phase 2. 4. The win
condition is evaluated.

If all motions of a letter are blocked, the turn takes no time: handlers of `on_block` are called, and unless they
change something the turn does not count, as in Sokoban. A turn that raises is rolled back.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Literal, Never, Self, TypeVar, Unpack, overload

from ecs_collision.doctor import KINDS, Advice, advice_of
from ecs_collision.errors import (
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    ReentryError,
    SnapshotError,
    explained,
)
from ecs_collision.events import Blocked, Moved, Pushed, TriggerEntered, TriggerLeft, TriggerStayed
from ecs_collision.fixed_point import finite, whole
from ecs_collision.game.controls import WAIT, Control, Controls, missing_control
from ecs_collision.game.game_world import GameWorld, PlainGameWorld
from ecs_collision.game.handlers import (
    EventDecorator,
    Handlers,
    LetterDecorator,
    PlainFunction,
    TurnFunction,
    function_of,
)
from ecs_collision.game.history import History, Moment
from ecs_collision.game.mechanics.door import Door
from ecs_collision.game.mechanics.gravity import DIRECTIONS, Displacement, Gravity, step_of
from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.mechanics.platform import Platform
from ecs_collision.game.mechanics.sticky import Sticky, star
from ecs_collision.game.mechanics.teleporter import Teleporter
from ecs_collision.game.naming import text
from ecs_collision.game.push_filter import CanPush, PushFilter
from ecs_collision.game.saving import pack, unpack
from ecs_collision.game.scripts import run_script
from ecs_collision.game.state import GameState
from ecs_collision.game.things import Things
from ecs_collision.game.turn import Turn
from ecs_collision.game.turn_loop import TurnLoop, Watcher
from ecs_collision.game.variables import check
from ecs_collision.game.win import Win
from ecs_collision.levels.conditions import Condition
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.load import load_level
from ecs_collision.levels.spawning import with_names
from ecs_collision.query.arguments import PointLike, Side
from ecs_collision.results import MoveResult
from ecs_collision.settings import PLAIN_SETTINGS, MotionOptions, PlainSettings, refuse_unknown
from ecs_collision.world import CollisionWorld, Plan

UNDO_LIMIT = 10_000
"""Default maximum number of turns that can be undone."""

UNDO_BYTES = 64 * 2**20
"""Default maximum memory for the undo history, in bytes."""

Kind = TypeVar("Kind")

Position = tuple[float, float, float]

HistoryStep = Callable[[Moment], Moment | None]
"""A step through the history from the current moment."""


class GameOptions(PlainSettings, total=False):
    """The keyword arguments of a `Game` but its script, for the types of `**options`."""

    can_push: CanPush | None
    undo_limit: int
    undo_bytes: int


class Game:
    """A level, the world with its things, and its mechanics. A selector is the name or the kind of things.

    level: a Level, or the path of a level file. script: a function that takes the game, or the path of a Python file
    with a function `script`. can_push: a hook like that of a world, with names instead of ids. undo_limit, undo_bytes:
    how many turns can be undone, and the memory for them. settings: settings of the world, which override those of the
    level.

    The game starts with the first turn, or with the first read of a trigger or of `solved`. Then unsupported things
    fall, and handlers are called for everything that is in a trigger from the beginning.

    things: the bodies by id, for mechanics of your own.
    """

    def __init__(
        self,
        level: Level | str | os.PathLike[str],
        *,
        script: Callable[[Self], object] | str | os.PathLike[str] | None = None,
        can_push: CanPush | None = None,
        undo_limit: int = UNDO_LIMIT,
        undo_bytes: int = UNDO_BYTES,
        **settings: Unpack[PlainSettings],
    ) -> None:
        self.level = level if isinstance(level, Level) else load_level(level)
        refuse_unknown(settings, "a game", PLAIN_SETTINGS)
        given = {name: value for name, value in self.level.settings.items() if name in PLAIN_SETTINGS} | settings
        push_filter = PushFilter(can_push)
        self._history = History(undo_limit, undo_bytes)
        self._busy: str | None = None
        self._initial: Moment | None = None
        game_world = self._make_world(self.level, given | {"can_push": push_filter})
        try:
            self.things = Things(self.level, game_world, push_filter)
            self._names = self.things.names
            self._controls = Controls(self.level, self._names)
            self._handlers = Handlers(self.things)
            self._win = Win(self.level, self.things)
            self._gravity = Gravity(self.level, self.things)
            self._state = GameState(self.level, self.things, self._controls, self._gravity)
            all_or_nothing = bool(given.get("all_or_nothing", True))
            self._loop = TurnLoop(
                self.things, self._handlers, self._win, self._gravity, self._state, all_or_nothing=all_or_nothing
            )
            if script is not None:
                run_script(script, self)
        except BaseException:
            game_world.close()
            raise

    def _make_world(self, level: Level, settings: Mapping[str, Any]) -> GameWorld:
        return PlainGameWorld(level, settings)

    # Names.

    @property
    def world(self) -> CollisionWorld:
        """The world of the bodies."""
        return self.things.world

    @property
    def ids(self) -> Mapping[str, int]:
        """The ids of the bodies, by name."""
        return self._names.ids

    def id(self, name: str) -> int:
        """Return the id of a body; raises UnknownEntity with the known names."""
        return self._names.id(name)

    def name(self, id: int) -> str:
        """Return the name of a body; raises UnknownEntity if the level has no body with this id."""
        return self._names.name(id)

    def select(self, selector: str) -> list[str]:
        """Return the names of the bodies that a name or kind selects; raises UnknownEntity if there are none."""
        return [self._names.name(id) for id in self._names.members(selector)]

    def in_world(self) -> AbstractContextManager[None]:
        """Return a context in which the world may be used: the esper world of a `Puzzle` is current."""
        return self.things.game_world.in_world()

    # Queries.

    def position(self, name: str) -> Position:
        """Return the position (x, y, z) of a thing; for scenery, that in the level."""
        id = self.ids.get(text(name))
        if id is None:
            return self.level[name].position
        transform = self.things.parts(id).transform
        assert transform is not None
        return transform.position

    def cell(self, name: str) -> tuple[int, int]:
        """Return the column and row of the cell that contains the position of a thing."""
        x, y, _ = self.position(name)
        return math.floor(x), math.floor(y)

    def at(self, column: int, row: int) -> list[str]:
        """Return the names of the things that cover the middle of a cell, triggers included; disabled ones are not."""
        with self.in_world():
            middle = (finite(column, "column") + 0.5, finite(row, "row") + 0.5)
            found = self.world.space.at(*middle, triggers=True)
        return [self._names.display_name(id) for id in found]

    def inside(self, trigger: str) -> list[str]:
        """Return the names of the bodies in a trigger, or in all triggers of a kind, at the end of the last frame."""
        members = self.things.members(trigger, trigger=True)
        self.start()
        with self.in_world():
            found = {id for each in members for id in self.things.ids_inside(each)}
        return [self._names.display_name(id) for id in sorted(found)]

    def contacts(self, name: str) -> list[str]:
        """Return the names of the bodies that a thing with a Contact is in contact with, after the last frame."""
        id = self.id(name)
        if self.things.parts(id).contact is None:
            raise CollisionValueError(
                f"{self._names.display_name(id)!r} does not ask for its contacts; give it the component Contact in the "
                f"level, or call touching({name!r})"
            )
        self.start()
        with self.in_world():
            return [self._names.display_name(other) for other in self.world.contacts(id)]

    def touching(self, name: str, side: Side | PointLike | None = None) -> list[str]:
        """Return the names of the bodies that touch a thing now; with a side such as "down" only those there (C5)."""
        with self.in_world():
            return [self._names.display_name(id) for id in self.world.touching(self.id(name), side)]

    def fused(self, name: str) -> list[str]:
        """Return the names of the things fused to a thing, itself included."""
        with self.in_world():
            self.world.apply_changes()
            return [self._names.display_name(id) for id in self.things.fused_ids(self.id(name))]

    def is_enabled(self, name: str) -> bool:
        """Return whether a thing is enabled."""
        return self.things.is_enabled(self.id(name))

    def fits(self, name: str, x: float | None = None, y: float | None = None) -> bool:
        """Return whether a thing would overlap no solid body, at a new position or at its own (P14).

        Things fused to it are included. At its own position, Static bodies do not count: a door may overlap a wall.
        """
        id = self.id(name)
        with self.in_world():
            self.world.apply_changes()
            here = self.things.position_of(id)
            dx = 0.0 if x is None else finite(x, f"x of {name!r}") - here[0]
            dy = 0.0 if y is None else finite(y, f"y of {name!r}") - here[1]
            return self.things.fits(self.things.fused_ids(id), dx, dy, in_walls=x is None and y is None)

    @overload
    def get(self, name: str, component: type[Kind]) -> Kind | None: ...
    @overload
    def get(self, name: str, component: str) -> Any: ...
    def get(self, name: str, component: str | type[Any]) -> Any:
        """Return a component of a thing, such as `game.get("player", "Motion")`, or None."""
        with self.in_world():
            return self.things.game_world.component(self.id(name), component)

    def doctor(self) -> list[Advice]:
        """Return advice with the names of things: what is allowed but probably not meant, in the level and the script.

        It follows from the state and the last frames alone, and changes nothing. O(bodies).
        """
        with self.in_world():
            found = self.things.game_world.doctor() + advice_of(self._handlers.findings())
        named = [advice._with_text(self._text_of(advice)) for advice in found]
        return sorted(named, key=lambda advice: KINDS.index(advice.kind))

    def _text_of(self, advice: Advice) -> str:
        if advice.kind == "empty":
            return (
                f"none of the {len(self.level.things)} things of the level has components, so there are no bodies; "
                "give components to their kinds, such as Static or Motion"
            )
        return with_names(advice, self._names.display_name_with_id)

    # Changes. They take effect at once; triggers detect them in the next round.

    def move(self, name: str, dx: float = 0.0, dy: float = 0.0, **how: Unpack[MotionOptions]) -> MoveResult:
        """Move a thing now, pushing; force, rule, max_chain, all_or_nothing, through as for `CollisionWorld.move`."""
        refuse_unknown(how, "a motion", MotionOptions.__annotations__)
        with self.in_world():
            return self.things.move(self.id(name), dx, dy, **how)

    def plan(self, name: str, dx: float = 0.0, dy: float = 0.0, **how: Unpack[MotionOptions]) -> Plan:
        """Return what `move` would do, without moving anything."""
        refuse_unknown(how, "a motion", MotionOptions.__annotations__)
        with self.in_world():
            return self.things.plan(self.id(name), dx, dy, **how)

    def request(self, name: str, dx: float = 0.0, dy: float = 0.0) -> None:
        """Add to the request of a thing's Motion for the next frame, for games in real time."""
        self.start()
        with self.in_world():
            self.world.request(self.id(name), dx, dy)

    def teleport(self, name: str, x: float, y: float) -> None:
        """Set the position of a thing, without pushing; things fused to it move along. It may overlap: see `fits`."""
        id = self.id(name)
        with self.in_world():
            self.world.apply_changes()
            here = self.things.position_of(id)
            self.things.teleport(id, finite(x, f"x of {name!r}") - here[0], finite(y, f"y of {name!r}") - here[1])

    def fuse(self, name: str, *others: str) -> None:
        """Fuse things into one body, with everything they are already fused to."""
        ids = [self._names.one(each) for each in (name, *others)]
        if len(set(ids)) < 2:
            given = ", ".join(map(repr, (name, *others)))
            raise CollisionValueError(
                f"fuse({given}) names only {self.name(ids[0])!r}; name at least two different things to fuse"
            )
        self.things.refuse_static(ids, "fuse")
        with self.in_world():
            self.world.apply_changes()
            self.things.fuse(star({member for id in ids for member in self.things.fused_ids(id)}))

    def unfuse(self, name: str) -> None:
        """Separate things from their fused group; the others stay fused."""
        with self.in_world():
            for id in self._names.members(name):
                self.world.apply_changes()
                others_left = set(self.things.fused_ids(id)) - {id}
                self.things.fuse({id: None, **(star(others_left) if others_left else {})})

    def disable(self, selector: str) -> None:
        """Disable things: they block nothing and are inside no trigger until they are enabled (E9)."""
        self.things.set_enabled(self._names.members(selector), False)

    def enable(self, selector: str) -> None:
        """Enable things where they are; `fits` returns whether they would overlap something."""
        self.things.set_enabled(self._names.members(selector), True)

    def set(self, selector: str, component: str | type[Any], *unnamed: Never, **fields: Any) -> None:
        """Set fields of a component of things, as in `game.set("crate", "Inertia", value=2)`: all or none."""
        if unnamed:
            raise CollisionTypeError(
                f"set({selector!r}, {component!r}, ...) got {unnamed[0]!r} without a field name; name the field, "
                'as in set("crate", "Inertia", value=2)'
            )
        with self.in_world():
            self.things.set_fields(self._names.members(selector), component, fields)

    # Controls.

    @property
    def controls(self) -> Mapping[str, Control]:
        """What each letter moves: (selector, dx, dy). By default L, R, U and D move all things of kind "player"."""
        return self._controls.by_letter

    @controls.setter
    def controls(self, controls: Mapping[str, Control]) -> None:
        self._controls.by_letter = self._controls.checked(controls)

    def control(self, selector: str, letters: str = "LRUD") -> None:
        """Assign four letters, for left, right, up and down, to things; the first call replaces the default letters.

        All selected things move, the front ones first.
        """
        self._controls.add(selector, letters)

    @property
    def letters(self) -> str:
        """Every letter that can be played, in the order of declaration; "." is the last."""
        declared = [*self.controls, *(letter for letters, _ in self._handlers.before for letter in letters), WAIT]
        return "".join(dict.fromkeys(declared))

    # Handlers are called after a frame, event by event, in the order of declaration. An error does not stop the others;
    # all errors are raised at the end (T7).

    def before(self, letters: str) -> LetterDecorator:
        """Call a function with a letter before it is played; if it returns True, nothing is moved."""
        return self._handlers.on_letters(letters)

    def on_enter(self, trigger: str | None = None, by: str | None = None) -> EventDecorator:
        """Call a function with `event.trigger` and `event.other` when something enters a trigger."""
        return self._handlers.on(TriggerEntered, "on_enter", trigger, by)

    def on_leave(self, trigger: str | None = None, by: str | None = None) -> EventDecorator:
        """Call a function with `event.trigger`, `event.other` and `event.reason` when something leaves a trigger."""
        return self._handlers.on(TriggerLeft, "on_leave", trigger, by)

    def on_stay(self, trigger: str | None = None, by: str | None = None) -> EventDecorator:
        """Call a function every frame for what is inside a trigger with `stay=True`."""
        return self._handlers.on(TriggerStayed, "on_stay", trigger, by)

    def on_push(self, thing: str | None = None, by: str | None = None) -> EventDecorator:
        """Call a function with `event.entity`, `event.by` and `event.displacement` when a thing was pushed."""
        return self._handlers.on(Pushed, "on_push", thing, by)

    def on_move(self, thing: str | None = None) -> EventDecorator:
        """Call a function with `event.entity` and `event.displacement` when a thing moved, by itself or pushed."""
        return self._handlers.on(Moved, "on_move", thing)

    def on_block(self, thing: str | None = None, by: str | None = None) -> EventDecorator:
        """Call a function with `event.entity`, `event.blocker` and `event.reason` when a thing was blocked.

        `by` is any of those that stopped it at the same distance (`event.blockers`).
        """
        return self._handlers.on(Blocked, "on_block", thing, by)

    @explained("@game.on_turn without parentheses, or game.on_turn(function)")
    def on_turn(self, function: TurnFunction) -> TurnFunction:
        """Call a function with the `Turn` once a turn, when nothing changes any more; not for blocked letters."""
        self._handlers.turn.append(function_of(function, "on_turn"))
        return function

    @explained("@game.on_solved without parentheses, or game.on_solved(function)")
    def on_solved(self, function: PlainFunction) -> PlainFunction:
        """Call a function without arguments at the end of the turn that solves the level."""
        self._handlers.solved.append(function_of(function, "on_solved"))
        return function

    # Winning.

    @property
    def win(self) -> Condition | Callable[[], object] | None:
        """The win condition: a Condition, a function, or None (never)."""
        return self._win.condition

    @win.setter
    def win(self, condition: str | Condition | Callable[[], object] | None) -> None:
        self._win.set(condition)

    @explained("@game.win_when without parentheses, or game.win_when(function)")
    def win_when(self, function: PlainFunction) -> PlainFunction:
        """Use a function without arguments as the win condition."""
        self.win = function_of(function, "win_when")
        return function

    @property
    def solved(self) -> bool:
        """Whether the level is solved in its current state."""
        self.start()
        with self.in_world():
            return self._win.is_met()

    # Gravity.

    @property
    def gravity(self) -> str | None:
        """The direction in which unsupported things fall: L, R, U or D, or None for no gravity."""
        return self._gravity.direction

    @gravity.setter
    def gravity(self, letter: str | None) -> None:
        self._gravity.direction = letter

    @property
    def falls(self) -> str | None:
        """What falls besides the things that can be pushed: a name or a kind, such as "player"."""
        return self._gravity.falls

    @falls.setter
    def falls(self, selector: str | None) -> None:
        self._gravity.falls = selector

    @property
    def fall_speed(self) -> float:
        """How far things fall in a frame of real time, in cells; in a turn they fall all the way."""
        return self._gravity.speed

    @fall_speed.setter
    def fall_speed(self, speed: float) -> None:
        self._gravity.speed = speed

    def settle(self) -> dict[str, Displacement]:
        """Let everything unsupported fall now; returns how far each thing fell. Does nothing without gravity.

        Things that can be pushed along the axis of gravity fall, and those selected by `falls`; everything else
        supports them. Compounds and fused groups fall as a whole, and stop exactly on their support.
        """
        with self.in_world():
            return {self._names.display_name(id): by for id, by in self._gravity.settle().items()}

    # Mechanics, declared before the first turn. An unknown selector is refused at once.

    def door(
        self, name: str, opens: str | Sequence[str], by: str | None = None, needs: Literal["all", "any"] = "all"
    ) -> None:
        """Open doors while the plates of `opens` are pressed: all of them, or any of them with needs="any".

        An open door is disabled; it closes as soon as it would overlap nothing. by: what can press a plate; None for
        anything.
        """
        self._add_mechanic(Door(self.things, name, opens, by, needs))

    def platform(
        self, name: str, path: str, every: int = 1, *, force: float | None = None, carries: bool = True
    ) -> None:
        """Move a thing along a repeated path of letters, L R U D and "." for a pause, one letter every n turns.

        It pushes with `force`: by default that of its Motion, or any force without one. If it is blocked, it waits.
        With gravity it does not fall, and it carries what stands on it if nothing is in the way.
        """
        platform = Platform(self.things, self._gravity, name, path, every, force, carries)
        self._add_mechanic(platform)
        self._gravity.platforms.add(platform.id)

    def teleporter(self, source: str, target: str, both_ways: bool = False, by: str | None = None) -> None:
        """Move what enters one trigger to the same place in another one, as soon as it fits there.

        Things with Static are not sent. by: what is sent; None for anything.
        """
        self._add_mechanic(Teleporter(self.things, source, target, both_ways, by))

    def rails(self, name: str, axis: Literal["x", "y"]) -> None:
        """Let things be pushed along one axis only, "x" or "y": their inertia along the others becomes infinite."""
        if not isinstance(axis, str) or axis not in ("x", "y"):
            raise CollisionValueError(f'rails({name!r}, {axis!r}): the axis must be "x" or "y"')
        self._require_not_started("rails")
        self.set(name, "Inertia", **{other: math.inf for other in "xyz" if other != axis})

    def one_way(self, name: str, letter: str) -> None:
        """Let things be pushed in one direction only, L, R, U or D; they fall in any direction."""
        step_of(letter, f"one_way({name!r})")
        self._require_not_started("one_way")
        self.things.push_filter.one_way |= dict.fromkeys(self._names.members(name), DIRECTIONS[letter])

    def sticky(self, name: str, to: str | None = None) -> None:
        """Fuse things with each other, or with those of `to`, when they touch at the end of a round."""
        self._add_mechanic(Sticky(self.things, name, to))

    def mechanic(self, mechanic: Mechanic) -> None:
        """Add a mechanic of your own: an object of a subclass of `Mechanic`."""
        if not isinstance(mechanic, Mechanic):
            raise CollisionTypeError(
                f"mechanic() got {mechanic!r}; pass an object of a subclass of ecs_collision.game.Mechanic"
            )
        check(mechanic.save(), f"what {mechanic.label} saves")
        self._add_mechanic(mechanic)

    def _add_mechanic(self, mechanic: Mechanic) -> None:
        self._require_not_started(mechanic.label)
        self._state.mechanics.append(mechanic)

    def _require_not_started(self, what: str) -> None:
        if self.has_begun:
            raise CollisionError(
                f"{what} was declared after the start of the game; declare mechanics before the first turn"
            )

    # Turns.

    def play(self, letters: str) -> list[Turn]:
        """Play letters, one turn each; whitespace is ignored. An unknown letter raises before the first turn."""
        if not isinstance(letters, str):
            raise CollisionTypeError(f'play() got {letters!r}; give letters in a str, such as "RRUL"')
        wanted = [letter for letter in letters if not letter.isspace()]
        for letter in wanted:
            self._resolve_letter(letter)
        return [self.turn(letter) for letter in wanted]

    def turn(self, letter: str) -> Turn:
        """Play one letter and return the Turn; "." waits. O(what moves), plus a snapshot."""
        played, control = self._resolve_letter(letter)
        with self._exclusive("turn"):
            self._start()
            state, turn = self._state, Turn(played, self._names)
            needs_rollback = self._loop.needs_rollback
            before = state.moment() if needs_rollback or self._history.limit else None
            self._history.mark()
            try:
                if before is None or not needs_rollback:
                    happened = self._loop.move_only(turn, control)
                else:
                    happened = self._loop.take_turn(turn, control, before.extra)
                if happened:
                    state.moves += turn.letter
                    check(state.variables, "state")
                    if before is not None:
                        self._history.add(before)
            except BaseException:
                self._history.roll_back()
                if before is not None:
                    state.restore(before)
                raise
            return turn

    def wait(self) -> Turn:
        """Play a turn in which no controlled thing moves, as "." does."""
        return self.turn(WAIT)

    def step(self) -> Turn:
        """Run one frame of real time: requests move, things fall, handlers are called once.

        Their changes take effect in the next frame. Errors are raised after the frame, which is not rolled back; `mark`
        sets a moment to return to.
        """
        with self._exclusive("step"):
            self._start()
            turn = Turn("", self._names)
            self._loop.do_frame(turn)
            return turn

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call a function with the Blocked events of letters that take no time; returns a function that ends this.

        Unlike a handler it does not affect the game.
        """
        watchers = self._loop.watchers
        watchers.append(watcher)
        return lambda: watchers.remove(watcher) if watcher in watchers else None

    def _resolve_letter(self, letter: str) -> tuple[str, Control | None]:
        """Return the letter that is played (the capital one if only that is known) and what it controls."""
        if not isinstance(letter, str):
            raise CollisionTypeError(f'turn() got {letter!r}; give a letter in a str, such as "R"')
        if letter == WAIT:
            return letter, None
        for known in (letter, letter.upper()):
            if known in self.controls:
                return known, self.controls[known]
            if any(known in letters for letters, _ in self._handlers.before):
                return known, None
        if self.letters == WAIT:
            raise CollisionValueError(f"the letter {letter!r} moves nothing; {missing_control(self.level)}")
        raise CollisionValueError(
            f"the letter {letter!r} moves nothing; there are {listed([*self.controls, WAIT], 20)}; "
            "declare it with game.control(selector, letters)"
        )

    # Starting. Turns do not nest.

    def start(self) -> None:
        """Let things fall and call handlers for the initial state; called automatically before the first turn."""
        if self._initial is None and self._busy is None:
            with self._exclusive("start"):
                self._start()

    @property
    def has_begun(self) -> bool:
        """Whether the game has started."""
        return self._initial is not None

    def _start(self) -> None:
        if self._initial is not None:
            return
        self._controls.declared = self.controls
        before = self._initial = self._state.moment()
        try:
            self._loop.begin()
            self._initial = self._state.moment()
        except BaseException:
            self._state.restore(before)
            self._initial = None
            raise

    @contextmanager
    def _exclusive(self, what: str) -> Iterator[None]:
        """Enter the world and set the busy flag; raises ReentryError if the game is busy already."""
        with self.in_world():
            if self._busy is not None:
                raise ReentryError(
                    f"a handler or hook called {what}() during {self._busy}(); handlers may move and change things, "
                    "but not play turns or use the history"
                )
            self._busy = what
            try:
                yield
            finally:
                self._busy = None

    # The history.

    @property
    def moves(self) -> str:
        """The letters of all turns so far."""
        return self._state.moves

    @property
    def state(self) -> dict[str, Any]:
        """The script's variables: a dict of JSON values, saved and undone with the world."""
        return self._state.variables

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        self._state.set_variables(state)

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to undo."""
        return len(self._history.past) > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a turn to redo."""
        return len(self._history.future) > 0

    def undo(self, count: int = 1) -> int:
        """Undo turns, as many as there are up to `count`; returns how many. No handler is called."""
        return self._step_history("undo", self._history.undo, count)

    def redo(self, count: int = 1) -> int:
        """Redo turns that were undone; a new turn discards them. Returns how many."""
        return self._step_history("redo", self._history.redo, count)

    def restart(self) -> None:
        """Return to the state after the start of the game; can be undone like a turn."""
        with self._exclusive("restart"):
            self._start()
            now = self._state.moment()
            assert self._initial is not None
            if now != self._initial:
                with self._restoring_on_error(now):
                    self._state.restore(self._initial)
                    self._history.add(now)

    def mark(self) -> None:
        """Add the current moment to the history, for `undo` in games in real time."""
        with self._exclusive("mark"):
            self._start()
            now = self._state.moment()
            with self._history.atomic():
                self._history.add(now)

    def _step_history(self, what: str, step: HistoryStep, count: int) -> int:
        wanted = whole(count, "count", minimum=0)
        with self._exclusive(what):
            self._start()
            there = now = self._state.moment()
            done = 0
            with self._restoring_on_error(now):
                while done < wanted and (moment := step(there)) is not None:
                    there, done = moment, done + 1
                if there is not now:
                    self._state.restore(there)
            return done

    @contextmanager
    def _restoring_on_error(self, now: Moment | None) -> Iterator[None]:
        """Restore the current moment and the history if the block raises.

        A SnapshotError has changed nothing.
        """
        self._history.mark()
        try:
            yield
        except BaseException as error:
            self._history.roll_back()
            if now is not None and not isinstance(error, SnapshotError):
                self._state.restore(now)
            raise

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Try turns: afterwards the game and its history are restored; no history is recorded meanwhile."""
        before, history = self.moment(), self._history
        self._history = History(0, 0)
        try:
            yield
        finally:
            self._history = history
            self.go_to(before)

    def moment(self) -> Moment:
        """Return the current state for `go_to`; faster than `snapshot`."""
        with self._exclusive("moment"):
            self._start()
            return self._state.moment()

    def go_to(self, moment: Moment) -> None:
        """Restore a moment of this game; the history is unchanged."""
        if not isinstance(moment, Moment):
            raise CollisionTypeError(f"go_to() got {moment!r}; give what moment() returned")
        with self._exclusive("go_to"):
            try:
                self._state.restore(moment)
            except SnapshotError:
                raise  # nothing was changed
            except BaseException:
                self._state.restore(moment)  # interrupted: complete the restore
                raise

    # Saving.

    def snapshot(self) -> bytes:
        """Return the game as bytes for `restore`: the world, `state`, `moves` and the state of the mechanics."""
        with self._exclusive("snapshot"):
            self._start()
            return pack(self._state.moment())

    def restore(self, data: bytes) -> None:
        """Restore a snapshot of the same level and script, and clear the history; no handler is called.

        Raises SnapshotError if the bytes are damaged or of another game, and then changes nothing.
        """
        with self._exclusive("restore"):
            self._start()
            there, now = unpack(data), self._state.moment_or_none()
            with self._restoring_on_error(now):
                self._state.restore(there)
                self._history.clear()

    def state_hash(self) -> str:
        """Return 32 hexadecimal digits, equal for equal states of world, `state` and mechanics, not of `moves`."""
        with self._exclusive("state_hash"):
            self._start()
            return self._state.hash()

    def __reduce__(self) -> Never:
        """Refuse copying and pickling: a copy would share the world, or lack the handlers."""
        raise CollisionTypeError(
            f"a {type(self).__name__} cannot be copied or pickled; keep the bytes of snapshot() and restore() them in "
            "this game or in another one of the same level and script"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.level.title!r}, {len(self.ids)} bodies, {len(self.moves)} moves)"

    def _repr_html_(self) -> str:
        """Return a picture of the bodies with their names, for notebooks."""
        from ecs_collision.bodies.drawn import picture_of

        self.world.apply_changes()
        return picture_of(self.world._bodies, self._names.display_name)
