"""The components of a body: plain values that announce when they are written.

A write to a component of a body marks its row as dirty (dirty_transforms.py), so the engine reads only what changed.
Not taken: polling every component every frame (0.5 ms at 10,000 bodies) and `__setattr__` hooks (no signatures, no
checks, slower). The fields of each component are declared once (schema.py).

Every value is checked when it is assigned; a refused value leaves the old one. All public classes are final,
have slots, compare by identity, and copy or pickle as unbound values (rules E6, E7).
"""

from ecs_collision.components.base import Component
from ecs_collision.components.box import Box
from ecs_collision.components.checks import Vector, direction, layer_set, vector
from ecs_collision.components.colliders import (
    PART_KINDS,
    AnyPart,
    BoxCollider,
    CapsuleCollider,
    Collider,
    CompoundCollider,
    OrientedBoxCollider,
    SphereCollider,
)
from ecs_collision.components.dynamics import MAX_SPEED, Mass, Material, Velocity, speed
from ecs_collision.components.forces import EACH, RULES, SUM, Inertia, Motion, Rule, rule_name
from ecs_collision.components.movement import (
    Carries,
    Character,
    Grips,
    Lifetime,
    Mover,
    OneWay,
    Path,
    Response,
    response_name,
)
from ecs_collision.components.parts import BODY_KINDS, Parts, part_of
from ecs_collision.components.ramps import ramp
from ecs_collision.components.schema import REQUIRED, Field, fields_of, stored_fields
from ecs_collision.components.states import Contact, Fused, Sleeping, Static, Trigger
from ecs_collision.components.transform import Transform
from ecs_collision.components.turning_parts import Capsule, OrientedBox, Sphere
from ecs_collision.shapes.bounds import Form
from ecs_collision.shapes.part import Faces
from ecs_collision.shapes.rotation import Rotation

Circle, CircleCollider = Sphere, SphereCollider
"""Names for 2D: a sphere in the plane is a circle."""

COMPONENT_TYPES: tuple[type[Component], ...] = (
    Transform,
    BoxCollider,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Trigger,
    Fused,
    SphereCollider,
    CapsuleCollider,
    OrientedBoxCollider,
    Velocity,
    Mass,
    Material,
    Contact,
    Mover,
    Character,
    OneWay,
    Carries,
    Grips,
    Path,
    Lifetime,
)
"""Every component class a body may have. Snapshots number them in this order, so add new ones at the end."""

__all__ = [
    "BODY_KINDS",
    "COMPONENT_TYPES",
    "EACH",
    "MAX_SPEED",
    "PART_KINDS",
    "REQUIRED",
    "RULES",
    "SUM",
    "AnyPart",
    "Box",
    "BoxCollider",
    "Capsule",
    "CapsuleCollider",
    "Carries",
    "Character",
    "Circle",
    "CircleCollider",
    "Collider",
    "Component",
    "CompoundCollider",
    "Contact",
    "Faces",
    "Field",
    "Form",
    "Fused",
    "Grips",
    "Inertia",
    "Lifetime",
    "Mass",
    "Material",
    "Motion",
    "Mover",
    "OneWay",
    "OrientedBox",
    "OrientedBoxCollider",
    "Parts",
    "Path",
    "Response",
    "Rotation",
    "Rule",
    "Sleeping",
    "Sphere",
    "SphereCollider",
    "Static",
    "Transform",
    "Trigger",
    "Vector",
    "Velocity",
    "direction",
    "fields_of",
    "layer_set",
    "part_of",
    "ramp",
    "response_name",
    "rule_name",
    "speed",
    "stored_fields",
    "vector",
]
