"""Things before they have names: a name may depend on all other things, and references become names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ecs_collision.components import AnyPart
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Thing, unique_names
from ecs_collision.levels.tiled.parts import ObjectRef


@dataclass(frozen=True, slots=True)
class DraftThing:
    """A thing before naming; `name` is that in the file, or ""; `id` is that of its object, or 0."""

    name: str
    id: int
    kind: str
    position: tuple[float, float, float]
    parts: tuple[AnyPart, ...]
    components: FrozenMap
    properties: Mapping[str, Any]


def value_count(value: Any) -> int:
    """Return the number of values in a value, including nested ones."""
    if isinstance(value, Mapping):
        return sum(map(value_count, value.values()), len(value))
    return sum(map(value_count, value), 1) if type(value) in (list, tuple) else 1


def things_of(drafts: list[DraftThing]) -> tuple[Thing, ...]:
    """Return the things with unique names; references to objects become names."""
    names = unique_names([draft.name for draft in drafts], [draft.kind for draft in drafts])
    by_id = {draft.id: name for draft, name in zip(drafts, names, strict=True) if draft.id}
    return tuple(
        Thing(
            name, draft.kind, draft.position, draft.parts, FrozenMap(resolve_references(draft.components, by_id)),
            FrozenMap(resolve_references(draft.properties, by_id)),
        )
        for draft, name in zip(drafts, names, strict=True)
    )  # fmt: skip


def resolve_references(value: Any, by_id: Mapping[int, str]) -> Any:
    """Return a value with every object reference replaced by the name of the thing."""
    if isinstance(value, ObjectRef):
        if value.id not in by_id:
            raise value.at.error(
                f"a reference to object {value.id}, which is not in the map", "the id of an object of the map",
                "select the object again in Tiled",
            )  # fmt: skip
        return by_id[value.id]
    if isinstance(value, Mapping):
        return {key: resolve_references(item, by_id) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolve_references(item, by_id) for item in value]
    return value
