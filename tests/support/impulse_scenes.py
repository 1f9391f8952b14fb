"""Random scenes of bodies that move by themselves, as plain data, so that they can be mirrored and reordered."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from impulse_worlds import Made, add

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    OrientedBoxCollider,
    SphereCollider,
)

Floats = tuple[float, float, float]


@dataclass(frozen=True)
class Thing:
    """A body as plain data: the kind and sizes of its collider, its place, speed and material."""

    kind: str
    sizes: tuple[float, ...]
    at: Floats
    velocity: Floats | None = None
    mass: float | None = None
    moment: float | None = None
    bounce: float = 0.0
    friction: float = 0.5
    axis: str = "y"

    def collider(self) -> Any:
        """Return a new collider."""
        if self.kind == "box":
            return BoxCollider(*self.sizes)
        if self.kind == "ball":
            return SphereCollider(*self.sizes)
        if self.kind == "capsule":
            return CapsuleCollider(*self.sizes, axis=self.axis)
        if self.kind == "pair":
            x, y, z = self.sizes
            return CompoundCollider([Box(x, y, z, (-x, 0, 0)), Box(x, 2 * y, z, (x, 0, 0))])
        if self.kind == "mirrored pair":
            x, y, z = self.sizes
            return CompoundCollider([Box(x, y, z, (x, 0, 0)), Box(x, 2 * y, z, (-x, 0, 0))])
        return OrientedBoxCollider(*self.sizes)

    def add(self, world: CollisionWorld, id: int, sleeping: bool = False) -> Made:
        """Add the body to a world."""
        static = self.mass is None
        return add(world, self.at, self.collider(), mass=self.mass, velocity=self.velocity, bounce=self.bounce,
                   friction=self.friction, moment=self.moment, static=static, sleeping=sleeping and not static,
                   id=id)  # fmt: skip

    def mirrored(self, axis: int) -> Thing:
        """Return the body seen in a mirror across an axis."""
        kind = {"pair": "mirrored pair", "mirrored pair": "pair"}.get(self.kind, self.kind) if axis == 0 else self.kind
        return replace(
            self, kind=kind, at=flipped(self.at, axis), velocity=self.velocity and flipped(self.velocity, axis)
        )


def flipped(vector: Sequence[float], axis: int) -> Floats:
    """Return a vector with the other sign along an axis."""
    x, y, z = (-value if k == axis else value for k, value in enumerate(vector))
    return x, y, z


def a_scene(seed: int, *, count: int = 12, deep: bool = False, shaped: bool = False, walls: bool = True) -> list[Thing]:
    """Return bodies that do not overlap, above a floor between two walls.

    deep: in 3D. shaped: also capsules, oriented boxes and compounds, some of which turn.
    """
    rng = random.Random(seed)
    half = (6.0, 6.0) if deep else (0.5, 0.5)
    things = []
    if walls:
        belt = rng.choice((None, (1.5, 0.0, 0.0)))
        things = [
            Thing("box", (12.0, 1.0, half[0]), (0.0, 1.0, 0.0), belt, friction=0.6),
            Thing("box", (1.0, 12.0, half[0]), (-9.0, -12.0, 0.0), bounce=0.5),
            Thing("box", (1.0, 12.0, half[0]), (9.0, -12.0, 0.0)),
        ]
    cells = [(x, y, z) for x in range(-2, 3) for y in range(4) for z in ((-1, 0, 1) if deep else (0,))]
    kinds = ["box", "box", "ball", "ball"] + (["capsule", "oriented", "pair"] if shaped else [])
    for x, y, z in rng.sample(cells, count):
        at = (3.0 * x + rng.randint(-6, 6) / 16, -1.75 - 2.75 * y + rng.randint(-4, 4) / 16, 2.75 * z)
        speed = tuple(rng.randint(-640, 640) / 100 for _ in range(3 if deep else 2))
        kind, size = rng.choice(kinds), rng.choice((0.5, 0.75, 1.0))
        thick = size if deep else 0.5
        sizes = {
            "box": (size, rng.choice((0.5, 1.0)), thick), "ball": (size,), "capsule": (0.5, 0.5 * size),
            "oriented": (size, 0.5, thick), "pair": (0.5, 0.5, thick),
        }[kind]  # fmt: skip
        turns = shaped and kind in ("ball", "capsule", "oriented") and rng.random() < 0.7
        mass = rng.choice((0.5, 1.0, 1.0, 3.0, 20.0))
        things.append(
            Thing(kind, sizes, at, (speed[0], speed[1], speed[2] if deep else 0.0), mass, mass * 0.3 if turns else None,
                  rng.choice((0.0, 0.0, 0.3, 0.8)), rng.choice((0.0, 0.3, 0.5, 0.9)), rng.choice("xy"))
        )  # fmt: skip
    return things


def made(things: Sequence[Thing], world: CollisionWorld, ids: Sequence[int] = (), sleeping: bool = False) -> list[Made]:
    """Add the bodies to a world, in their order or under other ids."""
    return [thing.add(world, id, sleeping) for thing, id in zip(things, ids or range(1, len(things) + 1), strict=True)]
