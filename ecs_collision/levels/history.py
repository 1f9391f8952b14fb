"""Steps back and forth: states of a game, each kept as its difference to the one after it.

Two states are kept whole, the last one behind and the first one ahead; of the others a few dozen bytes each. So
thousands of steps fit into what one screenful of a picture takes, and a step back costs one patch and one restore.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from ecs_collision.lattice import whole
from ecs_collision.levels.deltas import difference, patched


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a game: that of its world, and what else there is to it."""

    world: bytes
    rest: bytes

    def __len__(self) -> int:
        """Return the number of bytes."""
        return len(self.world) + len(self.rest)


class Chain:
    """Moments one behind the other; only the last is whole. `byte_count` is what all of them take."""

    def __init__(self) -> None:
        self.top: Moment | None = None
        self._patches: deque[tuple[bytes, bytes]] = deque()
        self._patch_bytes = 0

    def __len__(self) -> int:
        """Return the number of moments."""
        return len(self._patches) + (self.top is not None)

    @property
    def byte_count(self) -> int:
        """The bytes of all moments as they are kept."""
        return self._patch_bytes + (0 if self.top is None else len(self.top))

    def push(self, moment: Moment) -> None:
        """Add a moment; the one before it becomes a difference."""
        if self.top is not None:
            patch = (difference(self.top.world, moment.world), difference(self.top.rest, moment.rest))
            self._patches.append(patch)
            self._patch_bytes += len(patch[0]) + len(patch[1])
        self.top = moment

    def pop(self) -> Moment:
        """Return the last moment and forget it."""
        top = self.top
        assert top is not None
        self.top = None
        if self._patches:
            world, rest = self._patches.pop()
            self._patch_bytes -= len(world) + len(rest)
            self.top = Moment(patched(top.world, world), patched(top.rest, rest))
        return top

    def drop_oldest(self) -> None:
        """Forget the first moment."""
        if self._patches:
            world, rest = self._patches.popleft()
            self._patch_bytes -= len(world) + len(rest)
        else:
            self.top = None

    def clear(self) -> None:
        """Forget everything."""
        self.top = None
        self._patches.clear()
        self._patch_bytes = 0


class History:
    """The moments to go back to, and those to go forth to again.

    limit: how many steps back are kept. limit_bytes: what both together may take; then the oldest go.
    """

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self.limit = whole(limit, "undo_limit", least=0)
        self.limit_bytes = whole(limit_bytes, "undo_bytes", least=0)
        self.past, self.future = Chain(), Chain()

    @property
    def byte_count(self) -> int:
        """The bytes that all moments take."""
        return self.past.byte_count + self.future.byte_count

    def add(self, before: Moment) -> None:
        """Take a new step: what was ahead is no more."""
        self.future.clear()
        if self.limit:
            self.past.push(before)
            self._keep_within_limits()

    def back(self, now: Moment) -> Moment | None:
        """Take a step back from `now`; returns where it leads, None if there is none."""
        return self._step(self.past, self.future, now)

    def forth(self, now: Moment) -> Moment | None:
        """Take a step forth again."""
        return self._step(self.future, self.past, now)

    def clear(self) -> None:
        """Forget everything."""
        self.past.clear()
        self.future.clear()

    def _step(self, source: Chain, target: Chain, now: Moment) -> Moment | None:
        while source.top == now:  # a mark at which nothing has happened since
            source.pop()
        if source.top is None:
            return None
        moment = source.pop()
        target.push(now)
        return moment

    def _keep_within_limits(self) -> None:
        while len(self.past) > self.limit or (len(self.past) > 1 and self.byte_count > self.limit_bytes):
            self.past.drop_oldest()
