"""Sleep of bodies: quiet bodies fall asleep, disturbed bodies wake (rules S2, S4).

A body wakes in the frame in which

- a motion or a push displaces it, or it is teleported;
- its collider, layer, mask, inertia, trigger or contact changes;
- it is enabled or disabled;
- `Sleeping.asleep` is set to False, or its Sleeping component is removed;
- it is fused to another body, or its fused group is split;
- a member of its fused group wakes;
- a step of dynamics does not leave it at rest (I7; `dynamics/candidates.py`).

A body does not wake if

- a push at it is blocked;
- only its Velocity, Mass or Material is written;
- a trigger passes it;
- a static body is placed beside it.

A body falls asleep when it has not been disturbed for `Sleeping.after` frames. A blocked request disturbs its body.
A fused group sleeps and wakes as one body, which is reported by its root: it falls asleep when all its solid members
have Sleeping and none has been disturbed for the longest `after` among them.

Awake bodies are not counted down in every frame. Each is looked up in the frame in which it would fall asleep, and
scheduled again if it was disturbed meanwhile. So a frame costs only the bodies that are due.
"""

from __future__ import annotations

import sys
from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASLEEP, SLEEPABLE


class SleepLog(Protocol):
    """Log of the bodies that wake and fall asleep, by entity id."""

    def wake(self, entity: int) -> None:
        """Record that a body woke."""

    def rest(self, entity: int) -> None:
        """Record that a body fell asleep."""


class SleepScheduler:
    """Schedules when rows fall asleep. The frame of their last disturbance is in `DirtyRows.disturbed`."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._group_links = bodies.group_links
        self.due: dict[int, set[int]] = {}
        """The rows that may fall asleep at the end of a frame, by frame."""
        self._due_frame: dict[int, int] = {}

    def add(self, row: int, frame: int) -> None:
        """Schedule a new body, or one whose Sleeping component was added, removed or changed."""
        self.disturb(row, frame)
        if self._bodies.has(row, SLEEPABLE) or row in self._due_frame:
            self._schedule(row)

    def remove(self, row: int) -> None:
        """Remove a row from the schedule."""
        self._unschedule(row)

    def disturb(self, row: int, frame: int) -> None:
        """Record that a body is not quiet in `frame`. This does not wake it (a blocked request)."""
        self._bodies.dirty_rows.disturbed[row] = frame

    def wake(self, row: int, frame: int, log: SleepLog) -> None:
        """Disturb a body, and wake it with its fused group if it is asleep."""
        self.disturb(row, frame)
        if not self._group_links.is_fused(row):
            if self._bodies.has(row, ASLEEP):
                self._bodies.set_asleep(row, False)
                log.wake(self._bodies.entity(row))
                self._schedule(row)
        elif self.is_asleep(row):
            self.set_asleep(row, False)
            log.wake(self._bodies.groups.root_of(row))

    def schedule_all(self, frame: int) -> None:
        """Rebuild the whole schedule after `frame`."""
        self.due.clear()
        self._due_frame.clear()
        for row in self._bodies.rows():
            if self._group_links.leader[row] == row:
                self._schedule(row, frame + 1)

    def next_due(self) -> int:
        """Return the first frame in `due`, or sys.maxsize."""
        return min(self.due, default=sys.maxsize)

    def rest(self, frame: int, log: SleepLog) -> None:
        """Put every body to sleep that has been quiet long enough at the end of `frame`."""
        for row in sorted(self.due.pop(frame, ()), key=self._bodies.entity):
            self._due_frame.pop(row, None)
            if self._rest_frame(row) <= frame:
                self._set_flags(row, True)
                log.rest(self._bodies.entity(row))
            else:
                self._schedule(row)

    def quiet_frames(self, row: int, frame: int) -> int:
        """Return for how many frames before `frame` a body and its group have been quiet; 0 if it cannot rest."""
        disturbed = self._bodies.dirty_rows.disturbed
        if not self._group_links.is_fused(row):
            return int(max(0, frame - disturbed[row]))
        latest = max([disturbed[each] for each in self._group_links.rows_of(row)])
        return int(max(0, frame - latest)) if self.may_rest(row) else 0

    def restore(self, quiet_by_row: dict[int, int], frame: int) -> None:
        """Set all rows that may sleep to asleep (-1), or to a number of quiet frames before the one after `frame`.

        Groups are asleep as a whole or not at all. Rows that should be asleep already are due in the next frame.
        """
        disturbed, groups = self._bodies.dirty_rows.disturbed, self._bodies.groups
        self.due.clear()
        self._due_frame.clear()
        for row, quiet_frames in quiet_by_row.items():
            self._bodies.set_asleep(row, quiet_frames < 0)
            for each in self._group_links.rows_of(row):  # sleeping rows were not disturbed in a future frame
                disturbed[each] = frame + 1 - max(quiet_frames, 0)
        for group in groups.all():
            row = self._bodies.row_of[group.root]
            self._set_flags(row, self.may_rest(row) and self.is_asleep(row))
        for row in quiet_by_row:
            if not self.is_asleep(row):
                self._schedule(row, frame + 1)

    # Bodies and groups: a group is scheduled under the row of its root.

    def is_asleep(self, row: int) -> bool:
        """Return whether a body is asleep; for a group, whether all its solid members are."""
        return self._all_have(row, ASLEEP)

    def may_rest(self, row: int) -> bool:
        """Return whether a body has Sleeping; for a group, whether all its solid members have."""
        return self._all_have(row, SLEEPABLE)

    def set_asleep(self, row: int, asleep: bool) -> None:
        """Set a body or a whole group asleep or awake, and schedule it."""
        self._set_flags(row, asleep)
        self._schedule(row)

    def _all_have(self, row: int, flag: int) -> bool:
        if not self._group_links.is_fused(row):
            return self._bodies.has(row, flag)
        return all(self._bodies.has(each, flag) for each in self._bodies.groups.solid_rows(row))

    def _set_flags(self, row: int, asleep: bool) -> None:
        for each in self._group_links.rows_of(row):
            self._bodies.set_asleep(each, asleep and self._bodies.has(each, SLEEPABLE))

    def _rest_frame(self, row: int) -> int:
        disturbed = self._bodies.dirty_rows.disturbed
        if not self._group_links.is_fused(row):
            return int(disturbed[row]) + self._frames_to_rest(row)
        latest = max([disturbed[each] for each in self._group_links.rows_of(row)])
        return int(latest) + max([self._frames_to_rest(each) for each in self._bodies.groups.solid_rows(row)])

    def _frames_to_rest(self, row: int) -> int:
        sleeping = self._bodies.of(row).sleeping
        assert sleeping is not None
        return sleeping.after

    def _schedule(self, row: int, earliest: int = 0) -> None:
        if self._group_links.is_fused(row):
            for each in self._group_links.rows_of(row):
                self._unschedule(each)
            row = self._group_links.leader[row]
        self._unschedule(row)
        if self.may_rest(row) and not self.is_asleep(row):
            frame = max(self._rest_frame(row), earliest)
            self.due.setdefault(frame, set()).add(row)
            self._due_frame[row] = frame

    def _unschedule(self, row: int) -> None:
        frame = self._due_frame.pop(row, None)
        if frame is not None:
            rows = self.due[frame]
            rows.discard(row)
            if not rows:
                del self.due[frame]

    def check(self, frame: int) -> list[str]:
        """Return the inconsistencies: every awake body that may rest is scheduled once, for a future frame."""
        wrong = []
        for row in self._bodies.rows():
            leads = self._bodies.group_links.leader[row] == row
            expected = leads and self.may_rest(row) and not self.is_asleep(row)
            if (row in self._due_frame) != expected:
                wrong.append(f"entity {self._bodies.entity(row)}: its schedule to fall asleep does not match its state")
            elif expected and not frame < self._due_frame[row] <= max(frame + 1, self._rest_frame(row)):
                wrong.append(f"entity {self._bodies.entity(row)}: it is scheduled to fall asleep too early or too late")
        listed = sorted([(row, due) for due, rows in self.due.items() for row in rows])
        if listed != sorted(self._due_frame.items()) or not all(self.due.values()):
            wrong.append("the schedules by frame and by row differ")
        return wrong
