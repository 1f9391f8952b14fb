"""Sizes of boxes beside the bin size (B1) and the lattice (L1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap

from ecs_collision.components import BoxCollider, Collider, CompoundCollider, Faces
from ecs_collision.components.base import Vector
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.fixed_point import AXES, LATTICE, PER_UNIT
from ecs_collision.settings import MAX_BIN_SIZE, MIN_BIN_SIZE

LARGE_BINS = 8
"""How many times larger than most boxes bins are slow.

Frames, moves and queries of 4,000 boxes of side 1 took equally long, within the noise, with bins of 1/16 to 4; 1.3 to 2
times as long with bins of 8, and 4 to 5 times with bins of 32. Small bins cost nothing, because a box lives at the size
level of its side (B1).
"""


def unsuitable_bin_size(world: Observed) -> Iterator[Finding]:
    """Yield that the bins are so much larger than half of the boxes that each of them is tested against many others."""
    axes = range(2 if world.bodies.flat else 3)
    sides = sorted(
        max(box[axis + 3] - box[axis] for axis in axes) for row in world.rows for box in world.bodies.shapes[row]
    )
    side = max(1, sides[len(sides) // 2])
    fitting = min(max((1 << (side - 1).bit_length()) * LATTICE, MIN_BIN_SIZE), MAX_BIN_SIZE)
    size = world.settings.bin_size
    if size >= LARGE_BINS * fitting:
        yield Finding(
            "bin size", (),
            f"bin_size is {size:g}, but half of the boxes have sides up to {side * LATTICE:g}, so many share a cell "
            f"and are compared; bin_size={fitting:g} would suit them (B1)",
            "bin size",
        )  # fmt: skip


def sizes_off_the_lattice(world: Observed) -> Iterator[Finding]:
    """Yield the bodies with a box that was rounded, so that such boxes side by side do not add up."""
    for row in world.rows:
        collider = world.bodies.of(row).collider
        assert collider is not None
        rounded = next(filter(None, starmap(_rounding, _sizes(collider))), None)
        if rounded:
            yield Finding("lattice", (world.bodies.entity(row),), rounded)


def _sizes(collider: Collider) -> list[tuple[Vector, Faces]]:
    """Return the half extents of each box as they were given, and its faces."""
    if isinstance(collider, CompoundCollider):
        return [((box.hx, box.hy, box.hz), box.faces) for box in collider.parts]
    assert isinstance(collider, BoxCollider)
    return [((collider.hx, collider.hy, collider.hz), collider.boxes()[0])]


def _rounding(halves: Vector, faces: Faces) -> str:
    """Return which side of a box was rounded inward, and how; "" if none was (L1)."""
    for axis, half in enumerate(halves):
        side = (faces[axis + 3] - faces[axis]) * LATTICE
        if side != 2 * half:
            return (
                f"its side along {AXES[axis]} is {2 * half:.10g}, which is off the lattice, and was rounded to "
                f"{side:.10g}, so such boxes leave gaps (L1); work in units in which it is a multiple of 1/{PER_UNIT}, "
                "such as tiles of 1"
            )
    return ""
