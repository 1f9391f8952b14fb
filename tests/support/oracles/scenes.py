"""Scenes in whole numbers: bodies made of boxes, and what the rules say about two of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

Vector = tuple[int, int, int]
Kind = tuple[str, frozenset[str] | None]
"""A layer and a mask."""
AXES = "xyz"


class Box(NamedTuple):
    """An open box from `lo` to `hi`."""

    lo: Vector
    hi: Vector

    def by(self, shift: Vector) -> Box:
        """Return the box shifted."""
        return Box(plus(self.lo, shift), plus(self.hi, shift))


@dataclass(frozen=True)
class Body:
    """A body at its place; `inertia` per axis, or None: immovable to others (P3).

    `kinds` are the layer and the mask of each box, where they are not those of the body: of what is welded together
    each member keeps its own.
    """

    entity: int
    boxes: tuple[Box, ...]
    inertia: tuple[float, float, float] | None = None
    static: bool = False
    layer: str = "default"
    mask: frozenset[str] | None = None
    kinds: tuple[Kind, ...] = ()

    def by(self, shift: Vector) -> Body:
        """Return the body shifted."""
        return replace(self, boxes=tuple(box.by(shift) for box in self.boxes))


@dataclass(frozen=True)
class Scene:
    """Bodies by entity. One whole number is `step` world units."""

    bodies: dict[int, Body]
    step: float = 0.5

    def by(self, shifts: dict[int, Vector]) -> Scene:
        """Return the scene with some bodies shifted."""
        moved = {entity: self.bodies[entity].by(shift) for entity, shift in shifts.items()}
        return replace(self, bodies={**self.bodies, **moved})


@dataclass(frozen=True)
class Rules:
    """How a motion is judged; the defaults are the system's."""

    force: float = 1.0
    rule: str = "each"
    max_chain: int | None = None
    all_or_nothing: bool = False
    axis_order: str = "xyz"
    block_deeper: bool = False
    bounds: Box | None = None
    verdicts: dict[int, bool] = field(default_factory=dict)
    """What the hook says of a body that would be pushed, whoever pushes it; silence is the rule (P15)."""


def plus(a: Vector, b: Vector) -> Vector:
    """Return the sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def along(axis: int, length: int) -> Vector:
    """Return the displacement of that length along one axis."""
    x, y, z = (length if index == axis else 0 for index in range(3))
    return (x, y, z)


def open_overlap(a: Box, b: Box, axis: int) -> bool:
    """Return whether the boxes overlap on one axis (L4)."""
    return a.lo[axis] < b.hi[axis] and b.lo[axis] < a.hi[axis]


def crossing(a: Box, b: Box, axis: int) -> bool:
    """Return whether the boxes could meet along `axis`: they overlap on the other two."""
    return all(open_overlap(a, b, other) for other in range(3) if other != axis)


def overlapping(a: Box, b: Box) -> bool:
    """Return whether the boxes overlap (L4)."""
    return all(open_overlap(a, b, axis) for axis in range(3))


def touching(a: Box, b: Box) -> bool:
    """Return whether the boxes share a face: equal faces on one axis, open overlap on the other two (L4)."""
    return any(crossing(a, b, axis) and (a.hi[axis] == b.lo[axis] or b.hi[axis] == a.lo[axis]) for axis in range(3))


def may_meet(a: Body, b: Body) -> bool:
    """Return whether two bodies are solid to each other: each one's layer is in the other's mask (P14)."""
    return _kinds_meet((a.layer, a.mask), (b.layer, b.mask))


def _kinds_meet(a: Kind, b: Kind) -> bool:
    return (a[1] is None or b[0] in a[1]) and (b[1] is None or a[0] in b[1])


def boxes_that_meet(a: Body, b: Body) -> Iterable[tuple[Box, Box]]:
    """Return the pairs of boxes of two bodies that are solid to each other."""
    if not (a.kinds or b.kinds):
        return itertools.product(a.boxes, b.boxes) if may_meet(a, b) else ()
    mine = a.kinds or ((a.layer, a.mask),) * len(a.boxes)
    theirs = b.kinds or ((b.layer, b.mask),) * len(b.boxes)
    pairs = itertools.product(zip(a.boxes, mine, strict=True), zip(b.boxes, theirs, strict=True))
    return [(one, other) for (one, kind), (other, met) in pairs if _kinds_meet(kind, met)]


def bodies_overlap(a: Body, b: Body) -> bool:
    """Return whether any box of the one overlaps any of the other."""
    return any(overlapping(one, other) for one in a.boxes for other in b.boxes)


def overlapping_pairs(scene: Scene) -> set[tuple[int, int]]:
    """Return the pairs of bodies that may meet and overlap."""
    ids = sorted(scene.bodies)
    pairs = [(a, b) for a in ids for b in ids if a < b]
    return {
        (a, b)
        for a, b in pairs
        if any(overlapping(*boxes) for boxes in boxes_that_meet(scene.bodies[a], scene.bodies[b]))
    }
