"""What triggers must say, worked out by looking at every pair of bodies in every frame (rules T1 to T6, E3).

The ledger reads the components of the current esper world through esper's public functions and nothing of the
engine, so the two can only agree by both being right. `look` is to be called wherever the system takes in
(before a question, a move or a frame), `frame` after each frame.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import esper

from ecs_collision import BoxCollider, CompoundCollider, Transform, Trigger

Faces = tuple[tuple[float, float, float], tuple[float, float, float]]
Pair = tuple[int, int]


class Body(NamedTuple):
    """What one entity is made of, as the ledger cares."""

    transform: Any
    collider: Any
    trigger: Any

    @property
    def taking_part(self) -> bool:
        """Whether neither the collider nor the trigger is disabled (E9)."""
        return self.collider.enabled and (self.trigger is None or self.trigger.enabled)

    def boxes(self) -> list[Faces]:
        """Return the faces of every part."""
        at = self.transform.position
        parts = self.collider.parts if isinstance(self.collider, CompoundCollider) else [self.collider]
        return [
            (
                tuple(at[axis] + part.offset[axis] - half for axis, half in enumerate((part.hx, part.hy, part.hz))),
                tuple(at[axis] + part.offset[axis] + half for axis, half in enumerate((part.hx, part.hy, part.hz))),
            )
            for part in parts
        ]


def bodies() -> dict[int, Body]:
    """Return every body of the current world."""
    found = {}
    for kind in (BoxCollider, CompoundCollider):
        for entity, collider in esper.get_component(kind):
            transform = esper.try_component(entity, Transform)
            if transform is not None and esper.entity_exists(entity):
                found[entity] = Body(transform, collider, esper.try_component(entity, Trigger))
    return dict(sorted(found.items()))


def boxes_overlap(one: Faces, other: Faces) -> bool:
    """Return whether the open boxes meet (L4)."""
    return all(one[0][axis] < other[1][axis] and other[0][axis] < one[1][axis] for axis in range(3))


def boxes_touch(one: Faces, other: Faces) -> bool:
    """Return whether they share a face: equal on one axis, overlapping on the other two (L4)."""
    equal = [one[0][axis] == other[1][axis] or other[0][axis] == one[1][axis] for axis in range(3)]
    meeting = [one[0][axis] < other[1][axis] and other[0][axis] < one[1][axis] for axis in range(3)]
    return any(equal[axis] and all(meeting[across] for across in range(3) if across != axis) for axis in range(3))


def overlap(one: Body, other: Body) -> bool:
    """Return whether any part of one overlaps any part of the other."""
    return any(boxes_overlap(a, b) for a, b in itertools.product(one.boxes(), other.boxes()))


def touch(one: Body, other: Body) -> bool:
    """Return whether any part of one touches any part of the other."""
    return any(boxes_touch(a, b) for a, b in itertools.product(one.boxes(), other.boxes()))


def overlapping_pairs(triggers: bool = False) -> list[Pair]:
    """Return what `space.pairs()` must answer."""
    here = {e: body for e, body in bodies().items() if body.taking_part and (triggers or body.trigger is None)}
    return [(a, b) for a, b in itertools.combinations(here, 2) if overlap(here[a], here[b])]


def may_report(trigger: Body, other: Body) -> bool:
    """Return whether the trigger's mask lets it report that body (T6)."""
    if trigger.trigger.mask is None:
        return other.trigger is None
    return other.collider.layer in trigger.trigger.mask


def reports(trigger: Body, other: Body) -> bool:
    """Return whether the trigger sees the other body where both are now."""
    if not (trigger.taking_part and other.taking_part and may_report(trigger, other)):
        return False
    return overlap(trigger, other) or (trigger.trigger.touching and touch(trigger, other))


class Contact(NamedTuple):
    """A trigger and a body it has reported, each with its birth, which tells bodies of one id apart."""

    trigger: int
    other: int
    births: tuple[int, int]


class Ledger:
    """Keeps who is in which trigger, and says what the next frame must tell."""

    def __init__(self) -> None:
        self.number = 0
        self.bodies: dict[int, Body] = {}
        self.births: dict[int, int] = {}
        self.contacts: dict[Contact, int | None] = {}
        """Who is in what, and up to which frame where it lingers."""
        self._birth = itertools.count()

    def look(self) -> None:
        """Note who was born since the last look: neither its Transform nor its collider is the one of before."""
        now = bodies()
        for entity, body in now.items():
            before = self.bodies.get(entity)
            if before is None or (before.transform is not body.transform and before.collider is not body.collider):
                self.births[entity] = next(self._birth)
        self.bodies = now
        self.births = {entity: self.births[entity] for entity in now}

    def frame(self) -> list[tuple[Any, ...]]:
        """Return what the triggers must have said in the frame that has just ended."""
        self.look()
        self.number += 1
        before, now = set(self.contacts), self._seen()
        left = [(contact, self._reason(contact)) for contact in sorted(before - now)]
        gone = {contact: reason for contact, reason in left if reason != "LINGERS"}
        self.contacts = {contact: until for contact, until in self.contacts.items() if contact not in gone}
        self.contacts |= dict.fromkeys(now, None)
        return [
            *(("left", contact.trigger, contact.other, reason) for contact, reason in gone.items()),
            *(("entered", contact.trigger, contact.other) for contact in sorted(now - before)),
            *(
                ("stayed", c.trigger, c.other)
                for c in sorted(before & set(self.contacts))
                if self.bodies[c.trigger].trigger.stay
            ),
        ]

    def inside(self, trigger: int) -> list[int]:
        """Return what `system.inside(trigger)` must answer."""
        return sorted(contact.other for contact in self.contacts if contact.trigger == trigger)

    def _seen(self) -> set[Contact]:
        triggers = [entity for entity, body in self.bodies.items() if body.trigger is not None]
        return {
            Contact(trigger, other, (self.births[trigger], self.births[other]))
            for trigger, other in itertools.product(triggers, self.bodies)
            if trigger != other and reports(self.bodies[trigger], self.bodies[other])
        }

    def _is_reported(self, trigger: int, other: int) -> bool:
        """Return whether the trigger reports the other, wherever that is (T6)."""
        return may_report(self.bodies[trigger], self.bodies[other])

    def _reason(self, contact: Contact) -> str:
        births = (self.births.get(contact.trigger), self.births.get(contact.other))
        if births != contact.births or self.bodies[contact.trigger].trigger is None:
            return "DELETED"
        trigger, other = self.bodies[contact.trigger], self.bodies[contact.other]
        if not (trigger.taking_part and other.taking_part):
            return "DISABLED"
        if not self._is_reported(contact.trigger, contact.other):
            return "FILTERED"
        until = self.contacts[contact]
        if until is None:  # it is lost in this frame, whose linger counts (T5)
            until = self.contacts[contact] = self.number - 1 + trigger.trigger.linger
        return "LINGERS" if self.number <= until else "MOVED"
