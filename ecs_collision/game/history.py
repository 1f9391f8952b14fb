"""The undo history: states of a game, each stored as its difference to the next one.

Only two states are stored in full, the latest one to undo and the first one to redo; the others take a few dozen bytes
each. Thousands of turns fit into the memory of one screenshot, and an undo costs one patch and one restore.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from ecs_collision.fixed_point import whole
from ecs_collision.game.byte_patch import difference, patched


class Moment(NamedTuple):
    """The state of a game: the snapshot of its world, its other state, and the moves that led to it."""

    world: bytes
    extra: bytes
    moves: str

    @property
    def byte_count(self) -> int:
        """The size in bytes."""
        return len(self.world) + len(self.extra) + len(self.moves)


class Patch(NamedTuple):
    """The difference from a later moment; extra is None if unchanged, moves a number if they are a prefix."""

    world: bytes
    extra: bytes | None
    moves: str | int

    @property
    def byte_count(self) -> int:
        """The size in bytes, without the numbers."""
        moves = len(self.moves) if isinstance(self.moves, str) else 0
        return len(self.world) + (0 if self.extra is None else len(self.extra)) + moves


def patch_for(moment: Moment, later: Moment) -> Patch:
    """Return the patch that turns a later moment into this one."""
    extra = None if moment.extra == later.extra else difference(moment.extra, later.extra)
    moves = len(moment.moves) if later.moves.startswith(moment.moves) else moment.moves
    return Patch(difference(moment.world, later.world), extra, moves)


def moment_before(later: Moment, patch: Patch) -> Moment:
    """Apply a patch to the later moment."""
    extra = later.extra if patch.extra is None else patched(later.extra, patch.extra)
    moves = patch.moves if isinstance(patch.moves, str) else later.moves[: patch.moves]
    return Moment(patched(later.world, patch.world), extra, moves)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """A sequence of moments of which only the last, `top`, is stored in full. Chains are immutable.

    patches[start:end] lead from each moment to the one before it. Chains share this list: entries outside their own
    range belong to other chains or to none.
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
        """The bytes of all moments as stored."""
        return self.patch_bytes + (0 if self.top is None else self.top.byte_count)

    def push(self, moment: Moment) -> Chain:
        """Return the chain with one more moment; the previous one becomes a patch. O(1), O(n) after `pop`."""
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
        """Return the same chain, with the patches outside its range freed. No other chain may share its list."""
        patches, at = self.patches, self.start
        while at > 0 and patches[at - 1] is not None:
            at -= 1
            patches[at] = None
        del patches[self.end :]
        if 2 * self.start <= self.end:
            return self
        return Chain(self.top, patches[self.start :], 0, self.end - self.start, self.patch_bytes)


class History:
    """The moments to undo to, and those to redo.

    limit: the maximum number of moments to undo to. limit_bytes: the maximum memory of both; beyond that the oldest are
    dropped.
    """

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self.limit = whole(limit, "undo_limit", minimum=0)
        self.limit_bytes = whole(limit_bytes, "undo_bytes", minimum=0)
        self.past, self.future = self._marked = (Chain(), Chain())

    def mark(self) -> None:
        """Set the mark for `roll_back`."""
        self.past, self.future = self._marked = (self.past.unshared(), self.future.unshared())

    def roll_back(self) -> None:
        """Restore the history as it was at `mark`, at any point of an interrupted change."""
        self.past, self.future = self._marked

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Roll the history back if the block raises.

        Only for changes of the history alone: combined changes are rolled back in one place, by `roll_back`.
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
        """Add the moment before a new turn; discards the moments to redo."""
        self.future = Chain()
        if self.limit:
            past = self.past.push(before)
            while len(past) > self.limit or (len(past) > 1 and past.byte_count > self.limit_bytes):
                past = past.drop_oldest()
            self.past = past

    def undo(self, now: Moment) -> Moment | None:
        """Return the moment to undo to from `now`, or None."""
        moment, self.past, self.future = self._step(self.past, self.future, now)
        return moment

    def redo(self, now: Moment) -> Moment | None:
        """Return the moment to redo from `now`, or None."""
        moment, self.future, self.past = self._step(self.future, self.past, now)
        return moment

    def clear(self) -> None:
        """Remove all moments."""
        self.past, self.future = Chain(), Chain()

    def _step(self, source: Chain, target: Chain, now: Moment) -> tuple[Moment | None, Chain, Chain]:
        """Return the moment of a step, and both chains after it."""
        while source.top == now:  # a mark without any change since
            source = source.pop()
        moment = source.top
        if moment is None:
            return None, source, target
        source, target = source.pop(), target.push(now)
        while len(target) > 1 and source.byte_count + target.byte_count > self.limit_bytes:  # redo may be longer
            target = target.drop_oldest()
        return moment, source, target
