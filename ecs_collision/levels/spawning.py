"""Making bodies of the things of a level: all of them in one take-in, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ecs_collision.components import Box, BoxCollider, Collider, Component, CompoundCollider, Fused, Parts, Transform
from ecs_collision.errors import CollisionError, CollisionTypeError, LevelError
from ecs_collision.levels.level import Level, Thing, listed
from ecs_collision.levels.registry import SIMPLE_COMPONENTS
from ecs_collision.world import CollisionWorld


def spawn(level: Level, world: CollisionWorld) -> dict[str, int]:
    """Add every body of a level to a world in one take-in; returns the id of each by the name of its thing.

    Raises LevelError and leaves the world as it was where any of them is refused.
    """
    if not isinstance(world, CollisionWorld):
        remedy = "; in esper a Puzzle(level) makes the entities" if hasattr(world, "process") else ""
        raise CollisionTypeError(f"spawn needs a CollisionWorld, not {world!r}{remedy}")
    bodies = [thing for thing in level.things if thing.is_body]
    ids = world.reserve(len(bodies))
    by_name = {thing.name: id for thing, id in zip(bodies, ids, strict=True)}
    try:
        world.add_all([parts_of(level, thing, by_name) for thing in bodies], ids)
    except BaseException as problem:
        world.unreserve(ids)
        if isinstance(problem, LevelError) or not isinstance(problem, CollisionError):
            raise
        raise spawn_error(level, problem, by_name) from problem
    return by_name


def spawn_error(level: Level, problem: CollisionError, ids: Mapping[str, int]) -> LevelError:
    """Return what to raise where a world refuses the bodies of a level: it names things where the world has numbers."""
    names = {id: name for name, id in ids.items()}
    return LevelError(
        level.source, found=with_names(str(problem), lambda id: repr(names.get(id, f"entity {id}"))),
        expected="things that can all be bodies of one world", remedy="mend the things that are named",
    )  # fmt: skip


def with_names(text: str, name_of: Callable[[int], str]) -> str:
    """Return a message with the names of things where it numbers entities."""
    return re.sub(r"\bentity ([0-9]+)\b", lambda found: name_of(int(found[1])), text)


def parts_of(level: Level, thing: Thing, ids: Mapping[str, int]) -> Parts:
    """Return fresh components of ours for a thing; `ids` are the entities of those it may be fused to."""
    given = [(kind, thing.fields(kind.__name__)) for kind in SIMPLE_COMPONENTS]
    made: list[Component] = [kind(**fields) for kind, fields in given if fields is not None]
    fused = thing.fields("Fused")
    if fused is not None:
        made.append(_fused(level, thing, str(fused["to"]), ids))
    return Parts.of([Transform(*thing.position), collider_of(thing), *made])


def collider_of(thing: Thing) -> Collider:
    """Return a fresh collider of a thing's boxes: a BoxCollider for one about its position, else a compound."""
    more: dict[str, Any] = dict(thing.fields("Collider") or {})
    boxes = thing.boxes or (Box(0.5, 0.5),)
    if len(boxes) == 1:
        box = boxes[0]
        return BoxCollider(box.hx, box.hy, box.hz, offset=box.offset, **more)
    return CompoundCollider(boxes, **more)


def _fused(level: Level, thing: Thing, to: str, ids: Mapping[str, int]) -> Fused:
    if to not in ids:
        raise LevelError(
            level.source, found=f"{thing.name!r} fused to {to!r}", expected=f"the name of a body: {listed(ids)}",
            remedy="name the thing it shall be fused to, or leave Fused out",
        )  # fmt: skip
    return Fused(ids[to])
