"""Shapes that do less than one might think: never turned or not as meant, without any size."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ecs_collision.components import Box, BoxCollider, Collider, CompoundCollider
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.shapes.rotation import Rotation

_NOT_TURNED = (
    "its Transform.rotation turns nothing, because boxes never turn (H3); use OrientedBoxCollider or OrientedBox, or "
    "set rotation to None"
)
_NO_RADIUS = (
    "a radius of it is 0, so it is a point or a segment, which overlaps only what strictly contains it (H2); give it a "
    "radius of at least 1/65536"
)


def misleading_shapes(world: Observed) -> Iterator[Finding]:
    """Yield the bodies whose shape does not act as it looks."""
    for row in world.rows:
        parts, entity = world.bodies.of(row), world.bodies.entity(row)
        collider, transform = parts.collider, parts.transform
        assert collider is not None and transform is not None
        if transform.rotation is not None and all(isinstance(part, Box | BoxCollider) for part in _parts_of(collider)):
            yield Finding("shape", (entity,), _NOT_TURNED)
        elif parts.velocity is None or not any(parts.velocity._numbers()[3:]):  # else steps may have turned it so far
            yield from _angles_in_degrees(entity, "Transform.rotation", transform.rotation)
        for part in _parts_of(collider):
            yield from _angles_in_degrees(entity, f"{type(part).__name__}.rotation", getattr(part, "rotation", None))
        if any(getattr(part, "radius", None) == 0.0 for part in _parts_of(collider)):
            yield Finding("shape", (entity,), _NO_RADIUS)


def _angles_in_degrees(entity: int, name: str, angle: Rotation) -> Iterator[Finding]:
    """Yield that an angle is more than a full turn, and a multiple of half a degree if it is one in degrees."""
    if isinstance(angle, float) and abs(angle) > math.tau and (2 * angle).is_integer():
        yield Finding(
            "shape", (entity,),
            f"its {name} is {angle:g}, more than a full turn, because angles are in radians; if degrees are meant, "
            f"write math.radians({angle:g})",
            f"{name} in degrees",
        )  # fmt: skip


def _parts_of(collider: Collider) -> tuple[object, ...]:
    return collider.parts if isinstance(collider, CompoundCollider) else (collider,)
