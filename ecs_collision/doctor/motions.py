"""Static bodies that move (B6)."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies.static_moves import FRAMES
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed


def moved_statics(world: Observed) -> Iterator[Finding]:
    """Yield the Static bodies that were teleported in each of the last frames."""
    for entity in sorted(map(world.bodies.entity, world.moved_statics)):
        yield Finding(
            "static", (entity,),
            f"it is Static but was moved in each of the last {FRAMES} frames, through what is in its way (P12); each "
            "time the index of static bodies changes (B6); remove Static, and move it with a Motion",
        )  # fmt: skip
