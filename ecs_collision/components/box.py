"""One box of a collider, and its faces on the lattice."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision.components.checks import ORIGIN, Vector, vector
from ecs_collision.components.part_value import PartValue, immutable
from ecs_collision.errors import explained
from ecs_collision.fixed_point import AXES, LATTICE, PER_UNIT, faces_of, finite
from ecs_collision.lattice_warning import Number, warn_of_rounding
from ecs_collision.shapes.part import Faces


@immutable
class Box(PartValue):
    """One box of a compound: half extents `hx`, `hy`, `hz` and `offset` from the body's position, in world units.

    `faces` are its low and high faces around that position, in lattice units (L1).

    Immutable. Raises CollisionValueError for NaN, infinity and negative half extents. A box never turns (H3); for a box
    that does see `OrientedBox`.
    """

    __slots__ = ("faces", "hx", "hy", "hz", "offset")
    _arguments = ("hx", "hy", "hz", "offset")

    hx: float
    hy: float
    hz: float
    offset: Vector
    faces: Faces

    @explained("Box(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0))")
    def __init__(self, hx: float, hy: float, hz: float = 0.5, offset: Iterable[float] = ORIGIN) -> None:
        halves = (half_extent(hx, "Box.hx"), half_extent(hy, "Box.hy"), half_extent(hz, "Box.hz"))
        shift = vector(offset, "Box.offset")
        faces, numbers = faces_and_numbers(halves, shift)
        if numbers:
            warn_of_rounding(self, numbers)
        self._set(hx=halves[0], hy=halves[1], hz=halves[2], offset=shift, faces=faces)


def half_extent(value: object, where: str, owner: object = None) -> float:
    """Return a half extent: finite and not negative, and not -0.0."""
    return finite(value, where, owner=owner, minimum=0.0) + 0.0


def faces_and_numbers(halves: Vector, offset: Vector) -> tuple[Faces, tuple[Number, ...]]:
    """Return the faces of a box with these half extents around `offset`, in units, rounded inward (L1).

    Also its numbers for `warn_of_rounding` if one is off the lattice; none otherwise.
    """
    hx, hy, hz = halves[0] * PER_UNIT, halves[1] * PER_UNIT, halves[2] * PER_UNIT
    x, y, z = offset[0] * PER_UNIT, offset[1] * PER_UNIT, offset[2] * PER_UNIT
    if (
        hx.is_integer() and hy.is_integer() and hz.is_integer()
        and x.is_integer() and y.is_integer() and z.is_integer()
    ):  # fmt: skip
        return (int(x - hx), int(y - hy), int(z - hz), int(x + hx), int(y + hy), int(z + hz)), ()
    low_and_high = [faces_of(half, at) for half, at in zip(halves, offset, strict=True)]
    numbers: list[Number] = []
    for letter, half, at, (low, high) in zip(AXES, halves, offset, low_and_high, strict=True):
        numbers.append((f"h{letter}", half, (high - low) / 2 * LATTICE))
        numbers.append((f"offset {letter}", at, (high + low) / 2 * LATTICE))
    (x0, x1), (y0, y1), (z0, z1) = low_and_high
    return (x0, y0, z0, x1, y1, z1), tuple(numbers)
