"""Spheres, capsules and oriented boxes: the parts that a rotation turns (rules H1 to H3)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ecs_collision.components.box import half_extent
from ecs_collision.components.checks import ORIGIN, Vector, axis_name, rotation_of, vector
from ecs_collision.components.part_value import PartValue, immutable
from ecs_collision.errors import explained
from ecs_collision.fixed_point import AXES, LATTICE, PER_UNIT, Axis, to_units
from ecs_collision.lattice_warning import warn_of_rounding
from ecs_collision.shapes.bounds import TurningPart
from ecs_collision.shapes.rotation import Rotation, matrix_of


@immutable
class Sphere(PartValue):
    """A sphere, in 2D a circle, as a part of a compound or in a query.

    `radius` and `offset`, which leads from the position to its centre, are in world units.

    Immutable. Raises CollisionValueError for NaN, infinity and negative radii.
    """

    __slots__ = ("_turning", "offset", "radius")
    _arguments = ("radius", "offset")

    radius: float
    offset: Vector
    _turning: TurningPart

    @explained("Sphere(radius, offset=(0.0, 0.0, 0.0))")
    def __init__(self, radius: float, offset: Iterable[float] = ORIGIN) -> None:
        size, centre = half_extent(radius, "Sphere.radius"), vector(offset, "Sphere.offset")
        self._set(radius=size, offset=centre, _turning=sphere(self, size, centre))


@immutable
class Capsule(PartValue):
    """A capsule as a part of a compound or in a query: all points within `radius` of a segment, in world units.

    The segment reaches `half_length` to both sides of its centre, along its `axis`: "x", "y" or "z". `offset` leads
    from the position to the centre. `rotation` turns the capsule about its centre: an angle about z in radians, or a
    quaternion (x, y, z, w).

    Immutable. Raises CollisionValueError for NaN, infinity and negative sizes.
    """

    __slots__ = ("_turning", "axis", "half_length", "offset", "radius", "rotation")
    _arguments = ("radius", "half_length", "axis", "offset", "rotation")

    radius: float
    half_length: float
    axis: Axis
    offset: Vector
    rotation: Rotation
    _turning: TurningPart

    @explained('Capsule(radius, half_length, axis="y", offset=(0.0, 0.0, 0.0), rotation=None)')
    def __init__(
        self,
        radius: float,
        half_length: float,
        axis: Axis = "y",
        offset: Iterable[float] = ORIGIN,
        rotation: Rotation = None,
    ) -> None:
        size, length = half_extent(radius, "Capsule.radius"), half_extent(half_length, "Capsule.half_length")
        along, centre = axis_name(axis, "Capsule.axis"), vector(offset, "Capsule.offset")
        turn = rotation_of(rotation, "Capsule.rotation")
        turning = capsule(self, size, length, along, centre, turn)
        self._set(radius=size, half_length=length, axis=along, offset=centre, rotation=turn, _turning=turning)


@immutable
class OrientedBox(PartValue):
    """A box that turns, as a part of a compound or in a query: half extents `hx`, `hy`, `hz` in world units.

    `offset` leads from the position to its centre. `rotation` turns the box about its centre: an angle about z in
    radians, or a quaternion (x, y, z, w). In a compound it also turns with its body.

    Immutable. Raises CollisionValueError for NaN, infinity and negative half extents.
    """

    __slots__ = ("_turning", "hx", "hy", "hz", "offset", "rotation")
    _arguments = ("hx", "hy", "hz", "offset", "rotation")

    hx: float
    hy: float
    hz: float
    offset: Vector
    rotation: Rotation
    _turning: TurningPart

    @explained("OrientedBox(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0), rotation=None)")
    def __init__(
        self, hx: float, hy: float, hz: float = 0.5, offset: Iterable[float] = ORIGIN, rotation: Rotation = None
    ) -> None:
        x, y, z = (half_extent(half, f"OrientedBox.h{axis}") for half, axis in zip((hx, hy, hz), AXES, strict=True))
        centre, turn = vector(offset, "OrientedBox.offset"), rotation_of(rotation, "OrientedBox.rotation")
        turning = oriented_box(self, (x, y, z), centre, turn)
        self._set(hx=x, hy=y, hz=z, offset=centre, rotation=turn, _turning=turning)


# A LatticeWarning names the fields of `owner`, the component or part with these numbers, if they are rounded.


def sphere(owner: object, radius: float, offset: Vector) -> TurningPart:
    """Return a sphere in lattice units."""
    _warn_if_rounded(owner, {"radius": radius}, offset)
    return TurningPart((0, 0, 0), rounded_down(radius), _centre(offset))


def capsule(
    owner: object, radius: float, half_length: float, axis: Axis, offset: Vector, rotation: Rotation = None
) -> TurningPart:
    """Return a capsule in lattice units."""
    _warn_if_rounded(owner, {"radius": radius, "half_length": half_length}, offset)
    length = rounded_down(half_length)
    x, y, z = (length if axis == each else 0 for each in AXES)
    return TurningPart((x, y, z), rounded_down(radius), _centre(offset), matrix_of(rotation))


def oriented_box(owner: object, halves: Vector, offset: Vector, rotation: Rotation = None) -> TurningPart:
    """Return an oriented box in lattice units."""
    _warn_if_rounded(owner, {f"h{axis}": half for axis, half in zip(AXES, halves, strict=True)}, offset)
    x, y, z = map(rounded_down, halves)
    return TurningPart((x, y, z), 0, _centre(offset), matrix_of(rotation))


def rounded_down(size: float) -> int:
    """Return a size in whole lattice units that is not larger."""
    return math.floor(size * PER_UNIT)


def _centre(offset: Vector) -> tuple[int, int, int]:
    return to_units(offset[0]), to_units(offset[1]), to_units(offset[2])


def _warn_if_rounded(owner: object, sizes: dict[str, float], offset: Vector) -> None:
    if all((number * PER_UNIT).is_integer() for number in (*sizes.values(), *offset)):
        return
    numbers = [(name, size, rounded_down(size) * LATTICE) for name, size in sizes.items()]
    numbers += [(f"offset {axis}", at, to_units(at) * LATTICE) for axis, at in zip(AXES, offset, strict=True)]
    warn_of_rounding(owner, numbers)
