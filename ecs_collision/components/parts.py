"""The components of one body as a tuple."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from ecs_collision.components.base import Component
from ecs_collision.components.colliders import Collider
from ecs_collision.components.dynamics import Mass, Material, Velocity
from ecs_collision.components.forces import Inertia, Motion
from ecs_collision.components.movement import Carries, Character, Grips, Lifetime, Mover, OneWay, Path
from ecs_collision.components.states import Contact, Fused, Sleeping, Static, Trigger
from ecs_collision.components.transform import Transform


class Parts(NamedTuple):
    """The components of one body; None for those it does not have."""

    transform: Transform | None
    collider: Collider | None
    inertia: Inertia | None = None
    motion: Motion | None = None
    sleeping: Sleeping | None = None
    static: Static | None = None
    trigger: Trigger | None = None
    fused: Fused | None = None
    velocity: Velocity | None = None
    mass: Mass | None = None
    material: Material | None = None
    contact: Contact | None = None
    mover: Mover | None = None
    character: Character | None = None
    one_way: OneWay | None = None
    carries: Carries | None = None
    grips: Grips | None = None
    path: Path | None = None
    lifetime: Lifetime | None = None

    @classmethod
    def of(cls, components: Iterable[Component]) -> Self:
        """Return the components by kind; Transform and collider may be missing."""
        found: dict[str, Any] = {"transform": None, "collider": None}
        return cls(**found | {part_of(type(each)): each for each in components})


BODY_KINDS: tuple[type[Component], ...] = (
    *(Transform, Collider, Inertia, Motion, Sleeping, Static, Trigger, Fused),
    *(Velocity, Mass, Material, Contact),
    *(Mover, Character, OneWay, Carries, Grips, Path, Lifetime),
)
"""The class of each field of `Parts`."""


def part_of(kind: type[Component]) -> str:
    """Return the field of `Parts` for a component class."""
    if issubclass(kind, Collider):
        return "collider"
    return "one_way" if kind is OneWay else kind.__name__.lower()
