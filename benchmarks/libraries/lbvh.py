"""LBVH: a linear bounding volume hierarchy in C++, built anew each time."""

from __future__ import annotations

import numpy

from benchmarks.answers import pairs
from benchmarks.boxes import Boxes
from benchmarks.peers import Job, peer


@peer("pairs", "LBVH")
def lbvh(boxes: Boxes) -> Job:
    """Find all intersections of float32 boxes."""
    import LBVH

    packed = numpy.stack([boxes.lo, boxes.hi], axis=1).astype(numpy.float32)
    return Job(lambda: LBVH.find_intersections(packed), pairs)
