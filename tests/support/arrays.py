"""Valid forms of arrays of numbers, and invalid corners of boxes (L3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ecs_collision import CollisionError, CollisionTypeError, CollisionValueError


def read_only(table: Any) -> Any:
    """Return a copy that cannot be written."""
    table = table.copy()
    table.flags.writeable = False
    return table


def unaligned(table: Any) -> Any:
    """Return a copy at an odd address."""
    room = numpy.zeros(table.nbytes + 1, dtype=numpy.uint8)
    view = room[1:].view(table.dtype).reshape(table.shape)
    view[:] = table
    return view


FORMS: dict[str, Callable[[Any], Any]] = {
    "an array": lambda table: table,
    "lists": lambda table: table.tolist(),
    "tuples": lambda table: tuple(map(tuple, table.tolist())),
    "float32": lambda table: table.astype(numpy.float32),
    "float16": lambda table: table.astype(numpy.float16),
    "int64": lambda table: numpy.floor(table).astype(numpy.int64),
    "int8": lambda table: numpy.floor(table).astype(numpy.int8),
    "columns first": numpy.asfortranarray,
    "every other row": lambda table: numpy.repeat(table, 2, axis=0)[::2],
    "backwards twice": lambda table: table[::-1].copy()[::-1],
    "columns of more": lambda table: numpy.hstack([table, table])[:, : table.shape[1]],
    "other bytes first": lambda table: table.astype(table.dtype.newbyteorder()),
    "not aligned": unaligned,
    "read only": read_only,
    "rows of arrays": list,
}
"""The same table of numbers in every form that NumPy accepts."""

NAN, INF = math.nan, math.inf
NO_BOXES: dict[str, tuple[Any, Any, type[CollisionError], tuple[str, ...]]] = {
    "four columns": (numpy.zeros((3, 4)), numpy.ones((3, 4)), CollisionError, ("lo",)),
    "one column": (numpy.zeros((3, 1)), numpy.ones((3, 1)), CollisionError, ("lo",)),
    "one dimension": (numpy.zeros(3), numpy.ones(3), CollisionError, ("lo",)),
    "three dimensions": (numpy.zeros((2, 2, 2)), numpy.ones((2, 2, 2)), CollisionError, ("lo",)),
    "a number": (0, 1, CollisionError, ("lo",)),
    "more hi than lo": (numpy.zeros((3, 2)), numpy.ones((4, 2)), CollisionError, ("lo", "hi")),
    "hi has z": (numpy.zeros((3, 2)), numpy.ones((3, 3)), CollisionError, ("lo", "hi")),
    "NaN": ([[0, 0], [NAN, 0]], [[1, 1], [1, 1]], CollisionValueError, ("lo", "1", "nan")),
    "NaN in hi": ([[0, 0]] * 3, [[1, 1], [1, 1], [1, NAN]], CollisionValueError, ("hi", "2", "nan")),
    "infinity": ([[0, 0], [0, 0]], [[1, 1], [INF, 1]], CollisionValueError, ("hi", "1", "inf")),
    "negative infinity": ([[-INF, 0], [0, 0]], [[1, 1], [1, 1]], CollisionValueError, ("lo", "0", "-inf")),
    "turned round": ([[0, 0], [0, 2]], [[1, 1], [1, 1]], CollisionValueError, ("lo", "hi", "1", "y")),
    "text": ([["0", "0"]], [["1", "1"]], CollisionTypeError, ("lo", "'0'")),
    "text for all": ("00", "11", CollisionTypeError, ("lo",)),
    "None": (None, None, CollisionTypeError, ("lo", "None")),
    "None within": ([[0, None]], [[1, 1]], CollisionTypeError, ("lo", "None")),
    "booleans": (numpy.zeros((2, 2), bool), numpy.ones((2, 2), bool), CollisionTypeError, ("lo",)),
    "complex": (numpy.zeros((2, 2), complex), numpy.ones((2, 2)), CollisionTypeError, ("lo",)),
    "ragged": ([[0, 0], [0, 0, 0]], [[1, 1], [1, 1, 1]], CollisionError, ("lo",)),
}
"""Invalid low and high corners, the error, and words of its text."""
