"""Meaning of the keys of the directory, and its runs of asleep and awake cells (rules B3 and S3)."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import dataclass

from ecs_collision.broadphase.morton import ORIGIN, TOP_LEVEL, decode
from ecs_collision.broadphase.morton_cells import Z_BIAS, MortonCells
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import from_units, is_whole, shown

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the index: its size `level`, and its corners `lo` and `hi` in world units."""

    level: int
    lo: Point
    hi: Point


@dataclass(frozen=True, slots=True)
class Region:
    """A run of neighbours in the directory, `cells`: all `asleep` (no awake box in any), or all with an awake box."""

    asleep: bool
    cells: tuple[int, ...]


def split_key(key: int) -> tuple[int, int]:
    """Return the first code and the level of a directory key. Raises an error for an invalid key."""
    if not is_whole(key):
        raise CollisionTypeError(f"a cell key is an int, not {shown(key)}; take one from space.cells")
    key = operator.index(key)
    code, level = key >> 5, 31 - (key & 31)
    if not 0 <= code < 1 << 63 or level > TOP_LEVEL or code & ((1 << 3 * level) - 1):
        raise CollisionValueError(f"{shown(key)} is not a cell key; take one from space.cells")
    return code, level


def cell_of(key: int, bin_shift: int) -> Cell:
    """Return the cell of a directory key. In z all cells begin half a unit lower, to contain the range of 2D (B2)."""
    code, level = split_key(key)
    biases = (0, 0, Z_BIAS)
    corner = [((bin - ORIGIN) << bin_shift) - bias for bin, bias in zip(decode(code), biases, strict=True)]
    lo = (from_units(corner[0]), from_units(corner[1]), from_units(corner[2]))
    edge = from_units(1 << (bin_shift + level))
    return Cell(level, lo, (lo[0] + edge, lo[1] + edge, lo[2] + edge))


def regions_of(cells: MortonCells) -> Iterator[Region]:
    """Yield the current runs of asleep and of awake cells in the order of the directory. O(cells)."""
    for is_awake, run in itertools.groupby(list(cells.directory()), key=cells.is_awake):
        yield Region(not is_awake, tuple(run))
