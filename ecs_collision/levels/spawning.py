"""Creates the bodies of a level in a world, all in one change or none."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence

from ecs_collision.components import Component, Parts, Path, Transform
from ecs_collision.errors import CollisionError, CollisionTypeError, LevelError
from ecs_collision.fixed_point import finite, instance_of, items_of, shown
from ecs_collision.lattice_warning import collected_roundings
from ecs_collision.levels.colliders import collider_of, rotation_of
from ecs_collision.levels.level import Level, Thing, listed
from ecs_collision.levels.registry import REFERENCE_TEXTS, REFERENCES, SIMPLE_COMPONENTS
from ecs_collision.world import CollisionWorld

Place = tuple[float, float, float]
"""The place of a level's origin in a world."""

ORIGIN: Place = (0.0, 0.0, 0.0)


def spawn(level: Level, world: CollisionWorld, at: Sequence[float] = ORIGIN) -> dict[str, int]:
    """Add every body of a level to a world in one change; returns the ids by the names of the things.

    at: the place of the level's origin, (x, y) or (x, y, z). If the world rejects a body, raises LevelError and leaves
    the world unchanged. The settings of the world are not compared with those of the level.
    """
    if not isinstance(world, CollisionWorld):
        remedy = "; in esper write system.spawn(level), or play a Puzzle(level)" if hasattr(world, "process") else ""
        raise CollisionTypeError(f"spawn needs a CollisionWorld, not {world!r}{remedy}")
    instance_of(level, Level, "the level", "give a Level, as from load_level")
    place = place_of(at)
    bodies = [thing for thing in level.things if thing.is_body]
    ids = world._reserve(len(bodies))
    by_name = {thing.name: id for thing, id in zip(bodies, ids, strict=True)}
    try:
        world._add_all([parts_of(level, thing, by_name, place) for thing in bodies], ids)
    except BaseException as problem:
        world._unreserve(ids)
        if isinstance(problem, LevelError) or not isinstance(problem, CollisionError):
            raise
        raise spawn_error(level, problem, by_name) from problem
    return by_name


def spawn_error(level: Level, problem: CollisionError, ids: Mapping[str, int]) -> LevelError:
    """Return the error for bodies that a world rejects, with names of things instead of entity numbers."""
    names = {id: name for name, id in ids.items()}
    return LevelError(
        level.source, found=with_names(str(problem), lambda id: repr(names.get(id, f"entity {id}"))),
        expected="things that fit together in one world", remedy="correct these things",
    )  # fmt: skip


def with_names(text: str, name_of: Callable[[int], str]) -> str:
    """Return a message with entity numbers replaced by names."""
    return re.sub(r"\bentity ([0-9]+)\b", lambda found: name_of(int(found[1])), text)


def place_of(at: object) -> Place:
    """Return the place of a level's origin as three numbers."""
    items = items_of(at)
    if items is None or len(items) not in (2, 3):
        raise CollisionTypeError(f"at is {shown(at)}; give (x, y) or (x, y, z)")
    x, y, z = (finite(value, "at") for value in (*items, 0.0)[:3])
    return x, y, z


def parts_of(level: Level, thing: Thing, ids: Mapping[str, int], at: Place = ORIGIN) -> Parts:
    """Return new built-in components for a thing; `ids` are the entities it may be fused to."""
    given = [(kind, thing.fields(kind.__name__)) for kind in SIMPLE_COMPONENTS]
    made: list[Component] = [kind(**fields) for kind, fields in given if fields is not None]
    for kind in REFERENCES:
        fields = thing.fields(kind.__name__)
        if fields is None:
            continue
        to = str(fields["to"])
        if to not in ids:
            does, remedy = REFERENCE_TEXTS[kind]
            raise LevelError(
                level.source, found=f"{thing.name!r} {does} {to!r}", expected=f"the name of a body: {listed(ids)}",
                remedy=f"{remedy}, or remove {kind.__name__}",
            )  # fmt: skip
        made.append(kind(ids[to]))
    transform = Transform(*thing.position, rotation_of(thing))
    if at != ORIGIN:
        transform.position = tuple(map(operator.add, thing.position, at))
        for path in [each for each in made if isinstance(each, Path)]:
            path.points = [tuple(map(operator.add, point, at)) for point in path.points]
    with collected_roundings():  # a warning was given when the level was read
        collider = collider_of(thing)
    return Parts.of([transform, collider, *made])
