"""The frame: its phases in their order, under one undo log; and what motions ask of the world that makes them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from threading import get_ident
from types import MappingProxyType

from ecs_collision.bodies import Bodies
from ecs_collision.contacts import Triggers
from ecs_collision.errors import CollisionTypeError, ReentryError
from ecs_collision.fixed_point import LATTICE
from ecs_collision.frame_log import FrameLog
from ecs_collision.push import Leg, MotionRequest, Motions
from ecs_collision.results import MoveResult, joined
from ecs_collision.settings import FRONT_FIRST, Settings
from ecs_collision.sleep.scheduler import SleepScheduler
from ecs_collision.world.access import Access
from ecs_collision.world.changes import Changes
from ecs_collision.world.frame import NO_RESULTS, Frame
from ecs_collision.world.stats import Stats
from ecs_collision.world.undo_log import UndoLog


class Step:
    """The running of a world: owns the rooms that change it, frame by frame.

    `number` is that of the last finished frame. `log` is what happened since, `running` counts the work since. `deferred_results`
    are the results of what a frame did that was broken off: the next one has them. Frames before `quiet_until` have
    nothing to do but what is requested or changed; whoever does anything else ends that with `end_quiet_frames`.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self.bodies = bodies
        self.settings = settings
        self.number = 0
        self.quiet_until = 0
        self.stats, self.running = Stats(), Stats()
        self.access = Access()
        self.log = FrameLog()
        self.deferred_results: dict[int, MoveResult] = {}
        self.triggers = Triggers(bodies)
        self.sleep = SleepScheduler(bodies)
        self.undo = UndoLog(bodies, self.sleep)
        self.changes = Changes(bodies, settings, self.triggers, self.sleep, self.undo, self.running)
        self.motions = Motions(bodies, settings, self, self.log.displacement_log)
        self._phase_start = 0.0
        self._sleep_mark = self.log.mark()

    def step(self) -> Frame:
        """Do one frame. One that is broken off has not been: motions it made stand, the next frame does the rest.

        A frame in which nothing is pending returns before any phase, in the same time at any number of bodies.
        """
        number, bodies = self.number + 1, self.bodies
        if number < self.quiet_until and not (
            bodies.requests or bodies.dirty_transforms.count or bodies.dirty_transforms.staged
        ):
            return self._quiet_frame(number)
        self.apply_changes()  # and wake what they disturb
        access, undo, active_thread = self.access, self.undo, self.access.active_thread
        requests: list[MotionRequest] = []
        try:
            access.active_thread, access.in_frame = get_ident(), True
            requests = self._order_motions(number)
            self._make_motions(requests)  # plans and commits each
            undo.mark(self.log, self.triggers)
            is_updated = self._update_contacts(number)
            frame = self._collect_events(number, requests, is_updated)
            self._rest(number)
            self._finish(frame)
            return frame
        except BaseException:
            undo.rollback(self.number)
            self._request_again(requests)
            raise
        finally:
            access.active_thread, access.in_frame = active_thread, False

    # The phases.

    def apply_changes(self) -> None:
        """Apply what was staged and written as part of the coming frame; raises InvalidChanges for all of it (L3)."""
        self.quiet_until, self.motions.frame = 0, self.number + 1  # as `end_quiet_frames`
        if self.stats.timing:
            self._phase_start = time.perf_counter()
        dirty_transforms, access = self.bodies.dirty_transforms, self.access
        if not (dirty_transforms.count or dirty_transforms.staged):
            return
        active_thread, in_frame = access.active_thread, access.in_frame
        try:
            access.active_thread, access.in_frame = get_ident(), True
            self.changes.apply(self.number + 1, self.log)
            if self.stats.timing:
                self._add_time("apply changes")
        finally:
            access.active_thread, access.in_frame = active_thread, in_frame

    def _order_motions(self, number: int) -> list[MotionRequest]:
        """Return what the bodies request for this frame, in its order (P10)."""
        if not self.bodies.requests:
            return []
        requests: list[MotionRequest] = self.motions.requests.due(number)
        if self.stats.timing:
            self._add_time("order")
        return requests

    def _make_motions(self, requests: list[MotionRequest]) -> None:
        """Plan and commit each motion; its result is left with its request."""
        if not requests:
            return
        self.motions.make_all(requests, self.settings.order == FRONT_FIRST)
        if self.stats.timing:
            self._add_time("move")

    def _update_contacts(self, number: int) -> bool:
        """Write down who entered, stayed and left; returns False where that cannot have changed."""
        grid, still, triggers = self.bodies.dynamic, self.bodies.static, self.triggers
        if not triggers.is_due(number):
            return False
        tested, passes = triggers.pairs_tested, triggers.full_passes
        visited = grid.cells_visited + still.cells_visited
        triggers.compare(number, self.log)
        self.running.pairs_tested += triggers.pairs_tested - tested
        self.running.cells_visited += grid.cells_visited + still.cells_visited - visited
        if triggers.full_passes != passes:
            self.running.cells_skipped += grid.cells_skipped
        if self.stats.timing:
            self._add_time("compare")
        return True

    def _collect_events(self, number: int, requests: list[MotionRequest], is_updated: bool) -> Frame:
        """Return the frame: its results, and the log of which its events are built when somebody reads them."""
        if not (requests or is_updated or self.sleep.is_due(number) or self.log):
            return Frame(number, None, NO_RESULTS, self.stats)
        results: Mapping[int, MoveResult] = NO_RESULTS
        if requests or self.deferred_results:
            made = self.motions.results(requests)
            if self.deferred_results:
                made = self.deferred_results | {
                    entity: joined(self.deferred_results.get(entity), result) for entity, result in made.items()
                }
            results = MappingProxyType(made)
        return Frame(number, self.log, results, self.stats)

    def _rest(self, number: int) -> None:
        """Put to rest who has been quiet for long enough (S2); the log tells of it."""
        if not self.sleep.is_due(number):
            return
        self.sleep.rest(number, self.log)
        if self.stats.timing:
            self._add_time("rest")

    def _finish(self, frame: Frame) -> None:
        """Count what was done, and go over to the next frame: that last, and in one."""
        bodies, stats, running = self.bodies, self.stats, self.running
        fresh = self.log if frame.quiet else FrameLog()
        running.bin_changes = bodies.dynamic.cell_changes + bodies.static.cell_changes
        bodies.dynamic.cell_changes = bodies.static.cell_changes = 0
        displaced, running.expansions = self.motions.take_counts()
        running.moved += displaced
        stats.bodies, stats.awake = len(bodies), bodies.awake_count
        stats.cells = bodies.dynamic.cells.cell_count + bodies.static.cells.cell_count
        stats.take(running)
        quiet_until = self._next_due() if frame.quiet and not stats.worked else 0
        bodies.sleep_undo, self.undo.marks = None, ()  # `undo.release`, but no calls any more: now the frame has been
        self.quiet_until = quiet_until
        self.number = stats.frame = frame.number
        self.motions.frame = frame.number + 1
        if not frame.quiet:
            self.log, self.motions.displacement_log, self.deferred_results = fresh, fresh.displacement_log, {}

    def _quiet_frame(self, number: int) -> Frame:
        """Return a frame in which nothing happened."""
        frame = Frame(number, None, NO_RESULTS, self.stats)
        self.number = self.stats.frame = number
        return frame

    def end_quiet_frames(self) -> None:
        """Note that something may change in the coming frame."""
        self.quiet_until = 0
        self.motions.frame = self.number + 1

    def _next_due(self) -> int:
        return min(self.sleep.next_due(), self.triggers.next_end())

    def _request_again(self, requests: list[MotionRequest]) -> None:
        """Request again what the broken frame did not do, and keep the results of what it did."""
        coming = self.number + 1
        for request in requests:
            motion, result = self.bodies.of(request.row).motion, request.result
            if result is not None:
                self.deferred_results[request.entity] = joined(self.deferred_results.get(request.entity), result)
            if motion is None:
                continue
            if result is None:
                motion.rollback(coming)
                continue
            motion.settle()
            if request.remaining:
                units = enumerate((request.x, request.y, request.z))
                motion._move_again(*(by * LATTICE if request.remaining & 1 << axis else 0.0 for axis, by in units))
        for row in () if requests else self.bodies.rows():  # they were ordered, and lost before anybody had them
            motion = self.bodies.of(row).motion
            if motion is not None:
                motion.rollback(coming)

    def _add_time(self, phase: str) -> None:
        """Add the time since the last lap to a phase, in milliseconds."""
        now, phases = time.perf_counter(), self.running.phases
        phases[phase] = phases.get(phase, 0.0) + 1000 * (now - self._phase_start)
        self._phase_start = now

    # What motions ask for (`push.host.MotionHost`).

    def ask(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return what the hook says of a push, which may only read (P15)."""
        assert self.settings.can_push is not None
        access, active_thread = self.access, self.access.active_thread
        try:
            access.active_thread, access.in_hook = get_ident(), True
            verdict = self.settings.can_push(pusher, pushed, axis, force)
        finally:
            access.active_thread, access.in_hook = active_thread, False
        if self.changes.pending:
            raise ReentryError(
                f"can_push({pusher}, {pushed}, {axis!r}, {force!r}) wrote to a component; a hook may only read, write "
                "after the motion"
            )
        if verdict is None or verdict is True or verdict is False:
            return verdict
        raise CollisionTypeError(
            f"can_push({pusher}, {pushed}, {axis!r}, {force!r}) returned {verdict!r}; return True, False or None"
        )

    def follow(self, legs: list[Leg]) -> None:
        """Follow the way of all a motion displaces past swept triggers."""
        self.running.pairs_tested += self.triggers.sweeps.follow(legs)

    def wake(self, rows: Iterable[int]) -> None:
        """Wake bodies that were displaced, all of them or none."""
        self._sleep_mark = self.log.mark()
        try:
            for row in rows:
                self.sleep.wake(row, self.number + 1, self.log)
        except BaseException:
            self.log.rollback(self._sleep_mark)
            raise

    def rollback(self, followed: bool, woke: bool) -> None:
        """Roll back a motion that was broken off while it was committed."""
        self.log.displacement_log.rollback()
        if followed:
            self.triggers.sweeps.rollback_motion()
        if woke:
            self.log.rollback(self._sleep_mark)
        self.undo.rollback_motion(self.number)

    # Plans, snapshots, checking.

    @property
    def version(self) -> int:
        """Count of the changes of state: of changes applied, and motions that displaced something."""
        return self.changes.version + int(self.motions.commits)

    def restore(self, number: int, log: FrameLog, deferred_results: dict[int, MoveResult]) -> None:
        """Go on from another frame, with what was pending there; plans are stale, counters start anew."""
        self.motions.take_counts()
        self.bodies.dynamic.cell_changes = self.bodies.static.cell_changes = 0
        if self.running.worked:
            Stats().take(self.running)
        self.changes.version += 1
        self.set_frame(number, log, dict(deferred_results))

    def set_frame(self, number: int, log: FrameLog, deferred_results: dict[int, MoveResult]) -> None:
        """Be at a frame, with what is pending there."""
        self.number = self.stats.frame = number
        self.log, self.deferred_results, self.motions.displacement_log = log, deferred_results, log.displacement_log
        self.end_quiet_frames()

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with what the frames leave for each other; all changes have been applied."""
        coming, log, motions = self.number + 1, self.log, self.motions
        if self.quiet_until > coming and (self._is_due(coming) or self.quiet_until > self._next_due()):
            yield f"frames before {self.quiet_until} are taken for quiet, but something is due in them"
        if self.stats.frame != self.number:
            yield "the counters are those of another frame than the last"
        if (not self.quiet_until and motions.frame != coming) or motions.displacement_log is not log.displacement_log:
            yield "motions are written down for another frame than the coming one"
        if log.woke & log.fell:
            yield f"entities {sorted(log.woke & log.fell)} are said to have woken and to have fallen asleep"
        if any(entity != result.entity for entity, result in self.deferred_results.items()):
            yield "a result that was put off is kept for another entity"
        motions.check()
        yield from self.changes.leftover_faults()

    def _is_due(self, number: int) -> bool:
        return self.triggers.is_due(number) or self.sleep.is_due(number) or bool(self.log)
