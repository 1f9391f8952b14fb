"""The bodies of a level by name: selectors, and the errors for unknown names."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from ecs_collision.errors import CollisionTypeError, CollisionValueError, UnknownEntity
from ecs_collision.fixed_point import is_whole, shown
from ecs_collision.levels.level import Level, listed


class Names:
    """Maps names to ids and back. A selector is the name of a thing, or a kind, which selects all things of it."""

    def __init__(self, level: Level, ids: Mapping[str, int]) -> None:
        self.level = level
        self.ids = dict(ids)
        self._names = {id: name for name, id in ids.items()}
        self._members: dict[str, tuple[int, ...]] = {}

    def id(self, name: str) -> int:
        """Return the id of a body; raises UnknownEntity with the known names."""
        id = self.ids.get(text(name))
        if id is None:
            self.level[name]
            raise self._scenery(name)
        return id

    def name(self, id: int) -> str:
        """Return the name of the thing with an id; raises UnknownEntity if there is none."""
        name = self._names.get(operator.index(id)) if is_whole(id) else None
        if name is None:
            found = f"{self.level.source} has no thing with the id {shown(id)}"
            raise UnknownEntity(f"{found}; ids are those of `game.ids`")
        return name

    def display_name(self, id: int) -> str:
        """Return the name of a body for messages; "entity 7" if it is not in the level."""
        return self._names.get(id, f"entity {id}")

    def display_name_with_id(self, id: int) -> str:
        """Return the name and id of a body for messages; "entity 7" if it is not in the level."""
        return f"{self._names[id]!r} (entity {id})" if id in self._names else self.display_name(id)

    def members(self, selector: str) -> tuple[int, ...]:
        """Return the sorted ids of the bodies that a selector selects; raises UnknownEntity if there are none."""
        found = self._members.get(text(selector))
        if found is None:
            things = self.level.select(selector)
            found = tuple(sorted(self.ids[thing.name] for thing in things if thing.is_body))
            if not found:
                raise self._scenery(selector)
            self._members[selector] = found
        return found

    def one(self, selector: str) -> int:
        """Return the id of the only body that a selector selects; raises CollisionValueError if there are several."""
        found = self.members(selector)
        if len(found) > 1:
            raise CollisionValueError(
                f"{selector!r} selects {len(found)} things, but one is needed: name one of "
                f"{listed(map(self.display_name, found))}"
            )
        return found[0]

    def _scenery(self, name: str) -> UnknownEntity:
        return UnknownEntity(
            f"{name!r} is scenery of {self.level.source}: it has no components, so it is not a body; give it one, such "
            f"as Static; bodies are {listed(self.ids)}"
        )


def text(selector: object) -> str:
    """Return a selector; raises CollisionTypeError if it is not a str."""
    if isinstance(selector, str):
        return selector
    raise CollisionTypeError(f"{shown(selector)} is not the name or kind of a thing; give a str")
