"""Judging welds: every one leads to a body that can move, and none closes a ring (rule L3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ecs_collision.bodies import Bodies
from ecs_collision.components import Fused, Parts


class WeldJudge:
    """Knows what bodies will be once `staged` is taken in."""

    def __init__(self, bodies: Bodies, staged: Mapping[int, Parts | None]) -> None:
        self._bodies = bodies
        self._staged = staged
        self._sound: set[int] = set()

    def faults(self, fused: Iterable[int]) -> list[str]:
        """Return what is wrong with the welds of these entities, and of those fused to what is staged, by entity."""
        followers = self._bodies.groups.followers
        doubtful = set(fused).union(*(followers[entity] for entity in self._staged if entity in followers))
        return [fault for entity in sorted(doubtful) for fault in self._faults(entity)]

    def _parts(self, entity: int) -> Parts | None:
        if entity in self._staged:
            return self._staged[entity]
        row = self._bodies.row_of.get(entity)
        return None if row is None else self._bodies.of(row)

    def _partner(self, entity: int) -> int | None:
        parts = self._parts(entity)
        return parts.fused.to if parts is not None and isinstance(parts.fused, Fused) else None

    def _faults(self, entity: int) -> list[str]:
        to = self._partner(entity)
        if to is None:
            return []
        weld = f"entity {entity}: Fused.to is {to}"
        if to == entity:
            return [f"{weld}, the entity itself; name another one, or remove Fused"]
        partner = self._parts(to)
        if partner is None and to in self._bodies.row_of:
            return [
                f"{weld}, which is deleted or loses its body; remove Fused from entity {entity}, or delete "
                f"entity {entity} too"
            ]
        if partner is None:
            return [
                f"{weld}, which is no body of this world; name a body, give entity {to} a Transform and a collider, "
                f"or remove Fused"
            ]
        if partner.static is not None:
            return [f"{weld}, which is Static and never moves; fuse it to another body, or remove Static from {to}"]
        return self._rings(entity)

    def _rings(self, entity: int) -> list[str]:
        """Return the ring that the welds from an entity on lead into, each ring once: what was walked is sound."""
        path: list[int] = []
        at: int | None = entity
        while at is not None and at not in self._sound:
            self._sound.add(at)
            path.append(at)
            at = self._partner(at)
        if at not in path or path[-1] == at:  # whoever is fused to itself has its own fault
            return []
        ring = path[path.index(at) :]
        first = ring.index(min(ring))
        ring = [*ring[first:], *ring[:first]]
        names = " to ".join(map(str, [*ring, ring[0]]))
        return [
            f"entity {ring[0]}: Fused.to is {ring[1]}, which closes the ring {names}; remove Fused from one of them"
        ]
