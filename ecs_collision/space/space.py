"""Questions about the world: who overlaps, who touches, who is met first (rules B6 and B7).

Every question takes in what is pending, asks both indexes, filters by the true boxes and sorts by entity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ecs_collision.bodies import Bodies
from ecs_collision.kernels.columns import TRIGGER
from ecs_collision.kernels.grid import Grid
from ecs_collision.space.asking import Box, Faces, Wanted, entity_of, faces_of_box, faces_of_point, wanted, way_of
from ecs_collision.space.regions import Cell, Region, cell_of, regions_of
from ecs_collision.space.sweep import Sweep, first_met

if TYPE_CHECKING:
    from sortedcontainers import SortedList


def overlap(a: Faces, b: Faces) -> bool:
    """Return whether two boxes share inner points: open overlap on all three axes (L4)."""
    return a[0] < b[3] and b[0] < a[3] and a[1] < b[4] and b[1] < a[4] and a[2] < b[5] and b[2] < a[5]


def touch(a: Faces, b: Faces) -> bool:
    """Return whether two boxes share a face: equal faces on one axis, open overlap on the other two (L4)."""
    open_axes = [a[axis] < b[axis + 3] and b[axis] < a[axis + 3] for axis in range(3)]
    meeting = [a[axis + 3] == b[axis] or b[axis + 3] == a[axis] for axis in range(3)]
    return sum(open_axes) == 2 and meeting[open_axes.index(False)]


class Space:
    """The index of a world and its questions.

    A box is a pair (lo, hi) of corners (2 numbers each: the slab of 2D), or an entity, which is left out of
    its own answer and asks with all its boxes. `layers` names the layers that count (None: all), `ignore`
    the entities that do not, `triggers` whether triggers do. Answers are sorted. Disabled bodies are in no
    answer.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies

    # Questions.

    def overlapping(
        self,
        box: Box | int,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> list[int]:
        """Return the entities whose boxes overlap a box; sharing a face is not overlapping."""
        return self._related(overlap, box, wanted(layers, ignore, triggers))

    def touching(
        self,
        box: Box | int,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> list[int]:
        """Return the entities of which a box shares a face with a box; edges and corners do not touch."""
        return self._related(touch, box, wanted(layers, ignore, triggers))

    def at(
        self,
        x: float,
        y: float,
        z: float = 0.0,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> list[int]:
        """Return the entities that strictly contain a point; on a face is outside."""
        point, filter = faces_of_point(x, y, z), wanted(layers, ignore, triggers)
        self._bodies.refresh()
        return sorted({entity for entity, faces in self._near(point, filter, -1) if overlap(point, faces)})

    def pairs(
        self, *, layers: str | Iterable[str] | None = None, ignore: Iterable[int] = (), triggers: bool = False
    ) -> list[tuple[int, int]]:
        """Return all pairs (a, b) of bodies that overlap, a < b, in order; statics too. O(bodies and their pairs)."""
        filter = wanted(layers, ignore, triggers)
        self._bodies.refresh()
        named = self._named(filter)
        found: set[tuple[int, int]] = set()
        for grid, a, other, b in self._met():
            one, two = named.get(grid.owner[a]), named.get(other.owner[b])
            if one is not None and two is not None and overlap(_faces(grid, a), _faces(other, b)):
                found.add((min(one, two), max(one, two)))
        return sorted(found)

    def sweep(
        self,
        box: Box | int,
        displacement: tuple[float, float] | tuple[float, float, float],
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> Sweep | None:
        """Return the first body a box would meet on a straight way, None if the way is free.

        Meeting is faces coming together with overlap on the other axes; a body overlapped from the start is
        met at fraction 0. Nothing moves. O(what is near the way up to that body).
        """
        way, filter = way_of(displacement), wanted(layers, ignore, triggers)
        row, boxes = self._asked(box)
        return first_met(boxes, way, lambda region: self._near(region, filter, row), self._bodies.bin_shift)

    # The index.

    @property
    def cells(self) -> SortedList:
        """The occupied cells of bodies that may move, ordered by first code covered, then the larger cell (B3).

        It is the directory itself: read it, and leave changing it to the world.
        """
        return self._directory(self._bodies.dynamic)

    @property
    def static_cells(self) -> SortedList:
        """The occupied cells of `Static` bodies, kept apart (B6)."""
        return self._directory(self._bodies.static)

    def cell(self, key: int) -> Cell:
        """Return what an element of `cells` or `static_cells` means; raises where it can be none."""
        return cell_of(key, self._bodies.bin_shift)

    def regions(self) -> Iterator[Region]:
        """Iterate the runs of asleep and of awake cells, in the order of `cells`. O(cells)."""
        self._bodies.refresh()
        return regions_of(self._bodies.dynamic)

    def __repr__(self) -> str:
        bodies = self._bodies
        return (
            f"Space({len(bodies)} bodies, {bodies.dynamic.cell_count} cells, {bodies.static.cell_count} static cells)"
        )

    # How they are answered.

    def _directory(self, grid: Grid) -> SortedList:
        self._bodies.refresh()
        grid.sync()
        return grid.directory

    def _asked(self, box: Box | int) -> tuple[int, list[Faces]]:
        """Return the row asked about (-1 for a box) and its boxes, after taking in what is pending."""
        entity = entity_of(box)
        faces = [] if entity is not None else [faces_of_box(box)]
        self._bodies.refresh()
        if entity is None:
            return -1, faces
        row = self._bodies.row(entity)
        return row, self._bodies.boxes(row)

    def _related(self, relation: Callable[[Faces, Faces], bool], box: Box | int, filter: Wanted) -> list[int]:
        row, boxes = self._asked(box)
        return sorted(
            {entity for mine in boxes for entity, faces in self._near(mine, filter, row) if relation(mine, faces)}
        )

    def _near(self, region: Faces, filter: Wanted, left_out: int) -> Iterator[tuple[int, Faces]]:
        """Yield (entity, faces) of the boxes that meet a region and belong to a wanted body other than a row."""
        for grid in (self._bodies.dynamic, self._bodies.static):
            count = grid.collect(*region)
            for slot in list(grid.hits[:count]):
                row = grid.owner[slot]
                if row != left_out and self._counts(row, filter):
                    yield self._bodies.entity(row), _faces(grid, slot)

    def _counts(self, row: int, filter: Wanted) -> bool:
        if not filter.triggers and self._bodies.has(row, TRIGGER):
            return False
        if filter.ignore and self._bodies.entity(row) in filter.ignore:
            return False
        return filter.layers is None or self._bodies.layer_of(row) in filter.layers

    def _named(self, filter: Wanted) -> dict[int, int]:
        """Return the entities that count, by row."""
        return {row: entity for entity, row in self._bodies.row_of.items() if self._counts(row, filter)}

    def _met(self) -> Iterator[tuple[Grid, int, Grid, int]]:
        """Yield (grid, slot, grid, slot) for all pairs of boxes that meet, faces included."""
        dynamic, static = self._bodies.dynamic, self._bodies.static
        for grid in (dynamic, static):
            count = grid.collect_pairs(False)
            for a, b in zip(list(grid.pair_a[:count]), list(grid.pair_b[:count]), strict=True):
                yield grid, a, grid, b
        fewer, more = (dynamic, static) if dynamic.box_count <= static.box_count else (static, dynamic)
        for slot in range(fewer.slot_count):
            if fewer.owner[slot] >= 0 and more.box_count:
                count = more.collect(*_faces(fewer, slot))
                for other in list(more.hits[:count]):
                    yield fewer, slot, more, other


def _faces(grid: Grid, slot: int) -> Faces:
    row = list(grid.faces[6 * slot : 6 * slot + 6])
    return (row[0], row[1], row[2], row[3], row[4], row[5])
