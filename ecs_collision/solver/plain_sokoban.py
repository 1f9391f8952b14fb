"""Which levels are plain Sokoban: nothing but walls, one player, crates that go onto goals, and the usual rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import product

from ecs_collision.components import Box
from ecs_collision.errors import UnknownEntity
from ecs_collision.levels.frozen import Value
from ecs_collision.levels.level import Level, Thing
from ecs_collision.solver.sokoban_search import Cell, Warehouse


def warehouse_of(level: Level) -> Warehouse | None:
    """Return a level as a warehouse, None where anything about it is not plain Sokoban.

    Then each turn moves the player by one cell or not at all, and with it at most one crate; nothing else ever moves,
    and the level is won when every crate overlaps a goal.
    """
    words = (level.win or "").split()
    if len(words) != 4 or words[0] != "all" or words[2] != "on" or not _has_plain_rules(level):
        return None
    try:
        crates, goals = level.select(words[1]), level.select(words[3])
    except UnknownEntity:
        return None
    players = [thing for thing in level.things if thing.kind == "player"]
    bodies = [thing for thing in level.things if thing.is_body and set(thing.components) != {"Trigger"}]
    walls = [thing for thing in bodies if thing not in crates and thing not in players]
    if len(players) != 1 or not _can_push_one(players[0], crates) or not _see_all(goals):
        return None
    if any(list(thing.components) != ["Static"] for thing in walls):
        return None
    return _warehouse(walls, crates, goals, players[0])


def _has_plain_rules(level: Level) -> bool:
    settings = dict(level.settings)
    return level.gravity is None and settings.pop("rule", None) == "sum" and settings in ({}, {"all_or_nothing": True})


def _can_push_one(player: Thing, crates: Iterable[Thing]) -> bool:
    """Return whether the player's force moves any one crate and no two of them together (rule P4)."""
    force = _only_number(player, "Motion", "force")
    inertias = [_only_number(crate, "Inertia", "value") for crate in crates]
    if force is None or None in inertias:
        return False
    known = sorted(inertia for inertia in inertias if inertia is not None)
    return bool(known) and known[-1] < force <= sum((known * 2)[:2])


def _only_number(thing: Thing, component: str, field: str) -> float | None:
    """Return the number a thing's only component holds in its only field."""
    fields: Mapping[str, Value] | None = thing.fields(component)
    if fields is None or len(thing.components) != 1 or list(fields) != [field]:
        return None
    value = fields[field]
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _see_all(goals: Iterable[Thing]) -> bool:
    """Return whether all goals are triggers that see crates."""
    for goal in goals:
        fields = dict(goal.fields("Trigger") or {})
        mask = fields.pop("mask", None)
        sees = mask is None or mask == "default" or (isinstance(mask, tuple) and "default" in mask)
        if set(goal.components) != {"Trigger"} or fields or not sees:
            return False
    return True


def _warehouse(
    walls: Iterable[Thing], crates: Iterable[Thing], goals: Iterable[Thing], player: Thing
) -> Warehouse | None:
    """Return the warehouse of things that all fill whole cells, crates and the player one each, none in another."""
    single = [_cells(thing) for thing in (*crates, player)]
    wide = [_cells(thing) for thing in walls]
    on_floor = [_cells(thing) for thing in goals]
    if not all(cells is not None and len(cells) == 1 for cells in single) or None in wide or None in on_floor:
        return None
    loose = [cell for cells in single for cell in cells or ()]
    blocked = {cell for cells in wide for cell in cells or ()}
    if len(set(loose)) != len(loose) or blocked & set(loose):
        return None
    places = frozenset(cell for cells in on_floor for cell in cells or ())
    return Warehouse(frozenset(blocked), frozenset(loose[:-1]), places, loose[-1])


def _cells(thing: Thing) -> frozenset[Cell] | None:
    """Return the cells a thing fills, None where a box of it fills only part of one or does not lie flat."""
    found: set[Cell] = set()
    for box in thing.boxes or (Box(0.5, 0.5),):
        x, y, z = (at + by for at, by in zip(thing.position, box.offset, strict=True))
        edges = (x - box.hx, y - box.hy, x + box.hx, y + box.hy)
        if not all(edge.is_integer() for edge in edges) or (z, box.hz) != (0.0, 0.5):
            return None
        left, top, right, bottom = map(int, edges)
        found.update(product(range(left, right), range(top, bottom)))
    return frozenset(found)
