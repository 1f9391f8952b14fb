"""Reads the arguments of queries: boxes, points, displacements, and filters of bodies (rule L3)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, HALF_SLAB, PER_UNIT, finite, from_units, is_whole, items_of, shown, to_units

Faces = tuple[int, int, int, int, int, int]
Corner = tuple[float, float] | tuple[float, float, float]
Box = tuple[Corner, Corner]

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
    return [operator.index(entity) for entity in _all(ignore, is_whole, "ignore", "entity ids")]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _all(values: object, counts: Callable[[object], bool], name: str, what: str) -> tuple[Any, ...]:
    items = items_of(values)
    if items is None or not all(map(counts, items)):
        raise CollisionTypeError(f"{name} must be {what}, not {shown(values)}; give a tuple or a set of them")
    return items


def entity_of(given: object) -> int | None:
    """Return the entity of a query, or None if it is for a box."""
    if type(given) is int:  # the common case, fast
        return given
    return operator.index(given) if is_whole(given) else None


def faces_of_box(box: object, name: str = "the box") -> Faces:
    """Return the faces in units of a box given as (lo, hi), rounded inward like those of bodies (L1).

    Accepts anything that can be read as corners; `name` is used in error messages. `OverlapQuery.read_box` reads plain
    pairs of tuples faster, with the same result.
    """
    corners: list[Any] = [items_of(corner) or () for corner in items_of(box) or ()]
    if len(corners) != 2 or len(corners[0]) != len(corners[1]) or len(corners[0]) not in (2, 3):
        raise CollisionTypeError(
            f"box must be an entity id or a pair (lo, hi) of corners of 2 or 3 numbers, not {shown(box)}; "
            "give for example ((0, 0), (1, 1))"
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
    sides = [_inward(low, high) for low, high in zip(lo, hi, strict=True)]
    return (sides[0][0], sides[1][0], sides[2][0], sides[0][1], sides[1][1], sides[2][1])


def _inward(low: float, high: float) -> tuple[int, int]:
    """Return faces in units. A side too thin to contain a lattice point becomes the nearest one."""
    first, last = math.ceil(low * PER_UNIT), math.floor(high * PER_UNIT)
    if first > last:
        first = last = to_units(low)
    return first, last


def faces_of_point(x: object, y: object, z: object) -> Faces:
    """Return the faces in units of a point."""
    px, py, pz = (to_units(finite(value, f"{axis} of the point")) for axis, value in zip(AXES, (x, y, z), strict=True))
    return (px, py, pz, px, py, pz)


def displacement_of(displacement: object) -> tuple[int, int, int]:
    """Return a displacement of 2 or 3 numbers in units."""
    steps = items_of(displacement) or ()
    if len(steps) not in (2, 3):
        raise CollisionTypeError(
            f"displacement must be (dx, dy) or (dx, dy, dz), not {shown(displacement)}; give numbers"
        )
    x, y, z = (to_units(finite(step, f"displacement.{axis}")) for axis, step in zip(AXES, (*steps, 0.0), strict=False))
    return (x, y, z)
