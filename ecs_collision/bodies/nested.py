"""Which boxes of a body hold all its others (rules L4 and T2).

What overlaps a box that lies inside another of the same body overlaps the other too, and what touches it touches or
overlaps the other: so whoever asks for overlap, where touching counts as well or not, asks with the outer boxes alone.
Pushing asks with all of them, because a face that has been passed stops nothing (P9).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

from ecs_collision.broadphase.box_pool import put_outer_first
from ecs_collision.components import Faces

FEW = 16
"""Up to so many boxes are taken as they are: all pairs of them are soon looked at."""


def outer_first(shape: Sequence[Faces]) -> tuple[list[Faces], int]:
    """Return the boxes of a body with those in front that hold all the others, and how many these are; O(boxes)."""
    if len(shape) <= FEW:
        return list(shape), len(shape)
    faces = array("q", chain.from_iterable(shape))
    outer = put_outer_first(faces)
    each = iter(faces)
    return list(zip(each, each, each, each, each, each, strict=True)), outer


def lies_inside(box: Faces, other: Faces) -> bool:
    """Return whether a box covers nothing that another does not."""
    return all(other[axis] <= box[axis] and box[axis + 3] <= other[axis + 3] for axis in range(3))
