# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Queries of the world: overlap, touch, and the first body met (rules B6, B7, Q1 to Q6, H5 to H7).

Every query applies pending changes, searches both indexes, filters by the true shapes and sorts by entity. Compiled
like a kernel because single queries take less time than one call of plain Python.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython

from ecs_collision.access import Access, asking
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, SHAPED, GroupLinks
from ecs_collision.bodies.near_normal import near_normal
from ecs_collision.broadphase.morton_cells import MortonCells
from ecs_collision.broadphase.regions import Cell, Region, cell_of, regions_of
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.fixed_point import LATTICE, flag, to_units, whole
from ecs_collision.query.arguments import (
    PartLike,
    PointLike,
    Side,
    direction_of,
    displacement_of,
    entity_ids,
    entity_of,
    faces_of_box,
    faces_of_point,
    layer_names,
    part_of,
    point_of,
    side_of,
)
from ecs_collision.query.cast import CastQuery
from ecs_collision.query.contact import contact_between
from ecs_collision.query.description import SpaceDescription, size_of
from ecs_collision.query.frustum import FrustumQuery
from ecs_collision.query.nearest import Found, Nearest, NearQuery, inside_circle, nearest_of, radius_of
from ecs_collision.query.overlap import OVERLAPPING, TOUCHING, OverlapQuery, touching_on
from ecs_collision.query.planes import planes_of
from ecs_collision.query.query_filter import (
    ALL,
    QueryFilter,
    QueryOptions,
    Where,
    filter_of,
    filter_of_parts,
    takes_filter,
)
from ecs_collision.query.ray import RayQuery
from ecs_collision.query.ray_hit import CastHit, RayHit, blocks_sight, limit_of, sorted_hits
from ecs_collision.shapes.bounds import bounds_of
from ecs_collision.shapes.contact import ContactManifold
from ecs_collision.shapes.overlap import placed
from ecs_collision.shapes.part import Part

if TYPE_CHECKING:
    import numpy.typing
    from numpy.typing import ArrayLike as Corners
    from sortedcontainers import SortedList

    from ecs_collision.query.arrays import Ids

Place = tuple[int, int, int] | int
"""A point in lattice units, or an entity."""

_NO_ROWS = cython.declare(list, [])
_OVERLAPPING = cython.declare(object, OVERLAPPING)
_TOUCHING = cython.declare(object, TOUCHING)
_ALL = cython.declare(object, ALL)


@cython.final
@cython.cclass
class Space:
    """The index of a world and its queries.

    A box is a pair (lo, hi) of corners (with 2 numbers each: the slab of 2D), a pair (`Box`, position), a rectangle
    with `left`, `top`, `right` and `bottom` such as `pygame.Rect`, or an entity. `overlapping`, `touching` and `cast`
    also take a pair of a `Sphere`, `Capsule` or `OrientedBox` and its position. A corner, position, point or
    displacement is 2 or 3 numbers, or anything with `x` and `y` such as `pygame.Vector2`. For an entity the query uses
    all its parts, and leaves out the entity itself and the rest of its fused group.

    Lists of entities are in ascending order. Disabled bodies are in no result; a query for a disabled entity uses the
    parts that it would have if it were enabled. Made by the world, as `world.space`.
    """

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._access: Access = bodies.dirty_transforms.access
        self._dirty_transforms: DirtyTransforms = bodies.dirty_transforms
        self._group_links: GroupLinks = bodies.group_links
        self._cells, self._static_cells = MortonCells(bodies.dynamic.boxes), MortonCells(bodies.static.boxes)
        self._query = OverlapQuery(bodies.columns, bodies.dynamic, bodies.static)
        self._ray = RayQuery(self._query)
        self._cast = CastQuery(self._query)
        self._near = NearQuery(self._query)
        self._frustum = FrustumQuery(self._query)

    # Queries.

    def overlapping(
        self,
        box: PartLike | int,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> list[int]:
        """Return the entities that overlap a box or another part. Touching is not overlapping (rules L4 and H5)."""
        return self._related(_OVERLAPPING, None, box, layers, ignore, triggers, where, filter)

    def touching(
        self,
        box: PartLike | int,
        side: Side | PointLike | None = None,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> list[int]:
        """Return the entities that touch a box or another part (rules L4 and H5).

        Boxes touch if they share a face; edges and corners do not. Round parts touch if their surfaces meet.

        side: only those on this side of the box (rule C5): "left", "right", "up" or "down" (y grows downwards, as in
        levels), or a direction along an axis, such as (0, -1) or (0, 0, 1). None: all sides. Round parts touch on the
        side of the largest component of the normal. A body of several parts may touch on several sides.
        """
        return self._related(_TOUCHING, side, box, layers, ignore, triggers, where, filter)

    def at(
        self,
        x: float | PointLike,
        y: float | None = None,
        z: float = 0.0,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> list[int]:
        """Return the entities that contain a point: x, y and z, or `x` alone. A point on the surface is outside."""
        self._access.enter()
        try:
            if where is None and filter is None:
                return self._containing(x, y, z, _names(layers), _ids(ignore), triggers)
            chosen = filter_of_parts(filter, layers, ignore, triggers, where)
            return chosen._those(self._containing(x, y, z, chosen.layers, chosen.ignore, chosen.triggers))
        finally:
            self._access.depth -= 1

    @asking
    @takes_filter
    def overlapping_many(self, lo: Corners, hi: Corners, **options: Unpack[QueryOptions]) -> tuple[Ids, Ids]:
        """Return the entities that overlap each of many boxes, as compressed rows (offsets, entities).

        lo, hi: the corners, as arrays (or anything that NumPy converts) of shape (m, 2) or (m, 3) in world units,
        rounded inward like a single box. Box i overlaps `entities[offsets[i]:offsets[i + 1]]`, sorted: the same as
        `overlapping` returns for it. Both are int64 arrays, of m + 1 items and of all entities found. Raises an error
        with the number of the first row that is not a box. O(m + entities found); a hundred boxes take about as long as
        ten single queries.
        """
        from ecs_collision.query import arrays  # only they need NumPy

        chosen = filter_of(options)
        lows, highs = arrays.corners_of(lo, hi)
        self._apply_filter(chosen, [])
        return arrays.overlaps_of_boxes(self._query, lows, highs, chosen.where)

    @asking
    @takes_filter
    def pairs(self, **options: Unpack[QueryOptions]) -> list[tuple[int, int]]:
        """Return all pairs (a, b) of bodies that overlap, a < b, sorted; statics too. O(bodies and their pairs)."""
        return list(map(tuple, self.pairs_array(**options).tolist()))

    @asking
    @takes_filter
    def pairs_array(self, **options: Unpack[QueryOptions]) -> Ids:
        """Return all pairs of bodies that overlap as a (p, 2) int64 array of entity ids a < b, sorted; statics too.

        Bodies with several parts are paired once, bodies of the same fused group not at all. O(bodies and their pairs),
        0.1 us each.
        """
        from ecs_collision.query import arrays

        chosen = filter_of(options)
        self._apply_filter(chosen, [])
        pairs = arrays.pairs_of_listed(self._query)
        if self._group_links.count and len(pairs):
            rows = self._bodies.rows_of(pairs.reshape(-1).tolist())
            pairs = arrays.of_different_groups(pairs, rows, self._group_links.leader)
        return pairs if chosen.where is None else arrays.pairs_where(pairs, chosen.where)

    def cast(
        self,
        box: PartLike | int,
        displacement: PointLike,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> CastHit | None:
        """Return the first body that a shape would meet along a straight displacement, or None (rule H8).

        box: a box, another part with its position, or an entity. To meet means to begin to overlap; sliding along a
        surface is not a hit. A body that overlaps from the start is met at fraction 0. Nothing moves. The cost depends
        on the bodies near the displacement up to that body; with `where`, on all bodies along it.
        """
        self._access.enter()
        try:
            cast: CastQuery = self._cast
            ray: RayQuery = self._ray
            if where is None and filter is None:
                names, ids = _names(layers), _ids(ignore)
                if ray.read_origin(displacement):
                    cast.dx, cast.dy, cast.dz = ray.ox, ray.oy, ray.oz
                    if type(box) is int:
                        self._exclude(names, ids, triggers, [box])
                        if cast.read_row(self._bodies.row(box)):
                            return cast.first()
                    elif cast.read(box):
                        self._apply_changes(names, ids, triggers)
                        return cast.first()
                layers, ignore = names, ids  # an iterator can be read only once
            chosen = filter_of_parts(filter, layers, ignore, triggers, where)
            return self._cast_any(box, displacement_of(displacement), chosen)
        finally:
            self._access.depth -= 1

    def nearest(
        self,
        point: PointLike | int,
        k: int = 1,
        max_distance: float = math.inf,
        *,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> list[Nearest]:
        """Return the `k` bodies that are nearest to a point, by distance, then by id (rule Q4).

        point: a point, or an entity: then its position, and the entity and its fused group are left out. max_distance:
        in world units. Fewer than `k` are returned if there are no more. The cost depends on the distance of the last.
        """
        self._access.enter()
        try:
            ray: RayQuery = self._ray
            near: NearQuery = self._near
            x: cython.longlong
            y: cython.longlong
            z: cython.longlong
            count = _count(k)
            limit = _limit(max_distance)
            if where is None and filter is None:  # first, because an iterator may make queries, and is read only once
                layers, ignore = _names(layers), _ids(ignore)
            if where is None and filter is None and ray.read_origin(point):
                chosen, left_out = _ALL, _NO_ROWS
                self._apply_changes(layers, ignore, triggers)
                x, y, z = ray.ox, ray.oy, ray.oz
            else:
                chosen = filter_of_parts(filter, layers, ignore, triggers, where)
                place = self._place_of(point, "point")
                left_out = _entities(place)
                self._apply_filter(chosen, left_out)
                x, y, z = self._position_of(place)
            if chosen is _ALL or chosen.where is None:
                found = near.nearest_boxes(x, y, z, count, limit)
                if found is not None:
                    return found
            return self._nearest_parts(x, y, z, count, limit, chosen, left_out)
        finally:
            self._access.depth -= 1

    @asking
    @takes_filter
    def overlapping_circle(self, centre: PointLike | int, radius: float, **options: Unpack[QueryOptions]) -> list[int]:
        """Return the entities that overlap a circle, in 3D a sphere (rules Q5 and H7). Touching is not overlapping.

        centre: a point, or an entity: then its position, and the entity and its fused group are left out.
        """
        size, chosen = radius_of(radius), filter_of(options)
        place = self._place_of(centre, "centre")
        self._apply_filter(chosen, _entities(place))
        x, y, z = self._position_of(place)
        return chosen._those(inside_circle((self._near.within(x, y, z, size, False), self._near.parts), size))

    @asking
    @takes_filter
    def frustum(self, planes: Corners, **options: Unpack[QueryOptions]) -> list[int]:
        """Return the entities that are not wholly outside any one of the planes around a view (rule Q7).

        planes: rows (nx, ny, d), or (nx, ny, nz, d) in 3D. A point (x, y, z) is inside a plane if
        nx * x + ny * y + nz * z + d > 0, in world units; the normal has any length. A body is found if one of its parts
        reaches inside every plane, so one just outside an edge of the frustum may be found too. The cost depends on
        the bodies near the frustum.
        """
        limits, chosen = planes_of(planes), filter_of(options)
        self._apply_filter(chosen, [])
        return chosen._those(self._frustum.find(limits))

    # Contacts.

    @asking
    def contact(self, entity: int, other: int) -> ContactManifold | None:
        """Return where and how deep two bodies overlap, or None if they do not overlap or are the same (rule H9).

        The normal points from `entity` to `other`. If several pairs of parts overlap, the contact is that of the
        deepest pair. Layers, masks and fusing do not matter, and disabled bodies count as if they were enabled.
        O(parts of one * parts of the other).
        """
        ids = [self._bodies.id_of(entity), self._bodies.id_of(other)]
        self._apply_changes(None, _NO_ROWS, False)
        return contact_between(self._bodies, *self._bodies.rows_of(ids))

    def overlap_depth(self, entity: int, other: int) -> float:
        """Return the depth of the contact of two bodies in world units, 0.0 if they do not overlap (rule H9)."""
        contact = self.contact(entity, other)
        return 0.0 if contact is None else contact.depth

    # Rays.

    def ray(
        self,
        origin: PointLike | int,
        direction: PointLike,
        max_distance: float = math.inf,
        *,
        one_way: bool = False,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> RayHit | None:
        """Return the first body that a ray hits, the one with the lowest id among equals, or None (rules Q1 and Q2).

        origin: a point, or an entity: then its position, and the entity and its fused group are left out. direction: of
        any length, which does not limit the ray; with (0, 0) the ray is a point. max_distance: in world units. one_way:
        whether the ray passes through `OneWay` bodies as a motion does (rule M5); otherwise it hits them like any body.
        The cost depends on the distance of the hit; with `where`, on all bodies along the ray.
        """
        self._access.enter()
        try:
            limit = _limit(max_distance)
            if where is None and filter is None:
                self._set_ray(origin, direction, _names(layers), _ids(ignore), triggers, one_way)
            else:
                chosen = filter_of_parts(filter, layers, ignore, triggers, where)
                self._set_ray(origin, direction, chosen.layers, chosen.ignore, chosen.triggers, one_way)
                if chosen.where is not None:
                    return next(self._hits(limit, chosen.where), None)
            ray: RayQuery = self._ray
            distance: cython.double = ray.find_first(limit)
            return None if ray.entity < 0 else ray.hit_of(ray.when, ray.step, ray.axis, ray.row, distance)
        finally:
            self._access.depth -= 1

    def ray_all(
        self,
        origin: PointLike | int,
        direction: PointLike,
        max_distance: float = math.inf,
        *,
        one_way: bool = False,
        layers: str | Iterable[str] | None = None,
        ignore: Iterable[int] = (),
        triggers: bool = False,
        where: Where | None = None,
        filter: QueryFilter | None = None,
    ) -> list[RayHit]:
        """Return all bodies that a ray hits, each once, in the order of the ray, then by id. See `ray`."""
        self._access.enter()
        try:
            limit, chosen = _limit(max_distance), filter_of_parts(filter, layers, ignore, triggers, where)
            self._set_ray(origin, direction, chosen.layers, chosen.ignore, chosen.triggers, one_way)
            return list(self._hits(limit, chosen.where))
        finally:
            self._access.depth -= 1

    @asking
    @takes_filter
    def ray_many(
        self,
        origins: Corners,
        directions: Corners,
        max_distance: numpy.typing.ArrayLike = math.inf,
        *,
        one_way: bool = False,
        **options: Unpack[QueryOptions],
    ) -> tuple[Ids, numpy.typing.NDArray[numpy.float64]]:
        """Return the first body of each of many rays as two arrays, entities and distances; -1 and inf without a hit.

        origins, directions: arrays of shape (m, 2) or (m, 3) in world units. max_distance: one number, or one for each
        ray. one_way: as for `ray`. The result has m items of int64 and of float64, the same as `ray` returns for each.
        Raises an error with the number of the first row that is not a ray.
        """
        from ecs_collision.query import arrays

        starts, steps = arrays.ends_of(origins, directions)
        chosen = filter_of(options)
        limits = arrays.limits_of(max_distance, len(starts))
        self._apply_filter(chosen, [])
        self._ray.set_one_way(flag(one_way, "one_way"))
        entities, distances = arrays.hits_of_rays(self._ray, starts, steps, limits)
        if chosen.where is not None:
            for row, entity in enumerate(entities.tolist()):
                if entity >= 0 and not chosen.where(entity):
                    hit = self.ray(
                        starts[row].tolist(), steps[row].tolist(), limits[row].item(), one_way=one_way, filter=chosen
                    )
                    entities[row], distances[row] = (-1, math.inf) if hit is None else (hit.entity, hit.distance)
        return entities, distances

    @asking
    @takes_filter
    def line_of_sight(
        self, a: PointLike | int, b: PointLike | int, *, one_way: bool = False, **options: Unpack[QueryOptions]
    ) -> bool:
        """Return whether no body lies on the straight line between two points or entities (rule Q3).

        For an entity the line ends at its position, and the entity and its fused group are left out. A body that only
        touches the line, or ends exactly where it ends, does not block it. one_way: as for `ray`, seen from a.
        """
        chosen = filter_of(options)
        places = self._place_of(a, "a"), self._place_of(b, "b")
        self._apply_filter(chosen, _entities(*places))
        start, end = map(self._position_of, places)
        ray: RayQuery = self._ray
        ray.set_one_way(flag(one_way, "one_way"))
        ray.set_units(start, (end[0] - start[0], end[1] - start[1], end[2] - start[2]))
        met = [found for found in ray.find_all(ray.length() * LATTICE) if blocks_sight(found)]
        return not (
            met if chosen.where is None else any(chosen.where(entity) for entity in sorted({each[3] for each in met}))
        )

    # The index.

    @property
    def cells(self) -> Sequence[int]:
        """The occupied cells of bodies that may move, ordered by first code covered, then the larger cell (B3).

        This is a `SortedList`, brought up to date whenever this is read: do not change it. It costs
        the boxes that changed since the last time; until the first time, nothing.
        """
        return self._directory(self._cells)

    @property
    def static_cells(self) -> Sequence[int]:
        """The occupied cells of `Static` bodies, which are separate (B6)."""
        return self._directory(self._static_cells)

    def cell(self, key: int) -> Cell:
        """Return the cell of a key of `cells` or `static_cells`. Raises an error for an invalid key."""
        return cell_of(key, self._bodies.bin_shift)

    @asking
    def regions(self) -> Iterator[Region]:
        """Iterate over the runs of asleep and of awake cells, in the order of `cells`. O(cells)."""
        self._apply_changes(None, _NO_ROWS, False)
        return regions_of(self._cells)

    @asking
    def describe(self) -> SpaceDescription:
        """Return the broad phase and the sizes of its indexes: boxes, entries, nodes, depth, bytes. O(boxes)."""
        bodies = self._bodies
        self._apply_changes(None, _NO_ROWS, False)
        return SpaceDescription(bodies.broad_phase, size_of(bodies.dynamic), size_of(bodies.static))

    def __repr__(self) -> str:
        bodies = self._bodies
        return (
            f"Space({len(bodies)} bodies, {bodies.dynamic.cell_count} cells, {bodies.static.cell_count} static cells)"
        )

    # Helpers.

    @cython.cfunc
    def _set_ray(
        self, origin: object, direction: object, names: object, ids: object, triggers: object, one_way: object
    ) -> None:
        """Apply pending changes, set the filter and the ray."""
        ray: RayQuery = self._ray
        ray.set_one_way(one_way if one_way is True or one_way is False else flag(one_way, "one_way"))
        if ray.read(origin, direction):
            self._apply_changes(names, ids, triggers)
            return
        steps, place = direction_of(direction, "direction"), self._place_of(origin, "origin")
        self._exclude(names, ids, triggers, _entities(place))
        x, y, z = self._position_of(place)
        ray.read((x * LATTICE, y * LATTICE, z * LATTICE), steps)

    def _hits(self, limit: float, where: Where | None) -> Iterator[RayHit]:
        """Return the hits of the ray in order; `where` may make queries of its own."""
        ray: RayQuery = self._ray
        hits = [
            ray.hit_of(when, step, axis, self._bodies.row_of[entity], distance)
            for when, step, axis, entity, _ in sorted_hits(ray.direction, ray.find_all(limit))
            if (distance := ray.distance_of(when, step)) <= limit
        ]
        return iter(hits) if where is None else (hit for hit in hits if where(hit.entity))

    def _nearest_parts(
        self, x: int, y: int, z: int, k: int, limit: float, chosen: QueryFilter, left_out: list[int]
    ) -> list[Nearest]:
        """Return the nearest bodies if some have other parts than boxes, or there is a condition."""
        only_nearest = k == 1 and chosen.where is None

        def within(radius: int) -> Found:
            if chosen.where is not None:  # it may have made queries since the last radius
                self._apply_filter(chosen, left_out)
            return self._near.within(x, y, z, radius, only_nearest), self._near.parts

        return nearest_of(within, chosen.where, k, limit, self._bodies.bin_shift)

    def _place_of(self, given: object, name: str) -> Place:
        """Return a point in lattice units, or the entity that is given in its place."""
        if self._ray.read_origin(given):  # plain points, fast
            return self._ray.origin
        entity = entity_of(given)
        if entity is not None:
            return entity
        x, y, z = point_of(given, name)
        return to_units(x), to_units(y), to_units(z)

    def _position_of(self, place: Place) -> tuple[int, int, int]:
        """Return a point, or the position of an entity. Call `_apply_filter` before."""
        if isinstance(place, tuple):
            return place
        row, pos = self._bodies.row(place), self._bodies.columns.pos
        return pos[8 * row], pos[8 * row + 1], pos[8 * row + 2]

    def _apply_filter(self, chosen: QueryFilter, entities: list[int]) -> None:
        """Apply pending changes and set the filter; leave out entities with their fused groups."""
        self._exclude(chosen.layers, chosen.ignore, chosen.triggers, entities)  # type: ignore[arg-type]

    @asking
    def _directory(self, cells: MortonCells) -> SortedList:
        self._apply_changes(None, _NO_ROWS, False)
        return cells.directory()

    @cython.cfunc
    def _related(
        self,
        relation: int,
        side: Side | PointLike | None,
        box: object,
        layers: object,
        ignore: object,
        triggers: object,
        where: object,
        given: QueryFilter | None,
    ) -> list[int]:
        """Return the entities in a relation to a box or to the boxes of an entity, on one side of it or on all."""
        self._access.enter()
        try:
            if side is not None:
                relation = touching_on(*side_of(side))
            if where is None and given is None:
                return self._related_of(relation, box, _names(layers), _ids(ignore), triggers)
            chosen = filter_of_parts(given, layers, ignore, triggers, where)
            return chosen._those(self._related_of(relation, box, chosen.layers, chosen.ignore, chosen.triggers))
        finally:
            self._access.depth -= 1

    def _cast_any(self, box: object, displacement: tuple[int, int, int], chosen: QueryFilter) -> CastHit | None:
        """Return the first body that anything meets that may be cast."""
        entity = entity_of(box)
        left_out = [] if entity is None else [entity]
        parts = [] if left_out else [part_of(box) or Part(faces_of_box(box))]
        self._apply_filter(chosen, left_out)
        for row in map(self._bodies.row, left_out):
            if self._bodies.has(row, SHAPED):
                parts = self._bodies.parts_if_enabled(row)
            else:
                parts = list(map(Part, self._bodies.outer_boxes_if_enabled(row)))
        cast: CastQuery = self._cast
        movers, moving_row = list(map(placed, parts)), self._bodies.row(left_out[0]) if left_out else -1
        cast.set_way(movers, displacement, moving_row)
        if chosen.where is None:
            return cast.first()  # type: ignore[no-any-return]
        refused: list[int] = []
        for when, step, _, entity, _ in sorted_hits(displacement, cast.find_on_the_way()):
            if when > step:
                break
            if chosen.where(entity):  # it may have made queries
                self._apply_filter(replace(chosen, ignore=[*chosen.ignore, *refused]), left_out)
                cast.set_way(movers, displacement, moving_row)
                return cast.first()  # type: ignore[no-any-return]
            refused.append(entity)
        return None

    @cython.cfunc
    def _containing(
        self, x: object, y: object, z: object, names: frozenset[str] | None, ids: Sequence[int], triggers: object
    ) -> list[int]:
        """Return the entities that contain a point."""
        point = (x, y, z)
        if not self._query.read_box((point, point)):
            self._query.set_region(faces_of_point(x, y, z))
        self._apply_changes(names, ids, triggers)
        return self._query.find_in_region(_OVERLAPPING)

    @cython.cfunc
    def _related_of(
        self, relation: int, box: object, names: frozenset[str] | None, ids: Sequence[int], triggers: object
    ) -> list[int]:
        """Return the entities in a relation to a box or to the boxes of an entity."""
        if self._query.read_box(box):
            self._apply_changes(names, ids, triggers)
            return self._query.find_in_region(relation)
        if self._query.read_part(box):
            self._apply_changes(names, ids, triggers)
            return self._query.find_around_probe(relation)
        entity = entity_of(box)
        if entity is None:
            part = part_of(box)
            if part is None:
                self._query.set_region(faces_of_box(box))
                self._apply_changes(names, ids, triggers)
                return self._query.find_in_region(relation)
            self._apply_changes(names, ids, triggers)
            return self._query.find_around_part(relation, placed(part), bounds_of(part))
        self._exclude(names, ids, triggers, [entity])
        row = self._bodies.row(entity)
        found = self._query.find_around_row(relation, row)
        if relation >= _TOUCHING and self._bodies.moving_rows:
            found = self._with_held(found, relation, row)
        return found if found or self._bodies.has(row, ENABLED) else self._related_if_enabled(relation, row)

    @cython.cfunc
    def _with_held(self, found: list[int], relation: int, row: int) -> list[int]:
        """Return entities that touch a body, with those that rest on it or hold it after a step of dynamics (C5)."""
        axis: cython.int = (relation - _TOUCHING - 1) >> 1
        others = [other for other in self._bodies.held_with(row) if self._query.is_counted(other)]
        for other in others:
            if relation > _TOUCHING:
                normal = near_normal(self._bodies, row, other)
                if normal is None:
                    continue
                sizes = [abs(by) for by in normal]
                if sizes.index(max(sizes)) != axis or (normal[axis] > 0.0) != ((relation & 1) == 0):
                    continue
            found = [*found, self._bodies.entity(other)]
        return sorted(set(found)) if others else found

    @asking
    def _overlapping_part(self, part: Part, ignore: Iterable[int]) -> list[int]:
        """Return the entities that overlap a part in the world, in lattice units."""
        self._apply_changes(None, _ids(ignore), False)
        return self._query.find_around_part(_OVERLAPPING, placed(part), bounds_of(part))

    def _related_if_enabled(self, relation: int, row: int) -> list[int]:
        """Return the entities in a relation to the boxes that a disabled body would have."""
        found: set[int] = set()
        bodies = self._bodies
        if bodies.has(row, SHAPED):
            for part, bounds in zip(bodies.parts_if_enabled(row), bodies.boxes_if_enabled(row), strict=True):
                found.update(self._query.find_around_part(relation, placed(part), bounds))
            return sorted(found)
        for faces in bodies.outer_boxes_if_enabled(row) if relation == _OVERLAPPING else bodies.boxes_if_enabled(row):
            self._query.set_region(faces)
            found.update(self._query.find_in_region(relation))
        return sorted(found)

    @cython.cfunc
    def _exclude(self, names: frozenset[str] | None, ids: Sequence[int], triggers: object, entities: list[int]) -> None:
        """Apply pending changes and set the filter so that it leaves out ids, and entities with their fused groups."""
        self._apply_changes(names, ids, triggers)
        if entities:
            left_out = [*ids, *entities]
            for entity in entities:
                row = self._bodies.row(entity)
                if self._group_links.is_fused(row):
                    left_out += map(self._bodies.entity, self._group_links.rows_of(row))
            self._apply_changes(names, left_out, triggers)

    @cython.cfunc
    def _apply_changes(self, names: frozenset[str] | None, ids: Sequence[int], triggers: object) -> None:
        """Apply pending changes and set the filter. Keeps a region that was read."""
        if triggers is not True and triggers is not False:
            triggers = flag(triggers, "triggers")
        if self._dirty_transforms.may_apply():
            self._bodies.refresh()
        if names is None and not ids:
            all_count = triggers or self._bodies.trigger_count == 0  # then no flags are read
            self._query.filter(all_count, None, _NO_ROWS)
        else:
            row_of = self._bodies.row_of
            rows = [row_of[entity] for entity in ids if entity in row_of]
            layers = None if names is None else self._bodies.filters.in_layers(names, triggers)
            self._query.filter(triggers, layers, rows)


@cython.cfunc
@cython.inline
def _count(k: object) -> int:
    """Return how many bodies are asked for."""
    return k if type(k) is int and 0 < k < 100 else min(whole(k, "k", minimum=1), 1 << 62)  # the common case, fast


@cython.cfunc
@cython.inline
def _limit(max_distance: object) -> float:
    """Return the largest distance of a query."""
    if type(max_distance) is float and max_distance >= 0.0:  # the common case, fast
        return max_distance
    return limit_of(max_distance)


@cython.cfunc
@cython.inline
def _names(layers: object) -> frozenset[str] | None:
    """Return the layer names, None for all."""
    return None if layers is None else layer_names(layers)


def _entities(*places: Place) -> list[int]:
    """Return the entities among places of a query."""
    return [place for place in places if not isinstance(place, tuple)]


@cython.cfunc
@cython.inline
def _ids(ignore: object) -> list[int]:
    """Return the ids to leave out."""
    return _NO_ROWS if type(ignore) is tuple and not ignore else entity_ids(ignore)


for _query in (Space.overlapping, Space.touching, Space.at, Space.cast, Space.nearest, Space.ray, Space.ray_all):
    takes_filter(_query)  # not as a decorator, and without `**options`: either makes a call 5 % slower or more
