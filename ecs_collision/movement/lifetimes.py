"""Bodies with a `Lifetime`: steps are counted, and those that have none left end (rule M14)."""

from __future__ import annotations

from ecs_collision.bodies import Bodies
from ecs_collision.components import Lifetime
from ecs_collision.errors import CollisionValueError

Counts = list[tuple[Lifetime, int]]


class Lifetimes:
    """The bodies with a Lifetime. The last step is not counted: who asks removes the bodies."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies

    def ending(self) -> list[int]:
        """Return the entities whose last step this is, sorted; raises if one of them cannot be removed."""
        bodies = self._bodies
        found = sorted([bodies.entity(row) for row in bodies.lifetime_rows if self._of(row).frames == 1])
        for entity in found if bodies.groups.partner else ():
            left = sorted(bodies.groups.followers.get(entity, set()).difference(found))
            if left:
                raise CollisionValueError(
                    f"the Lifetime of entity {entity} ends in this step, but entity {left[0]} is fused to it; remove "
                    f"Fused from entity {left[0]} first, or give it a Lifetime that ends with it"
                )
        return found

    def count(self) -> None:
        """Count a step for all bodies."""
        for row in self._bodies.lifetime_rows:
            lifetime = self._of(row)
            if lifetime.frames > 1:
                lifetime._frames -= 1  # type: ignore[attr-defined]

    def mark(self) -> Counts:
        """Return how many steps are left, for `rollback`."""
        return [(lifetime, lifetime.frames) for lifetime in map(self._of, self._bodies.lifetime_rows)]

    def rollback(self, counts: Counts) -> None:
        """Restore what `mark` returned."""
        for lifetime, frames in counts:
            lifetime._frames = frames  # type: ignore[attr-defined]

    def _of(self, row: int) -> Lifetime:
        lifetime = self._bodies.of(row).lifetime
        assert lifetime is not None
        return lifetime
