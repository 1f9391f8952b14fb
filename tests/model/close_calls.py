"""What the model asks the engine: turned parts are computed in float64 (H5), which is not modelled.

The model decides by exact numbers. Where the last bits of float64 count, it asks these functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ecs_collision.shapes.contact import normal_of
from ecs_collision.shapes.overlap import PlacedPart, placed
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.way import NEVER, OVERLAP, way_along
from ecs_collision.world import CollisionWorld
from tests.model.shapes import ONE, Shape


class CloseCalls:
    """The answers of an engine, whose world `world()` returns."""

    def __init__(self, world: Callable[[], CollisionWorld]) -> None:
        self._world = world

    def way(self, a: Shape, b: Shape, axis: int, sign: int) -> int | None:
        """Return the way of two turned parts that are too close to call somewhere on it (H5)."""
        found = way_along(self._placed(a), self._placed(b), axis, sign, 2**60)
        return {NEVER: None, OVERLAP: -1}.get(found, found)

    def normal(self, a: Shape, b: Shape, flat: bool) -> tuple[float, float, float]:
        """Return the normal of two turned parts that several directions separate alike (H9)."""
        return normal_of(self._placed(a), self._placed(b), flat)

    def _placed(self, shape: Shape) -> PlacedPart:
        """Return a shape as the engine has it, with the same float64 numbers."""
        core = (*shape.low, *shape.high)
        if shape.rows is None:
            return placed(Part(core, shape.radius))
        entries, bodies = [entry / ONE for row in shape.rows for entry in row], self._world()._bodies
        matrices = {part.matrix for row in bodies.rows() for part in bodies.parts_if_enabled(row) if part.matrix}
        return placed(Part(core, shape.radius, min(matrices, key=lambda matrix: math.dist(matrix, entries))))
