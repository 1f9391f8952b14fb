"""Finds the boxes of a body that contain its other boxes (rules L4 and T2).

A box that overlaps or touches a nested box also overlaps or touches the box around it, so queries use the outer boxes
only. Pushing uses all boxes, because a face that has been passed stops nothing (P9).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

from ecs_collision.broadphase.box_pool import put_outer_first
from ecs_collision.components import Faces

FEW = 16
"""Shapes of up to this many boxes are not searched for nested ones."""


def outer_first(shape: Sequence[Faces]) -> tuple[list[Faces], int]:
    """Return the boxes of a body, outer ones first, and the number of outer ones; O(boxes)."""
    if len(shape) <= FEW:
        return list(shape), len(shape)
    faces = array("q", chain.from_iterable(shape))
    outer = put_outer_first(faces)
    each = iter(faces)
    return list(zip(each, each, each, each, each, each, strict=True)), outer


def outer_of(shape: Sequence[Faces]) -> list[Faces]:
    """Return the outer boxes of a body."""
    boxes, outer = outer_first(shape)
    return boxes[:outer]


def lies_inside(box: Faces, other: Faces) -> bool:
    """Return whether a box lies inside another."""
    return all(other[axis] <= box[axis] and box[axis + 3] <= other[axis + 3] for axis in range(3))
