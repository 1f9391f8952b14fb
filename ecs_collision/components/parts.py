"""The components of one body together."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collision.components.colliders import Collider
from ecs_collision.components.forces import Inertia, Motion
from ecs_collision.components.states import Fused, Sleeping, Static, Trigger
from ecs_collision.components.transform import Transform


class Parts(NamedTuple):
    """The components of one body, as a world is given them; None where there is none."""

    transform: Transform | None
    collider: Collider | None
    inertia: Inertia | None = None
    motion: Motion | None = None
    sleeping: Sleeping | None = None
    static: Static | None = None
    trigger: Trigger | None = None
    fused: Fused | None = None
