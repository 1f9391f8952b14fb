"""Checks of values that several components use."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, Axis, finite, items_of, named, shown
from ecs_collision.shapes.rotation import Rotation

Vector = tuple[float, float, float]

ORIGIN: Vector = (0.0, 0.0, 0.0)


def vector(value: object, where: str, default_z: float = 0.0, owner: object = None) -> Vector:
    """Return a 2- or 3-tuple of finite numbers as a 3-tuple."""
    if value is ORIGIN:  # the default needs no check
        return ORIGIN
    items = items_of(value)
    if items is None:
        raise CollisionTypeError(f"{named(where, owner)} must be a tuple (x, y) or (x, y, z), not {shown(value)}")
    if len(items) == 2:
        items = (*items, default_z)
    if len(items) != 3:
        raise CollisionValueError(f"{named(where, owner)} must have 2 or 3 numbers, not {len(items)}: {shown(value)}")
    x, y, z = (finite(item, f"{where} {axis}", owner=owner) for axis, item in zip(AXES, items, strict=True))
    return (x, y, z)


def rotation_of(value: object, where: str, owner: object = None) -> Rotation:
    """Return an angle in radians, or a quaternion (x, y, z, w) that is not of length 0; None stays None."""
    if value is None:
        return None
    items = items_of(value)
    if items is None:
        try:
            return finite(value, where, owner=owner)
        except CollisionTypeError as cause:
            raise CollisionTypeError(f"{named(where, owner)} must be {_ROTATION}, not {shown(value)}") from cause
    if len(items) != 4:
        raise CollisionValueError(f"{named(where, owner)} must be {_ROTATION}, not {shown(value)}")
    x, y, z, w = (finite(item, f"{where} {name}", owner=owner) for name, item in zip("xyzw", items, strict=True))
    if not (x or y or z or w):
        raise CollisionValueError(f"{named(where, owner)} is a quaternion of length 0; give None for no rotation")
    return (x, y, z, w)


_ROTATION = "an angle about z in radians, a quaternion (x, y, z, w) or None"


SIDES: dict[str, Vector] = {
    "left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0), "up": (0.0, -1.0, 0.0), "down": (0.0, 1.0, 0.0),
}  # fmt: skip
"""The directions of the sides of a body in the plane; y grows downwards, as in levels."""


def direction(value: object, where: str, owner: object = None) -> Vector:
    """Return the unit vector of a side's name, or of a vector along one axis."""
    if isinstance(value, str) and value in SIDES:
        return SIDES[value]
    names = ", ".join(f'"{name}"' for name in SIDES)
    wanted = f"{named(where, owner)} must be one of {names}, or a vector along one axis such as (0, -1) or (0, 0, 1)"
    if isinstance(value, str) or items_of(value) is None:
        raise CollisionValueError(f"{wanted}, not {shown(value)}")
    x, y, z = vector(value, where, owner=owner)
    if (x != 0.0) + (y != 0.0) + (z != 0.0) != 1:
        raise CollisionValueError(f"{wanted}, not {shown(value)}")
    return ((x > 0.0) - (x < 0.0) + 0.0, (y > 0.0) - (y < 0.0) + 0.0, (z > 0.0) - (z < 0.0) + 0.0)


def axis_name(value: object, where: str, owner: object = None) -> Axis:
    """Return the name of an axis; raises by the name `where` unless it is "x", "y" or "z"."""
    for axis in AXES:
        if isinstance(value, str) and value == axis:
            return axis
    raise CollisionValueError(f'{named(where, owner)} is {shown(value)}; it must be "x", "y" or "z"')


def layer_name(value: object, where: str, owner: object = None) -> str:
    """Return the name of a layer; raises by the name `where` unless it is a non-empty str."""
    if not isinstance(value, str):
        raise CollisionTypeError(f"{named(where, owner)} must be the name of a layer, not {shown(value)}; give a str")
    if not value:
        raise CollisionValueError(f"{named(where, owner)} is an empty string; give the layer a name")
    return value


def layer_set(value: object, where: str, owner: object = None) -> frozenset[str] | None:
    """Return layer names as a frozenset; a single string is one layer, None stays None (every layer)."""
    if value is None:
        return None
    if isinstance(value, str):
        return frozenset((layer_name(value, where, owner),))
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise CollisionTypeError(
            f"{named(where, owner)} must be None or layer names, not {shown(value)}; give a str or a set of str"
        )
    return frozenset(layer_name(item, where, owner) for item in value)
