"""Reads the arguments of queries: boxes, points, displacements, and filters of bodies (rule L3)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from ecs_collision.components.box import Box
from ecs_collision.components.turning_parts import Capsule, OrientedBox, Sphere
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import (
    AXES,
    HALF_SLAB,
    PER_UNIT,
    finite,
    from_units,
    is_whole,
    items_of,
    plain_int,
    shown,
    to_units,
)
from ecs_collision.shapes.bounds import Shape, TurningPart
from ecs_collision.shapes.part import Part
from ecs_collision.similar import similar_name

Faces = tuple[int, int, int, int, int, int]


class HasXY(Protocol):
    """A point with `x` and `y`, perhaps `z`, such as `pygame.Vector2` or a `Transform`."""

    @property
    def x(self) -> float:
        """The x coordinate."""

    @property
    def y(self) -> float:
        """The y coordinate."""


class RectLike(Protocol):
    """A rectangle with the coordinates of its four sides, such as `pygame.Rect`."""

    @property
    def left(self) -> float:
        """The x of one side."""

    @property
    def top(self) -> float:
        """The y of one side."""

    @property
    def right(self) -> float:
        """The x of the other side."""

    @property
    def bottom(self) -> float:
        """The y of the other side."""


PointLike = Sequence[float] | HasXY
"""A point or a displacement: 2 or 3 numbers, or anything with `x` and `y`."""

BoxLike = tuple[PointLike, PointLike] | tuple[Box, PointLike] | RectLike
"""A box in the world: a pair of corners (lo, hi), a `Box` and its position, or a rectangle."""

PartLike = BoxLike | tuple[Sphere | Capsule | OrientedBox, PointLike]
"""A part in the world: a box, or a `Sphere`, `Capsule` or `OrientedBox` and its position."""

Side = Literal["left", "right", "up", "down"]
"""A side of a body in the plane; y grows downwards, as in levels."""

_SIDES = {"left": (0, -1), "right": (0, 1), "up": (1, -1), "down": (1, 1)}
_HALF_SLAB = from_units(HALF_SLAB)
_BUILT_IN = frozenset((tuple, list, set, frozenset))
_BUILT_IN_IDS = frozenset((int,))  # an isinstance check with an abstract class takes longer than a whole query


def layer_names(layers: object) -> frozenset[str]:
    """Return the layer names of a query; a bare string is one name. Raises CollisionTypeError for anything else."""
    if isinstance(layers, str):
        return frozenset((layers,))
    return frozenset(_all(layers, _is_text, "layers", "layer names"))


def entity_ids(ignore: object) -> list[int]:
    """Return the ids that a query ignores. Raises CollisionTypeError if they are not whole numbers."""
    if type(ignore) in _BUILT_IN and set(map(type, ignore)) <= _BUILT_IN_IDS:  # type: ignore[call-overload]
        return list(ignore)  # type: ignore[call-overload, no-any-return]
    return [plain_int(entity) for entity in _all(ignore, is_whole, "ignore", "entity ids")]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _all(values: object, counts: Callable[[object], bool], name: str, what: str) -> tuple[Any, ...]:
    items = items_of(values)
    if items is None or not all(map(counts, items)):
        raise CollisionTypeError(f"{name} must be {what}, not {shown(values)}; give a tuple or a set of them")
    return items


def entity_of(given: object) -> int | None:
    """Return the entity of a query, or None if it is for a box."""
    if type(given) is int:  # the common cases, fast
        return given
    return plain_int(given) if type(given) is not tuple and is_whole(given) else None


def faces_of_box(box: object, name: str = "the box") -> Faces:
    """Return the faces in units of a box, rounded inward like those of bodies (L1).

    Accepts a pair of corners (lo, hi), a `Box` and its position, and a rectangle; `name` is used in error messages.
    `OverlapQuery.read_box` reads plain pairs of tuples faster, with the same result.
    """
    if type(box) is not tuple:
        if isinstance(box, Box | Sphere | Capsule | OrientedBox):
            kind = type(box).__name__
            raise CollisionTypeError(f"{box!r} has no position; give a pair of both, such as ({kind}(...), (0, 0))")
        sides = _sides_of(box)
        if sides is not None:
            return _faces_of_sides(*sides, name)
    corners: list[Any] = list(items_of(box) or ())
    if len(corners) == 2 and isinstance(corners[0], Box):
        return _faces_at(corners[0], corners[1])
    corners = [_numbers_of(corner) for corner in corners]
    if len(corners) != 2 or len(corners[0]) != len(corners[1]) or len(corners[0]) not in (2, 3):
        raise CollisionTypeError(
            f"box must be an entity id or a pair (lo, hi) of corners of 2 or 3 numbers, not {shown(box)}; "
            "give for example ((0, 0), (1, 1)), (Box(0.5, 0.5), (x, y)), (Sphere(0.5), (x, y)), or a rectangle with "
            "left, top, right and bottom"
        )
    if len(corners[0]) == 2:
        corners = [(*corners[0], -_HALF_SLAB), (*corners[1], _HALF_SLAB)]
    lo = [finite(value, f"lo.{axis} of {name}") for axis, value in zip(AXES, corners[0], strict=True)]
    hi = [finite(value, f"hi.{axis} of {name}") for axis, value in zip(AXES, corners[1], strict=True)]
    for axis, low, high in zip(AXES, lo, hi, strict=True):
        if low > high:
            raise CollisionValueError(
                f"{name} ends before it begins: lo.{axis} is {low!r}, hi.{axis} {high!r}; swap them"
            )
    (lox, hix), (loy, hiy), (loz, hiz) = map(_inward, lo, hi)
    return (lox, loy, loz, hix, hiy, hiz)


def _sides_of(value: Any) -> tuple[Any, Any, Any, Any] | None:
    """Return left, top, right and bottom of a rectangle, None for anything else."""
    try:
        return value.left, value.top, value.right, value.bottom
    except AttributeError:
        return None


def _faces_of_sides(left: object, top: object, right: object, bottom: object, name: str) -> Faces:
    """Return the faces of a rectangle; its sides come in any order, because y may point up or down."""
    xs = finite(left, f"left of {name}"), finite(right, f"right of {name}")
    ys = finite(top, f"top of {name}"), finite(bottom, f"bottom of {name}")
    (lox, hix), (loy, hiy) = _inward(min(xs), max(xs)), _inward(min(ys), max(ys))
    return (lox, loy, -HALF_SLAB, hix, hiy, HALF_SLAB)


def part_of(given: object) -> Part | None:
    """Return the part of a query in the world: a sphere, capsule or oriented box at a position; None for a box."""
    pair = items_of(given) if isinstance(given, tuple | list) else None
    if pair is None or len(pair) != 2 or not isinstance(pair[0], Sphere | Capsule | OrientedBox):
        return None
    return pair[0]._turning.turned(None).shifted(*_position_of(pair[0], pair[1]))


@functools.lru_cache(maxsize=1024)
def shape_of_solid(solid: Faces | TurningPart) -> Shape:
    """Return the shape of a part that stands alone, by its faces or before it is turned."""
    return Shape((solid.turned(None) if isinstance(solid, TurningPart) else Part(solid),))


def _position_of(part: object, position: object) -> tuple[int, int, int]:
    """Return the position of a part of a query in units."""
    place = _numbers_of(position)
    if len(place) not in (2, 3):
        kind = type(part).__name__
        raise CollisionTypeError(
            f"the position of {part!r} must be 2 or 3 numbers, or have x and y, not {shown(position)}; give for "
            f"example ({kind}(...), (0, 0))"
        )
    name = f"of the {type(part).__name__}"
    x, y, z = (
        to_units(finite(value, f"position.{axis} {name}")) for axis, value in zip(AXES, (*place, 0.0), strict=False)
    )
    return x, y, z


def _faces_at(box: Box, position: object) -> Faces:
    """Return the faces of a box of a collider at a position: those that a body there would have."""
    x, y, z = _position_of(box, position)
    lox, loy, loz, hix, hiy, hiz = box.faces
    return (x + lox, y + loy, z + loz, x + hix, y + hiy, z + hiz)


def _numbers_of(point: Any) -> tuple[Any, ...]:
    """Return the items of a point, or its x, y and, if it has one, z; an empty tuple for anything else."""
    items = items_of(point)
    if items is not None:
        return items
    if not (hasattr(point, "x") and hasattr(point, "y")) or _sides_of(point) is not None:
        return ()
    return (point.x, point.y, point.z) if hasattr(point, "z") else (point.x, point.y)


def _inward(low: float, high: float) -> tuple[int, int]:
    """Return faces in units. A side too thin to contain a lattice point becomes the nearest one."""
    first, last = math.ceil(low * PER_UNIT), math.floor(high * PER_UNIT)
    if first > last:
        first = last = to_units(low)
    return first, last


def faces_of_point(x: object, y: object, z: object) -> Faces:
    """Return the faces in units of a point: three numbers, or `x` alone as a whole point."""
    if y is None:
        numbers = _numbers_of(x)
        if len(numbers) == 3 and finite(z, "z of the point") != 0.0:
            raise CollisionTypeError(f"the point {shown(x)} has a z of its own, and z={shown(z)} was given; give one")
        if len(numbers) in (2, 3):
            x, y, z = (*numbers, z)[:3]
    px, py, pz = (to_units(finite(value, f"{axis} of the point")) for axis, value in zip(AXES, (x, y, z), strict=True))
    return (px, py, pz, px, py, pz)


def point_of(point: object, name: str) -> tuple[float, float, float]:
    """Return a point of 2 or 3 numbers, or of anything with x and y, as three floats; z is 0 by default."""
    return _three_of(point, name, "an entity id, (x, y) or (x, y, z)")


def direction_of(direction: object, name: str) -> tuple[float, float, float]:
    """Return a direction of 2 or 3 numbers, or of anything with x and y, as three floats; z is 0 by default."""
    return _three_of(direction, name, "(dx, dy) or (dx, dy, dz)")


def _three_of(given: object, name: str, form: str) -> tuple[float, float, float]:
    numbers = _numbers_of(given)
    if len(numbers) not in (2, 3):
        raise CollisionTypeError(f"{name} must be {form}, not {shown(given)}; give numbers, or anything with x and y")
    x, y, z = (finite(value, f"{name}.{axis}") for axis, value in zip(AXES, (*numbers, 0.0), strict=False))
    return x, y, z


def side_of(side: object) -> tuple[int, int]:
    """Return the axis of a side and its sign, 1 or -1: of the name of a side, or of a direction along one axis."""
    if isinstance(side, str) and side in _SIDES:
        return _SIDES[side]
    numbers = _numbers_of(side)
    if len(numbers) not in (2, 3):
        raise (CollisionValueError if isinstance(side, str) else CollisionTypeError)(_no_side(side))
    steps = [finite(value, f"side.{axis}") for axis, value in zip(AXES, numbers, strict=False)]
    along = [(axis, 1 if step > 0 else -1) for axis, step in enumerate(steps) if step]
    if len(along) != 1:
        raise CollisionValueError(_no_side(side))
    return along[0]


_OTHER_NAMES = {"bottom": "down", "below": "down", "top": "up", "above": "up"}


def _no_side(side: object) -> str:
    names = ", ".join(f'"{name}"' for name in _SIDES)
    near = similar_name(_OTHER_NAMES.get(side.lower(), side), _SIDES) if isinstance(side, str) else None
    given = shown(side) if near is None else f'{shown(side)}; did you mean "{near}"?'
    return f"side must be one of {names}, or a direction along one axis such as (0, -1) or (0, 0, 1), not {given}"


def displacement_of(displacement: object) -> tuple[int, int, int]:
    """Return a displacement of 2 or 3 numbers in units."""
    x, y, z = map(to_units, _three_of(displacement, "displacement", "(dx, dy) or (dx, dy, dz)"))
    return (x, y, z)
