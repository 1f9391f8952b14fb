"""Triggers that are fused to dynamic bodies: a step takes them along (rule I10)."""

from __future__ import annotations

import math

from ecs_collision.bodies import Bodies
from ecs_collision.dynamics.candidates import Candidates
from ecs_collision.dynamics.fused_bodies import product, quaternion_at
from ecs_collision.dynamics.landing import Landing
from ecs_collision.dynamics.part_records import quaternion_of, turns
from ecs_collision.shapes.rotation import matrix_of, turned


def carry_triggers(bodies: Bodies, candidates: Candidates, landing: Landing) -> list[int]:
    """Write the places of the triggers of the groups that a step moves; return their rows. Before those of the others.

    They keep their place beside the member with the lowest id, rounded to the lattice, and turn as that does.
    """
    step, links, carried, seen = candidates.bodies, bodies.group_links, list[int](), set[int]()
    for at in range(step.count):
        row = candidates.order[at]
        if not links.is_fused(row) or step.inverse_mass[at] == 0.0 or links.leader[row] in seen:
            continue
        seen.add(links.leader[row])
        solid = set(bodies.groups.solid_rows(row))
        for other in [each for each in links.rows_of(row) if each not in solid]:
            _carry(bodies, candidates, other, at, not landing.held[at])
            carried.append(other)
    return carried


def _carry(bodies: Bodies, candidates: Candidates, row: int, at: int, may_turn: bool) -> None:
    """Write the place of a trigger that is fused to the body with index `at`."""
    step, transform = candidates.bodies, bodies.of(row).transform
    assert transform is not None
    old = bodies.position(candidates.order[at])
    away = [place - by for place, by in zip(bodies.position(row), old, strict=True)]
    if may_turn and step.turned[at] != 0.0:
        own, rotation = transform._rotation, None
        if step.flat:
            matrix = matrix_of(step.turned[at])
            if not isinstance(own, tuple):
                rotation = (own or 0.0) + step.turned[at]
        else:
            x, y, z, w = quaternion_of(bodies.transform(candidates.order[at])._rotation)
            by = product(quaternion_at(step.rotation, 4 * at), (-x, -y, -z, w))
            matrix, rotation = matrix_of(by), product(by, quaternion_of(own))
        if matrix is not None:
            away = [math.floor(each + 0.5) for each in turned(matrix, *away)]
        if rotation is not None and turns(bodies.of(row)):
            bodies.placement.write_rotation(row, rotation)
    candidates.carry(row, *[step.position[3 * at + axis] + away[axis] for axis in range(3)])
