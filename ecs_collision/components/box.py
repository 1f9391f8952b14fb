"""One box of a collider, and its faces on the lattice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, dataclass_transform

from ecs_collision.components.base import ORIGIN, Vector, vector
from ecs_collision.errors import CollisionTypeError, explained
from ecs_collision.fixed_point import PER_UNIT, faces_of, finite
from ecs_collision.lattice_warning import warn_of_rounding

Faces = tuple[int, int, int, int, int, int]
"""A box relative to its body, in lattice units: low x, y, z, high x, y, z."""

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def _immutable(kind: type[Kind]) -> type[Kind]:
    """Return the class; type checkers refuse to assign its fields."""
    return kind


@_immutable
class Box:
    """One box of a compound: half extents and offset from the body's position, in world units.

    Immutable. Raises CollisionValueError for NaN, infinity and negative half extents.
    """

    __slots__ = ("faces", "hx", "hy", "hz", "offset")

    hx: float
    hy: float
    hz: float
    offset: Vector
    faces: Faces

    @explained("Box(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0))")
    def __init__(self, hx: float, hy: float, hz: float = 0.5, offset: Iterable[float] = ORIGIN) -> None:
        halves = (half_extent(hx, "Box.hx"), half_extent(hy, "Box.hy"), half_extent(hz, "Box.hz"))
        shift = vector(offset, "Box.offset")
        for name, value in zip(("hx", "hy", "hz"), halves, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "offset", shift)
        object.__setattr__(self, "faces", faces_around(self, halves, shift))

    def __init_subclass__(cls, **kwargs: Any) -> None:
        raise CollisionTypeError(f"{cls.__name__} subclasses Box, but Box is final; keep your own data beside it")

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__slots__:
            raise CollisionTypeError(f"Box.{name} cannot be assigned: a Box is immutable; make a new Box instead")
        raise AttributeError(f"Box has no field {name!r}; it has hx, hy, hz and offset")

    def __delattr__(self, name: str) -> None:
        raise CollisionTypeError(f"Box.{name} cannot be deleted: a Box is immutable")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        return (self.hx, self.hy, self.hz, self.offset) == (other.hx, other.hy, other.hz, other.offset)

    def __hash__(self) -> int:
        return hash((self.hx, self.hy, self.hz, self.offset))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Box, (self.hx, self.hy, self.hz, self.offset))

    def __repr__(self) -> str:
        return f"Box({self.hx!r}, {self.hy!r}, {self.hz!r}, offset={self.offset!r})"


def half_extent(value: object, where: str, owner: object = None) -> float:
    """Return a half extent: finite and not negative."""
    return finite(value, where, owner=owner, minimum=0.0)


def faces_around(owner: object, halves: Vector, offset: Vector) -> Faces:
    """Return the faces of a box with these half extents around `offset`, in units, rounded inward (L1).

    If they are rounded, a LatticeWarning names the fields of `owner`, the component or box with these numbers.
    """
    hx, hy, hz = halves[0] * PER_UNIT, halves[1] * PER_UNIT, halves[2] * PER_UNIT
    x, y, z = offset[0] * PER_UNIT, offset[1] * PER_UNIT, offset[2] * PER_UNIT
    if (
        hx.is_integer() and hy.is_integer() and hz.is_integer()
        and x.is_integer() and y.is_integer() and z.is_integer()
    ):  # fmt: skip
        return (int(x - hx), int(y - hy), int(z - hz), int(x + hx), int(y + hy), int(z + hz))
    low_and_high = [faces_of(half, at) for half, at in zip(halves, offset, strict=True)]
    (x0, x1), (y0, y1), (z0, z1) = low_and_high
    faces = (x0, y0, z0, x1, y1, z1)
    warn_of_rounding(owner, halves, offset, faces)
    return faces
