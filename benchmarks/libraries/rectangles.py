"""pygame-ce: each rectangle is compared with all others; 2D, float32."""

from __future__ import annotations

import os
from typing import Any

import numpy

from benchmarks.boxes import Boxes, QueryScene
from benchmarks.libraries import Job, library
from benchmarks.outputs import hits, rows


def _rectangles(boxes: Boxes) -> list[Any]:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    import pygame

    return [pygame.FRect(*box) for box in numpy.hstack([boxes.lo, boxes.hi - boxes.lo]).tolist()]


@library("pairs", "pygame-ce FRect", dims=(2,), most=10_000)
def pygame_pairs(boxes: Boxes) -> Job:
    """Make the rectangles and compare each with the list."""

    def found() -> list[tuple[int, int]]:
        made = _rectangles(boxes)
        return [(row, other) for row, one in enumerate(made) for other in one.collidelistall(made) if other > row]

    _rectangles(boxes)
    return Job(found, rows)


@library("query", "pygame-ce FRect", dims=(2,), most=10_000)
def pygame_query(scene: QueryScene) -> Job:
    """Compare each query rectangle with the list."""
    made, regions = _rectangles(scene.world), _rectangles(scene.regions)
    return Job(lambda: [one.collidelistall(made) for one in regions], hits)
