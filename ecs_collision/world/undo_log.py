"""The undo log: what is broken off half way, by an interrupt, a full stack or want of memory, leaves the state before.

Whatever changes the state marks here the parts it is about to change: applied changes, the end of a frame, a restore.
A motion marks nothing, for what kernels displace they keep themselves, as five numbers a row. `rollback` restores the
parts, and rebuilds what follows from the rows: so there is the state before, or the one after, and none between.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.rollback import rebuild, restore_displaced, restore_sleep
from ecs_collision.components import Component
from ecs_collision.sleep.scheduler import SleepScheduler

if TYPE_CHECKING:
    from ecs_collision.snapshot.cache import SnapshotCache
    from ecs_collision.world.step import Step


class Undoable(Protocol):
    """A part of a world that can be rolled back."""

    def mark(self) -> Any:
        """Return what the part is, for `rollback`; changes nothing that can be seen."""

    def rollback(self, mark: Any, /) -> None:
        """Restore what the part was, whatever was broken off."""


class UndoLog:
    """The marks of what is under way. Open from `mark` to `release` or `rollback`; one thing is under way at a time."""

    def __init__(self, bodies: Bodies, sleep: SleepScheduler) -> None:
        self._bodies, self._sleep = bodies, sleep
        self.marks: list[tuple[Undoable, Any]] | tuple[()] = ()

    def mark(self, *parts: Undoable) -> None:
        """Begin: what these parts are is restored by `rollback`, in this order, and which bodies sleep and where."""
        marks = []
        for part in parts:
            marks.append((part, part.mark()))
        self.marks = marks
        self._bodies.changed.open()
        self._bodies.sleep_undo = []  # last: from here on there is something to roll back

    def release(self) -> None:
        """End: all is done, nothing will be rolled back."""
        self._bodies.sleep_undo, self.marks = None, ()

    def rollback(self, frame: int) -> None:
        """Restore the state at `mark`, after `frame`; nothing where nothing is under way. O(bodies)."""
        bodies, slept = self._bodies, self._bodies.sleep_undo
        if slept is None:
            return
        for row, flags, disturbed in reversed(slept):
            restore_sleep(bodies, row, flags, disturbed)
        restore_displaced(bodies)
        for part, mark in self.marks:
            part.rollback(mark)
        self._rebuild(frame)

    def rollback_motion(self, frame: int) -> None:
        """Restore the rows that a motion displaced; nothing was written of them. O(bodies)."""
        wanted, pos = self._bodies.dirty_transforms.wanted, self._bodies.columns.pos
        for row in restore_displaced(self._bodies):
            wanted[3 * row : 3 * row + 3] = pos[3 * row : 3 * row + 3]
        self._rebuild(frame)

    def _rebuild(self, frame: int) -> None:
        self.release()
        rebuild(self._bodies)
        self._sleep.plan_all(frame)


class WorldState:
    """All that a restore changes, but for groups and contacts; `fresh` are the rows whose fields change.

    O(bodies), by copies of whole columns, where a restore looks at every body.
    """

    def __init__(self, step: Step, cache: SnapshotCache, fresh: Collection[int]) -> None:
        self._step, self._bodies, self._cache, self._fresh = step, step.bodies, cache, fresh

    def mark(self) -> tuple[Any, ...]:
        """Return copies of the columns, fields, requests and pending events."""
        bodies, step, dirty_transforms = self._bodies, self._step, self._bodies.dirty_transforms
        columns = [(column, column[:]) for column in self._columns()]
        tables = (list(bodies.shapes), dict(bodies._stay_and_linger)) if self._changes_fields else None
        sleepers = [bodies.of(row).sleeping for row in self._cache.sleepers]
        sleeps = [(sleeping, sleeping._asleep) for sleeping in sleepers if sleeping is not None]
        asked = [(motion, motion.asked()) for _, _, motion in self._cache.motions]
        fresh = [part for row in self._fresh for part in bodies.of(row) if part is not None]
        fields = [(component, Component._state(component)) for component in fresh]
        written = [(row, dirty_transforms.kinds[row]) for row in dirty_transforms.rows[: dirty_transforms.count]]
        return columns, tables, fields, sleeps, asked, written, (step.number, step.log, step.deferred_results)

    def rollback(self, mark: tuple[Any, ...]) -> None:
        """Restore all of it."""
        bodies = self._bodies
        columns, tables, fields, sleeps, asked, written, pending = mark
        for column, before in columns:
            column[:] = before
        if tables is not None:
            bodies.shapes[:], bodies._stay_and_linger = tables
        for component, values in fields:
            Component._restore(component, values)
        for sleeping, asleep in sleeps:
            sleeping._asleep = asleep
        for motion, request in asked:
            motion._ask_again(request)
        bodies.dirty_transforms.clear()
        for row, kind in written:
            bodies.dirty_transforms.note(row, kind)
        self._step.set_frame(*pending)

    @property
    def _changes_fields(self) -> bool:
        """Whether filters and inertias change: only where fields or groups do."""
        return bool(self._fresh) or bool(self._bodies.groups.partner)

    def _columns(self) -> list[Any]:
        columns, changed, dirty_transforms = self._bodies.columns, self._bodies.changed, self._bodies.dirty_transforms
        places = [columns.pos, columns.flags, changed.disturbed, dirty_transforms.wanted]
        return [*places, columns.classes, columns.inertia] if self._changes_fields else places
