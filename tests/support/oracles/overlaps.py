"""The questions of space, answered by trying every box: overlapping, touching, at, pairs and sweep."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from . import scenes
from .scenes import Body, Box, Vector


def overlapping(box: Box, bodies: Iterable[Body]) -> list[int]:
    """Return the bodies that overlap a box."""
    return sorted(body.entity for body in bodies if any(scenes.overlapping(box, part) for part in body.boxes))


def touching(box: Box, bodies: Iterable[Body]) -> list[int]:
    """Return the bodies that share a face with a box."""
    return sorted(body.entity for body in bodies if any(scenes.touching(box, part) for part in body.boxes))


def at(point: Vector, bodies: Iterable[Body]) -> list[int]:
    """Return the bodies that strictly contain a point."""
    return overlapping(Box(point, point), bodies)


def pairs(bodies: Iterable[Body]) -> list[tuple[int, int]]:
    """Return the pairs of bodies that overlap, whatever their layers."""
    known = sorted(bodies, key=lambda body: body.entity)
    return [
        (a.entity, b.entity)
        for number, a in enumerate(known)
        for b in known[number + 1 :]
        if scenes.bodies_overlap(a, b)
    ]


class Hit(NamedTuple):
    """The first body met on a straight way, and after which part of the way."""

    entity: int
    fraction: Fraction


def sweep(boxes: Iterable[Box], displacement: Vector, bodies: Iterable[Body]) -> Hit | None:
    """Return the first body met by boxes on a straight way, the lowest entity among equals; None if there is none."""
    hits = [
        (when, body.entity)
        for box in boxes
        for body in bodies
        for part in body.boxes
        if (when := _meeting(box, part, displacement)) is not None
    ]
    return Hit(min(hits)[1], min(hits)[0]) if hits else None


def _meeting(a: Box, b: Box, way: Vector) -> Fraction | None:
    """Return when `a` meets `b`: when their overlap begins, or when two faces come together over a common area."""
    if scenes.overlapping(a, b):
        return Fraction(0)
    spans = [_span(a, b, way, axis) for axis in range(3)]
    known = [span for span in spans if span is not None]
    if len(known) < 3:
        return None
    begin, end = max(span[0] for span in known), min(span[1] for span in known)
    plates = sum(span[0] == span[1] for span in known) == 1 and [span[0] for span in known].count(begin) == 1
    return begin if 0 <= begin <= 1 and (begin < end or (plates and begin == end)) else None


def _span(a: Box, b: Box, way: Vector, axis: int) -> tuple[Fraction, Fraction] | None:
    """Return between which parts of the way the boxes overlap on one axis, None for never."""
    if way[axis] == 0:
        return (Fraction(-2), Fraction(2)) if scenes.open_overlap(a, b, axis) else None
    ends = sorted((Fraction(b.lo[axis] - a.hi[axis], way[axis]), Fraction(b.hi[axis] - a.lo[axis], way[axis])))
    return ends[0], ends[1]
