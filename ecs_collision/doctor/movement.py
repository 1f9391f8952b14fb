"""Components that only steps of movement use: characters that none moves, and a world where none has run (M1)."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed

MIN_FRAMES = 2
"""Frames after which a step should have run."""


def unmoved_characters(world: Observed) -> Iterator[Finding]:
    """Yield the bodies with a Character that lack what a step needs to move them."""
    for row in world.rows:
        parts = world.bodies.of(row)
        missing = [name for name in ("Velocity", "Motion") if getattr(parts, name.lower()) is None]
        if parts.character is not None and missing:
            yield Finding(
                "movement", (world.bodies.entity(row),),
                f"its Character is not moved, because it has no {' and no '.join(missing)} (M1, M3); add "
                f"{' and '.join(f'{name}()' for name in missing)}",
            )  # fmt: skip


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
