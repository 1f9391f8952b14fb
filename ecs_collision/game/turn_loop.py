"""What a turn is: motions, falling, and frames until nothing changes any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ecs_collision.errors import EndlessTurn
from ecs_collision.events import Blocked, Event
from ecs_collision.game.game_world import Engine
from ecs_collision.game.handlers import label_of
from ecs_collision.game.history import Moment
from ecs_collision.game.mechanics.falling import Falling
from ecs_collision.game.mechanics.gravity import front_first
from ecs_collision.game.mechanics.rules import Rule
from ecs_collision.game.push_filter import Pushing
from ecs_collision.game.script_interface import WAIT, Control
from ecs_collision.game.turn import Turn
from ecs_collision.levels.conditions import Condition
from ecs_collision.levels.level import Level, listed
from ecs_collision.results import MoveResult
from ecs_collision.world import Plan

MOST_ROUNDS = 64
"""The most frames a turn may take until nothing changes any more."""

Call = tuple[str, Callable[..., Any], tuple[Any, ...]]
"""(label for messages, function, arguments)."""


class Playing(Falling):
    """Things that are moved by letters, fall, and are told of."""

    def __init__(self, level: Level, engine: Engine, hook: Pushing, whole: bool) -> None:
        super().__init__(level, engine, hook)
        self._whole = whole
        self._rules: list[Rule] = []
        self._culprits: dict[str, None] = {}
        self._rested: tuple[int, int] | None = None
        self._watchers: list[Callable[[Sequence[Blocked]], None]] = []

    # What Game gives.

    @property
    def has_begun(self) -> bool:
        """Whether the game has started."""
        raise NotImplementedError  # pragma: no cover - for the heir

    def _rest(self) -> bytes:
        """Return what there is to the game besides its world."""
        raise NotImplementedError  # pragma: no cover - for the heir

    def _may_fail(self) -> bool:
        """Return whether a turn may raise, as all may that runs code of others."""
        handlers = self._handlers.heard or self._before or self._on_turn or self._on_solved or self._rules
        judge = self._win is not None and not isinstance(self._win, Condition)
        return bool(handlers) or judge or self._hook.is_asked or self._gravity is not None or self._engine.runs_code

    # A turn.

    def _move_only(self, turn: Turn, control: Control | None) -> bool:
        """Play a letter of a game in which nothing but the motion can happen; returns whether it did."""
        self._act(turn, control)
        passes = turn.moved or turn.letter == WAIT
        if passes:
            turn._frames.append(self._engine.step())
        else:
            self._watched(turn)
        return passes

    def watch(self, watcher: Callable[[Sequence[Blocked]], None]) -> Callable[[], None]:
        """Have a function see the events of letters that take no time, which no frame tells of; returns what ends it.

        Unlike a handler it makes no difference to the game.
        """
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def _watched(self, turn: Turn) -> None:
        for watcher in tuple(self._watchers):
            watcher(turn._blocked)

    def _take_turn(self, turn: Turn, control: Control | None, before: Moment) -> bool:
        """Play a letter; returns whether anything happened. `before` is the game as it was."""
        was_solved = bool(self._on_solved) and self.solved
        stamp = self._stamp()
        taken = self._is_taken(turn)
        alone = not (taken or self._engine.runs_code)  # nobody can have changed anything after the last turn's rest
        at_rest = alone and self._rested == (self._stamp() if self._before else stamp)
        near = None if taken else self._act(turn, control)
        passes = turn.moved or turn.letter == WAIT
        if not passes:
            self._watched(turn)
            self._serve(list(turn._blocked))
            if stamp == self._stamp() and before.rest == self._rest():
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
        self._settle(None, self._fall_speed, self._arriving())
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

    def _is_taken(self, turn: Turn) -> bool:
        """Ask the `before` handlers of a letter; returns whether one of them did all there is to do."""
        for letters, function in self._before:
            if turn.letter not in letters:
                continue
            done = function(turn.letter) is True
            self._engine.stay()
            if done:
                turn.moved = True
                return True
        return False

    def _act(self, turn: Turn, control: Control | None) -> set[int] | None:
        """Move what a letter controls; returns who alone may have lost its hold, None where it may be anybody."""
        if control is None:
            return None
        selector, dx, dy = control
        movers = [id for id in self._names.members(selector) if self.is_there(id)]
        if len(movers) > 1:
            movers = list({self.fused_ids(id): id for id in reversed(movers)}.values())
            movers = front_first(self.world, movers, dx, dy)
        with self._hook.heading(dx, dy):
            return self._walk(turn, movers, dx, dy)

    def shift(self, id: int, dx: float, dy: float, **how: Any) -> MoveResult:
        """Move a body now, by its id; see `move`."""
        with self._hook.heading(dx, dy):
            return super().shift(id, dx, dy, **how)

    def forecast(self, id: int, dx: float, dy: float, **how: Any) -> Plan:
        """Return what `shift` would do."""
        with self._hook.heading(dx, dy):
            return super().forecast(id, dx, dy, **how)

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
                near.update(*map(world.touching, self.fused_ids(id)))
            first = len(movers) == 1
            result = plan.commit() if first else world.move(id, dx, dy, all_or_nothing=self._is_whole(id))
            results[self._names.called(id)] = result
            turn.moved = turn.moved or any(result.moved)
        turn.results = results
        return None if any(result.pushed for result in results.values()) else near

    def _is_whole(self, id: int) -> bool:
        motion = self._engine.parts(id).motion
        return self._whole if motion is None or motion.all_or_nothing is None else motion.all_or_nothing

    # Rounds.

    def _come_to_rest(self, turn: Turn, near: set[int] | None, passes: bool, was_solved: bool) -> None:
        """Let things fall and do frames until nothing changes any more."""
        calls: list[Call] = [(label_of("on_turn", each), each, (turn,)) for each in self._on_turn if passes]
        solved_calls: list[Call] = [(label_of("on_solved", each), each, ()) for each in self._on_solved]
        for _ in range(MOST_ROUNDS):
            arriving = self._arriving()
            self._settle(near, arriving=arriving)
            near = None
            now, calls = calls, []
            self._culprits.clear()
            if self._round(turn) or arriving:  # what has been seen where it arrived falls now
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

    def _arriving(self) -> frozenset[int]:
        """Return the bodies that rules have put somewhere and that would fall before any trigger saw them there."""
        if self._gravity is None:
            return frozenset()
        return frozenset().union(*[rule.arriving() for rule in self._rules])

    def _round(self, turn: Turn) -> bool:
        """Do a frame, tell of it and let rules act; returns whether anything was changed by those who heard of it."""
        heard, number, errors = self._handlers.heard, self.world.frame_number, []
        try:
            frame = self._engine.step()
        except Exception as error:  # a processor or handler of the frame; those of the game are told all the same
            errors.append(error)
            frame = self.world.frame
        self._engine.stay()
        events: Sequence[Event] = ()
        if frame.number != number:
            turn._frames.append(frame)
            events = frame.events_of(heard) if heard and not frame.quiet else ()
        changed = self._serve(events, errors)
        return self._call_all([(rule.label, rule.apply, ()) for rule in self._rules]) or changed

    def _serve(self, events: Sequence[Event], errors: Sequence[Exception] = ()) -> bool:
        """Call the handlers of events; errors are raised with theirs."""
        if not events and not errors:
            return False
        calls = self._handlers.calls(events)
        return self._call_all([(handler.label, handler.function, (event,)) for handler, event in calls], errors)

    def _call_all(self, calls: list[Call], raised: Sequence[Exception] = ()) -> bool:
        """Call functions, all of them whatever they raise, and return whether they changed the world (T7)."""
        errors = list(raised)
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
        self._engine.stay()
        self.world.take_in()
        return self.world.version, self._turnings
