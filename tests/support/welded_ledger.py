"""What triggers must say where bodies are fused, worked out by looking at every pair in every frame (rules T1, T3).

Solid members of a group are one body, named by its root; triggers keep their names and never report their own group.
Everything follows from the state at the end of the frame and from what was told before.
"""

from __future__ import annotations

import esper
from ledger import Contact, Ledger, may_report

from ecs_collision import Fused


class WeldedLedger(Ledger):
    """A ledger that knows `Fused`: its contacts are told of by name."""

    def _roots(self) -> dict[int, int]:
        """Return the root of each body, which is itself for a body on its own; who is disabled is in no group."""
        able = {entity for entity, body in self.bodies.items() if body.taking_part}
        to = {entity: esper.component_for_entity(entity, Fused).to for entity in able if _is_fused(entity)}
        roots = {}
        for entity in self.bodies:
            root = entity
            while to.get(root) in able:
                root = to[root]
            roots[entity] = root
        return roots

    def _seen(self) -> set[Contact]:
        roots = self._roots()
        found = set()
        for trigger, other, births in super()._seen():
            if roots[trigger] != roots[other]:
                name = other if self.bodies[other].trigger is not None else roots[other]
                found.add(Contact(trigger, name, (births[0], self.births[name])))
        return found

    def _is_reported(self, trigger: int, name: int) -> bool:
        """Return whether the trigger reports anything under a name, wherever that is (T3, T6)."""
        roots = self._roots()
        named = [
            body
            for entity, body in self.bodies.items()
            if (entity == name if body.trigger is not None else roots[entity] == name)
        ]
        return roots[trigger] != roots[name] and any(may_report(self.bodies[trigger], body) for body in named)


def _is_fused(entity: int) -> bool:
    return bool(esper.has_component(entity, Fused))
