"""Which Static bodies were moved in the last frames, for `doctor`: a body that moves every frame is no Static one."""

from __future__ import annotations

from collections.abc import Sequence

FRAMES = 10
"""Number of consecutive frames that are remembered, and in which a Static body is moved before it is named."""


class StaticMoves:
    """The rows of Static bodies that were moved in each of the last frames that had any."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Sequence[int]]] = {}

    def add(self, frame: int, rows: Sequence[int]) -> None:
        """Note rows that were moved in a frame. O(1)."""
        self._rows.setdefault(frame, []).append(rows)
        if len(self._rows) > FRAMES + 1:  # the coming frame may have begun
            del self._rows[next(iter(self._rows))]

    def forget(self, row: int) -> None:
        """Remove a row, whose body is removed. O(moves)."""
        for frame, noted in self._rows.items():
            self._rows[frame] = [[each for each in rows if each != row] for rows in noted]

    def clear(self) -> None:
        """Forget all moves, because the frame number jumps."""
        self._rows.clear()

    def in_every_frame(self, last: int) -> set[int]:
        """Return the rows that were moved in each of the last frames, up to the frame `last`."""
        frames = [self._rows.get(frame, []) for frame in range(last - FRAMES + 1, last + 1)]
        return set.intersection(*({row for rows in noted for row in rows} for noted in frames))
