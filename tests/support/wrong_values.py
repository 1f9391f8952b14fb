"""What every field of every component makes of values that are mostly wrong, as lines of text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import esper

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Transform,
    Trigger,
)

WRONG: tuple[Any, ...] = (True, "3", None, math.nan, math.inf, -1.0, 2.0**40, 10**400, (1, 2), [], -(2**70), 0.3)
FIELDS: dict[type[Any], tuple[str, ...]] = {
    Transform: ("x", "y", "z", "position", "postion"),
    BoxCollider: ("hx", "hy", "hz", "offset", "layer", "mask", "enabled"),
    CompoundCollider: ("parts", "layer", "mask", "enabled"),
    Inertia: ("value", "x", "y", "z"),
    Motion: ("force", "priority", "rule", "max_chain", "all_or_nothing", "dx"),
    Sleeping: ("asleep", "after"),
    Trigger: ("mask", "touching", "swept", "stay", "linger", "enabled"),
    Fused: ("to",),
}


def refusals() -> Iterator[str]:
    """Yield what every field of every component, bound and not, makes of values that are mostly wrong."""
    esper.switch_world("wrong values")
    esper.add_processor(CollisionSystem())
    for bound in (False, True):
        for kind, names in FIELDS.items():
            box = BoxCollider(1, 1) if kind is not CompoundCollider else CompoundCollider([Box(1, 1)])
            parts = [Transform(1, 2), box, Inertia(1), Motion(2), Sleeping(), Trigger()]
            if kind is Fused:
                parts.append(Fused(esper.create_entity(Transform(1, 2), BoxCollider(1, 1))))
            if bound:
                esper.create_entity(*parts)
                esper.process()
            part = next(part for part in parts if type(part) is kind)
            for name in names:
                yield from (f"{kind.__name__}.{name} = {value!r:.20}: {outcome(part, name, value)}" for value in WRONG)
    esper.switch_world("over")
    esper.delete_world("wrong values")


def outcome(part: Any, name: str, value: Any) -> str:
    """Return what writing a field gives: the words of a refusal that is ours, the kind of any other, and the value."""
    try:
        setattr(part, name, value)
    except CollisionError as refusal:
        return f"{type(refusal).__name__}: {refusal}; {part!r}"
    except Exception as refusal:
        return f"{type(refusal).__name__}; {part!r}"
    return repr(part)
