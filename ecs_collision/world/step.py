"""Making motions, one now or all of a frame, and the phases of the frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import get_ident
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.row_images import set_image
from ecs_collision.contacts import Triggers
from ecs_collision.errors import CollisionTypeError, ReentryError
from ecs_collision.fixed_point import LATTICE
from ecs_collision.frame_log import FrameLog
from ecs_collision.push import Leg, MotionRequest, Motions
from ecs_collision.results import MoveResult, joined
from ecs_collision.settings import Settings
from ecs_collision.sleep.scheduler import SleepScheduler
from ecs_collision.snapshot.pending_events import PendingEvents
from ecs_collision.world.changes import Changes
from ecs_collision.world.frame import NO_RESULTS, Frame
from ecs_collision.world.stats import Stats
from ecs_collision.world.undo_log import mend, put_back_motion

P = ParamSpec("P")
T = TypeVar("T")


class Step:
    """The running of a world: owns the rooms that change it, frame by frame.

    `running` counts the work since the last frame ended. It is told by its motions what they do. Frames before
    `calm_until` have nothing to do but what is requested; whoever changes anything else ends the calm.

    `busy` is the thread that takes changes in, does a frame, asks the hook or has its events served; 0 while none does.
    Other threads are refused then, and so is its own where it may only read: `in_hook`, and `in_frame`.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self.bodies = bodies
        self.settings = settings
        self.number = 0
        self.stats, self.running = Stats(), Stats()
        self.log = FrameLog()
        self.triggers = Triggers(bodies)
        self.sleep = SleepScheduler(bodies)
        self.changes = Changes(bodies, settings, self.triggers, self.sleep, self.running)
        self.motions = Motions(bodies, settings, self, self.log.displacement_log)
        self.busy = 0
        self.in_hook = self.in_frame = False
        self.calm_until = 0
        self._late: dict[int, MoveResult] = {}
        self._take_ins = 0

    def apply_changes(self) -> None:
        """Apply what was staged and written, as part of the coming frame."""
        busy, in_frame = self.busy, self.in_frame
        try:
            self.busy, self.in_frame = get_ident(), True
            self.stir()
            self._timed("take in", self.changes.apply_changes, self.number + 1, self.log)
            self._take_ins += 1
        finally:
            self.busy, self.in_frame = busy, in_frame

    def stir(self) -> None:
        """End the calm: something may change in the coming frame."""
        self.calm_until = 0
        self.motions.frame = self.number + 1

    @property
    def version(self) -> int:
        """Count of the changes of state: take-ins, and motions that displaced something."""
        return self._take_ins + int(self.motions.commits)

    # One motion.

    def perform(self, order: MotionRequest) -> MoveResult:
        """Plan and commit one motion."""
        self.stir()
        self.outside_hook("move")
        result: MoveResult = self.motions.perform(order)
        return result

    def outside_hook(self, call: str) -> None:
        """Raise ReentryError inside `can_push`, which may only read, and for whoever comes in the middle of a frame."""
        if self.busy and self.may_only_read(call):
            when = "inside can_push, which may only read" if self.in_hook else "while a frame was in progress"
            raise ReentryError(f"{call} was called {when}; call it after the {'motion' if self.in_hook else 'frame'}")

    def may_only_read(self, call: str) -> bool:
        """Return whether the thread at work may only read now; raises ReentryError for any other thread."""
        if self.busy != get_ident():
            raise ReentryError(
                f"{call} came from another thread in the middle of a frame or a motion; use a world from one thread at "
                "a time: take turns, with a lock around every frame, call and write"
            )
        return self.in_hook or self.in_frame

    def serve(self, deliver: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the events of a frame served: handlers may change the world, other threads may not (T8)."""
        busy = self.busy
        try:
            self.busy = get_ident()
            deliver(*args, **kwargs)
        finally:
            self.busy = busy

    def preview(self, order: MotionRequest) -> MoveResult:
        """Plan one motion and forget it."""
        self.stir()
        self.outside_hook("plan")
        result: MoveResult = self.motions.preview(order)
        return result

    # What motions tell (`motion.Watch`).

    def follow(self, legs: list[Leg]) -> None:
        """Follow the way of all a motion displaces past swept triggers."""
        self.running.pairs_tested += self.triggers.sweeps.follow(legs)

    def brace(self) -> None:
        """Be ready to take back whom a motion wakes."""
        self.log.turns.clear()

    def undo(self, followed: bool, woke: bool) -> None:
        """Take back a motion that was broken off while it was committed."""
        self.motions.displacement_log.rollback()
        if followed:
            self.triggers.sweeps.rollback_motion()
        if woke:
            self.log.turn_back(0)
        put_back_motion(self.bodies)
        mend(self.bodies, self.sleep, self.number)

    def wake(self, row: int) -> None:
        """Wake a body that was displaced."""
        self.sleep.wake(row, self.number + 1, self.log)

    def ask(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return what the hook says of a push, which may only read (P15)."""
        assert self.settings.can_push is not None
        busy = self.busy
        try:
            self.busy, self.in_hook = get_ident(), True
            verdict = self.settings.can_push(pusher, pushed, axis, force)
        finally:
            self.busy, self.in_hook = busy, False
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

    # The frame.

    def step(self) -> Frame:
        """Do the phases of one frame; what changed has been taken in and woken already.

        A frame in which nothing is pending returns before any phase, in the same time at any number of bodies. Once
        one did, so do the next, until a body or a contact is due or something is taken in, moved, planned or requested.

        A frame that is broken off has not been: motions it made stand, and the next frame does and tells the rest.
        """
        number = self.number + 1
        if number < self.calm_until and not self.bodies.requests:
            frame = Frame(number, None, NO_RESULTS, self.stats)
            self.number = self.stats.frame = number
            return frame
        self.stir()
        if not self._has_work(number):
            return self._finish(number, None, {}, True)
        orders: list[MotionRequest] = []
        busy = self.busy
        try:
            self.busy, self.in_frame = get_ident(), True
            if self.bodies.requests or self._late:
                orders = self._timed("order", self.motions.requests.due, number)
            if orders:
                self._timed("move", self.motions.make_all, orders, self.settings.order == "front_first")
            results = self._results(orders) if orders or self._late else {}
            return self._end(number, results)
        except BaseException:
            self._put_off(orders)
            raise
        finally:
            self.busy, self.in_frame = busy, False

    def _end(self, number: int, results: dict[int, MoveResult]) -> Frame:
        """Do what comes behind the motions of a frame, all of it or nothing."""
        bodies, triggers, log = self.bodies, self.triggers, self.log
        compares, rests = bodies.changed.count > 0 or triggers.is_due(number), self.sleep.is_due(number)
        if not (compares or rests):
            return self._finish(number, log, results)
        watching = triggers.is_watching
        before = triggers.mark() if watching else None
        mark = log.mark() if watching or rests else None
        try:
            if rests:
                bodies.images = []
            if compares:
                self._timed("compare", self._compare, number)
            if rests:
                self._timed("rest", self.sleep.rest, number, log)
            return self._finish(number, log, results)
        except BaseException:
            for image in reversed(bodies.images or ()):
                set_image(bodies, image)
            if mark is not None:
                log.rollback(mark)
            if before is not None:
                triggers.rollback(before)
            mend(bodies, self.sleep, self.number)
            raise

    def jump(self, number: int, pending: PendingEvents) -> None:
        """Go on from another frame, with what waits to be told there; plans are stale, counters start anew."""
        self.motions.take_counts()
        self.bodies.dynamic.cell_changes = self.bodies.static.cell_changes = 0
        if self.running.worked:
            Stats().take(self.running)
        late = dict(pending.late)
        self.number = self.stats.frame = number
        self.log, self._late = pending.log, late
        self.motions.displacement_log = pending.log.displacement_log
        self._take_ins += 1
        self.stir()

    def go_back(self, number: int, log: FrameLog, late: dict[int, MoveResult]) -> None:
        """Be at another frame again, with what waited to be told there."""
        self.number = self.stats.frame = number
        self.log, self._late = log, late
        self.motions.displacement_log = log.displacement_log
        self.stir()

    @property
    def late(self) -> dict[int, MoveResult]:
        """The results of what a broken frame did, which the next one tells."""
        return self._late

    def _timed(self, name: str, phase: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if not self.stats.timing:
            return phase(*args, **kwargs)
        start = time.perf_counter()
        try:
            return phase(*args, **kwargs)
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.running.phases[name] = self.running.phases.get(name, 0.0) + spent

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with what the frames leave for each other; everything has been taken in."""
        coming, log = self.number + 1, self.log
        if self.calm_until > coming and (self._is_due(coming) or self.calm_until > self._next_due()):
            yield f"frames before {self.calm_until} are taken for calm, but something is due in them"
        if self.stats.frame != self.number:
            yield "the counters are those of another frame than the last"
        motions = self.motions
        if (not self.calm_until and motions.frame != coming) or motions.displacement_log is not log.displacement_log:
            yield "motions are written down for another frame than the coming one"
        if log.woke & log.fell:
            yield f"entities {sorted(log.woke & log.fell)} are said to have woken and to have fallen asleep"
        if any(entity != result.entity for entity, result in self._late.items()):
            yield "a result that was put off is kept for another entity"
        self.motions.check()
        yield from self.changes.faults_left()

    def _next_due(self) -> int:
        return min(self.sleep.next_due(), self.triggers.next_end())

    def _has_work(self, number: int) -> bool:
        return bool(self.bodies.requests) or self.bodies.changed.count > 0 or self._is_due(number)

    def _is_due(self, number: int) -> bool:
        """Return whether there is more to do in a frame than what is requested."""
        return self.triggers.is_due(number) or self.sleep.is_due(number) or bool(self.log)

    def _results(self, orders: list[MotionRequest]) -> dict[int, MoveResult]:
        """Return the results of the frame, with those of a broken frame before it."""
        results: dict[int, MoveResult] = self.motions.results(orders)
        late = self._late
        if not late:
            return results
        return late | {entity: joined(late.get(entity), result) for entity, result in results.items()}

    def _put_off(self, orders: list[MotionRequest]) -> None:
        """Ask again for what the broken frame did not do, and keep the results of what it did."""
        for order in orders:
            motion = self.bodies.of(order.row).motion
            if order.result is not None:
                self._late[order.entity] = joined(self._late.get(order.entity), order.result)
                if motion is not None:
                    motion.settle()
            elif motion is not None:
                motion.rollback(self.number + 1)
            if order.result is not None and order.remaining and motion is not None:
                units = enumerate((order.x, order.y, order.z))
                motion._move_again(*(by * LATTICE if order.remaining & 1 << axis else 0.0 for axis, by in units))
        for row in () if orders else self.bodies.rows():  # the orders were made, and lost before anybody had them
            motion = self.bodies.of(row).motion
            if motion is not None:
                motion.rollback(self.number + 1)

    def _compare(self, number: int) -> None:
        grid, still, triggers = self.bodies.dynamic, self.bodies.static, self.triggers
        tested, passes = triggers.contacts.pairs_tested, triggers.full_passes
        visited = grid.cells_visited + still.cells_visited
        triggers.compare(number, self.log)
        self.running.pairs_tested += triggers.contacts.pairs_tested - tested
        self.running.cells_visited += grid.cells_visited + still.cells_visited - visited
        if triggers.full_passes != passes:
            self.running.cells_skipped += grid.cells_skipped

    def _finish(
        self, number: int, log: FrameLog | None, results: dict[int, MoveResult], may_be_calm: bool = False
    ) -> Frame:
        """Count what was done, and go over to the next frame: that last, and in one."""
        bodies, stats, running = self.bodies, self.stats, self.running
        fresh = self.log if log is None else FrameLog()
        frame = Frame(number, log, MappingProxyType(results) if results else NO_RESULTS, stats)
        running.bin_changes = bodies.dynamic.cell_changes + bodies.static.cell_changes
        bodies.dynamic.cell_changes = bodies.static.cell_changes = 0
        displaced, running.expansions = self.motions.take_counts()
        running.moved += displaced
        stats.bodies, stats.awake = len(bodies), bodies.awake_count
        stats.cells = bodies.dynamic.cells.cell_count + bodies.static.cells.cell_count
        stats.take(running)
        calm_until = 0
        if may_be_calm and not stats.worked:
            calm_until = self._next_due()
        self.bodies.images = None
        self.calm_until = calm_until
        self.number = stats.frame = number
        self.motions.frame = number + 1
        self.log, self.motions.displacement_log = fresh, fresh.displacement_log
        if log is not None:
            self._late = {}
        return frame
