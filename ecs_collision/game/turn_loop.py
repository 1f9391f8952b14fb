"""The phases of a turn: motions, falling, and frames until nothing changes any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ecs_collision.errors import EndlessTurn
from ecs_collision.events import Blocked, Event
from ecs_collision.game.controls import WAIT, Control
from ecs_collision.game.handlers import Handlers, label_of
from ecs_collision.game.mechanics.gravity import Gravity, front_first
from ecs_collision.game.state import GameState
from ecs_collision.game.things import Things
from ecs_collision.game.turn import Turn
from ecs_collision.game.win import Win
from ecs_collision.levels.level import listed
from ecs_collision.results import MoveResult

MAX_ROUNDS = 64
"""Maximum number of frames in a turn."""

Call = tuple[str, Callable[..., Any], tuple[Any, ...]]
"""(label for messages, function, arguments)."""

Watcher = Callable[[Sequence[Blocked]], None]
"""Receives the Blocked events of letters that take no time."""


class TurnLoop:
    """Moves what letters control, lets things fall, runs frames, and calls handlers and mechanics.

    all_or_nothing: the default for the motions of letters, if the Motion does not set it.
    """

    def __init__(
        self, things: Things, handlers: Handlers, win: Win, gravity: Gravity, state: GameState, all_or_nothing: bool
    ) -> None:
        self._things, self._game_world = things, things.game_world
        self._handlers, self._win, self._gravity, self._state = handlers, win, gravity, state
        self._all_or_nothing = all_or_nothing
        self._changed_by: dict[str, None] = {}
        self._stable_version: tuple[int, int] | None = None
        self.watchers: list[Watcher] = []

    @property
    def needs_rollback(self) -> bool:
        """Whether a turn may raise or change more than positions, because it runs code of the game."""
        state = self._state
        runs_code = self._handlers or state.mechanics or self._win.runs_code or self._things.push_filter.has_hook
        return bool(runs_code or self._gravity.direction or self._game_world.runs_code or state.variables)

    def move_only(self, turn: Turn, control: Control | None) -> bool:
        """Play a letter of a game without code, gravity and variables; returns whether time passed."""
        self._move_controlled(turn, control)
        passes = turn.moved or turn.letter == WAIT
        if passes:
            turn.frames.append(self._game_world.step())
        else:
            self._notify_watchers(turn)
        return passes

    def take_turn(self, turn: Turn, control: Control | None, extra: bytes) -> bool:
        """Play a letter; returns whether anything happened. `extra` is the extra state before it."""
        was_solved = bool(self._handlers.solved) and self._win.is_met()
        version = self._version()
        handled = self._call_before_handlers(turn)
        no_code_ran = not (handled or self._game_world.runs_code)  # so nothing changed since the last turn
        was_stable = no_code_ran and self._stable_version == (self._version() if self._handlers.before else version)
        candidates = None if handled else self._move_controlled(turn, control)
        passes = turn.moved or turn.letter == WAIT
        if passes:
            self._advance()
        else:
            self._notify_watchers(turn)
            self._call_handlers(list(turn.blocked))
            if version == self._version() and extra == self._state.extra_state():
                return False
        only_moved = was_stable and passes and not self._state.mechanics
        self._run_rounds(turn, candidates if only_moved else None, passes, was_solved)
        return True

    def do_frame(self, turn: Turn) -> None:
        """Run a frame of real time."""
        self._advance()
        self._gravity.settle(None, self._gravity.speed, self._arriving())
        self._round(turn)
        results = turn.frames[0].results
        turn.results = {self._things.names.display_name(id): result for id, result in results.items()}
        turn.moved = any(any(result.moved) for result in results.values())

    def begin(self) -> None:
        """Run rounds until the initial state is stable."""
        for mechanic in self._state.mechanics:
            mechanic.begin()
        self._run_rounds(Turn("", self._things.names), None, False, False)

    # Motions.

    def _call_before_handlers(self, turn: Turn) -> bool:
        """Call the `before` handlers of a letter; returns whether one of them handled it."""
        for letters, function in self._handlers.before:
            if turn.letter not in letters:
                continue
            done = function(turn.letter) is True
            self._game_world.make_current()
            if done:
                turn.moved = True
                return True
        return False

    def _move_controlled(self, turn: Turn, control: Control | None) -> set[int] | None:
        """Move what a letter controls; returns the only bodies that may have lost their support, None for any."""
        if control is None:
            return None
        things = self._things
        selector, dx, dy = control
        movers = [id for id in things.members(selector) if things.is_enabled(id)]
        if len(movers) > 1:
            movers = list({things.fused_ids(id): id for id in reversed(movers)}.values())
            movers = front_first(things.world, movers, dx, dy)
        with things.push_filter.moving(dx, dy):
            return self._commit_motions(turn, movers, dx, dy)

    def _commit_motions(self, turn: Turn, movers: list[int], dx: float, dy: float) -> set[int] | None:
        """Carry out the motions of all movers, unless all of them are blocked."""
        world, name = self._things.world, self._things.names.display_name
        plans = [world.plan(id, dx, dy, all_or_nothing=self._is_all_or_nothing(id)) for id in movers]
        if not any(any(plan.result.moved) for plan in plans):
            turn.results = {name(plan.result.entity): plan.result for plan in plans}
            turn.blocked = [
                Blocked(
                    world.frame_number,
                    plan.result.entity,
                    stop.blocker,
                    stop.axis,
                    stop.reason,
                    stop.direction,
                    stop.blockers,
                )
                for plan in plans
                for stop in plan.result.stops
            ]
            return set()
        candidates: set[int] = set(movers)
        results: dict[str, MoveResult] = {}
        for id, plan in zip(movers, plans, strict=True):
            if self._gravity.direction is not None:
                candidates.update(*map(world.touching, self._things.fused_ids(id)))
            single = len(movers) == 1
            result = plan.commit() if single else world.move(id, dx, dy, all_or_nothing=self._is_all_or_nothing(id))
            results[name(id)] = result
            turn.moved = turn.moved or any(result.moved)
        turn.results = results
        return None if any(result.pushed for result in results.values()) else candidates

    def _is_all_or_nothing(self, id: int) -> bool:
        motion = self._things.parts(id).motion
        return self._all_or_nothing if motion is None or motion.all_or_nothing is None else motion.all_or_nothing

    def _notify_watchers(self, turn: Turn) -> None:
        for watcher in tuple(self.watchers):
            watcher(turn.blocked)

    def _advance(self) -> None:
        for mechanic in self._state.mechanics:
            mechanic.advance()

    # Rounds.

    def _run_rounds(self, turn: Turn, candidates: set[int] | None, passes: bool, was_solved: bool) -> None:
        """Let things fall and run frames until nothing changes any more."""
        calls: list[Call] = [(label_of("on_turn", each), each, (turn,)) for each in self._handlers.turn if passes]
        solved_calls: list[Call] = [(label_of("on_solved", each), each, ()) for each in self._handlers.solved]
        for _ in range(MAX_ROUNDS):
            arriving = self._arriving()
            self._gravity.settle(candidates, arriving=arriving)
            candidates = None
            now, calls = calls, []
            self._changed_by.clear()
            if self._round(turn) or arriving:  # triggers have detected the arrived bodies: they fall now
                calls = now
            elif not self._call_all(now):
                already_solved, was_solved = was_solved, True
                if already_solved or not solved_calls or not self._win.is_met() or not self._call_all(solved_calls):
                    self._stable_version = self._version()
                    return
        raise EndlessTurn(
            f"turn {turn.letter!r} of {self._things.names.level.source} does not end: after {MAX_ROUNDS} "
            f"rounds the world is still changed by {listed(self._changed_by, 20)}; let them change only what "
            "is not yet in its final state"
        )

    def _arriving(self) -> frozenset[int]:
        """Return the bodies that mechanics have placed and that no trigger has detected there yet."""
        if self._gravity.direction is None:
            return frozenset()
        return frozenset().union(*[mechanic.arriving() for mechanic in self._state.mechanics])

    def _round(self, turn: Turn) -> bool:
        """Run a frame, then call handlers and mechanics; returns whether any of them changed the world."""
        kinds, number, errors = self._handlers.subscribed_kinds, self._things.world.frame_number, []
        try:
            frame = self._game_world.step()
        except Exception as error:  # of a processor or system handler; the game's are still called
            errors.append(error)
            frame = self._things.world.frame
        self._game_world.make_current()
        events: Sequence[Event] = ()
        if frame.number != number:
            turn.frames.append(frame)
            events = frame._events_of(kinds) if kinds and not frame.quiet else ()
        changed = self._call_handlers(events, errors)
        return self._call_all([(each.label, each.apply, ()) for each in self._state.mechanics]) or changed

    def _call_handlers(self, events: Sequence[Event], errors: Sequence[Exception] = ()) -> bool:
        """Call the handlers of events; `errors` are raised together with theirs."""
        if not events and not errors:
            return False
        calls = self._handlers.calls(events)
        return self._call_all([(handler.label, handler.function, (event,)) for handler, event in calls], errors)

    def _call_all(self, calls: list[Call], raised: Sequence[Exception] = ()) -> bool:
        """Call all functions even if some raise; returns whether they changed the world (T7)."""
        errors = list(raised)
        changed = False
        for label, function, arguments in calls:
            before = self._version()
            try:
                function(*arguments)
                if self._version() != before:
                    changed = True
                    self._changed_by[label] = None
            except Exception as error:
                errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup(f"{len(errors)} handlers of {self._things.names.level.source} raised", errors)
        return changed

    def _version(self) -> tuple[int, int]:
        """Apply changes, and return a value that differs after every change of the world or of gravity."""
        self._game_world.make_current()
        self._things.world.apply_changes()
        return self._things.world.version, self._gravity.version
