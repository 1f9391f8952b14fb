"""Crowds: hundreds of bodies of which some part changes in each frame, and what the frame must then tell.

The oracle tries every pair of boxes, keeps contacts with the ledger, and walks every motion for the crossings.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import esper
import numpy
from ledger import Contact, Ledger, may_report
from walking import GRID, Boxes, Walk, Words
from worlds import a_system, part, said

from ecs_collision import (
    Box,
    BoxCollider,
    CompoundCollider,
    FellAsleep,
    Inertia,
    Motion,
    Moved,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Woke,
)


class CrowdLedger(Ledger):
    """A ledger that looks at all pairs at once."""

    def _seen(self) -> set[Contact]:
        boxes = Boxes(self.bodies)
        overlapping, meeting = boxes.matrices()
        seen = set()
        for number, (entity, body) in enumerate(self.bodies.items()):
            if body.trigger is None or not body.taking_part:
                continue
            for at in numpy.flatnonzero((meeting if body.trigger.touching else overlapping)[number]):
                other = boxes.entities[at]
                if self.bodies[other].taking_part and may_report(body, self.bodies[other]):
                    seen.add(Contact(entity, other, (self.births[entity], self.births[other])))
        return seen

    def pairs(self) -> list[tuple[int, int]]:
        """Return what `space.pairs(triggers=True)` must answer."""
        self.look()
        here = {entity: body for entity, body in self.bodies.items() if body.taking_part}
        boxes = Boxes(here)
        firsts, seconds = numpy.nonzero(numpy.triu(boxes.matrices()[0]))
        return sorted((boxes.entities[a], boxes.entities[b]) for a, b in zip(firsts, seconds, strict=True))


class Crowd:
    """Bodies of which some are triggers, and a ledger that looks on.

    solid: whether they push each other (no trigger is swept then); else nothing stops them.
    """

    def __init__(
        self,
        seed: int,
        count: int,
        room: float,
        *,
        tall: bool = False,
        mixed: bool = False,
        solid: bool = False,
        **settings: Any,
    ) -> None:
        self.dice, self.room, self.tall, self.mixed, self.solid = random.Random(seed), room, tall, mixed, solid
        self.system = a_system(**settings)
        self.ledger = CrowdLedger()
        self.frame_number = 0
        self.disturbed: dict[int, int] = {}
        self.displaced: set[int] = set()
        self.ways: dict[int, tuple[float, float]] = {}
        self.alive = [self.spawn() for _ in range(count)]

    # Bodies.

    def spawn(self) -> int:
        """Create a body: a third triggers, a sixth statics, a quarter sleepers."""
        dice = self.dice
        kind = dice.randrange(12)
        parts = [Transform(*self.spot()), self.collider()]
        if kind < 4:
            parts.append(self.trigger())
        if kind in (0, 11):
            parts.append(Static())
        else:
            parts += [Motion(3), Inertia(1)] if self.solid else [Motion()]
            if dice.random() < 0.3:
                parts.append(Sleeping(dice.random() < 0.3, dice.randint(1, 3)))
        entity = esper.create_entity(*parts)
        self.disturbed[entity] = self.frame_number + 1
        return entity

    def spot(self) -> tuple[float, ...]:
        z = self.dice.randrange(-8, 9) * GRID if self.tall else 0.0
        return (*(self.dice.uniform(-self.room, self.room) // GRID * GRID for _ in "xy"), z)

    def half(self) -> float:
        return self.dice.choice([0.25, 0.5, 0.5, 0.5, *([5.0, 2.5] if self.mixed else [])])

    def collider(self) -> Any:
        told: dict[str, Any] = {"layer": self.dice.choice("aab"), "mask": None if self.solid else ()}
        if self.dice.random() < 0.75:
            return BoxCollider(self.half(), self.half(), 0.5, **told)
        offset = (self.dice.choice([-1.0, 0.75, 1.0]), self.dice.choice([-0.5, 0.0, 1.25]), 0.0)
        return CompoundCollider([Box(self.half(), self.half()), Box(0.5, 0.25, 0.5, offset)], **told)

    def trigger(self) -> Trigger:
        kind = self.dice.randrange(5)
        return Trigger(
            mask=self.dice.choice([None, None, "a", ("a", "b")]), touching=self.dice.random() < 0.4,
            swept=kind == 0 and not self.solid, stay=kind == 1, linger=self.dice.randint(1, 3) if kind == 2 else 0,
        )  # fmt: skip

    # Changes.

    def write(self, who: Iterable[int]) -> None:
        """Write the place of each, not far from where it was."""
        for entity in who:
            transform = part(entity, Transform)
            x, y, _ = transform.position
            spot = (x + self.dice.randrange(-6, 7) * GRID, y + self.dice.randrange(-6, 7) * GRID)
            transform.position = spot if self.dice.random() < 0.9 else self.spot()
            if transform.position[:2] != (x, y):
                self.displaced.add(entity)
            self.disturbed[entity] = self.frame_number + 1

    def write_in_bulk(self, who: Iterable[int]) -> None:
        """Give all of them new places in one call."""
        entities = list(who)
        shuffled = self.dice.sample(entities, len(entities))
        self.system.set_positions(shuffled, numpy.array([self.spot() for _ in shuffled]).reshape(-1, 3))
        self.disturbed.update(dict.fromkeys(entities, self.frame_number + 1))

    def request(self, who: Iterable[int]) -> None:
        """Let each ask to move; statics are written instead."""
        for entity in who:
            way = (self.dice.randrange(-8, 9) * GRID, self.dice.randrange(-8, 9) * GRID)
            if not esper.has_component(entity, Motion):
                self.write([entity])
            elif any(way):
                part(entity, Motion).move(*way)
                self.ways[entity] = way
                self.disturbed[entity] = self.frame_number + 1
                self.displaced |= set() if self.solid else {entity}

    def alter(self, who: Iterable[int]) -> None:
        """Change the size, layer or mask of each, or take it out or in; some are moved as well."""
        for entity in who:
            parts = esper.components_for_entity(entity)
            collider = next(part for part in parts if isinstance(part, BoxCollider | CompoundCollider))
            how = self.dice.randrange(5)
            if how == 0:
                collider.enabled = not collider.enabled
            elif how == 1 and isinstance(collider, BoxCollider):
                collider.hx = self.half()
            elif how == 2 and esper.has_component(entity, Trigger):
                part(entity, Trigger).mask = self.dice.choice([None, "a", "b"])
            else:
                collider.layer = "b" if collider.layer == "a" else "a"
            self.disturbed[entity] = self.frame_number + 1
            if self.dice.random() < 0.5:
                self.request([entity])

    def mix(self, who: Iterable[int]) -> None:
        """Change each in one of these ways."""
        for entity in who:
            self.dice.choice([self.write, self.request, self.alter, self.request])([entity])

    def renew(self, who: Iterable[int]) -> None:
        """Delete each and let another be born instead."""
        for entity in who:
            esper.delete_entity(entity, immediate=self.dice.random() < 0.5)
            self.alive.remove(entity)
            self.disturbed.pop(entity)
            self.alive.append(self.spawn())

    # The frame.

    def frame(self) -> None:
        """Process a frame; all it tells must be what the oracle says."""
        self.displaced &= set(self.ledger.bodies)  # a body born asleep does not wake when it is put elsewhere
        self.ledger.look()
        asleep = {entity for entity in self.alive if self.is_asleep(entity)}
        ways, self.ways = self.ways, {}
        walk = Walk(self.ledger)
        for entity in sorted(ways):
            walk.go(entity, ways[entity])
        walk.rest()
        esper.process()
        self.frame_number += 1
        if self.solid:
            results = self.system.results.values()
            shoved = {entity for result in results for entity in result.pushed}
            shoved |= {result.entity for result in results if any(result.moved)}
            self.displaced |= shoved
            self.disturbed.update(dict.fromkeys(shoved, self.frame_number))
        else:
            moved = [(event.entity, event.displacement) for event in self.system.events if isinstance(event, Moved)]
            assert [(entity, (*ways[entity], 0.0)) for entity in sorted(ways)] == moved
        self._assert_rest(asleep)
        self._assert_contacts(self.ledger.frame(), walk.words)

    def _assert_contacts(self, expected: list[tuple[Any, ...]], crossings: Words) -> None:
        told = said(self.system)
        swept = {entity for entity, body in self.ledger.bodies.items() if body.trigger and body.trigger.swept}
        assert [p for p in expected if p[1] not in swept] == [p for p in told if p[1] not in swept]
        words: Words = {}
        for word, trigger, other, *_ in told:
            if trigger in swept:
                words.setdefault((trigger, other), []).append(word)
        assert crossings == words

    def is_asleep(self, entity: int) -> bool:
        """Return whether the body rests."""
        return bool(getattr(esper.try_component(entity, Sleeping), "asleep", False))

    def _assert_rest(self, asleep: set[int]) -> None:
        """Every disturbed sleeper woke, all that were quiet long enough fell asleep, each told once (S2, S4)."""
        number, events = self.frame_number, self.system.events
        woken = [event.entity for event in events if isinstance(event, Woke)]
        fallen = [event.entity for event in events if isinstance(event, FellAsleep)]
        for entity in self.alive:
            sleeping = esper.try_component(entity, Sleeping)
            if sleeping is None or entity not in self.disturbed:
                continue
            was_quiet = self.disturbed[entity] < number
            if entity in asleep and was_quiet:
                assert sleeping.asleep and entity not in woken
            if entity not in asleep:
                due = number - self.disturbed[entity] >= sleeping.after
                assert (entity in fallen, sleeping.asleep and entity not in woken) == (due, due)
        assert (sorted(woken), sorted(fallen)) == (woken, fallen)
        assert asleep & self.displaced <= {*woken}
        self.displaced = set()
