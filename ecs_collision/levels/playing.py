"""What a turn is: motions, falling, and frames until nothing changes any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ecs_collision.errors import EndlessTurn
from ecs_collision.events import Blocked, Event
from ecs_collision.levels.conditions import Condition
from ecs_collision.levels.engine import Engine
from ecs_collision.levels.gravity import Displacement, Gravity, step_of
from ecs_collision.levels.handlers import label_of
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.pushing import Pushing
from ecs_collision.levels.rules import Rule
from ecs_collision.levels.scripted import WAIT, Control, Scripted
from ecs_collision.levels.turns import Turn
from ecs_collision.results import MoveResult

MOST_ROUNDS = 64
"""The most frames a turn may take until nothing changes any more."""

Call = tuple[str, Callable[..., Any], tuple[Any, ...]]
"""(label for messages, function, arguments)."""


class Playing(Scripted):
    """Things that are moved by letters, fall, and are told of."""

    def __init__(self, level: Level, engine: Engine, hook: Pushing, whole: bool) -> None:
        super().__init__(level, engine)
        self._hook = hook
        self._hook.names = self._names
        self._whole = whole
        self._gravity = level.gravity
        self._falls: str | None = None
        self._rules: list[Rule] = []
        self._culprits: dict[str, None] = {}
        self._turnings = 0
        self._rested: tuple[int, int] | None = None

    # What Game gives.

    def _rest(self) -> bytes:
        """Return what there is to the game besides its world."""
        raise NotImplementedError  # pragma: no cover - for the heir

    def _may_fail(self) -> bool:
        """Return whether a turn may raise, as all may that runs code of others."""
        handlers = self._handlers.heard or self._before or self._on_turn or self._on_solved or self._rules
        judge = self._win is not None and not isinstance(self._win, Condition)
        return bool(handlers) or judge or self._hook.is_asked or self._gravity is not None or self._engine.runs_code

    # A turn.

    def _take_turn(self, turn: Turn, control: Control | None, before: bytes) -> bool:
        """Play a letter; returns whether anything happened. `before` is the rest of the game as it was."""
        was_solved = bool(self._on_solved) and self.solved
        stamp = self._stamp()
        at_rest = stamp == self._rested
        near = self._act(turn, control)
        passes = turn.moved or turn.letter == WAIT
        if not passes:
            self._serve(list(turn._blocked))
            if stamp == self._stamp() and before == self._rest():
                return False
            near = None
        else:
            for rule in self._rules:
                rule.advance()
        self._come_to_rest(turn, near if at_rest and not self._rules else None, passes, was_solved)
        return True

    def _frame(self, turn: Turn) -> Turn:
        """Do a frame of real time."""
        for rule in self._rules:
            rule.advance()
        self._settle(None)
        self._round(turn)
        results = turn._frames[0].results
        turn.results = {self._names.called(id): result for id, result in results.items()}
        turn.moved = any(any(result.moved) for result in results.values())
        return turn

    def _begin(self) -> None:
        """Let the game come to rest for the first time."""
        for rule in self._rules:
            rule.begin()
        self._come_to_rest(Turn("", self._names), None, False, False)

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

    # Rounds.

    def _come_to_rest(self, turn: Turn, near: set[int] | None, passes: bool, was_solved: bool) -> None:
        """Let things fall and do frames until nothing changes any more."""
        calls: list[Call] = [(label_of("on_turn", each), each, (turn,)) for each in self._on_turn if passes]
        solved_calls: list[Call] = [(label_of("on_solved", each), each, ()) for each in self._on_solved]
        for _ in range(MOST_ROUNDS):
            self._settle(near)
            near = None
            now, calls = calls, []
            self._culprits.clear()
            if self._round(turn):
                calls = now
            elif not self._call_all(now):
                told, was_solved = was_solved, True
                if told or not solved_calls or not self.solved or not self._call_all(solved_calls):
                    self._rested = self._stamp()
                    return
        raise EndlessTurn(
            f"turn {turn.letter!r} of {self.level.source} does not come to rest: after {MOST_ROUNDS} rounds the world "
            f"is still changed by {listed(self._culprits, 20)}; let them change only what is not yet as it shall be"
        )

    def _round(self, turn: Turn) -> bool:
        """Do a frame, tell of it and let rules act; returns whether anything was changed by those who heard of it."""
        frame = self._engine.step()
        turn._frames.append(frame)
        heard = self._handlers.heard
        changed = bool(heard) and not frame.quiet and self._serve(frame.events_of(heard))
        return self._call_all([(rule.label, rule.apply, ()) for rule in self._rules]) or changed

    def _serve(self, events: Sequence[Event]) -> bool:
        """Call the handlers of events."""
        calls = self._handlers.calls(events)
        return self._call_all([(handler.label, handler.function, (event,)) for handler, event in calls])

    def _call_all(self, calls: list[Call]) -> bool:
        """Call functions, all of them whatever they raise, and return whether they changed the world (T7)."""
        if not calls:
            return False
        errors: list[Exception] = []
        some = False
        for label, function, arguments in calls:
            before = self._stamp()
            try:
                function(*arguments)
                if self._stamp() != before:
                    some = True
                    self._culprits[label] = None
            except Exception as error:
                errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} handlers of {self.level.source} raised", errors)
        return some

    def _stamp(self) -> tuple[int, int]:
        """Take in what was written and return what changes with every change of the world, or of its gravity."""
        self.world.take_in()
        return self.world.version, self._turnings

    # Gravity.

    @property
    def gravity(self) -> str | None:
        """The direction in which unsupported things fall after every motion, L, R, U or D; None: they do not."""
        return self._gravity

    @gravity.setter
    def gravity(self, letter: str | None) -> None:
        if letter is not None:
            step_of(letter, "gravity")
        self._turnings += letter != self._gravity
        self._gravity = letter

    @property
    def falls(self) -> str | None:
        """What falls besides the things that can be pushed, a name or a kind, such as "player"."""
        return self._falls

    @falls.setter
    def falls(self, selector: str | None) -> None:
        if selector is not None:
            self._names.members(selector)
        self._turnings += selector != self._falls
        self._falls = selector

    def settle(self) -> dict[str, Displacement]:
        """Let everything unsupported fall now and return who fell how far; nothing moves where there is no gravity.

        What can be pushed against gravity's axis falls, and what `falls` names; everything else holds up. Compounds and
        fused groups fall whole, and exactly onto what stops them.
        """
        with self._engine.at_home():
            return {self._names.called(id): by for id, by in self._settle(None).items()}

    def _settle(self, loose: set[int] | None) -> dict[int, Displacement]:
        if self._gravity is None:
            return {}
        exempt = () if self._falls is None else self._names.members(self._falls)
        return Gravity(self.world, self._names, self._hook, self._gravity, exempt).settle(loose)
