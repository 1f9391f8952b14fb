"""Bulk queries: boxes and rays given as arrays, entities and pairs returned as arrays.

`Space` imports it where it is needed, because NumPy takes longer to import than the engine.
"""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, Any

from ecs_collision._numpy import numpy
from ecs_collision.broadphase.all_pairs import AllPairs
from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import refuse_masks, shown
from ecs_collision.query.arguments import direction_of, faces_of_box, point_of
from ecs_collision.query.overlap import OVERLAPPING, OverlapQuery
from ecs_collision.query.query_filter import Where
from ecs_collision.query.ray import RayQuery
from ecs_collision.query.ray_hit import limit_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as Corners
    from numpy.typing import NDArray

    Ids = NDArray[numpy.int64]
    Table = NDArray[numpy.float64]


def corners_of(lo: Corners, hi: Corners) -> tuple[Table, Table]:
    """Return the corners of many boxes as two contiguous float64 arrays of shape (m, 2) or (m, 3)."""
    low, high = _table(lo, "lo"), _table(hi, "hi")
    if low.shape != high.shape:
        raise CollisionTypeError(
            f"lo has shape {low.shape} and hi {high.shape}; give both corners of every box, in two arrays of one shape"
        )
    return low, high


def ends_of(origins: Corners, directions: Corners) -> tuple[Table, Table]:
    """Return origins and directions of many rays as two contiguous float64 arrays of shape (m, 2) or (m, 3)."""
    starts, steps = _table(origins, "origins"), _table(directions, "directions")
    if starts.shape != steps.shape:
        raise CollisionTypeError(
            f"origins has shape {starts.shape} and directions {steps.shape}; give one of each for every ray, in two "
            "arrays of the same shape"
        )
    return starts, steps


def limits_of(max_distance: Corners, rays: int) -> Table:
    """Return the largest distance of each of many rays, given as one number or one for each."""
    needs = f"max_distance must be a number, or an array of {rays} of them"
    given = _array(max_distance, needs)
    if given.dtype.kind not in "fiu" or given.shape not in ((), (rays,)):
        raise CollisionTypeError(f"{needs}, not {shown(max_distance)}; give one for all rays, or one for each")
    return numpy.require(numpy.broadcast_to(given, (rays,)), numpy.float64, ["C", "A"])


def _table(values: Corners, name: str) -> Table:
    needs = f"{name} must be an array of numbers of shape (m, 2) or (m, 3)"
    given = _array(values, needs)
    if given.shape == (0,):
        given = given.reshape(0, 2)
    if given.dtype.kind not in "fiu" or given.ndim != 2 or given.shape[1] not in (2, 3):
        raise CollisionTypeError(f"{needs}, not {shown(values)}")
    return numpy.require(given, numpy.float64, ["C", "A"])


def _array(values: Corners, needs: str) -> NDArray[Any]:
    """Return values as an array, an empty one of objects for rows of different lengths. Refuses masked values."""
    refuse_masks(values, needs)
    try:
        return numpy.asarray(values)
    except ValueError:
        return numpy.empty(0, object)


def overlaps_of_boxes(query: OverlapQuery, lows: Table, highs: Table, where: Where | None) -> tuple[Ids, Ids]:
    """Return the entities that overlap each of many boxes and meet a condition, as compressed rows."""
    offsets = numpy.zeros(len(lows) + 1, numpy.int64)
    bad = query.find_in_regions(OVERLAPPING, lows.shape[1], lows.reshape(-1).data, highs.reshape(-1).data, offsets.data)
    if bad >= 0:
        faces_of_box((lows[bad].tolist(), highs[bad].tolist()), f"box {bad}")
    entities = numpy.frombuffer(query.results(), numpy.int64)
    if where is None:
        return offsets, entities
    kept = numpy.array([bool(where(entity)) for entity in entities.tolist()], bool)
    return numpy.concatenate(([0], numpy.cumsum(kept)))[offsets], entities[kept]


def hits_of_rays(query: RayQuery, starts: Table, steps: Table, limits: Table) -> tuple[Ids, Table]:
    """Return the first entity that each of many rays hits, and its distance; -1 and infinity without a hit."""
    entities, distances = numpy.full(len(starts), -1, numpy.int64), numpy.full(len(starts), math.inf)
    bad = query.find_many(starts.shape[1], starts.reshape(-1), steps.reshape(-1), limits, entities, distances)
    if bad >= 0:
        point_of(starts[bad].tolist(), f"origins[{bad}]")
        direction_of(steps[bad].tolist(), f"directions[{bad}]")
        limit_of(limits[bad].item(), f"max_distance[{bad}]")
    return entities, distances


def pairs_where(pairs: Ids, where: Where) -> Ids:
    """Return the pairs of which both entities meet a condition, which is asked once for each."""
    kept = {entity for entity in numpy.unique(pairs).tolist() if where(entity)}
    return pairs[[a in kept and b in kept for a, b in pairs.tolist()]]


def pairs_of_listed(query: OverlapQuery) -> Ids:
    """Return the pairs (a, b) of entities, a < b, sorted, whose boxes overlap, after the filter of the query."""
    listed = numpy.frombuffer(query.list_boxes(), numpy.int64)
    order = numpy.argsort(listed, kind="stable")
    pairs = _joined_pairs(query, order) if query.dynamic.index.may_copy else _indexed_pairs(query, order)
    if len(pairs) and query.has_shapes:
        pairs = pairs[numpy.frombuffer(query.overlap_of_pairs(pairs.reshape(-1).data, order.data), bool)]
    ids = listed[order]
    begins = ids[1:] != ids[:-1]
    return ids[pairs] if begins.all() else ids[_unique_bodies(pairs, begins)]


def _joined_pairs(query: OverlapQuery, order: Ids) -> Ids:
    """Return the pairs of places in `order` of listed boxes that overlap, sorted, from nothing but the boxes."""
    all_pairs = AllPairs()
    query.fill_pairs(all_pairs, order.data)
    pairs = numpy.empty((all_pairs.find_pairs(), 2), numpy.int64)
    if len(pairs):
        all_pairs.write_sorted(pairs.reshape(-1).data)
    return pairs


def _indexed_pairs(query: OverlapQuery, order: Ids) -> Ids:
    """Return the same pairs from the indexes, which find those that meet; some of these only touch."""
    listed = numpy.frombuffer(query.boxes, numpy.intc)[order]
    dynamic, static = query.dynamic.index, query.static.index
    found = []
    for one, other in ((dynamic, dynamic), (dynamic, static), (static, static)):
        count = one.find_pairs(other, False)
        slots = numpy.array(one.pairs[: 2 * count], numpy.int64).reshape(-1, 2)
        places = [_places(listed, index is static, index.boxes.slot_count) for index in (one, other)]
        faces = [numpy.array(index.boxes.faces, numpy.int64).reshape(-1, 8) for index in (one, other)]
        a, b = faces[0][slots[:, 0]], faces[1][slots[:, 1]]
        overlap = (a[:, :3] < b[:, 3:6]).all(axis=1) & (b[:, :3] < a[:, 3:6]).all(axis=1)
        pairs = numpy.stack((places[0][slots[:, 0]], places[1][slots[:, 1]]), axis=1)
        found.append(numpy.sort(pairs[overlap & (pairs >= 0).all(axis=1)], axis=1))
    pairs = numpy.concatenate(found)
    return pairs[numpy.lexsort((pairs[:, 1], pairs[:, 0]))]


def _places(listed: NDArray[numpy.intc], static: bool, slot_count: int) -> Ids:
    """Return the place of each slot of an index in a list of slots, where static slots are inverted; -1 if absent."""
    places = numpy.full(slot_count, -1, numpy.int64)
    mine = numpy.flatnonzero((listed < 0) == static)
    slots = listed[mine]
    places[~slots if static else slots] = mine
    return places


def of_different_groups(pairs: Ids, rows: array[int], leaders: memoryview) -> Ids:
    """Return the pairs of different fused groups; `rows` are the rows of the entities in the order of the pairs."""
    found = numpy.asarray(leaders)[numpy.frombuffer(rows, numpy.intc)].reshape(-1, 2)
    kept: Ids = pairs[found[:, 0] != found[:, 1]]
    return kept


def _unique_bodies(pairs: Ids, begins: NDArray[numpy.bool_]) -> Ids:
    """Replace boxes by the first box of their body, and return each pair once, sorted.

    begins: for each box but the first, whether another body begins with it.
    """
    first = numpy.concatenate(([0], numpy.flatnonzero(begins) + 1))
    body = numpy.concatenate(([0], numpy.cumsum(begins)))[pairs]
    keys = numpy.unique(body[body[:, 0] != body[:, 1]] @ (len(first), 1))
    found: Ids = first[numpy.stack(numpy.divmod(keys, len(first)), axis=1)]
    return found
