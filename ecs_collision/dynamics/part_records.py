"""The parts of bodies as the solver of impulses reads them: `PART` numbers each, in world units (see `StepBodies`)."""

from __future__ import annotations

import math
from array import array
from typing import Any

from ecs_collision.components import Collider, Parts
from ecs_collision.fixed_point import LATTICE
from ecs_collision.shapes.bounds import Form, TurningPart
from ecs_collision.shapes.part import Matrix
from ecs_collision.shapes.rotation import Rotation, sine_cosine

_NO_TURN: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def own_records(collider: Collider) -> array[float]:
    """Return the parts of a body that turns, before it is turned."""
    records = array("d")
    for solid in collider._solids or ():
        assert isinstance(solid, TurningPart)
        centre, matrix = solid.centre, solid.matrix or _NO_TURN
        _append(records, centre, solid.halves, solid.radius, matrix)
    return records


def placed_records(form: Form) -> array[float]:
    """Return the parts of a body that does not turn, as they are placed."""
    records = array("d")
    for core, radius, matrix in form.all_parts:
        low, high = core[:3], core[3:]
        centre = tuple([(a + b) / 2 for a, b in zip(low, high, strict=True)])
        halves = tuple([(b - a) / 2 for a, b in zip(low, high, strict=True)])
        _append(records, centre, halves, radius, matrix or _NO_TURN)
    return records


def _append(
    records: array[float], centre: tuple[float, ...], halves: tuple[float, ...], radius: int, matrix: Matrix
) -> None:
    records.extend([value * LATTICE for value in (*centre, *halves, radius)])
    for axis in range(3):  # the axes of the core are the columns
        records.extend(matrix[axis::3])


def quaternion_of(rotation: Rotation) -> tuple[float, float, float, float]:
    """Return a rotation as a quaternion of length 1."""
    if not isinstance(rotation, tuple):
        sine, cosine = sine_cosine(0.5 * (rotation or 0.0))
        return (0.0, 0.0, sine, cosine)
    x, y, z, w = rotation
    largest = max(abs(x), abs(y), abs(z), abs(w))
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return (x / length, y / length, z / length, w / length)


def turns(parts: Parts) -> bool:
    """Return whether a body can turn: its collider has no box that never does (H3)."""
    solids: Any = None if parts.collider is None else parts.collider._solids
    return solids is not None and all(isinstance(each, TurningPart) for each in solids)
