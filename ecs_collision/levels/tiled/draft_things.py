"""Things before they have names: a name may depend on all others, and what refers to an object on its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ecs_collision.components import Box
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Thing, own_or_numbered
from ecs_collision.levels.tiled.parts import Ref


@dataclass(frozen=True, slots=True)
class Draft:
    """A thing to be; `name` is what the file calls it, "" for nothing, `id` that of its object, 0 for none."""

    name: str
    id: int
    kind: str
    position: tuple[float, float, float]
    boxes: tuple[Box, ...]
    components: FrozenMap
    properties: Mapping[str, Any]


def weight(value: Any) -> int:
    """Return how many values there are in a value."""
    if isinstance(value, Mapping):
        return sum(map(weight, value.values()), len(value))
    return sum(map(weight, value), 1) if type(value) in (list, tuple) else 1


def things_of(drafts: list[Draft]) -> tuple[Thing, ...]:
    """Return the things, each with a name of its own, what refers to objects made to name them."""
    names = own_or_numbered([draft.name for draft in drafts], [draft.kind for draft in drafts])
    by_id = {draft.id: name for draft, name in zip(drafts, names, strict=True) if draft.id}
    return tuple(
        Thing(
            name, draft.kind, draft.position, draft.boxes, FrozenMap(named(draft.components, by_id)),
            FrozenMap(named(draft.properties, by_id)),
        )
        for draft, name in zip(drafts, names, strict=True)
    )  # fmt: skip


def named(value: Any, by_id: Mapping[int, str]) -> Any:
    """Return a value with every reference to an object made the name of its thing."""
    if isinstance(value, Ref):
        if value.id not in by_id:
            raise value.at.error(
                f"a reference to object {value.id}, which is not in the map", "the id of an object of the map",
                "choose an object again in Tiled",
            )  # fmt: skip
        return by_id[value.id]
    if isinstance(value, Mapping):
        return {key: named(item, by_id) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [named(item, by_id) for item in value]
    return value
