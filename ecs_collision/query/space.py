# cython: language_level=3, annotation_typing=False, auto_pickle=False
"""Queries of the world: overlap, touch, and the first body met (rules B6 and B7).

Every query applies pending changes, searches both indexes, filters by the true boxes and sorts by entity. Compiled like
a kernel because single queries take less time than one call of plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED
from ecs_collision.bodies.group_links import GroupLinks
from ecs_collision.broadphase.morton_grid.grid import Grid
from ecs_collision.broadphase.morton_grid.regions import Cell, Region, cell_of, regions_of
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.fixed_point import flag
from ecs_collision.query.arguments import (
    BoxLike,
    Faces,
    PointLike,
    displacement_of,
    entity_ids,
    entity_of,
    faces_of_box,
    faces_of_point,
    layer_names,
)
from ecs_collision.query.arrays import Corners, Ids, corners_of, of_different_groups, pairs_of_listed
from ecs_collision.query.cast import Sweep, first_hit
from ecs_collision.query.overlap import OVERLAPPING, TOUCHING, OverlapQuery
from ecs_collision.sealing import seal

if TYPE_CHECKING:
    from sortedcontainers import SortedList

_NO_ROWS: list[int] = []


@cython.final
@cython.cclass
class Space:
    """The index of a world and its queries.

    A box is a pair (lo, hi) of corners (with 2 numbers each: the slab of 2D), a pair (`Box`, position), a rectangle
    with `left`, `top`, `right` and `bottom` such as `pygame.Rect`, or an entity. A corner, position, point or
    displacement is 2 or 3 numbers, or anything with `x` and `y` such as `pygame.Vector2`. For an entity the query uses
    all its boxes, and leaves out the entity itself and the rest of its fused group. `layers` names the layers to
    include (None: all), `ignore` the entities to leave out, `triggers` whether triggers are included. Results are
    sorted. Disabled bodies are in no result; a query for a disabled entity uses the boxes that it would have if it were
    enabled.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._dirty_transforms: DirtyTransforms = bodies.dirty_transforms
        self._group_links: GroupLinks = bodies.group_links
        self._query = OverlapQuery(bodies.columns, bodies.dynamic, bodies.static)

    # Queries.

    def overlapping(
        self,
        box: BoxLike | int,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> list[int]:
        """Return the entities whose boxes overlap a box. Boxes that share a face do not overlap."""
        return self._related(OVERLAPPING, box, layers, ignore, triggers)

    def touching(
        self,
        box: BoxLike | int,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> list[int]:
        """Return the entities that have a box which shares a face with a box. Edges and corners do not touch."""
        return self._related(TOUCHING, box, layers, ignore, triggers)

    def at(
        self,
        x: float | PointLike,
        y: float | None = None,
        z: float = 0.0,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> list[int]:
        """Return the entities that strictly contain a point, x, y and z or `x` alone. A point on a face is outside."""
        names, ids = _names(layers), _ids(ignore)
        if not self._query.read_box(((x, y, z), (x, y, z))):
            self._query.set_region(faces_of_point(x, y, z))
        self._apply_changes(names, ids, triggers)
        return self._query.find_in_region(OVERLAPPING)

    def overlapping_many(
        self,
        lo: Corners,
        hi: Corners,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> tuple[Ids, Ids]:
        """Return the entities whose boxes overlap each of many boxes, as compressed rows (offsets, entities).

        lo, hi: the corners, as arrays (or anything that NumPy converts) of shape (m, 2) or (m, 3) in world units,
        rounded inward like a single box. Box i overlaps `entities[offsets[i]:offsets[i + 1]]`, sorted: the same as
        `overlapping` returns for it. Both are int64 arrays, of m + 1 items and of all entities found. Raises an error
        with the number of the first row that is not a box. O(m + entities found); a hundred boxes take about as long as
        ten single queries.
        """
        names, ids = _names(layers), _ids(ignore)
        lows, highs = corners_of(lo, hi)
        self._apply_changes(names, ids, triggers)
        offsets = numpy.zeros(len(lows) + 1, numpy.int64)
        bad = self._query.find_in_regions(
            OVERLAPPING, lows.shape[1], lows.reshape(-1).data, highs.reshape(-1).data, offsets.data
        )
        if bad >= 0:
            faces_of_box((lows[bad].tolist(), highs[bad].tolist()), f"box {bad}")
        return offsets, numpy.frombuffer(self._query.results(), numpy.int64)

    def pairs(
        self, *, layers: str | Iterable[str] | None = None, ignore: Iterable[int] = (), triggers: bool = False
    ) -> list[tuple[int, int]]:
        """Return all pairs (a, b) of bodies that overlap, a < b, sorted; statics too. O(bodies and their pairs)."""
        return list(map(tuple, self.pairs_array(layers=layers, ignore=ignore, triggers=triggers).tolist()))

    def pairs_array(
        self, *, layers: str | Iterable[str] | None = None, ignore: Iterable[int] = (), triggers: bool = False
    ) -> Ids:
        """Return all pairs of bodies that overlap as a (p, 2) int64 array of entity ids a < b, sorted; statics too.

        Bodies with several boxes are paired once, bodies of the same fused group not at all. O(bodies and their pairs),
        0.1 us each.
        """
        self._apply_changes(_names(layers), _ids(ignore), triggers)
        pairs = pairs_of_listed(self._query)
        if self._group_links.count == 0 or not len(pairs):
            return pairs
        return of_different_groups(pairs, self._bodies.rows_of(pairs.reshape(-1).tolist()), self._group_links.leader)

    def sweep(
        self,
        box: BoxLike | int,
        displacement: PointLike,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
    ) -> Sweep | None:
        """Return the first body that a box would meet along a straight displacement, or None if there is none.

        To meet means that faces come together with overlap on the other axes. A body that overlaps from the start is
        met at fraction 0. Nothing moves. The cost depends on the bodies near the displacement up to that body.
        """
        units, names, ids = displacement_of(displacement), _names(layers), _ids(ignore)
        entity = entity_of(box)
        boxes = [] if entity is not None else [faces_of_box(box)]
        if entity is None:
            self._apply_changes(names, ids, triggers)
        else:
            boxes = self._bodies.outer_boxes_if_enabled(self._exclude(names, ids, triggers, entity))
        return first_hit(boxes, units, self._boxes_near, self._bodies.bin_shift)

    # The index.

    @property
    def cells(self) -> Sequence[int]:
        """The occupied cells of bodies that may move, ordered by first code covered, then the larger cell (B3).

        This is the directory itself: read it, but do not change it.
        """
        return self._directory(self._bodies.dynamic)

    @property
    def static_cells(self) -> Sequence[int]:
        """The occupied cells of `Static` bodies, which are separate (B6)."""
        return self._directory(self._bodies.static)

    def cell(self, key: int) -> Cell:
        """Return the cell of a key of `cells` or `static_cells`. Raises an error for an invalid key."""
        return cell_of(key, self._bodies.bin_shift)

    def regions(self) -> Iterator[Region]:
        """Iterate over the runs of asleep and of awake cells, in the order of `cells`. O(cells)."""
        self._bodies.refresh()
        return regions_of(self._bodies.dynamic)

    def __repr__(self) -> str:
        bodies = self._bodies
        return (
            f"Space({len(bodies)} bodies, {bodies.dynamic.cell_count} cells, {bodies.static.cell_count} static cells)"
        )

    # Helpers.

    def _directory(self, grid: Grid) -> SortedList:
        self._bodies.refresh()
        return grid.directory

    @cython.cfunc
    def _related(self, relation: int, box: object, layers: object, ignore: object, triggers: object) -> list[int]:
        """Return the entities in a relation to a box or to the boxes of an entity."""
        names, ids = _names(layers), _ids(ignore)
        if self._query.read_box(box):
            self._apply_changes(names, ids, triggers)
            return self._query.find_in_region(relation)
        entity = entity_of(box)
        if entity is None:
            self._query.set_region(faces_of_box(box))
            self._apply_changes(names, ids, triggers)
            return self._query.find_in_region(relation)
        row = self._exclude(names, ids, triggers, entity)
        found = self._query.find_around_row(relation, row)
        return found if found or self._bodies.has(row, ENABLED) else self._related_if_enabled(relation, row)

    def _related_if_enabled(self, relation: int, row: int) -> list[int]:
        """Return the entities in a relation to the boxes that a disabled body would have."""
        found: set[int] = set()
        bodies = self._bodies
        for faces in bodies.boxes_if_enabled(row) if relation == TOUCHING else bodies.outer_boxes_if_enabled(row):
            self._query.set_region(faces)
            found.update(self._query.find_in_region(relation))
        return sorted(found)

    @cython.cfunc
    def _exclude(self, names: frozenset[str] | None, ids: list[int], triggers: object, entity: int) -> int:
        """Apply pending changes and set the filter so that it leaves out an entity and its group; return its row."""
        self._apply_changes(names, [*ids, entity], triggers)
        row = self._bodies.row(entity)
        if self._group_links.is_fused(row):
            self._apply_changes(names, [*ids, *map(self._bodies.entity, self._group_links.rows_of(row))], triggers)
        return row

    @cython.cfunc
    def _apply_changes(self, names: frozenset[str] | None, ids: list[int], triggers: object) -> None:
        """Apply pending changes and set the filter. Keeps a region that was read."""
        if triggers is not True and triggers is not False:
            triggers = flag(triggers, "triggers")
        if self._dirty_transforms.count or self._dirty_transforms.staged or self._dirty_transforms.watched:
            self._bodies.refresh()
        if names is None and not ids:
            self._query.filter(triggers, None, _NO_ROWS)
        else:
            row_of = self._bodies.row_of
            rows = [row_of[entity] for entity in ids if entity in row_of]
            self._query.filter(triggers, None if names is None else self._bodies.filters.in_layers(names), rows)

    def _boxes_near(self, region: Faces) -> list[tuple[int, Faces]]:
        """Return (entity, faces) of the boxes of included bodies that meet a region."""
        self._query.set_region(region)
        return self._query.boxes_meeting()  # type: ignore[return-value]


@cython.cfunc
@cython.inline
def _names(layers: object) -> frozenset[str] | None:
    """Return the layer names, None for all."""
    return None if layers is None else layer_names(layers)


@cython.cfunc
@cython.inline
def _ids(ignore: object) -> list[int]:
    """Return the ids to leave out."""
    return _NO_ROWS if type(ignore) is tuple and not ignore else entity_ids(ignore)


seal(Space)
