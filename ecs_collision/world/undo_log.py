# cython: language_level=3, auto_pickle=False
"""The undo log: restores the state before a call that an interrupt, a stack overflow or a lack of memory stopped.

Applying changes, ending a frame and restoring a snapshot mark the parts that they are about to change. A motion marks
no parts, because kernels keep five numbers for each row that they displace. `rollback` restores the parts and rebuilds
derived data from the rows, so the state is the one before the call or the one after it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.rollback import rebuild, restore_displaced, restore_sleep
from ecs_collision.components import Component
from ecs_collision.dynamics.dynamics import Dynamics
from ecs_collision.push.displacements import DisplacementLog
from ecs_collision.sleep.scheduler import SleepScheduler

if TYPE_CHECKING:
    from ecs_collision.snapshot.cache import SnapshotCache
    from ecs_collision.world.step import Step


class Undoable(Protocol):
    """A part of a world that can be rolled back."""

    def mark(self) -> Any:
        """Return a copy of the state for `rollback`; has no visible effect."""

    def rollback(self, mark: Any, /) -> None:
        """Restore the marked state. Works at any point of an interrupted change."""


@cython.final
@cython.cclass
class UndoLog:
    """The marks of the change in progress, from `mark` to `release` or `rollback`; marks do not nest."""

    def __init__(self, bodies: Bodies, sleep: SleepScheduler, dynamics: Dynamics) -> None:
        self._bodies, self._sleep, self._dynamics = bodies, sleep, dynamics
        self._dirty_rows = bodies.dirty_rows
        self.marks: list[tuple[Undoable, Any]] | tuple[()] = ()

    def mark(self, parts: tuple[Undoable, ...]) -> cython.void:
        """Start an undo record: `rollback` restores these parts in this order, and the sleep state of all bodies."""
        marks: list[tuple[Undoable, Any]] = []
        for part in parts:
            marks.append((part, part.mark()))
        self._dirty_rows.start_undo()
        self.marks, self._dirty_rows.sleep_undo = marks, []  # last: from here on `rollback` has an effect

    def release(self) -> cython.void:
        """End the record: the change is complete."""
        self._dirty_rows.sleep_undo, self.marks = None, ()

    def rollback(self, frame: int) -> None:
        """Restore the state at `mark`, after `frame`; does nothing without a record. O(bodies)."""
        bodies, slept = self._bodies, self._dirty_rows.sleep_undo
        if slept is None:
            return
        for row, flags, disturbed in reversed(slept):
            restore_sleep(bodies, row, flags, disturbed)
        restore_displaced(bodies)
        for part, mark in self.marks:
            part.rollback(mark)
        self._rebuild(frame)

    def rollback_motion(self, frame: int) -> None:
        """Restore the rows that a motion displaced, which have no pending writes. O(bodies)."""
        wanted, pos = self._bodies.dirty_transforms.records, self._bodies.columns.pos
        for row in restore_displaced(self._bodies):
            wanted[4 * row : 4 * row + 3] = pos[8 * row : 8 * row + 3]
        self._rebuild(frame)

    def rollback_movement(self, frame: int) -> None:
        """Restore the state at `mark` after a step of movement, which is made while nothing is written. O(bodies)."""
        dirty_rows, wanted, pos = (
            self._bodies.dirty_rows,
            self._bodies.dirty_transforms.records,
            self._bodies.columns.pos,
        )
        rows = dirty_rows.saved_rows[: dirty_rows.saved_count]
        self.rollback(frame)
        for row in rows:
            wanted[4 * row : 4 * row + 3] = pos[8 * row : 8 * row + 3]

    def _rebuild(self, frame: int) -> None:
        self.release()
        rebuild(self._bodies)
        self._dynamics.forget()
        self._sleep.schedule_all(frame)


class LogOfMotions:
    """The log of displacements and stops of a world, for an undo record; during a motion it undoes itself."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def mark(self) -> DisplacementLog:
        """Return a copy of the log."""
        return self._step.log.displacement_log.copy()

    def rollback(self, log: DisplacementLog) -> None:
        """Put the copy in the place of the log."""
        self._step.log.displacement_log = self._step.motions.displacement_log = log


class WorldState:
    """The state that restoring a snapshot changes, without groups and contacts; `changed_rows` get new fields.

    O(bodies): it copies whole columns, and a restore visits every body anyway.
    """

    def __init__(self, step: Step, cache: SnapshotCache, changed_rows: Collection[int]) -> None:
        self._step, self._bodies, self._cache, self._changed_rows = step, step.bodies, cache, changed_rows

    def mark(self) -> tuple[Any, ...]:
        """Return copies of the columns, fields, requests and pending events."""
        bodies, step, dirty_transforms = self._bodies, self._step, self._bodies.dirty_transforms
        columns = [(column, bytes(column)) for column in self._columns()]
        tables = (list(bodies.forms), dict(bodies._stay_and_linger)) if self._changes_fields else None
        sleepers = [bodies.of(row).sleeping for row in self._cache.sleepers]
        sleeps = [(sleeping, sleeping._asleep) for sleeping in sleepers if sleeping is not None]
        velocities = [(velocity, velocity._motion_state()) for velocity in self._cache.velocities]
        movement = self._cache.movement.state(dirty_transforms.step_number)
        requests = [(motion, motion._request_state()) for _, _, motion in self._cache.motions]
        parts = [part for row in self._changed_rows for part in bodies.of(row) if part is not None]
        fields = [(component, Component._state(component)) for component in parts]
        written = dirty_transforms.rows[: dirty_transforms.count]
        pending = step.number, step.log, step.deferred_results
        return columns, tables, fields, sleeps, requests, velocities, movement, written, pending

    def rollback(self, mark: tuple[Any, ...]) -> None:
        """Restore the copies of `mark`."""
        bodies = self._bodies
        columns, tables, fields, sleeps, requests, velocities, movement, written, pending = mark
        for column, before in columns:
            column.cast("B")[:] = before
        if tables is not None:
            forms, bodies._stay_and_linger = tables
            for row, form in enumerate(forms):
                bodies.set_form(row, form)
        for component, values in fields:
            Component._restore(component, values)
        for sleeping, asleep in sleeps:
            sleeping._asleep = asleep
        for motion, request in requests:
            motion._set_request_state(request)
        for velocity, state in velocities:
            velocity._set_motion_state(state)
        self._cache.movement.set_state(movement)
        bodies.dirty_transforms.step_number = movement.step_number
        bodies.dirty_transforms.relist(written)
        self._step.set_frame(*pending)

    @property
    def _changes_fields(self) -> bool:
        """Whether filters and inertia may change: only if fields or groups do."""
        return bool(self._changed_rows) or bool(self._bodies.groups.partner)

    def _columns(self) -> list[Any]:
        columns, dirty_transforms = self._bodies.columns, self._bodies.dirty_transforms
        records = [columns.pos, dirty_transforms.records]
        if not self._changes_fields:
            return records
        columns.reserve_inertia()  # so that it stays the same array
        return [*records, memoryview(columns.inertia)]
