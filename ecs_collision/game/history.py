"""Steps back and forth: states of a game, each kept as its difference to the one after it.

Two states are kept whole, the last one behind and the first one ahead; of the others a few dozen bytes each. So
thousands of steps fit into what one screenful of a picture takes, and a step back costs one patch and one restore.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from ecs_collision.fixed_point import whole
from ecs_collision.game.byte_patch import difference, patched


class Moment(NamedTuple):
    """The state of a game: that of its world, what else there is to it, and the moves that led to it."""

    world: bytes
    extra: bytes
    moves: str

    @property
    def byte_count(self) -> int:
        """The number of bytes."""
        return len(self.world) + len(self.extra) + len(self.moves)


class Patch(NamedTuple):
    """What makes a moment of the one behind it; None where both are the same, a number where moves are its first."""

    world: bytes
    extra: bytes | None
    moves: str | int

    @property
    def byte_count(self) -> int:
        """The number of bytes, those of the numbers left out."""
        moves = len(self.moves) if isinstance(self.moves, str) else 0
        return len(self.world) + (0 if self.extra is None else len(self.extra)) + moves


def patch_for(moment: Moment, later: Moment) -> Patch:
    """Return what makes a moment of a later one."""
    extra = None if moment.extra == later.extra else difference(moment.extra, later.extra)
    moves = len(moment.moves) if later.moves.startswith(moment.moves) else moment.moves
    return Patch(difference(moment.world, later.world), extra, moves)


def moment_before(later: Moment, patch: Patch) -> Moment:
    """Return the moment that a patch makes."""
    extra = later.extra if patch.extra is None else patched(later.extra, patch.extra)
    moves = patch.moves if isinstance(patch.moves, str) else later.moves[: patch.moves]
    return Moment(patched(later.world, patch.world), extra, moves)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Moments one behind the other; only the last, `top`, is whole. A chain never changes: each step returns another.

    patches[start:end] lead from each moment to the one before it. Chains share that list: what lies outside of their
    own part belongs to others, or to none any more.
    """

    top: Moment | None = None
    patches: list[Patch | None] = field(default_factory=list)
    start: int = 0
    end: int = 0
    patch_bytes: int = 0

    def __len__(self) -> int:
        """Return the number of moments."""
        return self.end - self.start + (self.top is not None)

    @property
    def byte_count(self) -> int:
        """The bytes of all moments as they are kept."""
        return self.patch_bytes + (0 if self.top is None else self.top.byte_count)

    def push(self, moment: Moment) -> Chain:
        """Return the chain with a moment more; the one before it becomes a difference. O(1), O(n) after `pop`."""
        if self.top is None:
            return Chain(moment)
        patch, patches, start, end = patch_for(self.top, moment), self.patches, self.start, self.end
        if len(patches) > end:
            patches, start, end = patches[start:end], 0, end - start
        patches.append(patch)
        return Chain(moment, patches, start, end + 1, self.patch_bytes + patch.byte_count)

    def pop(self) -> Chain:
        """Return the chain without its last moment."""
        patch = self.patches[self.end - 1] if self.end > self.start else None
        if patch is None or self.top is None:
            return Chain()
        top = moment_before(self.top, patch)
        return Chain(top, self.patches, self.start, self.end - 1, self.patch_bytes - patch.byte_count)

    def drop_oldest(self) -> Chain:
        """Return the chain without its first moment."""
        patch = self.patches[self.start] if self.end > self.start else None
        if patch is None:
            return Chain()
        return Chain(self.top, self.patches, self.start + 1, self.end, self.patch_bytes - patch.byte_count)

    def unshared(self) -> Chain:
        """Return the same chain, where no other shares its list any more: what lies outside of its part is let go."""
        patches, at = self.patches, self.start
        while at > 0 and patches[at - 1] is not None:
            at -= 1
            patches[at] = None
        del patches[self.end :]
        if 2 * self.start <= self.end:
            return self
        return Chain(self.top, patches[self.start :], 0, self.end - self.start, self.patch_bytes)


class History:
    """The moments to go back to, and those to go forth to again.

    limit: how many steps back are kept. limit_bytes: what both together may take; then the oldest go.
    """

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self.limit = whole(limit, "undo_limit", minimum=0)
        self.limit_bytes = whole(limit_bytes, "undo_bytes", minimum=0)
        self.past, self.future = self._marked = (Chain(), Chain())

    def mark(self) -> None:
        """Begin what `rewind` takes back."""
        self.past, self.future = self._marked = (self.past.unshared(), self.future.unshared())

    def roll_back(self) -> None:
        """Take back what was done since `mark`, whatever was broken off."""
        self.past, self.future = self._marked

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Let what is done be done as a whole: where it is broken off, the history is as it was.

        For what changes nothing else: what must be taken back together is taken back in one place, by `rewind`.
        """
        self.mark()
        try:
            yield
        except BaseException:
            self.roll_back()
            raise

    @property
    def byte_count(self) -> int:
        """The bytes that all moments take."""
        return self.past.byte_count + self.future.byte_count

    def add(self, before: Moment) -> None:
        """Take a new step: what was ahead is no more."""
        self.future = Chain()
        if self.limit:
            past = self.past.push(before)
            while len(past) > self.limit or (len(past) > 1 and past.byte_count > self.limit_bytes):
                past = past.drop_oldest()
            self.past = past

    def undo(self, now: Moment) -> Moment | None:
        """Take a step back from `now`; returns where it leads, None if there is none."""
        moment, self.past, self.future = self._step(self.past, self.future, now)
        return moment

    def redo(self, now: Moment) -> Moment | None:
        """Take a step forth again."""
        moment, self.future, self.past = self._step(self.future, self.past, now)
        return moment

    def clear(self) -> None:
        """Forget everything."""
        self.past, self.future = Chain(), Chain()

    def _step(self, source: Chain, target: Chain, now: Moment) -> tuple[Moment | None, Chain, Chain]:
        """Return where a step leads, and what is left in its direction and behind it then."""
        while source.top == now:  # a mark at which nothing has happened since
            source = source.pop()
        moment = source.top
        if moment is None:
            return None, source, target
        source, target = source.pop(), target.push(now)
        while len(target) > 1 and source.byte_count + target.byte_count > self.limit_bytes:  # forth may be longer
            target = target.drop_oldest()
        return moment, source, target
