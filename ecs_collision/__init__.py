"""Collision, pushing and triggers for games made of entities: a plugin for the `esper` ECS.

In an esper game add `CollisionSystem` to the world; without an ECS use `CollisionWorld`.
"""

from typing import TYPE_CHECKING, Any

from ecs_collision import _build as _build
from ecs_collision.components import (
    Box,
    BoxCollider,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.errors import (
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    EndlessTurn,
    InvariantError,
    LatticeWarning,
    LevelError,
    ReentryError,
    SnapshotError,
    StalePlan,
    TakeInError,
    UnknownEntity,
    WorldError,
)
from ecs_collision.events import (
    Blocked,
    Event,
    FellAsleep,
    LeftReason,
    Moved,
    Pushed,
    Reason,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Woke,
)
from ecs_collision.lattice import LATTICE
from ecs_collision.results import Link, MoveResult, Stop
from ecs_collision.space import Cell, Region, Space, Sweep, overlapping_pairs
from ecs_collision.systems import CollisionSystem, Subscription
from ecs_collision.world import CollisionWorld, Frame, Plan, Stats

if TYPE_CHECKING:
    from ecs_collision.systems import Puzzle, ThingName

__version__ = "0.1.0"

__all__ = [
    "LATTICE",
    "Blocked",
    "Box",
    "BoxCollider",
    "Cell",
    "CollisionError",
    "CollisionSystem",
    "CollisionTypeError",
    "CollisionValueError",
    "CollisionWorld",
    "CompoundCollider",
    "EndlessTurn",
    "Event",
    "FellAsleep",
    "Frame",
    "Fused",
    "Inertia",
    "InvariantError",
    "LatticeWarning",
    "LeftReason",
    "LevelError",
    "Link",
    "Motion",
    "MoveResult",
    "Moved",
    "Plan",
    "Pushed",
    "Puzzle",
    "Reason",
    "ReentryError",
    "Region",
    "Sleeping",
    "SnapshotError",
    "Space",
    "StalePlan",
    "Static",
    "Stats",
    "Stop",
    "Subscription",
    "Sweep",
    "TakeInError",
    "ThingName",
    "Transform",
    "Trigger",
    "TriggerEntered",
    "TriggerLeft",
    "TriggerStayed",
    "UnknownEntity",
    "Woke",
    "WorldError",
    "overlapping_pairs",
]


def __getattr__(name: str) -> Any:
    """Import what plays levels when it is first asked for: see `systems`."""
    if name in ("Puzzle", "ThingName"):
        from ecs_collision import systems

        return getattr(systems, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
