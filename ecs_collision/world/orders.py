"""From what a game asks to an order on the lattice, with the gaps filled from Motion and settings."""

from __future__ import annotations

from ecs_collision.bodies import Bodies
from ecs_collision.components import rule_name
from ecs_collision.errors import CollisionValueError
from ecs_collision.kernels.columns import STATIC
from ecs_collision.lattice import finite, flag, strength, to_units, whole
from ecs_collision.motion import Order
from ecs_collision.world.settings import Settings


def asked(
    bodies: Bodies,
    settings: Settings,
    entity: int,
    displacement: tuple[float, float, float],
    force: float | None,
    rule: str | None,
    max_chain: int | None,
    all_or_nothing: bool | None,
) -> Order:
    """Return the order for a call of move or plan; raises naming the entity, the argument and the remedy."""
    row = bodies.row(entity)
    if bodies.has(row, STATIC):
        raise CollisionValueError(
            f"entity {entity} is Static and never moves of itself; teleport it, or remove Static from it"
        )
    dx, dy, dz = (
        to_units(finite(value, f"{name} of entity {entity}"))
        for value, name in zip(displacement, ("dx", "dy", "dz"), strict=True)
    )
    base = standing(bodies, settings, row, (dx, dy, dz))
    return Order(
        row,
        base.units,
        base.force if force is None else strength(force, f"force of entity {entity}"),
        base.summing if rule is None else rule_name(rule, f"rule of entity {entity}") == "sum",
        base.max_chain if max_chain is None else whole(max_chain, f"max_chain of entity {entity}", least=0),
        base.all_or_nothing if all_or_nothing is None else flag(all_or_nothing, f"all_or_nothing of entity {entity}"),
    )


def standing(bodies: Bodies, settings: Settings, row: int, units: tuple[int, int, int]) -> Order:
    """Return the order of a body by its Motion, and by the settings where that leaves a choice."""
    motion = bodies.of(row).motion
    rule, max_chain, whole_request = settings.rule, settings.max_chain, settings.all_or_nothing
    if motion is not None:
        rule = rule if motion.rule is None else motion.rule
        max_chain = max_chain if motion.max_chain is None else motion.max_chain
        whole_request = whole_request if motion.all_or_nothing is None else motion.all_or_nothing
    force = 0.0 if motion is None else motion.force
    return Order(row, units, force, rule == "sum", -1 if max_chain is None else max_chain, whole_request)
