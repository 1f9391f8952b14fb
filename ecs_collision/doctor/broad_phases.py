"""Whether the broad phase of a world suits it (docs/broad_phases.md has the measurements behind the limits)."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.broadphase.choices import (
    BroadPhase,
    BruteForce,
    FootprintGrid,
    MortonGrid,
    Quadtree,
    SweepAndPrune,
)
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.fixed_point import AXES, LATTICE

FEW_BOXES = 64
"""With so few boxes all broad phases are about as fast, so there is nothing to recommend."""

MANY_OUTSIDE = 0.1
"""The share of boxes outside a FootprintGrid from which on it is no better than brute force over these."""

MUCH_WIDER = 4
"""How many times wider the boxes must be spread along another axis to recommend that one."""


def unsuitable_broad_phase(world: Observed) -> Iterator[Finding]:
    """Yield why another broad phase, or other options of this one, would suit the world better."""
    choice, count = world.bodies.broad_phase, _box_count(world)
    if count < FEW_BOXES or isinstance(choice, MortonGrid):
        return
    remedy = _remedy(world, choice, count)
    if remedy:
        yield Finding("broad phase", (), remedy, "broad phase")


def _remedy(world: Observed, choice: BroadPhase, count: int) -> str:
    """Return what is wrong with the choice and what to do; "" if nothing is."""
    if isinstance(choice, BruteForce):
        return f'broad_phase is BruteForce, which tests each of {count} boxes in every query; "morton_grid" tests few'
    if isinstance(choice, FootprintGrid):
        return _outside_of_grid(world, choice, count)
    if isinstance(choice, SweepAndPrune):
        return _narrow_sweep(world, choice)
    if isinstance(choice, Quadtree):
        return _flattened_quadtree(world, choice)
    return ""


def _outside_of_grid(world: Observed, choice: FootprintGrid, count: int) -> str:
    low, high = _hull(world)
    outside = sum(
        any(box[axis] * LATTICE < choice.lo[axis] or box[axis + 3] * LATTICE >= choice.hi[axis] for axis in range(2))
        for box in _boxes(world)
    )
    if outside < MANY_OUTSIDE * count:
        return ""
    return (
        f"{outside} of {count} boxes lie outside the FootprintGrid from {choice.lo} to {choice.hi}, and every query "
        f"tests all of these; the boxes reach from ({low[0]:g}, {low[1]:g}) to ({high[0]:g}, {high[1]:g}): give these "
        'corners as lo and hi, or use "morton_grid", which has no bounds'
    )


def _narrow_sweep(world: Observed, choice: SweepAndPrune) -> str:
    spread = _spread(world)
    widest = max(range(3), key=lambda axis: spread[axis])
    own = spread[AXES.index(choice.axis)]
    if spread[widest] < MUCH_WIDER * own:
        return ""
    return (
        f"SweepAndPrune sweeps along {choice.axis}, along which the boxes are spread over {own:g}, but they are spread "
        f'over {spread[widest]:g} along {AXES[widest]}; axis="{AXES[widest]}" would tell more of them apart'
    )


def _flattened_quadtree(world: Observed, choice: Quadtree) -> str:
    spread = _spread(world)
    ignored = AXES.index(choice.ignored_axis)
    least = min(range(3), key=lambda axis: spread[axis])
    if spread[ignored] < MUCH_WIDER * spread[least]:
        return ""
    return (
        f"Quadtree ignores {choice.ignored_axis}, along which the boxes are spread over {spread[ignored]:g}, but they "
        f'are spread over only {spread[least]:g} along {AXES[least]}; ignored_axis="{AXES[least]}" or "octree" would '
        "tell more of them apart"
    )


def _boxes(world: Observed) -> Iterator[tuple[int, ...]]:
    """Yield the faces of every box of an enabled body, in lattice units."""
    for row in world.rows:
        yield from world.bodies.boxes_if_enabled(row)


def _box_count(world: Observed) -> int:
    return sum(world.bodies.columns.count[row] for row in world.rows)


def _hull(world: Observed) -> tuple[list[float], list[float]]:
    """Return the corners of the smallest box around all boxes, in world units."""
    boxes = list(_boxes(world))
    low = [min(box[axis] for box in boxes) * LATTICE for axis in range(3)]
    high = [max(box[axis + 3] for box in boxes) * LATTICE for axis in range(3)]
    return low, high


def _spread(world: Observed) -> list[float]:
    """Return the sides of the smallest box around all boxes, in world units."""
    return [high - low for low, high in zip(*_hull(world), strict=True)]
