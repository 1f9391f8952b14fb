"""Steps back and forth: states of a game, each kept as its difference to the one after it.

Two states are kept whole, the last one behind and the first one ahead; of the others a few dozen bytes each. So
thousands of steps fit into what one screenful of a picture takes, and a step back costs one patch and one restore.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from ecs_collision.fixed_point import whole
from ecs_collision.game.byte_patch import difference, patched


class Moment(NamedTuple):
    """The state of a game: that of its world, what else there is to it, and the moves that led to it."""

    world: bytes
    rest: bytes
    moves: str

    @property
    def byte_count(self) -> int:
        """The number of bytes."""
        return len(self.world) + len(self.rest) + len(self.moves)


class Patch(NamedTuple):
    """What makes a moment of the one behind it; None where both are the same, a number where moves are its first."""

    world: bytes
    rest: bytes | None
    moves: str | int

    @property
    def byte_count(self) -> int:
        """The number of bytes, those of the numbers left out."""
        moves = len(self.moves) if isinstance(self.moves, str) else 0
        return len(self.world) + (0 if self.rest is None else len(self.rest)) + moves


def patch_for(moment: Moment, later: Moment) -> Patch:
    """Return what makes a moment of a later one."""
    rest = None if moment.rest == later.rest else difference(moment.rest, later.rest)
    moves = len(moment.moves) if later.moves.startswith(moment.moves) else moment.moves
    return Patch(difference(moment.world, later.world), rest, moves)


def moment_before(later: Moment, patch: Patch) -> Moment:
    """Return the moment that a patch makes."""
    rest = later.rest if patch.rest is None else patched(later.rest, patch.rest)
    moves = patch.moves if isinstance(patch.moves, str) else later.moves[: patch.moves]
    return Moment(patched(later.world, patch.world), rest, moves)


class Chain:
    """Moments one behind the other; only the last is whole. `byte_count` is what all of them take.

    What was done since `mark` can be taken back with `rewind`.
    """

    def __init__(self) -> None:
        self.top: Moment | None = None
        self._patches: deque[Patch] = deque()
        self._patch_bytes = 0
        self._back: list[Callable[[], object]] = []
        self._before: tuple[Moment | None, int] = (None, 0)

    def mark(self) -> None:
        """Begin what `rewind` takes back."""
        self._back.clear()
        self._before = (self.top, self._patch_bytes)

    def rewind(self) -> None:
        """Take back what was done since `mark`, whatever was broken off."""
        while self._back:
            self._back.pop()()
        self.top, self._patch_bytes = self._before

    def __len__(self) -> int:
        """Return the number of moments."""
        return len(self._patches) + (self.top is not None)

    @property
    def byte_count(self) -> int:
        """The bytes of all moments as they are kept."""
        return self._patch_bytes + (0 if self.top is None else self.top.byte_count)

    def push(self, moment: Moment) -> None:
        """Add a moment; the one before it becomes a difference."""
        if self.top is not None:
            patch = patch_for(self.top, moment)
            size = patch.byte_count
            self._back.append(partial(self._take_last, patch))
            self._patches.append(patch)
            self._patch_bytes += size
        self.top = moment

    def pop(self) -> Moment:
        """Return the last moment and forget it."""
        top = self.top
        assert top is not None
        if not self._patches:
            self.top = None
            return top
        patch = self._patches[-1]
        before, size = moment_before(top, patch), patch.byte_count
        self._back.append(partial(self._give_last, patch))
        self._patches.pop()
        self._patch_bytes -= size
        self.top = before
        return top

    def drop_oldest(self) -> None:
        """Forget the first moment."""
        if self._patches:
            patch = self._patches[0]
            size = patch.byte_count
            self._back.append(partial(self._give_first, patch))
            self._patches.popleft()
            self._patch_bytes -= size
        else:
            self.top = None

    # What takes back a step, whether the step was done or was broken off after it had been noted.

    def _take_last(self, patch: Patch) -> None:
        if self._patches and self._patches[-1] is patch:
            self._patches.pop()

    def _give_last(self, patch: Patch) -> None:
        if not self._patches or self._patches[-1] is not patch:
            self._patches.append(patch)

    def _give_first(self, patch: Patch) -> None:
        if not self._patches or self._patches[0] is not patch:
            self._patches.appendleft(patch)

    def clear(self) -> None:
        """Forget everything."""
        self._back.append(partial(setattr, self, "_patches", self._patches))
        self.top, self._patches, self._patch_bytes = None, deque(), 0


class History:
    """The moments to go back to, and those to go forth to again.

    limit: how many steps back are kept. limit_bytes: what both together may take; then the oldest go.
    """

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self.limit = whole(limit, "undo_limit", least=0)
        self.limit_bytes = whole(limit_bytes, "undo_bytes", least=0)
        self.past, self.future = Chain(), Chain()

    def mark(self) -> None:
        """Begin what `rewind` takes back."""
        self.past.mark()
        self.future.mark()

    def rewind(self) -> None:
        """Take back what was done since `mark`, whatever was broken off."""
        self.past.rewind()
        self.future.rewind()

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Let what is done be done as a whole: where it is broken off, the history is as it was.

        For what changes nothing else: what must be taken back together is taken back in one place, by `rewind`.
        """
        self.mark()
        try:
            yield
        except BaseException:
            self.rewind()
            raise

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
        while len(target) > 1 and self.byte_count > self.limit_bytes:  # a way back may be shorter to tell than forth
            target.drop_oldest()
        return moment

    def _keep_within_limits(self) -> None:
        while len(self.past) > self.limit or (len(self.past) > 1 and self.byte_count > self.limit_bytes):
            self.past.drop_oldest()
