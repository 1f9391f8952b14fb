"""Judges one load: an error with a valid position, or levels that spawn; the world is intact in both cases."""

from __future__ import annotations

from pathlib import Path

from ecs_collision import BoxCollider, CollisionWorld, Transform
from ecs_collision.errors import LevelError
from ecs_collision.levels import Level, load_levels, spawn
from hostile.places import untrue

MAX_SPAWNED = 2000
"""Levels with more things are not spawned here, to save time for more files."""


def load(path: Path, form: str) -> list[Level] | LevelError:
    """Return the levels of a file, or its LevelError. Other exceptions are bugs and propagate."""
    try:
        return load_levels(path, form=form)
    except LevelError as problem:
        return problem


def complaints_about(outcome: list[Level] | LevelError, path: Path, whole: bool = False) -> list[str]:
    """Return the faults in the result of loading a file."""
    if isinstance(outcome, LevelError):
        return untrue(outcome, path.parent, whole)
    if not outcome:
        return ["the file was read, but has no level"]
    return [fault for level in outcome[:20] for fault in spawned_badly(level)]


def spawned_badly(level: Level) -> list[str]:
    """Return the faults after spawning: either all bodies are in the world, or it is unchanged."""
    bodies = [thing for thing in level.things if thing.is_body]
    if len(bodies) > MAX_SPAWNED:
        return []
    world = CollisionWorld()
    for x in (-5.0, -7.5):
        world.add(transform=Transform(x, 3.0), collider=BoxCollider(0.5, 0.5))
    before = state_of(world)
    try:
        ids = spawn(level, world)
    except LevelError as problem:
        world.check()
        is_fit = str(problem).replace("\n", "").isprintable()
        lies = [] if is_fit else [f"the message of the spawn holds control characters: {problem!s:.300}"]
        return lies if state_of(world) == before else [*lies, "a level that was not spawned left the world changed"]
    world.check()
    if sorted(ids) != sorted(thing.name for thing in bodies) or len(world._bodies) != len(before[0]) + len(bodies):
        return ["a level that was spawned has not all its bodies in the world"]
    return []


def state_of(world: CollisionWorld) -> tuple[object, ...]:
    """Return the state that a failed spawn must not change."""
    rows = {id: world._bodies.row(id) for id in sorted(world._bodies.row_of)}
    places = [world._bodies.boxes(row) for row in rows.values()]
    next_id = world._next_id
    while next_id in rows:
        next_id += 1
    return (list(rows), places, world.version, world.frame_number, world.pending, next_id)
