"""Making motions, one now or all of a frame, and the phases of the frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from ecs_collision.bodies import Bodies
from ecs_collision.contact import Triggers
from ecs_collision.errors import CollisionTypeError, ReentryError
from ecs_collision.lattice import AXES, LATTICE
from ecs_collision.motion import Motions, Order, Outcome, Wish, drop_remainders, due_requests, front_first, in_turn
from ecs_collision.results import MoveResult, joined
from ecs_collision.world.frame import Frame
from ecs_collision.world.intake import Intake
from ecs_collision.world.journal import Journal
from ecs_collision.world.orders import standing
from ecs_collision.world.resting import Resting
from ecs_collision.world.settings import Settings
from ecs_collision.world.stats import Stats

T = TypeVar("T")


class Stepping:
    """The running of a world: owns the rooms that change it, frame by frame.

    `version` counts the changes of state; `running` the work since the last frame ended.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self.bodies = bodies
        self.settings = settings
        self.version = 0
        self.number = 0
        self.stats, self.running = Stats(), Stats()
        self.journal = Journal()
        self.triggers = Triggers(bodies)
        self.resting = Resting(bodies)
        self.intake = Intake(bodies, settings, self.triggers, self.resting, self.running)
        self.motions = Motions(bodies, settings, self._ask if settings.can_push is not None else None)
        self.in_hook = False
        self._late: dict[int, MoveResult] = {}

    def take_in(self) -> None:
        """Apply what was staged and written, as part of the coming frame."""
        self._timed("take in", lambda: self.intake.take_in(self.number + 1, self.journal))
        self.version += 1

    # One motion.

    def perform(self, order: Order) -> MoveResult:
        """Plan and commit one motion."""
        self.outside_hook("move")
        result = self._made(order, None)[1]
        self._close(order, result)
        return result

    def _made(self, order: Order, axes: tuple[int, ...] | None) -> tuple[Outcome, MoveResult]:
        """Plan a motion and commit it; whatever interrupts it before the commit leaves nothing behind."""
        try:
            outcome = self.motions.plan(order, axes)
            result = self.motions.result(outcome)
            self._commit(order, outcome)
        except BaseException:
            self.motions.cancel()
            raise
        return outcome, result

    def outside_hook(self, call: str) -> None:
        """Raise ReentryError inside `can_push`, which may only read."""
        if self.in_hook:
            raise ReentryError(f"{call} was called inside can_push, which may only read; call it after the motion")

    def preview(self, order: Order) -> MoveResult:
        """Plan one motion and forget it."""
        self.outside_hook("plan")
        try:
            return self.motions.result(self.motions.plan(order))
        finally:
            self.motions.cancel()

    def _commit(self, order: Order, outcome: Outcome) -> None:
        """Make the plan true: positions and cells first, then everything that follows from them."""
        bodies, motions, journal = self.bodies, self.motions, self.journal
        touched = motions.touched()
        if not touched:
            motions.cancel()
            return
        if bodies.swept_count:
            self.triggers.sweeps.follow(outcome.legs)
        for row, by in touched:
            if by[2]:
                bodies.rise(row, bodies.shapes[row], bodies.position(row)[2] + by[2])
        motions.commit()
        motions.cancel()
        frame, mover = self.number + 1, bodies.entity(order.row)
        for row, by in touched:
            bodies.read_back(row)
            bodies.changed.note(row, False)
            self.resting.wake(row, frame, journal)
            entity = bodies.entity(row)
            journal.move(entity, *by)
            if row != order.row:
                journal.push(entity, mover, *by)
        self.running.moved += len(touched)
        self.version += 1

    def _close(self, order: Order, result: MoveResult) -> None:
        """Note what stopped a motion, and that its body was not quiet."""
        if any(order.units):
            self.resting.disturb(order.row, self.number + 1)
        for stop in result.stops:
            self.journal.blocked.append((result.entity, stop))

    def _ask(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        assert self.settings.can_push is not None
        self.in_hook = True
        try:
            verdict = self.settings.can_push(pusher, pushed, axis, force)
        finally:
            self.in_hook = False
        if self.intake.pending:
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

        A frame in which nothing is pending returns before any phase, in the same time at any number of bodies.
        """
        number = self.number + 1
        if not self._has_work(number):
            return self._finish(number, None, {})
        wishes = self._timed("order", self._order_motions)
        results = self._timed("move", lambda: self._do_motions(wishes))
        self._timed("compare", lambda: self._compare(number))
        self._timed("rest", lambda: self.resting.rest(number, self.journal))
        journal, self.journal = self.journal, Journal()
        return self._finish(number, journal, results)

    def _timed(self, name: str, phase: Callable[[], T]) -> T:
        if not self.stats.timing:
            return phase()
        start = time.perf_counter()
        try:
            return phase()
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.running.phases[name] = self.running.phases.get(name, 0.0) + spent

    def _has_work(self, number: int) -> bool:
        return (
            bool(self.bodies.requests)
            or self.triggers.is_due(number)
            or self.resting.is_due(number)
            or bool(self.journal)
        )

    def _order_motions(self) -> list[Wish]:
        wishes = due_requests(self.bodies)
        for wish in wishes:
            self.resting.disturb(wish.row, self.number + 1)
        return in_turn(wishes)

    def _do_motions(self, wishes: list[Wish]) -> dict[int, MoveResult]:
        """Do every motion; if the hook raises, what is not done yet is asked for again in the next frame."""
        outcomes: dict[int, list[Outcome]] = {wish.entity: [] for wish in wishes}
        undone = {wish.entity: list(wish.units) for wish in wishes}
        try:
            for wish, axes in self._turns(wishes):
                order = standing(self.bodies, self.settings, wish.row, wish.units)
                outcomes[wish.entity].append(self._made(order, axes)[0])
                for axis in axes:
                    undone[wish.entity][axis] = 0
        except BaseException:
            self._put_off(wishes, outcomes, undone)
            raise
        results = {wish.entity: self._concluded(wish, outcomes[wish.entity]) for wish in wishes}
        late, self._late = self._late, {}
        return late | {entity: joined(late.get(entity), result) for entity, result in results.items()}

    def _put_off(self, wishes: list[Wish], outcomes: dict[int, list[Outcome]], undone: dict[int, list[int]]) -> None:
        """Ask again for what the broken frame did not do, and keep the results of what it did."""
        for wish in wishes:
            if outcomes[wish.entity]:
                done = self._concluded(wish, outcomes[wish.entity])
                self._late[wish.entity] = joined(self._late.get(wish.entity), done)
            motion = self.bodies.of(wish.row).motion
            if motion is not None and any(undone[wish.entity]):
                motion.move(*(units * LATTICE for units in undone[wish.entity]))

    def _turns(self, wishes: list[Wish]) -> Iterable[tuple[Wish, tuple[int, ...]]]:
        if self.settings.order == "sequential":
            return ((wish, self.settings.axis_order) for wish in wishes)
        turns = front_first(wishes, self.settings.axis_order, self._leading_face)
        return ((wish, (axis,)) for wish, axis in turns)

    def _leading_face(self, row: int, axis: int, sign: int) -> int:
        at, boxes = self.bodies.position(row)[axis], self.bodies.shapes[row]
        return at + (max(box[axis + 3] for box in boxes) if sign > 0 else min(box[axis] for box in boxes))

    def _concluded(self, wish: Wish, outcomes: list[Outcome]) -> MoveResult:
        order = standing(self.bodies, self.settings, wish.row, wish.units)
        result = self.motions.result(*(outcomes or [Outcome(order)]))
        self._close(order, result)
        motion = self.bodies.of(wish.row).motion
        if motion is not None and result.stops:
            drop_remainders(motion, [AXES.index(stop.axis) for stop in result.stops])
        return result

    def _compare(self, number: int) -> None:
        grid, still, triggers = self.bodies.dynamic, self.bodies.static, self.triggers
        tested, passes = triggers.contacts.pairs_tested, triggers.full_passes
        visited = grid.cells_visited + still.cells_visited
        triggers.compare(number, self.journal)
        self.running.pairs_tested += triggers.contacts.pairs_tested - tested
        self.running.cells_visited += grid.cells_visited + still.cells_visited - visited
        if triggers.full_passes != passes:
            self.running.cells_skipped += grid.cells_skipped

    def _finish(self, number: int, journal: Journal | None, results: dict[int, MoveResult]) -> Frame:
        bodies, stats, running = self.bodies, self.stats, self.running
        self.number = number
        running.bin_changes = bodies.dynamic.cell_changes + bodies.static.cell_changes
        bodies.dynamic.cell_changes = bodies.static.cell_changes = 0
        running.expansions = self.motions.planner.expansions
        self.motions.planner.expansions = 0
        stats.frame, stats.bodies, stats.awake = number, len(bodies), bodies.awake_count
        stats.cells = bodies.dynamic.cells.cell_count + bodies.static.cells.cell_count
        stats.take(running)
        return Frame(number, journal, results, stats)
