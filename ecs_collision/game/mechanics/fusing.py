"""Welding things into one body and freeing them again, whatever they were fused to before."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision.errors import CollisionValueError
from ecs_collision.game.mechanics.rules import Rule
from ecs_collision.game.things import Things

Welds = dict[int, int | None]
"""Whom each body is to be fused to, None for nobody."""


def star(members: Iterable[int]) -> Welds:
    """Return welds that make a group of bodies: all are fused to the first, so that equal groups are kept alike."""
    first, *others = sorted(members)
    return {first: None, **dict.fromkeys(others, first)}


def refuse_static(game: Things, ids: Iterable[int], what: str) -> None:
    """Raise where one of some bodies is Static: it could not move with the others."""
    for id in ids:
        if game._engine.parts(id).static is not None:
            raise CollisionValueError(f"{what}: {game.name(id)!r} is Static and never moves; remove Static from it")


class Sticky(Rule):
    """Things that stick to each other, or to others, once they touch; for good, unless a script frees them."""

    def __init__(self, game: Things, things: Iterable[int], others: Iterable[int], label: str) -> None:
        self.label = label
        self._game, self._things, self._others = game, sorted(things), frozenset(others)

    def apply(self) -> None:
        """Fuse what touches."""
        game, world = self._game, self._game.world
        groups: dict[int, set[int]] = {}
        for id in self._things:
            if not game.is_there(id):
                continue
            mine = groups.setdefault(id, set(game.fused_ids(id)))
            for other in world.touching(id):
                if other in self._others and other not in mine:
                    mine |= groups.get(other) or set(game.fused_ids(other))
                    groups.update(dict.fromkeys(mine, mine))
        for id in sorted(groups):
            if len(groups[id]) > len(game.fused_ids(id)):
                game.weld(star(groups[id]))
