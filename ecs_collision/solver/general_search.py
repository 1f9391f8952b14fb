"""The shortest way to win on any board: a search through its states in the order of pushes, then steps.

It is Dijkstra's algorithm over pairs (pushes, steps), compared like words: a turn that pushes costs (1, 0), any other
turn (0, 1). The costs of a way only grow, so the first won state taken from the queue has the fewest pushes, and of
those the fewest steps. A queue of two ends, as 0-1 searches have it, would find the pushes but not the steps.
Nothing is assumed of the rules but that equal keys mean equal futures; so nothing is left out but states that were
reached before at no more cost, or that the caller's `is_dead` knows to be lost.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

SavedState = TypeVar("SavedState")

BYTES_OF_A_STATE = 700
"""What a state takes that was seen, besides what is saved of it: its key, its way, its entry in the queue."""


class StateSpace(Protocol[SavedState]):
    """What can be searched: something that takes turns, and can be put back to where it was."""

    @property
    def letters(self) -> str:
        """The turns there are, in the order they are tried."""

    def turn(self, letter: str) -> bool:
        """Take a turn; return whether anything was pushed."""

    def key(self) -> Hashable:
        """Return what is equal for states with equal futures only."""

    def is_won(self) -> bool:
        """Return whether this is what is searched for."""

    def is_dead(self) -> bool:
        """Return True only where the game cannot be won any more."""

    def save(self) -> SavedState:
        """Return the state, for `load`."""

    def load(self, saved: SavedState) -> None:
        """Put a saved state back."""

    def size(self, saved: SavedState) -> int:
        """Return how many bytes a saved state takes."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """How a search ended: the moves to the win, or None; how many states were seen; the limit that ended it before all.

    limit: "max_states", "max_bytes", "seconds", "memory" where the system gave no more; "" where it ended by itself.
    """

    moves: str | None
    pushes: int
    states: int
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search goes: so many states, so much memory, and until it is late."""

    max_states: int
    max_bytes: float
    is_late: Callable[[], bool]

    def reached(self, states: int, byte_count: int) -> str:
        """Return the limit that is reached, as `SearchResult.limit` has it."""
        if states > self.max_states:
            return "max_states"
        if byte_count > self.max_bytes:
            return "max_bytes"
        return "seconds" if self.is_late() else ""


@dataclass(slots=True)
class _Visit:
    """How a state was reached at the least cost so far."""

    cost: tuple[int, int]
    before: Hashable
    letter: str


class Search(Generic[SavedState]):
    """A search of one board, from the state it is in."""

    def __init__(self, space: StateSpace[SavedState]) -> None:
        self._space = space
        self._seen: dict[Hashable, _Visit] = {}
        self._queue: list[tuple[int, int, int, Hashable, bool, SavedState]] = []
        self._count = 0
        self._saved_bytes = 0

    def run(self, max_states: int, is_late: Callable[[], bool], max_bytes: float = math.inf) -> SearchResult:
        """Search until the first win, until nothing is left, or until a limit is reached."""
        try:
            return self._run(Limits(max_states, max_bytes, is_late))
        except MemoryError:
            count = len(self._seen)
            self._seen.clear()
            self._queue.clear()
            return SearchResult(None, 0, count, "memory")

    def _run(self, limits: Limits) -> SearchResult:
        self._reach(self._space.key(), (0, 0), None, "")
        while self._queue:
            pushes, steps, _, key, is_won, saved = heapq.heappop(self._queue)
            self._saved_bytes -= self._space.size(saved)
            if (pushes, steps) != self._seen[key].cost:
                continue
            if is_won:
                return SearchResult(self._moves(key), pushes, len(self._seen))
            limit = limits.reached(len(self._seen), self._saved_bytes + BYTES_OF_A_STATE * len(self._seen))
            if limit:
                return SearchResult(None, 0, len(self._seen), limit)
            self._expand(key, pushes, steps, saved)
        return SearchResult(None, 0, len(self._seen))

    def _expand(self, key: Hashable, pushes: int, steps: int, saved: SavedState) -> None:
        space = self._space
        is_here = False
        for letter in space.letters:
            if not is_here:
                space.load(saved)
            pushed = space.turn(letter)
            after = space.key()
            is_here = after == key
            if is_here:
                continue
            cost = (pushes + 1, steps) if pushed else (pushes, steps + 1)
            visit = self._seen.get(after)
            if visit is None or cost < visit.cost:
                self._reach(after, cost, key, letter)

    def _reach(self, key: Hashable, cost: tuple[int, int], before: Hashable, letter: str) -> None:
        self._seen[key] = _Visit(cost, before, letter)
        if self._space.is_dead():
            return
        self._count += 1
        # The count decides among equals: the state reached first, and never a comparison of keys.
        entry = (*cost, self._count, key, self._space.is_won(), self._space.save())
        self._saved_bytes += self._space.size(entry[-1])
        heapq.heappush(self._queue, entry)

    def _moves(self, key: Hashable) -> str:
        letters: list[str] = []
        while (reached := self._seen[key]).letter:
            letters.append(reached.letter)
            key = reached.before
        return "".join(reversed(letters))
