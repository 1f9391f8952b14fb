"""Spatial indexes in compiled code: trees over boxes that are built anew, then joined with themselves."""

from __future__ import annotations

import numpy

from benchmarks.answers import pairs
from benchmarks.boxes import Boxes
from benchmarks.peers import Job, peer


@peer("pairs", "LBVH")
def lbvh(boxes: Boxes) -> Job:
    """A linear bounding volume hierarchy; takes float32."""
    import LBVH

    packed = numpy.stack([boxes.lo, boxes.hi], axis=1).astype(numpy.float32)
    return Job(lambda: LBVH.find_intersections(packed), pairs)
