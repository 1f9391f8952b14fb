"""Makes the index of a chosen broad phase."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ecs_collision.broadphase.choices import (
    BroadPhase,
    FootprintGrid,
    LinearOctree,
    Octree,
    PointerOctree,
    Quadtree,
    SweepAndPrune,
)
from ecs_collision.broadphase.protocol import Index
from ecs_collision.fixed_point import AXES, from_units, to_units

_CLASSES = {
    "buckets": "buckets BucketIndex",
    "z_order_sweep": "z_order_sweep ZOrderSweepIndex",
    "pointer_octree": "pointer_octree PointerOctreeIndex",
    "linear_octree": "linear_octree LinearOctreeIndex",
    "quadtree": "capacity_tree CapacityTree",
    "octree": "capacity_tree CapacityTree",
    "footprint_grid": "footprint_grid FootprintGridIndex",
    "sweep_and_prune": "sweep_and_prune SweepAndPruneIndex",
    "brute_force": "brute_force BruteForceIndex",
}
"""Module and class by the name of the broad phase. They are imported on first use."""


def index_of(choice: BroadPhase, bin_shift: int) -> Index:
    """Return a new, empty index of a chosen broad phase."""
    module, name = _CLASSES[choice.name].split()
    make = getattr(import_module(f"ecs_collision.broadphase.{module}"), name)
    return cast(Index, make(bin_shift, *_options(choice, bin_shift)))


def _options(choice: BroadPhase, bin_shift: int) -> tuple[int, ...]:
    """Return the options of a choice as the whole numbers that its index takes after the bin_shift."""
    match choice:
        case PointerOctree() | LinearOctree():
            return (choice.max_depth,)
        case Octree():
            return choice.capacity, choice.max_depth
        case Quadtree():
            return choice.capacity, choice.max_depth, AXES.index(choice.ignored_axis)
        case SweepAndPrune():
            return (AXES.index(choice.axis),)
        case FootprintGrid():
            size = to_units(choice.cell_size) if choice.cell_size is not None else 1 << bin_shift
            columns, rows = choice.cells(from_units(1 << bin_shift))
            return (*(int(low // from_units(size)) for low in choice.lo), columns, rows, size.bit_length() - 1)
    return ()
