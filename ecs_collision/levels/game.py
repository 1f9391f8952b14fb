"""`Game`: a level being played, turn by turn or in real time.

A turn is (1) the motions of what its letter controls, each all or nothing unless its Motion or the level says
otherwise; (2) everything unsupported falls, if there is gravity; (3) a frame, after which handlers hear what
happened; as long as one of them changes the world, again from (2); (4) the win is judged. A letter whose motions
are all blocked takes no time: handlers of `on_block` hear of it, and unless they change something nothing has
happened, as is the custom in Sokoban. A turn that raises has not happened either.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ecs_collision.errors import CollisionError, CollisionTypeError, CollisionValueError, ReentryError
from ecs_collision.events import Blocked
from ecs_collision.levels.engine import Engine
from ecs_collision.levels.gravity import Gravity, step_of
from ecs_collision.levels.handlers import Function, label_of
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.loading import load_level
from ecs_collision.levels.pushing import CanPush, Pushing
from ecs_collision.levels.scripted import WAIT, Control, Scripted
from ecs_collision.levels.turns import Turn
from ecs_collision.results import MoveResult
from ecs_collision.world import Frame

Call = tuple[str, Function, tuple[Any, ...]]
"""(label for messages, function, arguments)."""

MOST_ROUNDS = 64
"""The most frames a turn may take until nothing changes any more."""

SETTINGS = (
    "bin_size", "rule", "max_chain", "all_or_nothing", "axis_order", "order", "overlap_policy", "bounds",
)  # fmt: skip
"""The settings of a world that a level or a game may give."""


class Game(Scripted):
    """A level, the world its things stand in, and its rules.

    level: a Level, or the path of a file with one. can_push: a hook as a world has it, in names. settings: those of
    the world, over those of the level. It starts with the first turn, question of a trigger or look at `solved`: then
    what is unsupported falls, and handlers hear what stands in triggers from the beginning.
    """

    def __init__(
        self,
        level: Level | str | os.PathLike[str],
        *,
        can_push: CanPush | None = None,
        **settings: Any,
    ) -> None:
        loaded = level if isinstance(level, Level) else load_level(level)
        unknown = [name for name in settings if name not in SETTINGS]
        if unknown:
            raise CollisionTypeError(f"{unknown[0]!r} is no setting of a game; there are {listed(SETTINGS, 20)}")
        given = {name: value for name, value in loaded.settings.items() if name in SETTINGS} | settings
        self._hook = Pushing(can_push)
        self._whole = bool(given.get("all_or_nothing", True))
        super().__init__(loaded, self._make_engine(loaded, given | {"can_push": self._hook}))
        self._hook.names = self._names
        self._gravity = loaded.gravity
        self._falls: str | None = None
        self._busy: str | None = None
        self._started = False
        self._culprits: dict[str, None] = {}
        self.state: dict[str, Any] = {}
        """The script's own variables: whatever JSON can hold, saved and undone with the world."""
        self.moves = ""
        """The letters of all turns so far."""

    def _make_engine(self, level: Level, settings: Mapping[str, Any]) -> Engine:
        return Engine(level, settings)

    # Turns.

    def play(self, letters: str) -> list[Turn]:
        """Play letters, one turn each; white space counts for nothing. Raises before the first for one unknown."""
        wanted = [letter for letter in letters if not letter.isspace()]
        for letter in wanted:
            self._meaning(letter)
        return [self.turn(letter) for letter in wanted]

    def turn(self, letter: str) -> Turn:
        """Play one letter and return what came of it; "." waits."""
        played, control = self._meaning(letter)
        with self._working("turn"):
            self._start()
            return self._turn(Turn(played, self._names), control)

    def wait(self) -> Turn:
        """Let a turn pass in which nothing is moved."""
        return self.turn(WAIT)

    def step(self) -> Turn:
        """Do one frame in real time: what was requested moves, things fall, handlers are called once."""
        with self._working("step"):
            self._start()
            turn = Turn("", self._names)
            self._settle(None)
            self._round(turn)
            turn.moved = any(result.moved != (0.0, 0.0, 0.0) for result in turn._frames[0].results.values())
            turn.results = {self._names.called(id): result for id, result in turn._frames[0].results.items()}
            return turn

    def _meaning(self, letter: str) -> tuple[str, Control | None]:
        """Return the letter that is played, the capital one where only that is known, and what it controls."""
        if letter == WAIT:
            return letter, None
        for known in (letter, letter.upper()):
            if known in self._controls:
                return known, self._controls[known]
            if any(known in letters for letters, _ in self._before):
                return known, None
        raise CollisionValueError(
            f"the letter {letter!r} moves nothing; there are {listed([*self._controls, WAIT], 20)}; "
            "declare it with game.control(selector, letters)"
        )

    def _turn(self, turn: Turn, control: Control | None) -> Turn:
        was_solved = bool(self._on_solved) and self.solved
        near = self._act(turn, control)
        passes = turn.moved or turn.letter == WAIT
        if not passes and not self._tell_blocked(turn):
            return turn
        self._come_to_rest(turn, near, passes, was_solved)
        self.moves += turn.letter
        return turn

    def _act(self, turn: Turn, control: Control | None) -> set[int] | None:
        """Do what a letter is for; returns who alone may have lost its hold, None where it may be anybody."""
        for letters, function in self._before:
            if turn.letter in letters and function(turn.letter) is True:
                turn.moved = True
                return None
        if control is None:
            return None
        selector, dx, dy = control
        movers = [id for id in self._names.members(selector) if self.is_there(id)]
        if len(movers) > 1:
            movers = self._front_first(movers, dx, dy)
        return self._walk(turn, movers, dx, dy)

    def _walk(self, turn: Turn, movers: list[int], dx: float, dy: float) -> set[int] | None:
        """Move what is controlled, unless nothing of it can move at all: then nothing is written down either."""
        world = self.world
        plans = [world.plan(id, dx, dy, all_or_nothing=self._is_whole(id)) for id in movers]
        if not any(any(plan.result.moved) for plan in plans):
            turn.results = {self._names.called(plan.result.entity): plan.result for plan in plans}
            turn._blocked = [
                Blocked(world.frame_number, plan.result.entity, stop.blocker, stop.axis, stop.reason)
                for plan in plans
                for stop in plan.result.stops
            ]
            return set()
        near: set[int] = set(movers)
        results: dict[str, MoveResult] = {}
        for id, plan in zip(movers, plans, strict=True):
            if self._gravity is not None:
                near.update(world.touching(id))
            first = len(movers) == 1
            result = plan.commit() if first else world.move(id, dx, dy, all_or_nothing=self._is_whole(id))
            results[self._names.called(id)] = result
            turn.moved = turn.moved or any(result.moved)
        turn.results = results
        return None if any(result.pushed for result in results.values()) else near

    def _is_whole(self, id: int) -> bool:
        motion = self._engine.parts(id).motion
        return self._whole if motion is None or motion.all_or_nothing is None else motion.all_or_nothing

    def _front_first(self, ids: list[int], dx: float, dy: float) -> list[int]:
        """Order those that move together so that none is in the way of the one behind it."""
        bodies = self.world.bodies

        def ahead(id: int) -> float:
            row = bodies.row(id)
            x, y, _ = bodies.position(row)
            return max(
                dx * (x + box[3 if dx > 0 else 0]) + dy * (y + box[4 if dy > 0 else 1]) for box in bodies.shapes[row]
            )

        return sorted(ids, key=lambda id: (-ahead(id), id))

    def _tell_blocked(self, turn: Turn) -> bool:
        """Tell of a turn that was blocked; returns whether a handler changed anything."""
        before = self._state_text()
        changed = self._serve(list(turn._blocked))
        return changed or before != self._state_text()

    # Rounds.

    def _come_to_rest(self, turn: Turn, near: set[int] | None, passes: bool, was_solved: bool) -> None:
        """Let things fall and do frames until nothing changes any more."""
        calls: list[Call] = [(label_of("on_turn", each), each, (turn,)) for each in self._on_turn if passes]
        solved_calls: list[Call] = [(label_of("on_solved", each), each, ()) for each in self._on_solved]
        for _ in range(MOST_ROUNDS):
            self._settle(near)
            near = None
            now, calls = calls, []
            if self._round(turn):
                calls = now
            elif not self._call_all(now):
                if was_solved or not solved_calls or not self.solved:
                    return
                was_solved = True
                if not self._call_all(solved_calls):
                    return
        raise CollisionError(
            f"turn {turn.letter!r} of {self.level.source} does not come to rest: after {MOST_ROUNDS} rounds the world "
            f"is still changed by {listed(self._culprits, 20)}; let them change only what is not yet as it shall be"
        )

    def _round(self, turn: Turn) -> bool:
        """Do a frame and tell of it; returns whether anything was changed by those who heard of it."""
        frame = self._engine.step()
        turn._frames.append(frame)
        return self._tell(frame)

    def _tell(self, frame: Frame) -> bool:
        heard = self._handlers.heard
        return self._serve(frame.events_of(heard)) if heard and not frame.quiet else False

    def _serve(self, events: list[Any]) -> bool:
        return self._call_all(
            [(handler.label, handler.function, (event,)) for handler, event in self._handlers.calls(events)]
        )

    def _call_all(self, calls: list[Call]) -> bool:
        """Call functions, all of them whatever they raise, and return whether they changed the world (T7)."""
        if not calls:
            return False
        errors: list[Exception] = []
        self._culprits = {}
        for label, function, arguments in calls:
            before = self._stamp()
            try:
                function(*arguments)
                changed = self._stamp() != before
            except Exception as error:
                errors.append(error)
                changed = False
            if changed:
                self._culprits[label] = None
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} handlers of {self.level.source} raised", errors)
        return bool(self._culprits)

    def _stamp(self) -> int:
        """Take in what was written and return a number that changes with every change of the world."""
        self.world.take_in()
        return self.world.version

    def _state_text(self) -> str:
        return repr(self.state)

    # Gravity.

    @property
    def gravity(self) -> str | None:
        """The direction in which unsupported things fall after every motion, L, R, U or D; None: they do not."""
        return self._gravity

    @gravity.setter
    def gravity(self, letter: str | None) -> None:
        if letter is not None:
            step_of(letter, "gravity")
        self._gravity = letter

    @property
    def falls(self) -> str | None:
        """What falls besides the things that can be pushed, a name or a kind, such as "player"."""
        return self._falls

    @falls.setter
    def falls(self, selector: str | None) -> None:
        if selector is not None:
            self._names.members(selector)
        self._falls = selector

    def settle(self) -> dict[str, tuple[float, float]]:
        """Let everything unsupported fall now and return who fell how far; nothing moves where there is no gravity.

        What can be pushed against gravity's axis falls, and what `falls` names; everything else holds up. Compounds and
        fused groups fall whole, and exactly onto what stops them.
        """
        with self._engine.at_home():
            return {self._names.called(id): by for id, by in self._settle(None).items()}

    def _settle(self, loose: set[int] | None) -> dict[int, tuple[float, float]]:
        if self._gravity is None:
            return {}
        exempt = () if self._falls is None else self._names.members(self._falls)
        return Gravity(self.world, self._names, self._hook, self._gravity, exempt).settle(loose)

    # Starting, and that turns do not nest.

    def start(self) -> None:
        """Let things fall and hear what stands where from the beginning; done by itself before the first turn."""
        if not self._started and self._busy is None:
            with self._working("start"):
                self._start()

    def _start(self) -> None:
        if not self._started:
            self._started = True
            try:
                self._come_to_rest(Turn("", self._names), None, False, False)
            except BaseException:
                self._started = False
                raise

    def ids_inside(self, trigger: int) -> list[int]:
        """Return the ids of what is in a trigger at the end of the last frame."""
        self.start()
        return super().ids_inside(trigger)

    @contextmanager
    def _working(self, what: str) -> Iterator[None]:
        """Be at home and busy; raises ReentryError where the game is busy already."""
        if self._busy is not None:
            raise ReentryError(
                f"{what} was called by a handler or hook during {self._busy}; handlers may move and change things, "
                "turns and the history are for whoever plays"
            )
        self._busy = what
        try:
            with self._engine.at_home():
                yield
        finally:
            self._busy = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.level.title!r}, {len(self.ids)} bodies, {len(self.moves)} moves)"
