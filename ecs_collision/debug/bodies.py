"""What there is to draw of a body: its kind, its parts in their true shapes, its components as text."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ecs_collision.components import Parts
from ecs_collision.components.turning_parts import TurningPart
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import Rotation


class Kind(StrEnum):
    """How a body is drawn: by what it does."""

    STATIC = "static"
    SOLID = "solid"
    PUSHABLE = "pushable"
    MOVER = "mover"
    TRIGGER = "trigger"
    DYNAMIC = "dynamic"


def kind_of(parts: Parts) -> Kind:
    """Return how a body is drawn; SOLID is one that is neither static nor can be moved."""
    if parts.trigger is not None:
        return Kind.TRIGGER
    if parts.static is not None:
        return Kind.STATIC
    if parts.velocity is not None and parts.mass is not None:
        return Kind.DYNAMIC
    if parts.motion is not None:
        return Kind.MOVER
    return Kind.PUSHABLE if parts.inertia is not None else Kind.SOLID


def is_asleep(parts: Parts) -> bool:
    """Return whether a body is asleep."""
    return parts.sleeping is not None and parts.sleeping.asleep


def is_enabled(parts: Parts) -> bool:
    """Return whether a body takes part in anything."""
    assert parts.collider is not None
    return parts.collider.enabled and (parts.trigger is None or parts.trigger.enabled)


class Outline(NamedTuple):
    """A part before its body is turned, relative to the position of the body, in lattice units.

    turns: whether it turns with the body, about the position; boxes do not (H2).
    """

    part: Part
    turns: bool


def outlines_of(parts: Parts) -> tuple[Outline, ...]:
    """Return the parts of a body as they are without its rotation."""
    collider = parts.collider
    assert collider is not None
    if collider._solids is None:
        return tuple([Outline(Part(box), False) for box in collider._form(None).boxes])
    return tuple([
        Outline(each.turned(None), True) if isinstance(each, TurningPart) else Outline(Part(each), False)
        for each in collider._solids
    ])


def placed_parts_of(parts: Parts) -> tuple[Part, ...]:
    """Return the parts of a body as it is turned, relative to its position, in lattice units."""
    transform, collider = parts.transform, parts.collider
    assert transform is not None and collider is not None
    form = collider._form(transform.rotation)
    return form.parts or tuple(map(Part, form.boxes))


def rotation_of(parts: Parts) -> Rotation:
    """Return the rotation of a body: an angle, a quaternion or None."""
    assert parts.transform is not None
    return parts.transform.rotation


def component_texts(parts: Parts) -> list[str]:
    """Return the components of a body, each as Python code."""
    return [repr(part) for part in parts if part is not None]
