"""Positions given for many bodies at once: an array where it is one, checked number by number where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import numpy

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.lattice import AXES, finite

Table = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float64]]


def asked_positions(ids: object, positions: object) -> tuple[Sequence[Any], Table]:
    """Return the ids and an (m, 2) or (m, 3) array of float64 as kernels take it; raises naming what is wrong.

    Whether the numbers of an array are positions is left to whoever reads them all anyway.
    """
    if not isinstance(ids, Iterable) or not isinstance(positions, Iterable):
        raise CollisionTypeError(
            f"set_positions needs ids and an (m, 2) or (m, 3) array, not {ids!r} and {positions!r}"
        )
    entities = ids.tolist() if isinstance(ids, numpy.ndarray) and ids.ndim == 1 else list(ids)
    is_table = isinstance(positions, numpy.ndarray) and positions.ndim == 2 and positions.dtype.kind in "fiu"
    rows: Any = positions if is_table else list(positions)
    if len(entities) != len(rows):
        raise CollisionValueError(f"set_positions got {len(entities)} ids and {len(rows)} positions; give one each")
    if is_table and rows.shape[1] in (2, 3):
        return entities, numpy.require(rows, numpy.float64, ["C", "A", "W"])
    checked = [_checked(entity, row) for entity, row in zip(entities, rows, strict=True)]
    if len(set(map(len, checked))) > 1:
        raise CollisionValueError("set_positions got positions of two and of three numbers; give one kind")
    return entities, numpy.array(checked, numpy.float64).reshape(len(checked), -1 if checked else 2)


def _checked(entity: object, row: object) -> tuple[float, ...]:
    corner = tuple(row) if isinstance(row, Iterable) else (row,)
    if len(corner) not in (2, 3):
        raise CollisionValueError(f"position of entity {entity} is {corner!r}; give (x, y) or (x, y, z)")
    return tuple(_coordinate(entity, axis, value) for axis, value in zip(AXES, corner, strict=False))


def _coordinate(entity: object, axis: str, value: object) -> float:
    return finite(value, f"position {axis} of entity {entity}")


def refuse_position(entity: object, row: Iterable[float]) -> NoReturn:
    """Raise for the first number of a row of an array that is no coordinate."""
    for axis, value in zip(AXES, row, strict=False):
        _coordinate(entity, axis, float(value))
    raise AssertionError(f"the position of entity {entity} is none and passes")  # pragma: no cover - a bug
