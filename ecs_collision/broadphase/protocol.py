"""The interface of a broad phase: boxes in slots, and queries for the boxes that meet a region.

`morton_grid/grid.py` is the one that the world uses, `brute_force.py` tests every box and is the reference. One test
drives both and compares every result (`tests/broadphase/test_protocol.py`). Compiled code in `query`, `push` and
`contacts` calls the methods of `Grid` directly, because a call through Python costs more than most queries. It uses
only the names below, and `hits_view` for `hits`. Two helpers read the cells of a `Grid` and find the same boxes, and
the same test drives them: `frozen_grid.FrozenGrid` (many regions while nothing changes) and
`morton_grid.batch_query.BatchQuery` (many boxes at once).

Regions and boxes are faces in lattice units (lo x, y, z, hi x, y, z), and *meeting* includes faces, edges and corners
on both sides. Results are candidates (rule B7): the callers compare the true boxes, and sort what they return by entity
id (B5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ecs_collision.broadphase.box_pool import BoxPool


class Broadphase(Protocol):
    """Boxes in slots, and region queries.

    The result of a query is `hits[:n]`: slots, each once, in no particular order. `boxes` has faces, owner, awake flag
    and level of each slot; do not change it. `levels` in queries are bits of size levels (B1). A broad phase without
    cells counts 0 of them.
    """

    boxes: BoxPool
    hits: Sequence[int]
    hit_count: int
    cell_changes: int
    """How many cells boxes entered or left; the caller resets it to 0."""
    cells_visited: int
    """How many occupied cells queries visited."""
    cells_skipped: int
    """How many cells the last full pass did not visit."""

    # Changing.

    def clear(self) -> None:
        """Remove all boxes. Works after an interrupted change."""

    def allocate(self, count: int) -> int:
        """Return the first of `count` neighbouring free slots."""

    def place(
        self, slot: int, owner: int, awake: bool, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int
    ) -> None:
        """Put a box into an allocated slot, replacing the one there. Raises IndexError outside the index (B2)."""

    def remove(self, first: int, count: int) -> None:
        """Remove the boxes of a run and free its slots."""

    def shift(self, first: int, count: int, dx: int, dy: int, dz: int) -> None:
        """Move the boxes of a run. Raises IndexError at the first that would leave the index."""

    def set_awake(self, first: int, count: int, awake: bool) -> None:
        """Set whether the owner of a run is awake (S3)."""

    def set_flat(self, flat: bool) -> None:
        """Set whether all boxes have the z range of 2D (L5). The caller ensures that they have."""

    # Queries.

    def collect(self, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        """Return how many boxes meet a region."""

    def collect_levels(self, levels: int, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        """Return how many boxes of the given levels meet a region."""

    def collect_asleep(self, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        """Return how many boxes of sleeping owners meet a region."""

    def collect_inset(self, levels: int, inset: int, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        """Return how many boxes of the given levels meet the region that is `inset` units smaller on every side.

        With 1 these are the boxes that overlap the region (L4).
        """

    def begin_pass(self) -> None:
        """Begin a full pass over awake pairs. Cells that its queries visit do not count as skipped."""

    def end_pass(self) -> None:
        """End a full pass."""

    def check(self) -> None:
        """Verify the invariants. Raises IndexError for the first one that does not hold."""
