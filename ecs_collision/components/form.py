"""The form of a body: what its collider and its rotation make of it, in lattice units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ecs_collision.components.turning_parts import TurningPart
from ecs_collision.shapes.bounds import bounds_of
from ecs_collision.shapes.part import Faces, Part
from ecs_collision.shapes.rotation import Rotation, matrix_of


class Form(NamedTuple):
    """The parts of a body and their bounds in the same order, relative to its position, each once.

    parts: None if all of them are plain boxes, which equal their bounds.
    """

    boxes: tuple[Faces, ...]
    parts: tuple[Part, ...] | None = None

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts, also if all of them are plain boxes."""
        return self.parts or tuple(map(Part, self.boxes))


NO_FORM = Form(())
"""The form of a row of the table that is not in use."""


def form_of(parts: Iterable[Faces | TurningPart], rotation: Rotation) -> Form:
    """Return the form of a body with these parts: boxes, which do not turn, and others, which do."""
    matrix = matrix_of(rotation)
    # Equal parts overlap, touch and block alike, so one of them is enough.
    placed = dict.fromkeys([part.turned(matrix) if isinstance(part, TurningPart) else Part(part) for part in parts])
    boxes = tuple([bounds_of(part) for part in placed])
    is_plain = all(part.radius == 0 and part.matrix is None for part in placed)
    return Form(boxes, None if is_plain else tuple(placed))
