"""Things before they have names: a name may depend on all others, and what refers to an object on its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.components import Box
from ecs_collision.errors import LevelError
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.level import Thing, own_or_numbered
from ecs_collision.levels.source import MOST_CELLS, MOST_THINGS
from ecs_collision.levels.tiled.parts import Part, Ref

MOST_BOXES = 2**18
"""The most boxes of a level: what is cut into more is no level that anyone plays, and each costs memory."""


MOST_VALUES = 2**21
"""The most fields of components and properties of a level, those of things that say the same counted for each."""


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


@dataclass(slots=True)
class Room:
    """What is asked of memory so far; more than there may be is refused before it is made."""

    cells: int = 0
    things: int = 0
    boxes: int = 0
    values: int = 0
    drafts: list[Draft] = field(default_factory=list)

    def take_cells(self, at: Part, count: int) -> None:
        """Take in the cells of a layer."""
        self.cells += count
        if self.cells > MOST_CELLS:
            raise _too_many(at, f"{self.cells} cells in all layers together", MOST_CELLS)

    def take_things(self, at: Part, count: int = 1) -> None:
        """Take in things."""
        self.things += count
        if self.things > MOST_THINGS:
            raise _too_many(at, f"more than {MOST_THINGS} things", MOST_THINGS)

    def expect_boxes(self, at: Part, count: int) -> None:
        """Refuse so many boxes, or points, unless there is room for them."""
        if self.boxes + count > MOST_BOXES:
            raise _too_many(at, f"more than {MOST_BOXES} boxes, or points, in all", MOST_BOXES)

    def take_boxes(self, at: Part, count: int) -> None:
        """Take in boxes, or points of polygons."""
        self.expect_boxes(at, count)
        self.boxes += count

    def take_values(self, at: Part, *values: Any, times: int = 1) -> None:
        """Take in the components and properties of things."""
        self.values += times * sum(map(weight, values))
        if self.values > MOST_VALUES:
            raise _too_many(at, f"more than {MOST_VALUES} fields and properties in all things together", MOST_VALUES)


def weight(value: Any) -> int:
    """Return how many values there are in a value."""
    if isinstance(value, Mapping):
        return sum(map(weight, value.values()), len(value))
    return sum(map(weight, value), 1) if isinstance(value, list | tuple) else 1


def _too_many(at: Part, found: str, most: int) -> LevelError:
    return at.error(found, f"at most {most}", "divide the level")


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
