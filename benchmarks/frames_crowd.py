"""Crowds for the frame workloads: boxes that move randomly, by the same numbers for every library.

Steps are even multiples of the grain, so that faces never meet on the way (see `benchmarks.boxes`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from benchmarks.boxes import GRAIN, Boxes, Coordinates, boxes

Rows = NDArray[numpy.int64]
Place = tuple[float, ...]

STEP = 0.1
"""Maximum movement of a box on an axis in one frame."""


@dataclass(frozen=True, slots=True)
class Change:
    """The boxes that move in one frame, and their new places; as arrays and, made beforehand, as lists."""

    number: int
    rows: Rows
    centres: Coordinates
    row_list: list[int]
    places: list[Place]
    places_3d: list[Place]


@dataclass(frozen=True, slots=True)
class Crowd:
    """Boxes at the start, and the movements of each frame; `moving` of them move, chosen again in each frame."""

    start: Boxes
    changes: list[Change]
    kind: str
    moving: int

    @property
    def count(self) -> int:
        """The number of boxes."""
        return self.start.count

    @property
    def dims(self) -> int:
        """2 or 3."""
        return self.start.dims


def crowd(count: int, dims: int, kind: str, moving: int, frames: int, seed: int = 5) -> Crowd:
    """Return boxes of a kind and the movements of `frames` frames, which stay inside the world."""
    start = boxes(count, dims, kind)
    walk = Walk(start, (seed, moving))
    return Crowd(start, [_change(number, *walk.step(moving)) for number in range(frames)], kind, moving)


def _change(number: int, rows: Rows, centres: Coordinates) -> Change:
    order = numpy.argsort(rows)
    rows, centres = rows[order], centres[order]
    return Change(number, rows, centres, rows.tolist(), as_tuples(centres), as_tuples(in_3d(centres)))


class Walk:
    """Boxes that move in small random steps."""

    def __init__(self, start: Boxes, seed: tuple[int, ...]) -> None:
        self._centres, self._side = start.centres, start.side
        self._rng = numpy.random.default_rng((*seed, start.dims, start.count))

    def step(self, moving: int) -> tuple[Rows, Coordinates]:
        """Move `moving` boxes by one step; return their rows, in random order, and their new centres.

        A box that would leave the world moves in the opposite direction.
        """
        rows = self._rng.permutation(len(self._centres))[:moving]
        before, most = self._centres[rows], int(STEP / (2 * GRAIN))
        steps = self._rng.integers(-most, most, before.shape, endpoint=True) * (2 * GRAIN)
        beyond = (before + steps < 0) | (before + steps > self._side)
        inward = numpy.where(before < self._side / 2, 1, -1) * numpy.abs(steps)
        centres = before + numpy.where(beyond, inward, steps)
        self._centres[rows] = centres
        return rows, centres


def as_tuples(values: Coordinates) -> list[Place]:
    """Return the rows of an array as tuples of floats."""
    return list(map(tuple, values.tolist()))


def in_3d(places: Coordinates) -> Coordinates:
    """Return places with a third coordinate: 0 in 2D."""
    if places.shape[1] == 3:
        return places
    return numpy.hstack([places, numpy.zeros((len(places), 1))])
