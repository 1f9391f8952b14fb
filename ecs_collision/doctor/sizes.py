"""Sizes of boxes beside the bin size (B1) and the lattice (L1)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ecs_collision.components import Box, BoxCollider, CompoundCollider
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
        max(box[axis + 3] - box[axis] for axis in axes) for row in world.rows for box in world.bodies.forms[row].boxes
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
    """Yield the bodies with a part that was rounded, so that such parts side by side do not add up."""
    for row in world.rows:
        collider = world.bodies.of(row).collider
        parts = collider.parts if isinstance(collider, CompoundCollider) else (collider,)
        rounded = next(filter(None, map(_rounding, parts)), None)
        if rounded:
            yield Finding("lattice", (world.bodies.entity(row),), rounded)


def _rounding(part: object) -> str:
    """Return which size of a part or collider was rounded, and how; "" if none was (L1, H2)."""
    found = _rounded_side(part) if isinstance(part, Box | BoxCollider) else _rounded_size(part)
    if not found:
        return ""
    size, given, rounded, remedy = found
    return (
        f"its {size} is {given:.10g}, which is off the lattice, and was rounded to {rounded:.10g}, so such {remedy}; "
        f"work in units in which it is a multiple of 1/{PER_UNIT}, such as tiles of 1"
    )


def _rounded_side(box: Box | BoxCollider) -> tuple[str, float, float, str] | None:
    faces = box.faces if isinstance(box, Box) else box._form().boxes[0]
    for axis, half in enumerate((box.hx, box.hy, box.hz)):
        side = (faces[axis + 3] - faces[axis]) * LATTICE
        if side != 2 * half:
            return f"side along {AXES[axis]}", 2 * half, side, "boxes leave gaps (L1)"
    return None


def _rounded_size(part: object) -> tuple[str, float, float, str] | None:
    for name in ("radius", "half_length", "hx", "hy", "hz"):
        given = getattr(part, name, 0.0)
        rounded = math.floor(given * PER_UNIT) * LATTICE
        if rounded != given:
            return name, given, rounded, "parts leave gaps (H2)"
    return None
