"""Random worlds for queries, each with the same bodies in the form of the oracle, and random places in them."""

from __future__ import annotations

import functools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from query_oracle import UNIT, Body, Vector, point_of

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    OrientedBox,
    OrientedBoxCollider,
    Sleeping,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from tests.model.shapes import Given, Rotation, Shape, bounds_of, shape_of

Point = tuple[float, ...]

HALF = UNIT // 2
BINS = (0.25, 1.0, 4.0, 64.0)


@dataclass
class Known:
    """What a scene knows of a body besides its position."""

    transform: Transform
    collider: Any
    given: tuple[Given, ...]
    rest: dict[str, Any]


class Scene:
    """A world of random bodies.

    coarse: all faces, positions and points are multiples of 1/2, so that they often meet exactly. flat: 2D. far: where
    the bodies are, in world units.
    """

    trigger_share = 0.15

    def __init__(self, seed: int) -> None:
        self.seed = seed
        dice = self.dice = random.Random(seed)
        self.coarse, self.flat = seed % 2 == 0, seed % 4 < 2
        self.far = 1e6 if seed % 8 == 7 else 0.0
        self.bin_size = 1.0 if self.far else dice.choice(BINS)
        self.world = CollisionWorld(bin_size=self.bin_size)
        self.known: dict[int, Known] = {}
        for number in range(dice.randrange(1, 30)):
            self._add(3 * number + 2)

    def _number(self, reach: int) -> int:
        """Return a random coordinate in units up to `reach` world units."""
        return self.dice.randint(-2 * reach, 2 * reach) * HALF if self.coarse else self._fine(reach)

    def _fine(self, reach: int) -> int:
        return self.dice.randint(-reach * UNIT, reach * UNIT)

    def _place(self, reach: int = 4) -> Vector:
        """Return a random place in units."""
        x, y, z = (self._number(reach) for _ in "xyz")
        offset = round(self.far) * UNIT
        return x + offset, y - offset, 0 if self.flat else z

    def _part(self) -> Given:
        """Return a box: mostly small, some large, some without thickness."""
        size = self.dice.choice([0, 1, 1, 1, 1, 2, 2, 2, 3, 12])
        halves = [self.dice.randint(0, size) * HALF if self.coarse else self._fine(size) for _ in "xyz"]
        if self.dice.random() < 0.7:
            halves = [half or HALF for half in halves]
        x, y, z = (self._number(2) for _ in "xyz")
        hx, hy, hz = map(abs, halves)
        sides = (hx, hy, HALF if self.flat else hz)
        return Given("box", in_world(sides), offset=in_world((x, y, 0 if self.flat else z)))

    def _rotation(self) -> Any:
        """Return the rotation of a body."""
        return None

    def _trigger(self) -> Trigger:
        return Trigger()

    def _add(self, entity: int) -> None:
        dice, is_flat = self.dice, self.flat
        self.flat = is_flat or dice.random() < 0.3  # flat bodies among others
        parts = [self._part() for _ in range(dice.choice([1, 1, 1, 2, 4]))]
        rest: dict[str, Any] = {}
        kind = dice.random()
        fusable = [other for other, known in self.known.items() if "static" not in known.rest]
        if kind < 0.25:
            rest["static"] = Static()
        elif kind < 0.45 and fusable:
            rest["fused"] = Fused(dice.choice(fusable))
        elif kind < 0.6:
            rest["sleeping"] = Sleeping(asleep=True)
        elif kind < 0.7:
            rest["inertia"] = Inertia(1)
        if dice.random() < self.trigger_share:
            rest["trigger"] = self._trigger()
            rest.pop("sleeping", None)
        collider = self._collider(parts, layer=dice.choice(["a", "b", "c"]), enabled=dice.random() < 0.9)
        transform = Transform(*in_world(self._place()))
        if (rotation := self._rotation()) is not None:
            transform.rotation = rotation
        self.flat = is_flat
        self.world.add(entity, transform=transform, collider=collider, **rest)
        self.known[entity] = Known(transform, collider, tuple(parts), rest)

    def _collider(self, parts: list[Given], **more: Any) -> Any:
        return CompoundCollider([component_of(part) for part in parts], **more)

    @cached_property
    def bodies(self) -> list[Body]:
        """The bodies as they are now."""
        found = []
        for entity, known in self.known.items():
            at = _vector(int(value * UNIT) for value in known.transform.position)
            parts = tuple(part.at(at) for part in relative_parts(known.given, known.transform.rotation))
            spans = [bounds_of(part) for part in parts]
            fused, trigger = known.rest.get("fused"), known.rest.get("trigger")
            found.append(
                Body(
                    entity,
                    at,
                    tuple((_vector(low for low, _ in span), _vector(high for _, high in span)) for span in spans),
                    known.collider.layer,
                    trigger is not None,
                    known.collider.enabled and (trigger is None or trigger.enabled),
                    None if fused is None else fused.to,
                    parts,
                )
            )
        return found

    def change(self) -> None:
        """Move, enable or disable some bodies, in one of the ways that a game does it."""
        way, entity = self.dice.randrange(5), self.dice.choice(list(self.known))
        place: Any = tuple(at / UNIT for at in self._place())
        known = self.known[entity]
        if way == 0:
            known.transform.position = place
        elif way == 1:
            self.world.teleport(entity, *place)
        elif way == 2:
            self.world.set_positions([entity], [place])
        elif way == 3 or "static" in known.rest:
            known.collider.enabled = not known.collider.enabled
        else:
            self.world.move(entity, self._number(2) / UNIT, self._number(2) / UNIT, force=5)
        self.__dict__.pop("bodies", None)

    # Random arguments of queries.

    def point(self) -> Point:
        """Return a random point in world units: anywhere, near a body, or at a corner of a box."""
        chance = self.dice.random()
        if chance < 0.4:
            at = self._place(6)
        else:
            body = self.dice.choice(self.bodies)
            box = self.dice.choice(body.boxes)
            corner = [self.dice.choice([low, high, (low + high) // 2]) for low, high in zip(*box, strict=True)]
            at = _vector(corner)
            if chance < 0.6:
                at = _sum(at, self._step())
        return tuple(value / UNIT for value in (at[:2] if self.flat else at))

    def _step(self) -> Vector:
        """Return a small difference of places in units."""
        return _vector(self.dice.choice([0, 0, 1, -1, HALF, -HALF, 2 * HALF]) for _ in "xyz")

    def direction(self, origin: Point) -> Point:
        """Return a random direction: along an axis, of small whole numbers, of any numbers, or towards a body."""
        chance, size = self.dice.random(), len(origin)
        if chance < 0.1:
            return (0,) * size
        if chance < 0.3:
            steps = [0.0] * size
            steps[self.dice.randrange(size)] = self.dice.choice([1, -1, 0.5, -3.25, 1e-300, 2.0**35])
            return tuple(steps)
        if chance < 0.6:
            return tuple(self.dice.randint(-3, 3) for _ in origin)
        if chance < 0.7:
            return tuple(self.dice.choice([0.6, -0.8, 0.0, 1e-9, 1e5, -0.3]) for _ in origin)
        if chance < 0.8:
            return tuple(self.dice.gauss(0, 1) for _ in origin)
        return tuple(end - start for start, end in zip(origin, self.point(), strict=True))

    def place(self) -> Point | int:
        """Return a random point, or the id of a body."""
        return self.dice.choice(list(self.known)) if self.dice.random() < 0.15 else self.point()

    def asking(self, *places: Point | int) -> list[int]:
        """Return the entities among the places that are given to a query."""
        return [place for place in places if isinstance(place, int)]

    def units(self, place: Point | int) -> Vector:
        """Return a point or the position of a body in units."""
        if not isinstance(place, int):
            return point_of(place)
        return self.body(place).position

    def body(self, entity: int) -> Body:
        """Return a body as it is now."""
        return next(body for body in self.bodies if body.entity == entity)

    def filter(self) -> dict[str, Any]:
        """Return random filter arguments, none in every second case."""
        dice, ids = self.dice, list(self.known)
        if dice.random() < 0.5:
            return {}
        given: dict[str, Any] = {"triggers": dice.random() < 0.6}
        if dice.random() < 0.5:
            given["layers"] = dice.choice([["a"], ("a", "b"), {"b", "c", "d"}])
        if dice.random() < 0.3:
            given["ignore"] = dice.sample(ids, len(ids) // 4)
        if dice.random() < 0.4:
            given["where"] = lambda entity: entity % 3 != 2 or entity % 2 == 0
        return given

    def limit(self, distances: list[float]) -> float:
        """Return a maximal distance: none, any, or one of these distances, or the float below one."""
        chance = self.dice.random()
        if chance < 0.2 or not distances:
            return self.dice.choice([math.inf, 0, 1.5, 1e-9, 1e300])
        limit = self.dice.choice(distances)
        return limit if chance < 0.6 or limit == 0 else math.nextafter(limit, 0)

    def moving(self) -> tuple[Any, tuple[Shape, ...], list[int]]:
        """Return a random thing to cast, as the argument, its shapes and the entities that it is."""
        chance = self.dice.random()
        if chance < 0.3:
            entity = self.dice.choice(list(self.known))
            return entity, self.body(entity).parts, [entity]
        place, part = point_of(self.point()), self._part()
        if part.kind == "box":
            shape = shape_of(part).at(place)
            return (in_world(shape.low), in_world(shape.high)), (shape,), []
        return (component_of(part), in_world(place)), (shape_of(part).at(place),), []


class ShapedScene(Scene):
    """A world of random bodies of all shapes, about half of them turned. `plain`: nothing is turned."""

    def __init__(self, seed: int) -> None:
        self.plain = seed % 3 == 0
        super().__init__(seed)

    def _part(self) -> Given:
        """Return a part of any kind. Most sizes are multiples of 1/2; a radius of 5/2 touches at sides of 3/2 and 2."""
        dice, kind = self.dice, self.dice.choice(["box", "sphere", "sphere", "capsule", "capsule", "oriented"])
        if kind == "box":
            return super()._part()
        offset = (0, 0, 0) if dice.random() < 0.4 else self._place(2)
        offset = in_world((offset[0] - round(self.far) * UNIT, offset[1] + round(self.far) * UNIT, offset[2]))
        offset = offset if any(offset) and not self.far else (0.0, 0.0, 0.0)
        radius = dice.choice([0.5, 0.5, 1.0, 1.5, 2.5, 0.25, 0.0]) if self.coarse else dice.uniform(0.0, 2.5)
        own = self._turn() if dice.random() < 0.3 and kind != "sphere" else None
        if kind == "sphere":
            return Given("sphere", radius=radius, offset=offset)
        length = dice.choice([0.0, 0.5, 1.0, 1.5, 2.0]) if self.coarse else dice.uniform(0.0, 2.0)
        if kind == "capsule":
            axis = dice.choice("xy" if self.flat else "xyz")
            sides = in_world(_vector(round(length * UNIT) * (axis == name) for name in "xyz"))
            return Given("capsule", sides, math.floor(radius * UNIT / 2) / UNIT, offset, own)
        sides = in_world(_vector(abs(self._number(2)) or HALF for _ in "xyz"))
        return Given("oriented", (*sides[:2], 0.5) if self.flat else sides, offset=offset, rotation=own)

    def _turn(self) -> Any:
        """Return a rotation: quarter turns, round angles, a turn that takes (5, 0) to (3, 4), in 3D any."""
        dice = self.dice
        if self.plain or dice.random() < 0.25:
            angle = dice.choice([0.0, math.pi / 2, -math.pi / 2, math.pi, 5 * math.pi / 2])
            return angle if self.flat or dice.random() < 0.5 else dice.choice(QUARTERS)
        if self.flat or dice.random() < 0.4:
            angles = [math.pi / 4, -math.pi / 4, math.pi / 6, math.atan2(3, 4), 1.0, 1e-3]
            return dice.choice(angles) if self.coarse else dice.uniform(-7, 7)
        return (*(dice.choice([0, 0, 1, -1, 0.5]) for _ in "xyz"), dice.choice([1, 2, 0.25]))

    def _rotation(self) -> Any:
        return self._turn() if self.dice.random() < 0.6 else None

    def _collider(self, parts: list[Given], **more: Any) -> Any:
        part = parts[0]
        if len(parts) > 1 or part.rotation is not None or self.dice.random() < 0.3:
            return super()._collider(parts, **more)
        if part.kind == "sphere":
            return SphereCollider(part.radius, offset=part.offset, **more)
        if part.kind == "capsule":
            return CapsuleCollider(part.radius, max(part.halves), axis_of(part), offset=part.offset, **more)
        kind = BoxCollider if part.kind == "box" else OrientedBoxCollider
        return kind(*part.halves, offset=part.offset, **more)

    def change(self) -> None:
        """Turn a body, or change one as in other scenes."""
        if self.dice.random() < 0.4:
            known = self.dice.choice(list(self.known.values()))
            known.transform.rotation = self._rotation()
            self.__dict__.pop("bodies", None)
        else:
            super().change()

    def point(self) -> Point:
        """Return a random point, sometimes one on a sphere."""
        round_parts = [part for body in self.bodies for part in body.parts if part.radius % 5 == 0 < part.radius]
        if not round_parts or self.dice.random() < 0.8:
            return super().point()
        part = self.dice.choice(round_parts)
        by = part.radius // 5
        x, y, z = self.dice.choice([part.low, part.high])
        at = self.dice.choice([(x + 3 * by, y - 4 * by, z), (x - 5 * by, y, z), (x, y + 4 * by, z + 3 * by)])
        return in_world(at)[: 2 if self.flat else 3]


QUARTERS = [(1, 1, 1, 1), (1, 0, 0, 1), (0, -1, 0, 1), (0, 0, 3, 3), (1, 0, 0, 0), (-0.5, 0.5, 0.5, 0.5)]
"""Quaternions that take axes to axes."""


@functools.cache
def relative_parts(given: tuple[Given, ...], rotation: Rotation) -> tuple[Shape, ...]:
    """Return the shapes of the parts of a body, relative to its position."""
    return tuple(shape_of(part, rotation) for part in given)


def axis_of(part: Given) -> str:
    """Return the axis of a capsule."""
    return next((name for name, half in zip("xyz", part.halves, strict=True) if half), "y")


def component_of(part: Given) -> Any:
    """Return the value that a game gives for a part."""
    if part.kind == "box":
        return Box(*part.halves, offset=part.offset)
    if part.kind == "sphere":
        return Sphere(part.radius, offset=part.offset)
    if part.kind == "capsule":
        return Capsule(part.radius, max(part.halves), axis_of(part), offset=part.offset, rotation=part.rotation)
    return OrientedBox(*part.halves, offset=part.offset, rotation=part.rotation)


def in_world(vector: Vector) -> tuple[float, float, float]:
    """Return a vector of lattice units in world units."""
    x, y, z = (value / UNIT for value in vector)
    return x, y, z


def _vector(values: Any) -> Vector:
    x, y, z = values
    return x, y, z


def _sum(a: Vector, b: Vector) -> Vector:
    return _vector(first + second for first, second in zip(a, b, strict=True))


AnyScene = TypeVar("AnyScene", bound=Scene)


def scenes(queries: int, each: int = 50) -> Iterator[Scene]:
    """Yield a scene for every query: many scenes in turn, with changes after every fifth query."""
    return _scenes(Scene, queries, each)


def shaped_scenes(queries: int, each: int = 50) -> Iterator[ShapedScene]:
    """Yield a scene of all shapes for every query, like `scenes`."""
    return _scenes(ShapedScene, queries, each)


def _scenes(kind: Callable[[int], AnyScene], queries: int, each: int) -> Iterator[AnyScene]:
    for number in range(queries):
        if number % each == 0:
            scene = kind(number // each)
        elif number % 5 == 0:
            scene.change()
        yield scene


def assert_all_seen(seen: Counter[str], queries: int, least: int) -> None:
    """Assert that every outcome occurred a number of times; in runs of few queries not all do."""
    assert queries < 500 or min(seen.values()) >= least, seen


# Worlds of named boxes.


def a_body(world: CollisionWorld, lo: Point, hi: Point, entity: int | None = None, **parts: Any) -> int:
    """Add a body that is the box between two corners of 2 or 3 numbers (L5)."""
    low, high = ((*corner, z)[:3] for corner, z in ((lo, -0.5), (hi, 0.5)))
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    position = [math.floor(value * UNIT) / UNIT for value in middle]
    halves = [(b - a) / 2 for a, b in zip(low, high, strict=True)]
    collider = BoxCollider(
        *halves,
        offset=tuple(a - b for a, b in zip(middle, position, strict=True)),  # half a lattice unit or 0
        layer=parts.pop("layer", "default"),
        enabled=parts.pop("enabled", True),
    )
    return world.add(entity, transform=Transform(*position), collider=collider, **parts)


def a_world(*boxes: tuple[Point, Point], **settings: Any) -> CollisionWorld:
    """Return a world of boxes (lo, hi), numbered from 1."""
    world = CollisionWorld(**settings)
    for lo, hi in boxes:
        a_body(world, lo, hi)
    return world


def around(low: Point, high: Point) -> list[Point]:
    """Return the planes of the faces of a box, as `frustum` takes them."""
    planes: list[Point] = []
    for axis in range(len(low)):
        side = tuple(float(at == axis) for at in range(len(low)))
        planes += [(*side, -low[axis]), (*(-part for part in side), high[axis])]
    return planes
