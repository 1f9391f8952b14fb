# cython: language_level=3, auto_pickle=False
"""The frame: its phases in order, under one undo log; and the calls that motions make to the world."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import SOLID
from ecs_collision.components import Response
from ecs_collision.components.movement import response_name
from ecs_collision.contacts.solid_overlaps import SolidOverlaps
from ecs_collision.contacts.triggers import Triggers
from ecs_collision.dynamics.dynamics import Dynamics, StepArguments
from ecs_collision.errors import CollisionTypeError, ReentryError
from ecs_collision.fixed_point import LATTICE
from ecs_collision.frame_log import FrameLog
from ecs_collision.movement import Movement, MovementArguments
from ecs_collision.push.host import Leg
from ecs_collision.push.motions import MotionRequest, Motions
from ecs_collision.results import MoveResult, joined
from ecs_collision.settings import FRONT_FIRST, Settings
from ecs_collision.sleep.scheduler import SleepScheduler
from ecs_collision.world.changes import Changes
from ecs_collision.world.frame import NO_RESULTS, Frame, Ways
from ecs_collision.world.stats import Stats
from ecs_collision.world.undo_log import LogOfMotions, Undoable, UndoLog

Answer = TypeVar("Answer")


class Watcher(Protocol):
    """Sees what a step does, while it is recorded or drawn (`debug/instrument.py`)."""

    def before_changes(self) -> None:
        """Runs before changes are applied."""

    def after_changes(self) -> None:
        """Runs after changes were applied, but not if they were refused."""

    def call_hook(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the answer of `Step.ask_can_push`."""


@cython.final
@cython.cclass
class Step:
    """Runs the frames of a world and owns the parts that change it.

    `frame` is the last finished frame, `number` its number, `log` what happened since, `running` the counters since.
    `deferred_results` are results of a frame that failed; the next frame reports them. Before frame `quiet_until`
    nothing is due except requests and changes; anything else that changes the world calls `end_quiet_frames`.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self.bodies = bodies
        self.settings = settings
        self.number = 0
        self.quiet_until = 0
        self.stats, self.running = Stats(), Stats()
        self.dirty_transforms, self.access = bodies.dirty_transforms, bodies.dirty_transforms.access
        self.dynamic, self.still = bodies.dynamic, bodies.static
        self.log, self._last_log = FrameLog(), FrameLog()
        self.frame = Frame(0, None, NO_RESULTS, self.stats)
        self.deferred_results: dict[int, MoveResult] = {}
        self.ways: Ways | None = None
        """What the last step of dynamics since the last frame displaced; only for drawing."""
        self.dynamics = Dynamics(bodies, settings)
        bodies.held_with, bodies.mass_of = self.dynamics.held_with, self.dynamics.mass_of
        if settings.can_meet is not None:
            self.dynamics.can_meet = self.call_meet
        self.triggers, self.solid_overlaps = Triggers(bodies, self.dynamics), SolidOverlaps(bodies)
        self.sleep = SleepScheduler(bodies)
        self._due, self._requests, self._row_of = self.sleep.due, bodies.requests, bodies.row_of
        self.overlaps = self.triggers.overlaps
        self.undo = UndoLog(bodies, self.sleep, self.dynamics)
        self.changes = Changes(
            bodies, settings, self.triggers, self.solid_overlaps, self.sleep, self.dynamics, self.undo, self.running
        )
        self.motions = Motions(bodies, settings, self, self.log.displacement_log)
        self.movement = Movement(bodies, settings, self.motions)
        self.watcher: Watcher | None = None
        self._phase_start = 0.0
        self._sleep_mark = self.log.mark()
        self._crossed_mark = 0

    def run(self, before_changes: Callable[[], None] | None) -> Frame:
        """Call a function that stages changes, then run one frame, as one call of the world."""
        self.access.enter()
        try:
            self.access.refuse_changes("step")
            if before_changes is not None:
                before_changes()
            return self.step()
        finally:
            self.access.depth -= 1

    def step(self) -> Frame:
        """Run one frame. If it raises, the frame did not happen: its motions stand, the next frame does the rest.

        A frame with nothing pending returns before any phase, in the same time at any number of bodies.
        """
        number: cython.longlong = self.number + 1
        if number < self.quiet_until and not (
            self._requests or self.dirty_transforms.count or self.dirty_transforms.staged
        ):
            return self._quiet_frame(number)
        self.apply_changes()  # and wake the bodies that they disturb
        requests: list[MotionRequest] = []
        try:
            self.access.in_frame = True
            requests = self._order_motions(number)
            if not requests and self._is_uneventful(number):
                frame = Frame(number, None, NO_RESULTS, self.stats)
                self._finish(frame)
                return frame
            self._make_motions(requests)  # plans and commits each
            self.undo.mark(self._parts_to_mark())
            self._update_contacts(number)
            self._rest(number)
            frame = self._collect_events(number, requests)
            self._finish(frame)
            return frame
        except BaseException:
            self.undo.rollback(self.number)
            self._request_again(requests)
            raise
        finally:
            self.access.in_frame = False

    # The phases.

    def apply_changes(self) -> cython.void:
        """Apply staged and written changes in the coming frame; raises InvalidChanges and applies none (L3)."""
        self.quiet_until, self.motions.frame = 0, self.number + 1  # as `end_quiet_frames`
        if self.stats.timing:
            self._phase_start = time.perf_counter()
        if not (self.dirty_transforms.count or self.dirty_transforms.staged):
            return
        if self.watcher is not None:
            self.watcher.before_changes()
        try:
            self.access.in_frame = True
            self.changes.apply(self.number + 1, self.log)
            if self.stats.timing:
                self._add_time("apply changes")
        finally:
            self.access.in_frame = False
        if self.watcher is not None:
            self.watcher.after_changes()

    def _is_uneventful(self, number: cython.longlong) -> cython.bint:
        """Return whether nothing can have happened that causes an event, and forget what moved then."""
        if self.log or self.deferred_results or self.solid_overlaps.is_tracking or number in self._due:
            return False
        return not self.triggers.has_work(number) or self.triggers.forget_changes(number)

    def _order_motions(self, number: cython.longlong) -> list[MotionRequest]:
        """Return the requests of this frame in their order (P10)."""
        if not self._requests:
            return []
        requests: list[MotionRequest] = self.motions.requests.take_all(number)
        if self.stats.timing:
            self._add_time("order")
        return requests

    def _make_motions(self, requests: list[MotionRequest]) -> cython.void:
        """Plan and commit each motion; the results are stored in the requests."""
        if not requests:
            return
        self.motions.perform_all(requests, self.settings.order == FRONT_FIRST)
        if self.stats.timing:
            self._add_time("move")

    def _parts_to_mark(self) -> tuple[Undoable, ...]:
        """Return the parts that the end of a frame changes."""
        if self.solid_overlaps.is_tracking:
            return (self.log, self.triggers, self.solid_overlaps)
        return (self.log, self.triggers)

    def _update_contacts(self, number: cython.longlong) -> cython.void:
        """Log overlaps, triggers and contacts."""
        if self.solid_overlaps.is_tracking:
            self.log.overlapped += self.solid_overlaps.find_begun()
        triggers, running = self.triggers, self.running
        if not (self.log.touches or triggers.has_work(number)):
            return
        passes = triggers.full_passes
        tested: cython.longlong = self.overlaps.pairs_tested
        searches: cython.longlong = self.overlaps.static_searches
        visited: cython.longlong = self.dynamic.cells_visited + self.still.cells_visited
        triggers.find_contacts(number, self.log)
        running.pairs_tested += self.overlaps.pairs_tested - tested
        running.static_searches += self.overlaps.static_searches - searches
        running.cells_visited += self.dynamic.cells_visited + self.still.cells_visited - visited
        if triggers.full_passes != passes:
            running.cells_skipped += self.dynamic.cells_skipped
        if self.stats.timing:
            self._add_time("compare")

    def _rest(self, number: cython.longlong) -> cython.void:
        """Put bodies asleep that were quiet for long enough (S2), and log it."""
        if number not in self._due:
            return
        self.sleep.rest(number, self.log)
        if self.stats.timing:
            self._add_time("rest")

    def _collect_events(self, number: cython.longlong, requests: list[MotionRequest]) -> Frame:
        """Return the frame: its results, and the log from which events are built on first access."""
        if not (requests or self.log or self.deferred_results):
            return Frame(number, None, NO_RESULTS, self.stats)
        results: Mapping[int, MoveResult] = NO_RESULTS
        if requests or self.deferred_results:
            made = self.motions.results(requests)
            if self.deferred_results:
                made = self.deferred_results | {
                    entity: joined(self.deferred_results.get(entity), result) for entity, result in made.items()
                }
            results = made
        return Frame(number, self.log, results, self.stats)

    def _finish(self, frame: Frame) -> cython.void:
        """Update the counters, then go to the next frame, in assignments that cannot fail."""
        bodies, stats, running = self.bodies, self.stats, self.running
        fresh = self.log if frame.quiet else self._last_log.renewed()
        running.bin_changes = self.dynamic.cell_changes + self.still.cell_changes
        self.dynamic.cell_changes = self.still.cell_changes = 0
        displaced, running.expansions = self.motions.take_counts()
        running.moved += displaced
        stats.bodies, stats.awake, stats.resting = len(self._row_of), bodies.awake_count, self.dynamics.resting_count
        stats.cells = self.dynamic.cell_count + self.still.cell_count
        stats._take(running)
        quiet_until = self._next_due() if frame.quiet and not stats._has_work() else 0
        self.triggers.dirty_rows.sleep_undo, self.undo.marks = None, ()  # as `undo.release`; no calls from here on
        self.quiet_until, frame._ways, self.ways = quiet_until, self.ways, None
        self.number = stats.frame = frame.number
        self.motions.frame, self.frame = frame.number + 1, frame
        if not frame.quiet:
            self._last_log, self.log = self.log, fresh
            self.motions.displacement_log, self.deferred_results = fresh.displacement_log, {}

    def _quiet_frame(self, number: cython.longlong) -> Frame:
        """Count a frame in which nothing happened, and return it."""
        self.frame = Frame(number, None, NO_RESULTS, self.stats)
        self.number = self.stats.frame = number
        return self.frame

    def end_quiet_frames(self) -> cython.void:
        """Make the coming frame run all phases."""
        self.quiet_until = 0
        self.motions.frame = self.number + 1

    def _next_due(self) -> int:
        return min(self.sleep.next_due(), self.triggers.next_end())

    def _request_again(self, requests: list[MotionRequest]) -> None:
        """Request again what the failed frame did not do, and keep the results of what it did."""
        coming = self.number + 1
        for request in requests:
            motion, result = self.bodies.of(request.row).motion, request.result
            if result is not None:
                self.deferred_results[request.entity] = joined(self.deferred_results.get(request.entity), result)
            if motion is None:
                continue
            if result is None:
                motion._rollback(coming)
                continue
            motion._discard_undo()
            if request.remaining:
                units = enumerate((request.x, request.y, request.z))
                motion._add_clamped(*(by * LATTICE if request.remaining & 1 << axis else 0.0 for axis, by in units))
        for row in () if requests else self.bodies.rows():  # the requests were taken, but the list of them was lost
            motion = self.bodies.of(row).motion
            if motion is not None:
                motion._rollback(coming)

    def _add_time(self, phase: str) -> cython.void:
        """Add the milliseconds since the last call to a phase."""
        now, phases = time.perf_counter(), self.running.phases
        phases[phase] = phases.get(phase, 0.0) + 1000 * (now - self._phase_start)
        self._phase_start = now

    # Calls of motions to the world (`push.host.MotionHost`).

    def call_hook(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the answer of the hook for a push (P15)."""
        asked = self.ask_can_push if self.watcher is None else self.watcher.call_hook
        return asked(pusher, pushed, axis, force)

    def ask_can_push(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the answer of the hook, which may only read, for a push (P15)."""
        assert self.settings.can_push is not None
        verdict = self._ask(self.settings.can_push, "can_push", pusher, pushed, axis, force)
        if verdict is None or verdict is True or verdict is False:
            return verdict
        raise CollisionTypeError(
            f"can_push({pusher}, {pushed}, {axis!r}, {force!r}) returned {verdict!r}; return True, False or None"
        )

    def call_respond(self, mover: int, other: int) -> Response | None:
        """Return the answer of the hook, which may only read, for a mover and a body that it may meet (M9)."""
        assert self.settings.respond is not None
        answer = self._ask(self.settings.respond, "respond", mover, other)
        return None if answer is None else response_name(answer, f"respond({mover}, {other})")

    def call_meet(self, a: int, b: int) -> bool:
        """Return whether the hook, which may only read, lets two bodies meet in a step of dynamics (I9)."""
        assert self.settings.can_meet is not None
        verdict = self._ask(self.settings.can_meet, "can_meet", a, b)
        if verdict is None or verdict is True or verdict is False:
            return verdict is not False
        raise CollisionTypeError(f"can_meet({a}, {b}) returned {verdict!r}; return True, False or None")

    def _ask(self, hook: Callable[..., Answer], name: str, *question: object) -> Answer:
        """Return the answer of a hook, which may only read."""
        try:
            self.access.in_hook = True
            answer = hook(*question)
        finally:
            self.access.in_hook = False
        if self.changes.pending:
            raise ReentryError(
                f"{name}({', '.join(map(repr, question))}) wrote to a component; a hook may only read, write after the "
                "motion"
            )
        return answer

    def mark_crossings(self) -> None:
        """Start an undo record of the pairs that pass through each other and of the crossings logged."""
        if self.motions.is_stepping:  # the undo record of a step has its own marks
            return
        self.bodies.passing.mark()
        self._crossed_mark = len(self.log.crossed)

    def cross(self, mover: int, crossed: list[int], begun: list[int], displaced: Iterable[int]) -> None:
        """Update the pairs that pass through each other, and log each body once whose crossing began (M9)."""
        passing, entity, leader = self.bodies.passing, self.bodies.entity, self.bodies.group_links.leader
        for other in dict.fromkeys(leader[row] for row in begun):
            self.log.crossed.append((entity(leader[mover]), entity(other)))
        for row in self.bodies.group_links.rows_of(mover):
            for other in crossed:
                if self.bodies.has(row, SOLID) and passing.overlap(row, other):
                    passing.add(row, other)
        passing.drop_apart(displaced)

    def sweep(self, legs: list[Leg]) -> None:
        """Log the swept triggers along the paths of a motion."""
        self.running.pairs_tested += self.triggers.sweeps.add_motion(legs)

    def wake(self, rows: Iterable[int]) -> None:
        """Wake displaced bodies, all of them or none."""
        if not self.motions.is_stepping:  # the undo record of a step has its own mark
            self._sleep_mark = self.log.mark()
        try:
            for row in rows:
                self.sleep.wake(row, self.number + 1, self.log)
        except BaseException:
            if not self.motions.is_stepping:
                self.log.rollback(self._sleep_mark)
            raise

    def rollback(self, swept: bool, woke: bool, crossed: bool) -> None:
        """Roll back a motion whose commit failed; a step of movement is rolled back as a whole."""
        if self.motions.is_stepping:
            return
        if crossed:
            del self.log.crossed[self._crossed_mark :]
            self.bodies.passing.rollback()
        self.log.displacement_log.rollback()
        if swept:
            self.triggers.sweeps.rollback_motion()
        if woke:
            self.log.rollback(self._sleep_mark)
        self.undo.rollback_motion(self.number)

    # Overlaps of solid bodies.

    def track_overlaps(self) -> None:
        """Log from the coming frame on which solid bodies begin to overlap; all changes have been applied (T11)."""
        self.solid_overlaps.start(self.number == 0)
        self.end_quiet_frames()

    # Dynamics.

    def step_dynamics(self, arguments: StepArguments) -> None:
        """Move the dynamic bodies by one step (rules I): all of them, or none if it raises.

        O(1) if all of them are at rest and nothing has changed.
        """
        dynamics, access, running = self.dynamics, self.access, self.running
        if dynamics.is_idle(arguments):
            return
        self.end_quiet_frames()
        try:
            access.in_frame = True
            if dynamics.solve(arguments):
                dynamics.write()
                ways = self.bodies.placement.written_ways()
                self.changes.apply(self.number + 1, self.log, dynamics)
                self.ways = ways
            running.simulated += dynamics.candidates.mover_count
            running.impulses += dynamics.take_contact_count()
            dynamics.settle()
        except BaseException:
            dynamics.abandon()
            raise
        finally:
            access.in_frame = False

    # Movement.

    def step_movement(self, arguments: MovementArguments, removes: bool) -> list[int]:
        """Run one step of movement (rules M): all of it, or nothing if it raises. All changes have been applied.

        Returns the entities whose Lifetime has ended. removes: stage their removal; otherwise it is for the caller.
        O(1) while nothing moves.
        """
        movement, access, motions = self.movement, self.access, self.motions
        if movement.is_idle(arguments):
            movement.count_step()
            return []
        self.end_quiet_frames()
        ended: list[int] = []
        try:
            access.in_frame = True
            self.undo.mark((self.log, LogOfMotions(self), self.triggers.sweeps, self.bodies.passing, movement))
            motions.is_stepping = True
            ended = movement.step(arguments)
            for entity in ended if removes else ():
                self.changes.stage(entity, None)
            self.undo.release()
            self.deferred_results |= movement.movers.results
        except BaseException:
            for entity in ended if removes else ():
                self.changes.unstage(entity)
            self.undo.rollback_movement(self.number)
            raise
        finally:
            motions.is_stepping = False
            access.in_frame = False
        return ended

    # Plans, snapshots, checks.

    @property
    def version(self) -> int:
        """Number of changes of state: applied changes, and motions that displaced a body."""
        return self.changes.version + int(self.motions.commits)

    def restore(self, number: int, log: FrameLog, deferred_results: dict[int, MoveResult]) -> None:
        """Continue from another frame and what was pending there; plans become stale, counters start at 0."""
        self.motions.take_counts()
        self.bodies.dynamic.cell_changes = self.bodies.static.cell_changes = 0
        if self.running._has_work():
            Stats()._take(self.running)
        self.changes.version += 1
        self.changes.static_moves.clear()
        self.dynamics.forget()
        self.movement.movers.forget()
        self.set_frame(number, log, dict(deferred_results))

    def set_frame(self, number: int, log: FrameLog, deferred_results: dict[int, MoveResult]) -> None:
        """Set the number of the last frame and what is pending."""
        self.number = self.stats.frame = number
        self.log, self.deferred_results, self.motions.displacement_log = log, deferred_results, log.displacement_log
        self.ways = None
        self.end_quiet_frames()

    def faults(self) -> Iterator[str]:
        """Yield faults of the state that frames pass to each other; all changes have been applied."""
        coming, log, motions = self.number + 1, self.log, self.motions
        if self.quiet_until > coming and (self._is_due(coming) or self.quiet_until > self._next_due()):
            yield f"quiet_until is {self.quiet_until}, but something is due earlier"
        if self.stats.frame != self.number:
            yield "the counters do not belong to the last frame"
        if (not self.quiet_until and motions.frame != coming) or motions.displacement_log is not log.displacement_log:
            yield "motions are logged for another frame than the coming one"
        if log.began or log.normals:
            yield "contacts are logged as begun between two frames"
        if log.woke & log.fell:
            yield f"entities {sorted(log.woke & log.fell)} are logged as woken and as fallen asleep"
        if any(entity != result.entity for entity, result in self.deferred_results.items()):
            yield "a deferred result is stored for another entity"
        motions.check()
        yield from self.dynamics.faults()
        yield from self.changes.leftover_faults()

    def _is_due(self, number: int) -> bool:
        return self.triggers.has_work(number) or number in self._due or bool(self.log)
