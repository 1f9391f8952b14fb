"""Components that only steps of movement use, in a world where none has run (M1)."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed

MIN_FRAMES = 2
"""Frames after which a step should have run."""


def unstepped_movement(world: Observed) -> Iterator[Finding]:
    """Yield the bodies with a Character, a Path or a Lifetime, if no step of movement has run."""
    bodies = world.bodies
    if world.frame_number < MIN_FRAMES or bodies.dirty_transforms.step_number:
        return
    for row in world.rows:
        parts = bodies.of(row)
        named = [type(each).__name__ for each in (parts.character, parts.path, parts.lifetime) if each is not None]
        if named:
            yield Finding(
                "movement", (bodies.entity(row),),
                f"its {' and '.join(named)} has no effect, because no step of movement has run (M1); call "
                "esper.add_processor(MovementSystem(system), priority=1), or step_movement in each frame",
            )  # fmt: skip
