"""Validation of fused groups against the `Fused` components, and advice on groups."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, PUSHABLE, SOLID
from ecs_collision.bodies.fused_groups import Group
from ecs_collision.components import Inertia


def group_faults(bodies: Bodies) -> Iterator[str]:
    """Yield faults of the graph of `Fused`, the groups, their links and their inertia."""
    fused = {e: parts.fused.to for e, row in bodies.row_of.items() if (parts := bodies.of(row)).fused is not None}
    if bodies.groups.partner != fused:
        yield "the stored partners differ from the Fused components"
    followers = {to: {entity for entity in fused if fused[entity] == to} for to in fused.values()}
    if bodies.groups.followers != followers:
        yield "the stored followers differ from the Fused components"
    expected = groups_of_links(bodies, fused)
    if bodies.groups.all() != expected:
        yield f"the groups are {bodies.groups.all()}, the components make {expected}"
    if bodies.group_links.count != sum(len(group.members) for group in expected):
        yield f"{bodies.group_links.count} rows are counted as fused, which is wrong"
    group_of = {entity: group for group in expected for entity in group.members}
    if bodies.groups._group_of != group_of or bodies.groups._dirty or bodies.groups._dissolved:
        yield "the stored group of an entity differs from the groups"
    yield from _own_inertia_faults(bodies, group_of)
    for entity, row in sorted(bodies.row_of.items()):
        yield from _link_faults(bodies, row, group_of.get(entity, Group(entity, (entity,))))


def groups_of_links(bodies: Bodies, fused: dict[int, int]) -> list[Group]:
    """Return the groups of enabled bodies by root: slowly, by next_row `fused` from each body to its root."""
    enabled = {entity for entity, row in bodies.row_of.items() if bodies.has(row, ENABLED)}
    members: dict[int, set[int]] = {}
    for entity in enabled:
        root = entity
        while fused.get(root) in enabled:
            root = fused[root]
        members.setdefault(root, set()).add(entity)
    return [Group(root, tuple(sorted(found))) for root, found in sorted(members.items()) if len(found) > 1]


def _link_faults(bodies: Bodies, row: int, group: Group) -> Iterator[str]:
    name = f"entity {bodies.entity(row)}"
    if bodies.groups.root_of(row) != group.root:
        yield f"{name}: its stored root is {bodies.groups.root_of(row)}, not {group.root}"
    linked = sorted([bodies.entity(each) for each in bodies.group_links.rows_of(row)])
    if linked != list(group.members):
        yield f"{name}: its links lead to {linked}, its group is {list(group.members)}"
    if bodies.entity(row) == group.root:
        yield from _group_inertia_faults(bodies, row, group)


def _group_inertia_faults(bodies: Bodies, row: int, group: Group) -> Iterator[str]:
    rows = [bodies.row_of[entity] for entity in group.members]
    heavy = [bodies.of(each).inertia for each in rows if bodies.has(each, SOLID)]
    heavy = heavy or [bodies.of(each).inertia for each in rows]
    inertia = [max(_along(each, axis) for each in heavy) for axis in "xyz"]
    if bodies.columns.inertia[3 * row : 3 * row + 3].tolist() != inertia:
        yield f"entity {group.root}: its stored inertia is not {inertia}"
    if bodies.has(row, PUSHABLE) != all(each is not None for each in heavy):
        yield f"entity {group.root}: its flag PUSHABLE differs from the Inertia components"


def _own_inertia_faults(bodies: Bodies, group_of: dict[int, Group]) -> Iterator[str]:
    """Yield faults of the own inertia of each body: in its columns, or stored apart for the root of a group."""
    roots = {bodies.row_of[group.root] for group in group_of.values()}
    if bodies.groups._own_inertia.keys() != roots:
        yield "the rows with an inertia stored apart are not the roots of groups"
    for entity, row in bodies.row_of.items():
        inertia = bodies.of(row).inertia
        in_columns = bodies.columns.inertia[3 * row : 3 * row + 3].tolist(), bodies.columns.flags[row] & PUSHABLE
        stored = bodies.groups._own_inertia.get(row, in_columns)
        if stored != ([_along(inertia, axis) for axis in "xyz"], 0 if inertia is None else PUSHABLE):
            yield f"entity {entity}: its stored own inertia differs from its Inertia"


def _along(inertia: Inertia | None, axis: str) -> float:
    return math.inf if inertia is None else getattr(inertia, axis)
