"""Who rests when: quiet bodies fall asleep, disturbed ones wake (rules S2, S4).

What wakes a body, in the same frame:
- it is displaced by a motion or a push, or teleported;
- its collider, layer, mask, inertia or trigger changes, or it is enabled or disabled;
- `Sleeping.asleep` is set to False, or the Sleeping component is taken away.
What does not: a push that is blocked, a trigger that passes, a static body set down beside it.

What is welded rests and wakes as one, and is told of by its root: it rests when all its solid members may and none has
been disturbed for as long as the most patient of them waits. Joining and splitting wake.

Instead of counting every awake body down every frame, each is looked up once, in the frame in which it
would be due; if it was disturbed meanwhile it is put off. A frame costs only who is due.
"""

from __future__ import annotations

import sys
from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASLEEP, SLEEPABLE


class SleepLog(Protocol):
    """What is told who wakes and who falls asleep, by entity id."""

    def wake(self, entity: int) -> None:
        """Note that a body woke."""

    def rest(self, entity: int) -> None:
        """Note that a body fell asleep."""


class SleepScheduler:
    """Keeps the frames in which rows are due; when each was last disturbed stands in `Changed`."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._group_links = bodies.group_links
        self._due: dict[int, set[int]] = {}
        self._due_frame: dict[int, int] = {}

    def add(self, row: int, frame: int) -> None:
        """Take note of a new body or one whose Sleeping component came, went or changed."""
        self.disturb(row, frame)
        if self._bodies.has(row, SLEEPABLE) or row in self._due_frame:
            self._schedule(row)

    def remove(self, row: int) -> None:
        """Forget a row."""
        self._unschedule(row)

    def disturb(self, row: int, frame: int) -> None:
        """Note that a body is not quiet in `frame`; it stays asleep if it was (a blocked request)."""
        self._bodies.dirty_rows.disturbed[row] = frame

    def wake(self, row: int, frame: int, log: SleepLog) -> None:
        """Disturb a body and wake it if it rests, with all that is welded to it."""
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
        """Look anew when everybody is due, behind a frame, whatever was broken off."""
        self._due.clear()
        self._due_frame.clear()
        for row in self._bodies.rows():
            if self._group_links.leader[row] == row:
                self._schedule(row, frame + 1)

    def is_due(self, frame: int) -> bool:
        """Return whether any body may have to rest at the end of `frame`."""
        return frame in self._due

    def next_due(self) -> int:
        """Return the first frame for which `is_due` holds, a number beyond all if there is none."""
        return min(self._due, default=sys.maxsize)

    def rest(self, frame: int, log: SleepLog) -> None:
        """Put to rest, at the end of `frame`, every body that has been quiet long enough."""
        for row in sorted(self._due.pop(frame, ()), key=self._bodies.entity):
            self._due_frame.pop(row, None)
            if self._rest_frame(row) <= frame:
                self._set_flags(row, True)
                log.rest(self._bodies.entity(row))
            else:
                self._schedule(row)

    def quiet_frames(self, row: int, frame: int) -> int:
        """Return for how many frames before `frame` a body has been quiet, its whole group; 0 where it cannot rest."""
        disturbed = self._bodies.dirty_rows.disturbed
        if not self._group_links.is_fused(row):
            return int(max(0, frame - disturbed[row]))
        latest = max([disturbed[each] for each in self._group_links.rows_of(row)])
        return int(max(0, frame - latest)) if self.may_rest(row) else 0

    def restore(self, quiet_by_row: dict[int, int], frame: int) -> None:
        """Let all rows that may sleep be asleep (-1), or quiet for so many frames before the one behind `frame`.

        Groups are asleep as a whole or not at all. Who should have been asleep by now is due in the next frame.
        """
        disturbed, groups = self._bodies.dirty_rows.disturbed, self._bodies.groups
        self._due.clear()
        self._due_frame.clear()
        for row, quiet_frames in quiet_by_row.items():
            self._bodies.set_asleep(row, quiet_frames < 0)
            for each in self._group_links.rows_of(row):  # who sleeps was disturbed in no frame that is yet to come
                disturbed[each] = frame + 1 - max(quiet_frames, 0)
        for group in groups.all():
            row = self._bodies.row_of[group.root]
            self._set_flags(row, self.may_rest(row) and self.is_asleep(row))
        for row in quiet_by_row:
            if not self.is_asleep(row):
                self._schedule(row, frame + 1)

    # Bodies and groups: what is planned for a group is planned for the row of its root.

    def is_asleep(self, row: int) -> bool:
        """Return whether a body rests; of a group, whether all its solid members do."""
        return self._all_have(row, ASLEEP)

    def may_rest(self, row: int) -> bool:
        """Return whether a body has Sleeping; of a group, whether all its solid members have."""
        return self._all_have(row, SLEEPABLE)

    def set_asleep(self, row: int, asleep: bool) -> None:
        """Let a body or a group be asleep or awake as a whole, and look when it is due."""
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
            self._due.setdefault(frame, set()).add(row)
            self._due_frame[row] = frame

    def _unschedule(self, row: int) -> None:
        frame = self._due_frame.pop(row, None)
        if frame is not None:
            rows = self._due[frame]
            rows.discard(row)
            if not rows:
                del self._due[frame]

    def check(self, frame: int) -> list[str]:
        """Return what is inconsistent: every awake sleeper is due once, no earlier than the next frame."""
        wrong = []
        for row in self._bodies.rows():
            leads = self._bodies.group_links.leader[row] == row
            expected = leads and self.may_rest(row) and not self.is_asleep(row)
            if (row in self._due_frame) != expected:
                wrong.append(f"entity {self._bodies.entity(row)}: its rest is planned or missing against its state")
            elif expected and not frame < self._due_frame[row] <= max(frame + 1, self._rest_frame(row)):
                wrong.append(f"entity {self._bodies.entity(row)}: its rest is planned for a past frame, or too late")
        listed = sorted([(row, due) for due, rows in self._due.items() for row in rows])
        if listed != sorted(self._due_frame.items()) or not all(self._due.values()):
            wrong.append("who rests when is listed otherwise by frames than by bodies")
        return wrong
