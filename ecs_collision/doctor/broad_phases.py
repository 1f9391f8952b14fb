"""Whether the broad phase of a world suits it. The limits are from `python -m benchmarks structures`."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies.columns import ENABLED
from ecs_collision.broadphase.choices import (
    BroadPhase,
    BruteForce,
    Buckets,
    FootprintGrid,
    PointerOctree,
    Quadtree,
    SweepAndPrune,
)
from ecs_collision.broadphase.footprint_grid import MAX_CELLS
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.fixed_point import AXES, LATTICE

FEW_BOXES = 64
"""With fewer boxes all broad phases are about as fast, so there is nothing to recommend."""

MANY_BOXES = 1000
"""With as many boxes a PointerOctree takes 1.5 times as long as an Octree, and 2 to 4 times with 10,000."""

MANY_OUTSIDE = 0.1
"""The share of boxes outside a FootprintGrid from which on it is no better than brute force over these."""

MUCH_WIDER = 4
"""An axis is recommended if the boxes are spread this many times as wide along it as along the present one."""

FITTING_CELLS = (0.5, 8)
"""How long the cells of a FootprintGrid may be, as multiples of the median side of the boxes."""


def unsuitable_broad_phase(world: Observed) -> Iterator[Finding]:
    """Yield why another broad phase, or other options of this one, would suit the world better.

    Nothing is said about the default: others are faster than it by a tenth to a third, and only in some worlds.
    """
    choice = world.bodies.broad_phase
    if isinstance(choice, Buckets):
        return
    bodies = world.bodies
    boxes = [box for row in world.rows if bodies.has(row, ENABLED) for box in bodies.boxes_if_enabled(row)]
    if len(boxes) < FEW_BOXES:
        return
    remedy = _remedy(choice, world, _Boxes(boxes, bodies.flat))
    if remedy:
        yield Finding("broad phase", (), remedy, "broad phase")


class _Boxes:
    """The boxes of a world, in lattice units, and how far they are spread, in world units.

    In a flat world they are not spread along z (L5): all have the same range there.
    """

    def __init__(self, boxes: list[tuple[int, int, int, int, int, int]], flat: bool) -> None:
        self.faces, self.flat = boxes, flat
        self.count = len(boxes)
        self.low = [min(box[axis] for box in boxes) * LATTICE for axis in range(3)]
        self.high = [max(box[axis + 3] for box in boxes) * LATTICE for axis in range(3)]
        self.spread = [high - low for low, high in zip(self.low, self.high, strict=True)]
        if flat:
            self.spread[2] = 0.0

    def median_side(self) -> float:
        """Return the median of the longer sides of the boxes in x and y."""
        sides = sorted(max(box[3] - box[0], box[4] - box[1]) for box in self.faces)
        return sides[len(sides) // 2] * LATTICE


def _remedy(choice: BroadPhase, world: Observed, boxes: _Boxes) -> str:
    """Return what is wrong with the choice and what to do; "" if nothing is."""
    if isinstance(choice, BruteForce):
        return f'broad_phase is BruteForce, which tests all {boxes.count} boxes in every query; "buckets" tests few'
    if isinstance(choice, PointerOctree) and boxes.count >= MANY_BOXES:
        return (
            "PointerOctree keeps a box across the middle of a large node in that node, where every query nearby tests "
            f'it, which is slow with {boxes.count} boxes; "octree" and "linear_octree" do not'
        )
    if isinstance(choice, FootprintGrid):
        return (
            _outside_of_grid(choice, world.settings.bin_size, boxes)
            or _large_boxes(choice, world.settings.bin_size, boxes)
            or _deep_world(choice, boxes, 2)
            or _unsuitable_cells(choice, world.settings.bin_size, boxes)
        )
    if isinstance(choice, SweepAndPrune):
        return _narrow_sweep(choice, boxes)
    if isinstance(choice, Quadtree):
        return _flattened_quadtree(choice, boxes) or _deep_world(choice, boxes, AXES.index(choice.ignored_axis))
    return ""


def _outside_of_grid(choice: FootprintGrid, bin_size: float, boxes: _Boxes) -> str:
    size = choice.cell_size or bin_size
    first = [low // size * size for low in choice.lo]
    end = [(high // size + 1) * size for high in choice.hi]
    outside = sum(
        any(box[axis] * LATTICE < first[axis] or box[axis + 3] * LATTICE >= end[axis] for axis in range(2))
        for box in boxes.faces
    )
    if outside < MANY_OUTSIDE * boxes.count:
        return ""
    low, high = boxes.low, boxes.high
    return (
        f"{outside} of {boxes.count} boxes lie outside the FootprintGrid from {choice.lo} to {choice.hi}, and every "
        f"query tests all of these; the boxes reach from ({low[0]:g}, {low[1]:g}) to ({high[0]:g}, {high[1]:g}): give "
        'greater corners lo and hi, or use "buckets", which has no bounds'
    )


def _large_boxes(choice: FootprintGrid, bin_size: float, boxes: _Boxes) -> str:
    units = (choice.cell_size or bin_size) / LATTICE
    large = sum(
        (box[3] // units - box[0] // units + 1) * (box[4] // units - box[1] // units + 1) > MAX_CELLS
        for box in boxes.faces
    )
    if large < MANY_OUTSIDE * boxes.count:
        return ""
    return (
        f"{large} of {boxes.count} boxes cover more than {MAX_CELLS} cells of the FootprintGrid, and every query "
        "tests all of these; give a greater cell_size"
    )


def _unsuitable_cells(choice: FootprintGrid, bin_size: float, boxes: _Boxes) -> str:
    size, side = choice.cell_size or bin_size, boxes.median_side()
    least, most = (side * factor for factor in FITTING_CELLS)
    if least <= size <= most or side == 0:
        return ""
    return (
        f"the cells of the FootprintGrid have sides of {size:g}, but half of the boxes have sides up to {side:g}; "
        f"a power of two from {side:g} to {4 * side:g} as cell_size would suit them"
    )


def _deep_world(choice: BroadPhase, boxes: _Boxes, ignored: int) -> str:
    """Return that the boxes are spread along the axis that is not divided as widely as along the others."""
    spread = boxes.spread
    widest = max((axis for axis in range(3) if axis != ignored), key=lambda axis: spread[axis])
    is_narrow = spread[ignored] < MUCH_WIDER * boxes.median_side()
    if 2 * spread[ignored] < spread[widest] or is_narrow or (boxes.flat and ignored == 2):
        return ""
    return (
        f"{type(choice).__name__} does not divide {AXES[ignored]}, along which the boxes are spread over "
        f'{spread[ignored]:g}, about as far as along {AXES[widest]}; "buckets" or "octree" would separate more of '
        "them"
    )


def _narrow_sweep(choice: SweepAndPrune, boxes: _Boxes) -> str:
    axis = AXES.index(choice.axis)
    if boxes.flat and axis == 2:
        axis = 0  # there x replaces z
    spread, own = boxes.spread, boxes.spread[axis]
    widest = max(range(3), key=lambda axis: spread[axis])
    if spread[widest] < MUCH_WIDER * own:
        return ""
    return (
        f"SweepAndPrune sweeps along {AXES[axis]}, along which the boxes are spread over {own:g}, but they are spread "
        f'over {spread[widest]:g} along {AXES[widest]}; axis="{AXES[widest]}" would separate more of them'
    )


def _flattened_quadtree(choice: Quadtree, boxes: _Boxes) -> str:
    spread, ignored = boxes.spread, AXES.index(choice.ignored_axis)
    least = min(range(3), key=lambda axis: spread[axis])
    if ignored == least or spread[ignored] < MUCH_WIDER * max(spread[least], boxes.median_side()):
        return ""
    return (
        f"Quadtree ignores {choice.ignored_axis}, along which the boxes are spread over {spread[ignored]:g}, but they "
        f'are spread over only {spread[least]:g} along {AXES[least]}; ignored_axis="{AXES[least]}" or "octree" would '
        "separate more of them"
    )
