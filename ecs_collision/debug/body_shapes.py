"""Bodies in a rectangle of the world as shapes, which are kept while a body stays as it is.

The index finds the bodies, so a large world costs as much as what is in the rectangle. Nothing is applied or woken: a
picture shows bodies as they were when changes were applied last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASLEEP, ENABLED, SHAPED
from ecs_collision.bodies.drawn import HEIGHTS, form_shapes, kind_of, polygon_of
from ecs_collision.components import Parts, Vector
from ecs_collision.components.checks import ORIGIN
from ecs_collision.drawing import Drawn, Line, Point, Polygon
from ecs_collision.fixed_point import HALF_SLAB, LATTICE, PER_UNIT
from ecs_collision.query.overlap import OVERLAPPING, OverlapQuery
from ecs_collision.shapes.bounds import Form
from ecs_collision.shapes.part import Faces

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in world units."""

Edge = tuple[Point, Point]

_MAX_JOINED = 32
"""Maximum number of boxes whose joined outline is drawn; more are linked by lines."""

_FORGET_ABOVE = 4096
"""Number of kept bodies above which those out of sight are forgotten."""


class _Kept:
    """The shapes of a body, and what they were made from."""

    __slots__ = ("flags", "form", "height", "outline", "parts", "shapes", "x", "y")

    form: Form
    parts: Parts
    flags: int
    x: float
    y: float
    height: int
    outline: list[Polygon]
    shapes: list[Drawn]


class BodyShapes:
    """Finds bodies and draws them."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._query = OverlapQuery(bodies.columns, bodies.dynamic, bodies.static)
        self._kept: dict[int, _Kept] = {}
        self._bounds: dict[int, tuple[Form, tuple[int, ...]]] = {}
        self._left = 0.0
        self._way_of: Callable[[int], Vector] = _no_way

    def interpolate(self, alpha: float, way_of: Callable[[int], Vector]) -> None:
        """Draw bodies where `interpolated` says from now on (M2); way_of: by how much the last frame displaced them."""
        self._left, self._way_of = 1.0 - alpha, way_of

    def position(self, row: int) -> Point:
        """Return where a body is drawn, in lattice units."""
        x, y, _ = self._bodies.position(row)
        if not self._left:
            return x, y
        way_x, way_y, _ = self._way_of(self._bodies.entity(row))
        return x - self._left * way_x * PER_UNIT, y - self._left * way_y * PER_UNIT

    def entities_in(self, area: Rectangle) -> list[int]:
        """Return the enabled bodies that overlap a rectangle at any height, by id."""
        limit, is_flat = self._bodies.dynamic.boxes.limit, not self._bodies.columns.uneven_count
        reach = HALF_SLAB if is_flat else limit - 1
        x0, y0, x1, y1 = [round(min(max(side * PER_UNIT, -limit), limit - 1)) for side in area]
        self._query.set_region((x0, y0, -reach, x1, y1, reach))
        self._query.filter(True, None, [])
        found: list[int] = self._query.find_in_region(OVERLAPPING)
        return found

    def disabled_in(self, area: Rectangle) -> list[int]:
        """Return the disabled bodies in a rectangle, by id. O(bodies), because the index does not have them."""
        bodies, (x0, y0, x1, y1) = self._bodies, area
        found = []
        for entity, row in sorted(bodies.row_of.items()):
            if not bodies.columns.flags[row] & ENABLED:
                rectangles = [_rectangle(faces) for faces in bodies.boxes_if_enabled(row)]
                if any(a < x1 and b < y1 and c > x0 and d > y0 for a, b, c, d in rectangles):
                    found.append(entity)
        return found

    def draw(self, entities: list[int]) -> list[Drawn]:
        """Return the shapes of bodies, the lowest first: by height in 3D, by kind in 2D, then by id."""
        if len(self._kept) > _FORGET_ABOVE + 2 * len(entities):
            self._kept = {entity: self._kept[entity] for entity in entities if entity in self._kept}
        bodies, kept_of = self._bodies, self._kept
        row_of, positions, all_flags = bodies.row_of, bodies.columns.pos, bodies.columns.flags
        forms, all_parts, get = bodies.forms, bodies.parts, kept_of.get
        by_height: dict[int, list[Drawn]] = {}
        is_flat = not bodies.columns.uneven_count
        for entity in entities:
            row = row_of[entity]
            kept = get(entity)
            if (
                kept is None
                or kept.form is not forms[row]
                or kept.parts is not all_parts[row]
                or kept.flags != all_flags[row]
            ):
                kept = kept_of[entity] = self._make(entity, row)
            x, y = self.position(row) if self._left else (positions[8 * row], positions[8 * row + 1])
            if x != kept.x or y != kept.y:
                _place(kept, x, y)
            height = kept.height if is_flat else self.height(entity)
            if height in by_height:
                by_height[height] += kept.shapes
            else:
                by_height[height] = kept.shapes[:]
        return [shape for height in sorted(by_height) for shape in by_height[height]]

    def outline(self, entity: int, kind: str) -> list[Polygon]:
        """Return the parts of a body with another kind."""
        row = self._bodies.row_of[entity]
        x, y = self.position(row)
        at = (x * LATTICE, y * LATTICE)
        return [polygon_of(part, at, kind) for part in self._bodies.forms[row].all_parts]

    def height(self, entity: int) -> int:
        """Return the place of a body in the order of drawing: its highest face in 3D, its kind in 2D."""
        bodies, row = self._bodies, self._bodies.row_of[entity]
        if not bodies.columns.uneven_count:
            return HEIGHTS.index(kind_of(bodies.of(row)))
        return int(bodies.position(row)[2] + max(box[5] for box in bodies.forms[row].boxes))

    def centre(self, entity: int) -> Point:
        """Return the middle of the bounds of a body."""
        x0, y0, x1, y1 = self.bounds(entity)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def above(self, entity: int) -> Point:
        """Return the middle of the upper side of the bounds of a body."""
        x0, y0, x1, _ = self.bounds(entity)
        return (x0 + x1) / 2, y0

    def below(self, entity: int) -> Point:
        """Return the middle of the lower side of the bounds of a body."""
        x0, _, x1, y1 = self.bounds(entity)
        return (x0 + x1) / 2, y1

    def bounds(self, entity: int) -> Rectangle:
        """Return the smallest rectangle around a body."""
        row = self._bodies.row_of[entity]
        form, (x, y) = self._bodies.forms[row], self.position(row)
        known = self._bounds.get(id(form))
        if known is None or known[0] is not form:
            lows, highs = [box[:2] for box in form.boxes], [box[3:5] for box in form.boxes]
            low, high = map(min, zip(*lows, strict=True)), map(max, zip(*highs, strict=True))
            if len(self._bounds) > _FORGET_ABOVE:
                self._bounds.clear()
            known = self._bounds[id(form)] = (form, (*low, *high))
        x0, y0, x1, y1 = known[1]
        return (x + x0) * LATTICE, (y + y0) * LATTICE, (x + x1) * LATTICE, (y + y1) * LATTICE

    def joined(self, entities: list[int]) -> Iterator[Line]:
        """Yield the joined outlines of compounds and fused groups, with a line from a leader to each other member."""
        bodies, links = self._bodies, self._bodies.group_links
        rows, forms, leaders = [bodies.row_of[entity] for entity in entities], bodies.forms, dict[int, None]()
        if links.count:
            leaders = dict.fromkeys(links.leader[row] for row in rows if links.is_fused(row))
            rows = [row for row in rows if not links.is_fused(row)]
        for row in [row for row in rows if len(forms[row].boxes) > 1]:
            yield from self._outlines("compound", [row])
        for leader in leaders:
            rows = links.rows_of(leader)
            yield from self._outlines("fused", rows)
            first, *others = [self.centre(bodies.entity(row)) for row in rows]
            yield from (Line("fused", first, other) for other in others)

    def _outlines(self, kind: str, rows: list[int]) -> Iterator[Line]:
        bodies = self._bodies
        sides = [_rectangle(faces) for row in rows for faces in bodies.outer_boxes_if_enabled(row)]
        if len(sides) <= _MAX_JOINED and not any(bodies.has(row, SHAPED) for row in rows):
            yield from (Line(kind, start, end) for start, end in joined_edges(sides))
            return
        first, *others = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in sides]
        yield from (Line(kind, first, other) for other in others)

    def _make(self, entity: int, row: int) -> _Kept:
        """Return the shapes of a body about its position."""
        bodies, kept = self._bodies, _Kept()
        kept.form, kept.parts, kept.flags = bodies.forms[row], bodies.of(row), bodies.columns.flags[row]
        kind = kind_of(kept.parts)
        kept.height, kept.x, kept.y = HEIGHTS.index(kind), 0, 0
        name = kind.value if kept.flags & ENABLED else "disabled"
        kept.outline = list(form_shapes(kept.form, (0.0, 0.0), name, bool(kept.flags & ASLEEP), f"entity {entity}"))
        kept.shapes = list(kept.outline)
        return kept


def _no_way(_entity: int) -> Vector:
    return ORIGIN


def _place(kept: _Kept, x: float, y: float) -> None:
    """Place the kept shapes of a body at another position, in lattice units."""
    kept.x, kept.y = x, y
    dx, dy = x * LATTICE, y * LATTICE
    kept.shapes = [
        Polygon(kind, tuple([(dx + a, dy + b) for a, b in corners]), radius, note)
        for kind, corners, radius, note in kept.outline
    ]


def _rectangle(faces: Faces) -> Rectangle:
    """Return the sides of a box from above, in world units."""
    return faces[0] * LATTICE, faces[1] * LATTICE, faces[3] * LATTICE, faces[4] * LATTICE


def joined_edges(rectangles: list[Rectangle]) -> Iterator[Edge]:
    """Yield the edges of the area that rectangles cover together."""
    yield from (((at, low), (at, high)) for at, low, high in _sides(rectangles))
    turned = [(y0, x0, y1, x1) for x0, y0, x1, y1 in rectangles]
    yield from (((low, at), (high, at)) for at, low, high in _sides(turned))


def _sides(rectangles: list[Rectangle]) -> Iterator[tuple[float, float, float]]:
    """Yield x, and y from and to, of the vertical edges of the area that rectangles cover."""
    rows = sorted({y for _, y0, _, y1 in rectangles for y in (y0, y1)})
    found: dict[float, list[tuple[float, float]]] = {}
    for low, high in pairwise(rows):
        reach = None
        for x0, x1 in sorted((x0, x1) for x0, y0, x1, y1 in rectangles if y0 <= low and high <= y1 and x0 < x1):
            if reach is None or x0 > reach:
                found.setdefault(x0, []).append((low, high))
                if reach is not None:
                    found.setdefault(reach, []).append((low, high))
                reach = x1
            reach = max(reach, x1)
        if reach is not None:
            found.setdefault(reach, []).append((low, high))
    for x, pieces in found.items():
        low, high = pieces[0]
        for next_low, next_high in pieces[1:]:
            if next_low != high:
                yield x, low, high
                low = next_low
            high = next_high
        yield x, low, high
