"""The pairs of bodies that pass through each other until they no longer overlap (rules M8, M9)."""

from __future__ import annotations

from ecs_collision.bodies.columns import Columns


class PassingPairs:
    """The passing pairs of a world, in `Columns.passing`."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def add(self, row: int, other: int) -> None:
        """Let two rows pass through each other."""
        self._columns.passing.add((min(row, other), max(row, other)))
        self._columns.passing_count = len(self._columns.passing)
