"""What triggers must say where bodies are welded, worked out by looking at every pair in every frame (rules T1, T3).

Solid members of a group are one body, named by its root; triggers keep their names and never report their own group.
What is told under a name that no longer holds when welds change ends there and then; all else is settled by the
frame, from who overlaps whom.
"""

from __future__ import annotations

import itertools
from typing import Any

import esper
from ledger import Body, Contact, Ledger, may_report, reports

from ecs_collision import Fused


class WeldedLedger(Ledger):
    """A ledger that knows `Fused`. `contacts` are told of by name; `single` are those of bodies where they stood last.

    `look` is to be called after a move too: where groups split, what is told hangs on where bodies stand by then.
    """

    def __init__(self) -> None:
        super().__init__()
        self.roots: dict[int, int] = {}
        self.members: dict[int, frozenset[tuple[int, int]]] = {}
        self.single: set[Contact] = set()
        self.ended: list[tuple[Contact, str]] = []

    # Groups.

    def _draw(self) -> None:
        able = {entity for entity, body in self.bodies.items() if body.taking_part}
        to = {entity: esper.component_for_entity(entity, Fused).to for entity in able if _is_fused(entity)}
        self.roots = {}
        for entity in self.bodies:
            root = entity
            while to.get(root) in able:
                root = to[root]
            self.roots[entity] = root
        self.members = {
            entity: frozenset((one, self.births[one]) for one in self.bodies if self.roots[one] == self.roots[entity])
            for entity in self.bodies
        }

    def _name(self, entity: int) -> int:
        return entity if self.bodies[entity].trigger is not None else self.roots[entity]

    def _named(self, singles: set[Contact]) -> set[Contact]:
        """Return what is told of contacts of single bodies."""
        return {
            Contact(trigger, name, (births[0], self.births[name]))
            for trigger, other, births in singles
            if self._lives(Contact(trigger, other, births)) and self.roots[trigger] != self.roots[other]
            for name in [self._name(other)]
        }

    def _lives(self, contact: Contact) -> bool:
        return contact.births == (self.births.get(contact.trigger), self.births.get(contact.other))

    # The ledger.

    def look(self) -> None:
        """Note births, and end what is told under names that hold no more."""
        before, roots = self.members, self.roots
        super().look()
        self._draw()
        if before != self.members or roots != self.roots:
            self._end_what_holds_no_more(before, roots)
        self.single = self._seen()

    def _end_what_holds_no_more(self, before: dict[int, frozenset[tuple[int, int]]], roots: dict[int, int]) -> None:
        stands = self._named(self.single)
        for contact in sorted(self.contacts):
            if not self._lives(contact):
                continue
            changed = any(
                before.get(one) != self.members[one] or roots.get(one) != self.roots[one] for one in contact[:2]
            )
            lost = {single for single in self.single if not self._lives(single)}
            deleted = any(
                single.trigger == contact.trigger and roots.get(single.other) == contact.other and single.other in roots
                for single in lost
                if single.other != contact.other
            )
            if (changed or deleted) and contact not in stands:
                reason = self._state(contact)
                if reason == "MOVED" and self.contacts[contact] < self.number:  # it lingers, and goes on lingering
                    continue
                if reason == "MOVED":
                    reason = "DELETED" if deleted else "FILTERED"
                self.ended.append((contact, reason))
                del self.contacts[contact]

    def _state(self, contact: Contact) -> str:
        """Return why a contact would have ended by the state of its bodies alone."""
        trigger, other = self.bodies[contact.trigger], self.bodies[contact.other]
        if trigger.trigger is None:
            return "DELETED"
        if not (trigger.taking_part and other.taking_part):
            return "DISABLED"
        if self.roots[contact.trigger] == self.roots[contact.other]:
            return "FILTERED"
        named = [self.bodies[one] for one in self.bodies if self._name(one) == contact.other]
        return "MOVED" if any(may_report(trigger, one) for one in named) else "FILTERED"

    def frame(self) -> list[tuple[Any, ...]]:
        """Return what the triggers must have said in the frame that has just ended."""
        self.look()
        self.number += 1
        before, now = set(self.contacts), self._named(self.single)
        left = [*self.ended]
        for contact in sorted(before - now):
            reason = self._reason_of(contact)
            if reason != "LINGERS":
                left.append((contact, reason))
                del self.contacts[contact]
        self.ended = []
        self.contacts |= dict.fromkeys(now, self.number)
        return [
            *(("left", one.trigger, one.other, why) for one, why in sorted(left, key=lambda each: each[0][:2])),
            *(("entered", contact.trigger, contact.other) for contact in sorted(now - before)),
            *(
                ("stayed", c.trigger, c.other)
                for c in sorted(before & set(self.contacts))
                if self.bodies[c.trigger].trigger.stay
            ),
        ]

    def _reason_of(self, contact: Contact) -> str:
        if not self._lives(contact):
            return "DELETED"
        reason = self._state(contact)
        if reason != "MOVED":
            return reason
        linger = self.bodies[contact.trigger].trigger.linger
        return "LINGERS" if self.number - self.contacts[contact] <= linger else "MOVED"

    def _seen(self) -> set[Contact]:
        triggers = [entity for entity, body in self.bodies.items() if body.trigger is not None]
        return {
            Contact(trigger, other, (self.births[trigger], self.births[other]))
            for trigger, other in itertools.product(triggers, self.bodies)
            if trigger != other and reports(self.bodies[trigger], self.bodies[other])
        }


def _is_fused(entity: int) -> bool:
    return bool(esper.has_component(entity, Fused))


__all__ = ["Body", "WeldedLedger"]
