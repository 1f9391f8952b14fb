"""Collision, pushing and triggers for games made of entities: a plugin for the `esper` ECS.

In an esper game add `CollisionSystem` to the world; without an ECS use `CollisionWorld`.

A name is imported from its room when it is first asked for (PEP 562): a test run that loads
`ecs_collision.testing.plugin` pays for the engine only if a test uses it, and type checkers read the imports below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ecs_collision import _build as _build

if TYPE_CHECKING:
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
        CollisionAttributeError,
        CollisionError,
        CollisionTypeError,
        CollisionValueError,
        EndlessTurn,
        InvalidChanges,
        InvariantError,
        LatticeWarning,
        LevelError,
        ReentryError,
        SnapshotError,
        StalePlan,
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
    from ecs_collision.fixed_point import LATTICE
    from ecs_collision.query import Cell, Region, Space, Sweep, overlapping_pairs
    from ecs_collision.results import Link, MoveResult, Stop
    from ecs_collision.systems import CollisionSystem, Puzzle, Subscription, ThingName
    from ecs_collision.world import CollisionWorld, Frame, Plan, Stats

__version__ = "0.1.0"

__all__ = [
    "LATTICE",
    "Blocked",
    "Box",
    "BoxCollider",
    "Cell",
    "CollisionAttributeError",
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
    "InvalidChanges",
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

_HOMES = {
    "components": "Box BoxCollider CompoundCollider Fused Inertia Motion Sleeping Static Transform Trigger",
    "errors": (
        "CollisionAttributeError CollisionError CollisionTypeError CollisionValueError EndlessTurn InvariantError "
        "LatticeWarning LevelError ReentryError SnapshotError StalePlan InvalidChanges UnknownEntity WorldError"
    ),
    "events": "Blocked Event FellAsleep LeftReason Moved Pushed Reason TriggerEntered TriggerLeft TriggerStayed Woke",
    "fixed_point": "LATTICE",
    "results": "Link MoveResult Stop",
    "query": "Cell Region Space Sweep overlapping_pairs",
    "systems": "CollisionSystem Puzzle Subscription ThingName",
    "world": "CollisionWorld Frame Plan Stats",
}
"""Rooms to the names that are exported from them."""

_HOME_OF = {name: room for room, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:  # a checker that saw this would take any misspelt name for good

    def __getattr__(name: str) -> Any:
        """Import a name when it is first asked for; the rooms themselves too."""
        if name in _HOMES:
            return import_module(f"{__name__}.{name}")
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
