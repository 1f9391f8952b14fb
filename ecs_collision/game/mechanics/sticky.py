"""Things that stick to each other when they touch."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.things import Partners, Things


def star(members: Iterable[int]) -> Partners:
    """Return the partner of each body of a group: all are fused to the first, so equal groups are stored equally."""
    first, *others = sorted(members)
    return {first: None, **dict.fromkeys(others, first)}


class Sticky(Mechanic):
    """Things that are fused to each other, or to those of `to`, when they touch, until a script unfuses them."""

    def __init__(self, things: Things, name: str, to: str | None) -> None:
        sticky = things.members(name)
        others = sticky if to is None else things.members(to)
        self.label = f"sticky {name!r}" if to is None else f"sticky {name!r} to {to!r}"
        things.refuse_static((*sticky, *others), self.label)
        self._things, self._sticky, self._others = things, sticky, frozenset(others)

    def apply(self) -> None:
        """Fuse the things that touch."""
        things = self._things
        groups: dict[int, set[int]] = {}
        for id in self._sticky:
            if not things.is_enabled(id):
                continue
            group = groups.setdefault(id, set(things.fused_ids(id)))
            for other in things.world.touching(id):
                if other in self._others and other not in group:
                    group |= groups.get(other) or set(things.fused_ids(other))
                    groups.update(dict.fromkeys(group, group))
        for id in sorted(groups):
            if len(groups[id]) > len(things.fused_ids(id)):
                things.fuse(star(groups[id]))
