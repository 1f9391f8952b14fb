"""LBVH: a linear bounding volume hierarchy in C++, built each time."""

from __future__ import annotations

import numpy

from benchmarks.boxes import Boxes
from benchmarks.libraries import Job, library
from benchmarks.outputs import pairs


@library("pairs", "LBVH")
def lbvh(boxes: Boxes) -> Job:
    """Find all intersections of float32 boxes."""
    import LBVH

    packed = numpy.stack([boxes.lo, boxes.hi], axis=1).astype(numpy.float32)
    return Job(lambda: LBVH.find_intersections(packed), pairs)
