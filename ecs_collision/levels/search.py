"""The shortest way to win on any board: a search through its states in the order of pushes, then steps.

It is Dijkstra's algorithm over pairs (pushes, steps), compared like words: a turn that pushes costs (1, 0), any other
turn (0, 1). The costs of a way only grow, so the first won state taken from the queue has the fewest pushes, and of
those the fewest steps. A queue of two ends, as 0-1 searches have it, would find the pushes but not the steps.
Nothing is assumed of the rules but that equal keys mean equal futures; so nothing is left out but states that were
reached before at no more cost, or that the caller's `is_dead` knows to be lost.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Saved = TypeVar("Saved")


class Board(Protocol[Saved]):
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

    def save(self) -> Saved:
        """Return the state, for `load`."""

    def load(self, saved: Saved) -> None:
        """Put a saved state back."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a search ended: the moves to the win, or None; whether it gave up before it had seen all; states seen."""

    moves: str | None
    pushes: int
    states: int
    gave_up: bool = False


@dataclass(slots=True)
class _Reached:
    """How a state was reached at the least cost so far."""

    cost: tuple[int, int]
    before: Hashable
    letter: str


class Search(Generic[Saved]):
    """A search of one board, from the state it is in."""

    def __init__(self, board: Board[Saved]) -> None:
        self._board = board
        self._seen: dict[Hashable, _Reached] = {}
        self._queue: list[tuple[int, int, int, Hashable, bool, Saved]] = []
        self._count = 0

    def run(self, most_states: int, is_late: Callable[[], bool]) -> Way:
        """Search until the first win, until nothing is left, or until too many states were seen or it is late."""
        self._reach(self._board.key(), (0, 0), None, "")
        while self._queue:
            pushes, steps, _, key, is_won, saved = heapq.heappop(self._queue)
            if (pushes, steps) != self._seen[key].cost:
                continue
            if is_won:
                return Way(self._moves(key), pushes, len(self._seen))
            if len(self._seen) > most_states or is_late():
                return Way(None, 0, len(self._seen), gave_up=True)
            self._expand(key, pushes, steps, saved)
        return Way(None, 0, len(self._seen))

    def _expand(self, key: Hashable, pushes: int, steps: int, saved: Saved) -> None:
        board = self._board
        is_here = False
        for letter in board.letters:
            if not is_here:
                board.load(saved)
            pushed = board.turn(letter)
            after = board.key()
            is_here = after == key
            if is_here:
                continue
            cost = (pushes + 1, steps) if pushed else (pushes, steps + 1)
            known = self._seen.get(after)
            if known is None or cost < known.cost:
                self._reach(after, cost, key, letter)

    def _reach(self, key: Hashable, cost: tuple[int, int], before: Hashable, letter: str) -> None:
        self._seen[key] = _Reached(cost, before, letter)
        if self._board.is_dead():
            return
        self._count += 1
        # The count decides among equals: the state reached first, and never a comparison of keys.
        entry = (*cost, self._count, key, self._board.is_won(), self._board.save())
        heapq.heappush(self._queue, entry)

    def _moves(self, key: Hashable) -> str:
        letters: list[str] = []
        while (reached := self._seen[key]).letter:
            letters.append(reached.letter)
            key = reached.before
        return "".join(reversed(letters))
