"""Rays, casts and lines of sight that a game asks for while a view is attached.

`Space` is compiled, so its methods cannot be replaced on an instance. While a view watches, `world.space` is an
object that passes every call on to it and reports some of them. A Space that a game took before stays as it is, and its
questions are not seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ecs_collision.drawing import Drawn, Line, Point, Polygon
from ecs_collision.fixed_point import LATTICE
from ecs_collision.query.arguments import (
    PartLike,
    PointLike,
    displacement_of,
    entity_of,
    faces_of_box,
    part_of,
    point_of,
)
from ecs_collision.query.ray_hit import CastHit, RayHit
from ecs_collision.query.space import Space
from ecs_collision.shapes.bounds import bounds_of
from ecs_collision.world import CollisionWorld

FAR = 1e4
"""Length of a ray without a limit that hits nothing, in world units."""

MAX_OF_MANY = 200
"""Maximum number of rays of `ray_many` that are drawn."""


class Asked(NamedTuple):
    """A question: a line from `start` to `end`; what it met has the normal `normal`; `box` is a shape that is cast."""

    start: Point
    end: Point
    is_stopped: bool = False
    normal: Point | None = None
    box: tuple[float, float, float, float] | None = None

    def shapes(self, mark: float) -> list[Drawn]:
        """Return it as shapes; mark: the length of a normal."""
        kind = "ray stopped" if self.is_stopped else "ray"
        found: list[Drawn] = [Line(kind, self.start, self.end)]
        if self.box is not None:
            for x, y in (self.start, self.end):
                x0, y0, x1, y1 = self.box
                corners = ((x + x0, y + y0), (x + x1, y + y0), (x + x1, y + y1), (x + x0, y + y1))
                found.append(Polygon(kind, corners))
        if self.normal is not None:
            x, y = self.end
            found.append(Line("contact", self.end, (x + mark * self.normal[0], y + mark * self.normal[1]), True))
        return found


Watcher = Callable[[Asked], None]


def watch_questions(world: CollisionWorld, watcher: Watcher) -> Callable[[], None]:
    """Report what is asked of `world.space` from now on; return a function that ends it."""
    target: Any = world
    space = target.space
    if type(space) is not WatchedSpace:
        space = target.space = WatchedSpace(space, world)
    space._watchers.append(watcher)

    def end() -> None:
        if watcher in space._watchers:
            space._watchers.remove(watcher)
            if not space._watchers and target.space is space:
                target.space = space._space

    return end


class WatchedSpace:
    """A Space that reports questions to watchers."""

    def __init__(self, space: Space, world: CollisionWorld) -> None:
        self._space, self._world = space, world
        self._watchers: list[Watcher] = []

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # what `isinstance` asks for
        return Space

    def __getattr__(self, name: str) -> Any:
        return getattr(self._space, name)

    def __dir__(self) -> list[str]:
        return dir(self._space)

    def __repr__(self) -> str:
        return repr(self._space)

    def ray(self, origin: PointLike | int, direction: PointLike, max_distance: float = math.inf, **how: Any) -> Any:
        """Return the first body that a ray hits; see `Space.ray`."""
        hit = self._space.ray(origin, direction, max_distance, **how)
        self._note_ray(origin, direction, max_distance, [] if hit is None else [hit])
        return hit

    def ray_all(self, origin: PointLike | int, direction: PointLike, max_distance: float = math.inf, **how: Any) -> Any:
        """Return all bodies that a ray hits; see `Space.ray_all`."""
        hits = self._space.ray_all(origin, direction, max_distance, **how)
        self._note_ray(origin, direction, max_distance, [])
        for hit in hits:
            self._note(Asked(hit.point[:2], hit.point[:2], False, hit.normal[:2]))
        return hits

    def ray_many(self, origins: Any, directions: Any, max_distance: Any = math.inf, **how: Any) -> Any:
        """Return the first body of each of many rays; see `Space.ray_many`."""
        entities, distances = self._space.ray_many(origins, directions, max_distance, **how)
        limits = getattr(max_distance, "tolist", lambda: max_distance)()
        rows = zip(origins, directions, distances.tolist(), strict=True)
        for number, (origin, direction, distance) in zip(range(MAX_OF_MANY), rows, strict=False):
            limit = limits[number] if isinstance(limits, list | tuple) else limits
            self._note_ray(tuple(origin), tuple(direction), min(distance, limit), [])
        return entities, distances

    def line_of_sight(self, a: PointLike | int, b: PointLike | int, **how: Any) -> bool:
        """Return whether no body lies between two points or entities; see `Space.line_of_sight`."""
        is_free = self._space.line_of_sight(a, b, **how)
        self._note(Asked(self._point(a)[:2], self._point(b)[:2], not is_free))
        return is_free

    def cast(self, box: PartLike | int, displacement: PointLike, **how: Any) -> CastHit | None:
        """Return the first body that a shape would meet; see `Space.cast`."""
        hit = self._space.cast(box, displacement, **how)
        (x, y), sides = self._shape(box)
        dx, dy, _ = [step * LATTICE for step in displacement_of(displacement)]
        share = 1.0 if hit is None else hit.fraction
        normal = None if hit is None else hit.normal[:2]
        self._note(Asked((x, y), (x + share * dx, y + share * dy), hit is not None, normal, sides))
        return hit

    def _note_ray(self, origin: PointLike | int, direction: PointLike, max_distance: float, hits: list[RayHit]) -> None:
        x, y, _ = self._point(origin)
        dx, dy, dz = point_of(direction, "direction")
        length = math.sqrt(dx * dx + dy * dy + dz * dz) or 1.0
        reach = min(max_distance, FAR) / length
        end = hits[0].point[:2] if hits else (x + reach * dx, y + reach * dy)
        self._note(Asked((x, y), end, bool(hits), hits[0].normal[:2] if hits else None))

    def _point(self, given: PointLike | int) -> tuple[float, float, float]:
        """Return a point, or the position of an entity."""
        entity = entity_of(given)
        if entity is None:
            return point_of(given, "point")
        x, y, z = self._world._bodies.position(self._world._bodies.row(entity))
        return x * LATTICE, y * LATTICE, z * LATTICE

    def _shape(self, box: PartLike | int) -> tuple[Point, tuple[float, float, float, float]]:
        """Return the middle of a shape that is cast, and its sides relative to it, in world units."""
        entity = entity_of(box)
        if entity is None:
            part = part_of(box)
            boxes = [faces_of_box(box) if part is None else bounds_of(part)]
        else:
            boxes = self._world._bodies.boxes_if_enabled(self._world._bodies.row(entity))
        x0, y0 = min(each[0] for each in boxes) * LATTICE, min(each[1] for each in boxes) * LATTICE
        x1, y1 = max(each[3] for each in boxes) * LATTICE, max(each[4] for each in boxes) * LATTICE
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        return (x, y), (x0 - x, y0 - y, x1 - x, y1 - y)

    def _note(self, asked: Asked) -> None:
        for watcher in list(self._watchers):
            watcher(asked)
