"""Finds the shortest solution in any state space: Dijkstra's algorithm on the pairs (pushes, steps).

A turn that pushes costs (1, 0), any other turn (0, 1); pairs are compared lexicographically. Costs only grow along a
path, so the first won state from the queue has the fewest pushes and, among those, the fewest steps. A 0-1 search with
a deque would minimize the pushes but not the steps.

The only assumption is that equal keys mean equal futures. So states are skipped only if they were reached before at no
higher cost, or if `is_dead` returns True for them.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

SavedState = TypeVar("SavedState")

BYTES_OF_A_STATE = 700
"""Memory of a seen state without its saved form: its key, its `_Visit` and its queue entry."""


class StateSpace(Protocol[SavedState]):
    """What can be searched: it takes turns, and its states can be saved and loaded."""

    @property
    def letters(self) -> str:
        """The possible turns, in the order they are tried."""

    def turn(self, letter: str) -> bool:
        """Take a turn; return whether anything was pushed."""

    def key(self) -> Hashable:
        """Return a key that is equal only for states with equal futures."""

    def is_won(self) -> bool:
        """Return whether this state is won."""

    def is_dead(self) -> bool:
        """Return True only if this state cannot lead to a win."""

    def save(self) -> SavedState:
        """Return the state, for `load`."""

    def load(self, saved: SavedState) -> None:
        """Restore a saved state."""

    def size(self, saved: SavedState) -> int:
        """Return the size of a saved state in bytes."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: the winning moves, or None; the number of states seen; and the limit that was reached.

    limit: "max_states", "max_bytes", "seconds", "memory" (the system had no more), or "" if the search was complete.
    """

    moves: str | None
    pushes: int
    states: int
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search: states, memory, and a function that returns whether the time is up."""

    max_states: int
    max_bytes: float
    is_late: Callable[[], bool]

    def reached(self, states: int, byte_count: int) -> str:
        """Return the limit that is reached, as in `SearchResult.limit`."""
        if states > self.max_states:
            return "max_states"
        if byte_count > self.max_bytes:
            return "max_bytes"
        return "seconds" if self.is_late() else ""


@dataclass(slots=True)
class _Visit:
    """How a state was reached at the lowest cost so far."""

    cost: tuple[int, int]
    before: Hashable
    letter: str


class Search(Generic[SavedState]):
    """A search of one state space, from its current state."""

    def __init__(self, space: StateSpace[SavedState]) -> None:
        self._space = space
        self._seen: dict[Hashable, _Visit] = {}
        self._queue: list[tuple[int, int, int, Hashable, bool, SavedState]] = []
        self._count = 0
        self._saved_bytes = 0

    def run(self, max_states: int, is_late: Callable[[], bool], max_bytes: float = math.inf) -> SearchResult:
        """Search until a win, until all states are searched, or until a limit is reached."""
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
        # Among equal costs the count decides, so the state reached first comes first and keys are never compared.
        entry = (*cost, self._count, key, self._space.is_won(), self._space.save())
        self._saved_bytes += self._space.size(entry[-1])
        heapq.heappush(self._queue, entry)

    def _moves(self, key: Hashable) -> str:
        letters: list[str] = []
        while (reached := self._seen[key]).letter:
            letters.append(reached.letter)
            key = reached.before
        return "".join(reversed(letters))
