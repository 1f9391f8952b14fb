"""Collision, pushing and triggers for games made of entities: a plugin for the `esper` ECS.

In an esper game add `CollisionSystem` to the world; without an ECS use `CollisionWorld`.

Names are imported on first use, so a test run that loads `ecs_collision.testing.plugin` pays for the engine only if a
test uses it.
"""

from typing import TYPE_CHECKING

from ecs_collision import _build as _build
from ecs_collision._lazy import lazy

__version__ = "0.1.0"

if TYPE_CHECKING:  # what type checkers and editors read
    from ecs_collision.components import Box as Box
    from ecs_collision.components import BoxCollider as BoxCollider
    from ecs_collision.components import Capsule as Capsule
    from ecs_collision.components import CapsuleCollider as CapsuleCollider
    from ecs_collision.components import Carries as Carries
    from ecs_collision.components import Character as Character
    from ecs_collision.components import Circle as Circle
    from ecs_collision.components import CircleCollider as CircleCollider
    from ecs_collision.components import CompoundCollider as CompoundCollider
    from ecs_collision.components import Contact as Contact
    from ecs_collision.components import Fused as Fused
    from ecs_collision.components import Grips as Grips
    from ecs_collision.components import Inertia as Inertia
    from ecs_collision.components import Lifetime as Lifetime
    from ecs_collision.components import Mass as Mass
    from ecs_collision.components import Material as Material
    from ecs_collision.components import Motion as Motion
    from ecs_collision.components import Mover as Mover
    from ecs_collision.components import OneWay as OneWay
    from ecs_collision.components import OrientedBox as OrientedBox
    from ecs_collision.components import OrientedBoxCollider as OrientedBoxCollider
    from ecs_collision.components import Path as Path
    from ecs_collision.components import Sleeping as Sleeping
    from ecs_collision.components import Sphere as Sphere
    from ecs_collision.components import SphereCollider as SphereCollider
    from ecs_collision.components import Static as Static
    from ecs_collision.components import Transform as Transform
    from ecs_collision.components import Trigger as Trigger
    from ecs_collision.components import Velocity as Velocity
    from ecs_collision.components import ramp as ramp
    from ecs_collision.doctor import Advice as Advice
    from ecs_collision.errors import CollisionAttributeError as CollisionAttributeError
    from ecs_collision.errors import CollisionError as CollisionError
    from ecs_collision.errors import CollisionTypeError as CollisionTypeError
    from ecs_collision.errors import CollisionValueError as CollisionValueError
    from ecs_collision.errors import EndlessTurn as EndlessTurn
    from ecs_collision.errors import InvalidChanges as InvalidChanges
    from ecs_collision.errors import InvariantError as InvariantError
    from ecs_collision.errors import LatticeWarning as LatticeWarning
    from ecs_collision.errors import LevelError as LevelError
    from ecs_collision.errors import ReentryError as ReentryError
    from ecs_collision.errors import SetupWarning as SetupWarning
    from ecs_collision.errors import SnapshotError as SnapshotError
    from ecs_collision.errors import StalePlan as StalePlan
    from ecs_collision.errors import UnknownEntity as UnknownEntity
    from ecs_collision.errors import WorldError as WorldError
    from ecs_collision.events import Blocked as Blocked
    from ecs_collision.events import ContactBegan as ContactBegan
    from ecs_collision.events import ContactEnded as ContactEnded
    from ecs_collision.events import Crossed as Crossed
    from ecs_collision.events import Crushed as Crushed
    from ecs_collision.events import Event as Event
    from ecs_collision.events import FellAsleep as FellAsleep
    from ecs_collision.events import Impact as Impact
    from ecs_collision.events import LeftReason as LeftReason
    from ecs_collision.events import Moved as Moved
    from ecs_collision.events import Overlapped as Overlapped
    from ecs_collision.events import Pushed as Pushed
    from ecs_collision.events import StopReason as StopReason
    from ecs_collision.events import TriggerEntered as TriggerEntered
    from ecs_collision.events import TriggerLeft as TriggerLeft
    from ecs_collision.events import TriggerStayed as TriggerStayed
    from ecs_collision.events import Woke as Woke
    from ecs_collision.fixed_point import LATTICE as LATTICE
    from ecs_collision.movement import FixedStep as FixedStep
    from ecs_collision.query import CastHit as CastHit
    from ecs_collision.query import Cell as Cell
    from ecs_collision.query import ContactManifold as ContactManifold
    from ecs_collision.query import IndexSize as IndexSize
    from ecs_collision.query import Nearest as Nearest
    from ecs_collision.query import QueryFilter as QueryFilter
    from ecs_collision.query import RayHit as RayHit
    from ecs_collision.query import Region as Region
    from ecs_collision.query import Space as Space
    from ecs_collision.query import SpaceDescription as SpaceDescription
    from ecs_collision.query.array_pairs import overlapping_pairs as overlapping_pairs
    from ecs_collision.results import AxisStop as AxisStop
    from ecs_collision.results import Hit as Hit
    from ecs_collision.results import MoveResult as MoveResult
    from ecs_collision.results import PushLink as PushLink
    from ecs_collision.systems import CollisionSystem as CollisionSystem
    from ecs_collision.systems import ImpulseSystem as ImpulseSystem
    from ecs_collision.systems import MovementSystem as MovementSystem
    from ecs_collision.systems import Puzzle as Puzzle
    from ecs_collision.systems import SpawnedLevel as SpawnedLevel
    from ecs_collision.systems import Subscription as Subscription
    from ecs_collision.systems import ThingName as ThingName
    from ecs_collision.world import CollisionWorld as CollisionWorld
    from ecs_collision.world import Frame as Frame
    from ecs_collision.world import Plan as Plan
    from ecs_collision.world import Stats as Stats
else:
    __all__, __getattr__, __dir__ = lazy(
        __name__,
        components=(
            "Box BoxCollider Capsule CapsuleCollider Carries Character Circle CircleCollider CompoundCollider Contact "
            "Fused Grips Inertia Lifetime Mass Material Motion Mover OneWay OrientedBox OrientedBoxCollider Path "
            "Sleeping Sphere SphereCollider Static Transform Trigger Velocity ramp"
        ),
        doctor="Advice",
        errors=(
            "CollisionAttributeError CollisionError CollisionTypeError CollisionValueError EndlessTurn InvalidChanges "
            "InvariantError LatticeWarning LevelError ReentryError SetupWarning SnapshotError StalePlan UnknownEntity "
            "WorldError"
        ),
        events=(
            "Blocked ContactBegan ContactEnded Crossed Crushed Event FellAsleep Impact LeftReason Moved Overlapped "
            "Pushed StopReason TriggerEntered TriggerLeft TriggerStayed Woke"
        ),
        fixed_point="LATTICE",
        movement="FixedStep",
        query="CastHit Cell ContactManifold IndexSize Nearest QueryFilter RayHit Region Space SpaceDescription",
        results="AxisStop Hit MoveResult PushLink",
        systems="CollisionSystem ImpulseSystem MovementSystem Puzzle SpawnedLevel Subscription ThingName",
        world="CollisionWorld Frame Plan Stats",
        **{"query.array_pairs": "overlapping_pairs"},
    )
