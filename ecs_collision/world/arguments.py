"""Reads the ids and positions that calls of a world take.

Arrays are used as they are, other sequences are checked number by number.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, finite, items_of, refuse_masks, shown, whole

if TYPE_CHECKING:
    import numpy

    Positions = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float64]]

_NEEDS = "set_positions needs ids and an (m, 2) or (m, 3) array"

_FOR_KERNELS: tuple[Literal["C"], Literal["A"], Literal["W"]] = ("C", "A", "W")


def read_positions(ids: object, positions: object) -> tuple[Sequence[Any], Positions]:
    """Return the ids and an (m, 2) or (m, 3) array of float64 as kernels take it; raises naming the fault.

    The ids of an array of integers are a view of 64-bit ones. The numbers of an array are not checked here: the kernel
    that reads them all does that.
    """
    loaded: Any = sys.modules.get("numpy")
    if loaded is not None and type(ids) is type(positions) is loaded.ndarray:
        data: memoryview = ids.data  # type: ignore[attr-defined]
        if are_for_kernels(data, positions.data):  # type: ignore[attr-defined]
            return data, positions  # type: ignore[return-value]
    from ecs_collision._numpy import numpy

    refuse_masks(ids, _NEEDS, in_rows=False)
    refuse_masks(positions, _NEEDS)
    entities: Any
    if not (isinstance(ids, numpy.ndarray) and ids.ndim == 1):
        entities = items_of(ids)
    elif ids.dtype.kind in "iu" and numpy.can_cast(ids.dtype, numpy.int64):
        entities = numpy.require(ids, numpy.int64, _FOR_KERNELS).data
    else:
        entities = ids.tolist()
    rows: Any = positions
    is_table = isinstance(positions, numpy.ndarray) and positions.ndim == 2 and positions.dtype.kind in "fiu"
    if not is_table:
        rows = items_of(positions)
    if entities is None or rows is None:
        raise CollisionTypeError(f"{_NEEDS}, not {shown(ids)} and {shown(positions)}")
    if len(entities) != len(rows):
        raise CollisionValueError(f"set_positions got {len(entities)} ids and {len(rows)} positions; give one each")
    if is_table and rows.shape[1] in (2, 3):
        return entities, numpy.require(rows, numpy.float64, _FOR_KERNELS)
    checked = [_position(entity, row) for entity, row in zip(entities, rows, strict=True)]
    if len(set(map(len, checked))) > 1:
        raise CollisionValueError("set_positions got positions of two and of three numbers; give one kind")
    return entities, numpy.array(checked, numpy.float64).reshape(len(checked), -1 if checked else 2)


def are_for_kernels(ids: memoryview, positions: memoryview) -> bool:
    """Return whether ids are 64-bit integers and positions as many rows of floats, in memory as kernels take them.

    Then nothing else of the arrays has to be checked, which takes longer than to write a hundred positions.
    """
    return (
        ids.format in ("l", "q")
        and ids.itemsize == 8
        and positions.format == "d"
        and ids.ndim == 1
        and positions.ndim == 2
        and positions.shape in ((len(ids), 2), (len(ids), 3))
        and ids.c_contiguous
        and positions.c_contiguous
        and not (ids.readonly or positions.readonly)
    )


def read_ids(ids: object, where: str) -> list[int]:
    """Return ids as a list of ints; raises naming `where` if they are not a sequence of ids."""
    refuse_masks(ids, f"{where} must be a sequence of ids", in_rows=False)
    items = items_of(ids)
    if items is None:
        raise CollisionTypeError(f"{where} must be a sequence of ids, not {shown(ids)}; give a list of int")
    return [whole(item, where, minimum=0) for item in items]


def _position(entity: object, row: object) -> tuple[float, ...]:
    corner = items_of(row)
    if corner is None or len(corner) not in (2, 3):
        raise CollisionValueError(f"position of entity {shown(entity)} is {shown(row)}; give (x, y) or (x, y, z)")
    return tuple(_coordinate(entity, axis, value) for axis, value in zip(AXES, corner, strict=False))


def _coordinate(entity: object, axis: str, value: object) -> float:
    return finite(value, f"position {axis} of entity {shown(entity)}")


def raise_position_fault(entity: object, row: Iterable[float]) -> NoReturn:
    """Raise for the first number of a row of an array that is not a coordinate."""
    for axis, value in zip(AXES, row, strict=False):
        _coordinate(entity, axis, float(value))
    raise AssertionError(f"the position of entity {entity} was refused, but is valid")  # pragma: no cover - a bug
