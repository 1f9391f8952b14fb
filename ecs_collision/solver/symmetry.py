"""Which things of a level are alike, so that a search need not tell them apart.

Without a script a game is its positions, and who of several crates that are all the same stands where makes no
difference: pushes are lengths of gaps (rule P2), entity ids only break ties between equals. So states that differ in
nothing but that count as one: half as many for two crates, a sixth for three. Where anything remembers more than
positions (a script, a trigger that lingers, things welded together), nothing is alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from ecs_collision.levels.conditions import parse_condition
from ecs_collision.levels.level import Level, Thing

Alike = Sequence[Sequence[str]]
"""Names of things, each list of such as are alike."""


def alike(level: Level) -> Alike | None:
    """Return all that can move, sorted into lists of such as are alike; None where positions are not everything.

    Whatever moves itself is like nothing else, for of two movers the one with the lower id goes first.
    """
    if any("Fused" in thing.components or _lingers(thing) for thing in level.things):
        return None
    named = _named(level)
    found: dict[object, list[str]] = {}
    for thing in level.things:
        by_itself = _moves_by_itself(level, thing)
        if not (by_itself or "Inertia" in thing.components):
            continue
        is_single = by_itself or thing.name in named
        key = thing.name if is_single else (thing.kind, thing.components, thing.boxes)
        found.setdefault(key, []).append(thing.name)
    return list(found.values())


def _moves_by_itself(level: Level, thing: Thing) -> bool:
    """Return whether a thing moves without being pushed: it has Motion, letters move it, or `falls` means it."""
    falls = level.properties.get("falls")
    return thing.is_body and (
        "Motion" in thing.components or thing.kind.lower() == "player" or falls in (thing.name, thing.kind)
    )


def _lingers(thing: Thing) -> bool:
    return bool((thing.fields("Trigger") or {}).get("linger"))


def _named(level: Level) -> set[str]:
    """Return the things that the condition to win means by their names."""
    if level.win is None:
        return set()
    clauses = parse_condition(level.win).clauses
    selectors = {clause.things for clause in clauses} | {clause.triggers for clause in clauses}
    return {thing.name for thing in level.things if thing.name in selectors}
