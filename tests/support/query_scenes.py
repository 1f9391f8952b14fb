"""Random worlds for queries, each with the same bodies in the form of the oracle, and random places in them."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from query_oracle import UNIT, Body, Faces, Vector, point_of

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Sleeping,
    Static,
    Transform,
    Trigger,
)

Point = tuple[float, ...]

HALF = UNIT // 2
BINS = (0.25, 1.0, 4.0, 64.0)


@dataclass
class Known:
    """What a scene knows of a body besides its position."""

    transform: Transform
    collider: CompoundCollider
    boxes: tuple[Faces, ...]
    rest: dict[str, Any]


class Scene:
    """A world of random bodies.

    coarse: all faces, positions and points are multiples of 1/2, so that they often meet exactly. flat: 2D. far: where
    the bodies are, in world units.
    """

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

    def _box(self) -> tuple[Vector, Vector]:
        """Return half extents and offset of a box in units: mostly small, some large, some without thickness."""
        size = self.dice.choice([0, 1, 1, 1, 1, 2, 2, 2, 3, 12])
        halves = [self.dice.randint(0, size) * HALF if self.coarse else self._fine(size) for _ in "xyz"]
        if self.dice.random() < 0.7:
            halves = [half or HALF for half in halves]
        x, y, z = (self._number(2) for _ in "xyz")
        hx, hy, hz = map(abs, halves)
        return (hx, hy, HALF if self.flat else hz), (x, y, 0 if self.flat else z)

    def _add(self, entity: int) -> None:
        dice = self.dice
        parts = [self._box() for _ in range(dice.choice([1, 1, 1, 2, 4]))]
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
        if dice.random() < 0.15:
            rest["trigger"] = Trigger()
            rest.pop("sleeping", None)
        collider = CompoundCollider(
            [
                Box(*(half / UNIT for half in halves), offset=tuple(at / UNIT for at in offset))  # type: ignore[misc, arg-type]
                for halves, offset in parts
            ],
            layer=dice.choice(["a", "b", "c"]),
            enabled=dice.random() < 0.9,
        )
        transform = Transform(*(at / UNIT for at in self._place()))
        self.world.add(entity, transform=transform, collider=collider, **rest)
        boxes = tuple(
            (
                _vector(at - half for at, half in zip(offset, halves, strict=True)),
                _vector(at + half for at, half in zip(offset, halves, strict=True)),
            )
            for halves, offset in parts
        )
        self.known[entity] = Known(transform, collider, boxes, rest)

    @cached_property
    def bodies(self) -> list[Body]:
        """The bodies as they are now."""
        found = []
        for entity, known in self.known.items():
            at = _vector(int(value * UNIT) for value in known.transform.position)
            fused = known.rest.get("fused")
            found.append(
                Body(
                    entity,
                    at,
                    tuple((_sum(lo, at), _sum(hi, at)) for lo, hi in known.boxes),
                    known.collider.layer,
                    "trigger" in known.rest,
                    known.collider.enabled,
                    None if fused is None else fused.to,
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


def _vector(values: Any) -> Vector:
    x, y, z = values
    return x, y, z


def _sum(a: Vector, b: Vector) -> Vector:
    return _vector(first + second for first, second in zip(a, b, strict=True))


def scenes(queries: int, each: int = 50) -> Iterator[Scene]:
    """Yield a scene for every query: many scenes in turn, with changes after every fifth query."""
    for number in range(queries):
        if number % each == 0:
            scene = Scene(number // each)
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
