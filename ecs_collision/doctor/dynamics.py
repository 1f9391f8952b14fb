"""Components of dynamics that do less than one might think (I1, H3)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ecs_collision.bodies.columns import STATIC, TRIGGER
from ecs_collision.components import Parts
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.dynamics.arguments import immovable_because
from ecs_collision.dynamics.part_records import turns

_NO_TURN = "; use OrientedBoxCollider or OrientedBox, which turn, or "
_NO_MOMENT = (
    "its Velocity.angular turns nothing, because Mass.moment is infinite (I1); leave the moment out, so that it is "
    "that of the shape, or set angular to 0"
)


def ineffective_dynamics(world: Observed) -> Iterator[Finding]:
    """Yield the bodies with a Velocity, Mass or Material that has no effect."""
    bodies = world.bodies
    for row in world.rows:
        parts = bodies.of(row)
        if parts.velocity is None and parts.mass is None and parts.material is None:
            continue
        is_fused, flags = bodies.group_links.is_fused(row), bodies.columns.flags[row]
        held = immovable_because(bodies, row) if is_fused and not bodies.has(row, TRIGGER) else ""
        text = (
            _ineffective(parts, bodies.has(row, STATIC), held)
            or _lacks_mass(parts, flags, is_fused)
            or _never_turns(parts)
            or _brakes_nothing(parts, flags, bool(held))
        )
        if text:
            yield Finding("dynamics", (bodies.entity(row),), text)
        if bodies.has(row, TRIGGER) and (parts.material is not None or (parts.velocity and not parts.mass)):
            name = "Velocity" if parts.material is None else "Material"
            yield Finding(
                "dynamics", (bodies.entity(row),),
                f"its {name} has no effect, because a trigger meets nothing (I1); remove {name}, or Trigger",
            )  # fmt: skip


def _ineffective(parts: Parts, is_static: bool, held: str) -> str:
    """Return why a Mass has no effect and what to do, "" if it has one or there is none."""
    if parts.mass is None:
        return ""
    if is_static:
        return "its Mass has no effect, because nothing moves a Static body (I1); remove Mass or Static"
    if parts.velocity is None:
        return (
            "its Mass has no effect, because steps of dynamics move only bodies with a Velocity as well (I1); add "
            "Velocity(), or remove Mass"
        )
    if held and parts.mass.value != math.inf:
        return f"its Mass has no effect: {held}"
    return ""


def _lacks_mass(parts: Parts, flags: int, is_fused: bool) -> str:
    """Return that a Velocity does not move a body, "" if it does or is meant for its surface, as of a wall or lift."""
    if parts.velocity is None or parts.mass is not None or parts.motion is not None or parts.inertia is not None:
        return ""
    if is_fused or flags & (STATIC | TRIGGER) or parts.character is not None or parts.mover is not None:
        return ""  # what a Character or a Mover lacks is a Motion, which is named elsewhere
    return (
        "its Velocity does not move it, because it has no Mass (I1); add Mass(1), or Static() if only its surface "
        "moves, as of a conveyor belt"
    )


def _brakes_nothing(parts: Parts, flags: int, is_held: bool) -> str:
    """Return that damping or a gravity of a Velocity has no effect, "" if it may have one."""
    velocity = parts.velocity
    if velocity is None or (parts.mass is not None and not is_held and not flags & STATIC):
        return ""
    names = [name for name, default in _OF_DYNAMIC if getattr(velocity, name) != default]
    if not names:
        return ""
    has, which = ("has", names[0]) if len(names) == 1 else ("have", " and ".join([", ".join(names[:-1]), names[-1]]))
    remedy = "; write Mover(gravity=...) for steps of movement" if "gravity" in names and parts.motion else ""
    return f"its Velocity.{which} {has} no effect, because it counts only for dynamic bodies (I1){remedy}; leave it out"


_OF_DYNAMIC = (("damping", 0.0), ("angular_damping", 0.0), ("gravity", 1.0))
"""The fields of a Velocity that only dynamic bodies use, with their defaults."""


def _never_turns(parts: Parts) -> str:
    """Return why a moment or an angular velocity turns nothing, "" if it may."""
    if parts.mass is None or parts.mass.value == math.inf:
        return ""
    spins = parts.velocity is not None and any(parts.velocity._numbers()[3:])
    if turns(parts):
        return _NO_MOMENT if spins and parts.mass.moment == math.inf else ""
    if parts.mass.moment not in (None, math.inf):
        return f"its Mass.moment has no effect, because boxes never turn (H3){_NO_TURN}leave the moment out"
    if spins:
        return f"its Velocity.angular turns nothing, because boxes never turn (H3){_NO_TURN}set it to 0"
    return ""
