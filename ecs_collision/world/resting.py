"""Who rests when: quiet bodies fall asleep, disturbed ones wake (rules S2, S4).

What wakes a body, in the same frame:
- it is displaced by a motion or a push, or teleported;
- its collider, layer, mask, inertia or trigger changes, or it is enabled or disabled;
- `Sleeping.asleep` is set to False, or the Sleeping component is taken away.
What does not: a push that is blocked, a trigger that passes, a static body set down beside it.

Instead of counting every awake body down every frame, each is looked up once, in the frame in which it
would be due; if it was disturbed meanwhile it is put off. A frame costs only who is due.
"""

from __future__ import annotations

import sys

from ecs_collision.bodies import Bodies
from ecs_collision.kernels.columns import ASLEEP, SLEEPABLE
from ecs_collision.world.journal import Journal


class Resting:
    """Keeps the frames in which rows are due; when each was last disturbed stands in `Changed`."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._due: dict[int, set[int]] = {}
        self._next: dict[int, int] = {}

    def born(self, row: int, frame: int) -> None:
        """Take note of a new body or one whose Sleeping component came, went or changed."""
        self.disturb(row, frame)
        self._plan(row)

    def gone(self, row: int) -> None:
        """Forget a row."""
        self._unplan(row)

    def disturb(self, row: int, frame: int) -> None:
        """Note that a body is not quiet in `frame`; it stays asleep if it was (a blocked request)."""
        self._bodies.changed.disturbed[row] = frame

    def wake(self, row: int, frame: int, journal: Journal) -> None:
        """Disturb a body and wake it if it rests."""
        self.disturb(row, frame)
        if self._bodies.has(row, ASLEEP):
            self._bodies.set_asleep(row, False)
            journal.wake(self._bodies.entity(row))
            self._plan(row)

    def replan(self, row: int) -> None:
        """Look anew when a row is due, after its sleep state or `after` changed."""
        self._plan(row)

    def is_due(self, frame: int) -> bool:
        """Return whether any body may have to rest at the end of `frame`."""
        return frame in self._due

    def next_due(self) -> int:
        """Return the first frame for which `is_due` holds, a number beyond all if there is none."""
        return min(self._due, default=sys.maxsize)

    def rest(self, frame: int, journal: Journal) -> None:
        """Put to rest, at the end of `frame`, every body that has been quiet long enough."""
        for row in sorted(self._due.pop(frame, ()), key=self._bodies.entity):
            self._next.pop(row, None)
            if self._when(row) <= frame:
                self._bodies.set_asleep(row, True)
                journal.rest(self._bodies.entity(row))
            else:
                self._plan(row)

    def quiet(self, row: int, frame: int) -> int:
        """Return for how many frames before `frame` a body has been quiet."""
        return max(0, frame - self._bodies.changed.disturbed[row])

    def set_back(self, waited: dict[int, int], frame: int) -> None:
        """Let all rows that may sleep be asleep (-1), or quiet for so many frames before the one behind `frame`."""
        disturbed = self._bodies.changed.disturbed
        self._due.clear()
        self._next.clear()
        for row, quiet in waited.items():
            self._bodies.set_asleep(row, quiet < 0)
            if quiet >= 0:
                disturbed[row] = frame + 1 - quiet
                self._plan(row)

    def _when(self, row: int) -> int:
        sleeping = self._bodies.of(row).sleeping
        assert sleeping is not None
        return self._bodies.changed.disturbed[row] + sleeping.after

    def _plan(self, row: int) -> None:
        self._unplan(row)
        flags = self._bodies.columns.flags[row]
        if flags & SLEEPABLE and not flags & ASLEEP:
            frame = self._when(row)
            self._due.setdefault(frame, set()).add(row)
            self._next[row] = frame

    def _unplan(self, row: int) -> None:
        frame = self._next.pop(row, None)
        if frame is not None:
            rows = self._due[frame]
            rows.discard(row)
            if not rows:
                del self._due[frame]

    def check(self, frame: int) -> list[str]:
        """Return what is inconsistent: every awake sleeper is due once, no earlier than the next frame."""
        wrong = []
        for row in self._bodies.rows():
            flags = self._bodies.columns.flags[row]
            expected = bool(flags & SLEEPABLE) and not flags & ASLEEP
            if (row in self._next) != expected:
                wrong.append(f"entity {self._bodies.entity(row)}: its rest is planned or missing against its state")
            elif expected and (self._next[row] <= frame or row not in self._due[self._next[row]]):
                wrong.append(f"entity {self._bodies.entity(row)}: its rest is planned for a frame that is past")
        return wrong
