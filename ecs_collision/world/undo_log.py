"""Taking back what was broken off half way: by an interrupt, a full stack, want of memory, a fault of our own.

Before a take-in, or the end of a frame, changes anything, it is written down what that will touch, at the cost of what
changes; motions have what kernels keep. Where it is broken off everything is set back, and what follows from the rows
is made anew: so there is the state before, or the one after, and never one between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.row_images import bind_again, image_of, rebuild, set_image, set_kept
from ecs_collision.components import Component, Parts
from ecs_collision.contacts import Triggers
from ecs_collision.frame_log import FrameLog
from ecs_collision.sleep.scheduler import SleepScheduler

if TYPE_CHECKING:
    from ecs_collision.snapshot.cache import SnapshotCache
    from ecs_collision.world.step import Step


def mend(bodies: Bodies, sleep: SleepScheduler, frame: int) -> None:
    """Make anew what follows from the rows, after `frame`."""
    bodies.images = None
    rebuild(bodies)
    sleep.plan_all(frame)


def put_back_motion(bodies: Bodies) -> None:
    """Let the rows a motion displaced be where they were; nothing was written of them."""
    wanted, pos = bodies.writes.wanted, bodies.columns.pos
    for row in set_kept(bodies):
        wanted[3 * row : 3 * row + 3] = pos[3 * row : 3 * row + 3]


class Undo:
    """What is to be set back of a take-in if it is broken off: made before anything changes."""

    def __init__(
        self,
        bodies: Bodies,
        triggers: Triggers,
        log: FrameLog,
        staged: Mapping[int, Parts | None],
        odd: Iterable[int],
    ) -> None:
        """Write down what will be touched: staged entities, and the written rows that need more than a place.

        Changes nothing, so an interrupt in here needs no undoing.
        """
        self._bodies, self._triggers, self._log, self._staged = bodies, triggers, log, staged
        self._groups = bodies.groups.mark()
        rows = {row for entity in staged if (row := bodies.row_of.get(entity)) is not None}
        rows.update(odd)
        if self._groups is not None:
            rows.update([bodies.row_of[group.root] for group in bodies.groups.all()])
        self._images = [image_of(bodies, row) for row in rows]
        self._filters = bodies.filters.mark()
        self._contacts = triggers.mark()
        self._mark = log.mark()

    def rollback(self) -> None:
        """Set everything back, but for what follows from the rows."""
        bodies = self._bodies
        for image in reversed(bodies.images or ()):
            set_image(bodies, image)
        set_kept(bodies)
        bodies.groups.bare()
        self._put_back_entities()
        for image in self._images:
            set_image(bodies, image)
        bodies.groups.rollback(self._groups)
        bodies.filters.rollback(self._filters)
        self._log.rollback(self._mark)
        self._triggers.rollback(self._contacts)

    def _put_back_entities(self) -> None:
        """Have the bodies there were, in their rows."""
        bodies = self._bodies
        staged = [image for image in self._images if image.entity in self._staged]
        for entity in self._staged:
            row = bodies.row_of.pop(entity, None)
            if row is not None:
                bodies.parts[row] = None
                bodies.writes.forget(row)
        bind_again(bodies, staged, self._staged.values())

    def write_again(self) -> None:
        """Note again what was written of the rows, when they are made anew."""
        writes = self._bodies.writes
        for image in self._images:
            writes.forget(image.row)
            if image.kind:
                writes.note(image.row, image.kind)


class Unrestore:
    """What is to be set back of a restore if it is broken off: the whole state.

    `fresh` are the rows whose fields change.

    O(bodies), by copies of whole columns, where a restore looks at every body.
    """

    def __init__(self, step: Step, cache: SnapshotCache, fresh: Collection[int]) -> None:
        self._step, self._bodies = step, step.bodies
        bodies = self._bodies
        self._groups = bodies.groups.mark()
        self._is_deep = bool(fresh) or self._groups is not None
        self._columns = [(column, column[:]) for column in self._touched()]
        if self._is_deep:
            self._shapes, self._patience = list(bodies.shapes), dict(bodies._patience)
            self._filters = bodies.filters.mark()
        sleepers = [bodies.of(row).sleeping for row in cache.sleepers]
        self._sleeps = [(sleeping, sleeping._asleep) for sleeping in sleepers if sleeping is not None]
        self._asked = [(motion, motion.asked()) for _, _, motion in cache.motions]
        self._fields = [field for row in fresh for field in _fields_of(bodies.of(row))]
        writes = bodies.writes
        self._pending = [(row, writes.kinds[row]) for row in writes.rows[: writes.count]]
        self._log, self._late, self._number = step.log, step.late, step.number
        self._contacts = step.triggers.mark()

    def _touched(self) -> list[Any]:
        """Return the columns that change: filters and inertias only where fields or groups do."""
        columns, changed, writes = self._bodies.columns, self._bodies.changed, self._bodies.writes
        places = [columns.pos, columns.flags, changed.disturbed, writes.wanted]
        return [*places, columns.classes, columns.inertia] if self._is_deep else places

    def rollback(self) -> None:
        """Set everything back."""
        bodies, step = self._bodies, self._step
        for column, before in self._columns:
            column[:] = before
        if self._is_deep:
            bodies.shapes[:], bodies._patience = self._shapes, self._patience
            bodies.filters.rollback(self._filters)
        for component, name, value in self._fields:
            setattr(component, name, value)
        for sleeping, asleep in self._sleeps:
            sleeping._asleep = asleep
        for motion, asked in self._asked:
            motion._ask_again(asked)
        bodies.groups.rollback(self._groups)
        bodies.writes.clear()
        for row, kind in self._pending:
            bodies.writes.note(row, kind)
        step.triggers.rollback(self._contacts)
        step.go_back(self._number, self._log, self._late)
        mend(bodies, step.sleep, self._number)


def _fields_of(parts: Parts) -> Iterator[tuple[Component, str, object]]:
    """Yield every field of every component, with its value."""
    for component in parts:
        if component is not None:
            for name in component._values:
                yield component, name, getattr(component, name)
