"""Hypothesis plays at random with two worlds; after every step all answers equal brute force and a rebuilt index."""

from __future__ import annotations

import copy
from typing import Any

import esper
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from ledger import Ledger, bodies, boxes_overlap, boxes_touch, overlapping_pairs
from plays import COLLIDERS, MASKS, SHAPE_NUMBERS, SHAPES, SPOTS, STEPS, a_shape, options
from worlds import a_system, said

from ecs_collision import Box, CollisionWorld, Inertia, Motion, Sleeping, Static, Transform, Trigger

ROLES = st.sampled_from(["player", "player", "crate", "wall", "zone", "roving zone"])
WHO = st.integers(0, 30)
NAMES = {Inertia: "inertia", Motion: "motion", Sleeping: "sleeping", Static: "static", Trigger: "trigger"}


def rebuilt() -> CollisionWorld:
    """Return a world made afresh of copies of all bodies of the current esper world."""
    world = CollisionWorld(bin_size=1.0)
    for entity, body in bodies().items():
        more = {name: esper.try_component(entity, kind) for kind, name in NAMES.items()}
        parts = {"transform": body.transform, "collider": body.collider} | more
        world.add(entity, **{name: part.copy() for name, part in parts.items() if part is not None})
    return world


def answers(space: Any) -> dict[str, Any]:
    """Return the index and what it says of itself, which may not depend on its history (B5)."""
    return {
        "cells": list(space.cells),
        "static cells": list(space.static_cells),
        "regions": [(region.asleep, tuple(region.cells)) for region in space.regions()],
        "pairs": space.pairs(),
        "pairs with triggers": space.pairs(triggers=True),
    }


class TwoWorlds(RuleBasedStateMachine):
    """Everything a game does to bodies, in two esper worlds."""

    @initialize()
    def begin(self) -> None:
        self.before = esper.current_world
        self.systems, self.ledgers = {}, {}
        for name in ("left", "right"):
            esper.switch_world(name)
            self.systems[name] = a_system()
            self.ledgers[name] = Ledger()

    def teardown(self) -> None:
        if hasattr(self, "before"):
            esper.switch_world(self.before)
            for name in self.systems:
                esper.delete_world(name)

    @property
    def system(self) -> Any:
        return self.systems[esper.current_world]

    def one(self, number: int) -> int:
        living = list(bodies())
        return living[number % len(living)]

    def component(self, number: int, kind: type[Any]) -> Any:
        return esper.try_component(self.one(number), kind)

    @rule(spot=SPOTS, shape=SHAPE_NUMBERS, role=ROLES, sleeps=st.booleans(), opts=options(swept=False))
    def create(self, spot, shape, role, sleeps, opts):
        parts = [Transform(*spot), a_shape(shape)]
        if role == "wall":
            parts.append(Static())
        elif sleeps:
            parts.append(Sleeping(after=2))
        if role in ("player", "roving zone"):
            parts.append(Motion(force=3))
        if role in ("player", "crate"):
            parts.append(Inertia(1))
        if "zone" in role:
            parts.append(opts.trigger())
        esper.create_entity(*parts)

    @precondition(lambda self: bodies())
    @rule(number=WHO, by=STEPS)
    def move(self, number, by):
        if not esper.has_component(entity := self.one(number), Static) and bodies()[entity].taking_part:
            self.system.move(entity, *by, force=3.0)

    @precondition(lambda self: bodies())
    @rule(number=WHO, by=STEPS)
    def request(self, number, by):
        if motion := self.component(number, Motion):
            motion.move(*by)

    @precondition(lambda self: bodies())
    @rule(number=WHO, spot=SPOTS)
    def teleport(self, number, spot):
        self.system.teleport(self.one(number), *spot)

    @precondition(lambda self: bodies())
    @rule(number=WHO, spot=SPOTS)
    def write(self, number, spot):
        self.component(number, Transform).position = spot

    @precondition(lambda self: bodies())
    @rule(number=WHO, shape=SHAPE_NUMBERS)
    def resize(self, number, shape):
        collider, sizes = bodies()[self.one(number)].collider, SHAPES[shape]
        if isinstance(sizes[0], Box):
            if hasattr(collider, "parts"):
                collider.parts = sizes
        elif hasattr(collider, "hx"):
            collider.hx, collider.hy = sizes

    @precondition(lambda self: bodies())
    @rule(number=WHO, asleep=st.booleans())
    def sleep_or_wake(self, number, asleep):
        if sleeping := self.component(number, Sleeping):
            sleeping.asleep = asleep

    @precondition(lambda self: bodies())
    @rule(number=WHO, enabled=st.booleans())
    def enable(self, number, enabled):
        bodies()[self.one(number)].collider.enabled = enabled

    @precondition(lambda self: bodies())
    @rule(number=WHO, layer=st.sampled_from("ab"), mask=MASKS)
    def filter(self, number, layer, mask):
        collider = bodies()[self.one(number)].collider
        collider.layer, collider.mask = layer, mask

    @precondition(lambda self: bodies())
    @rule(number=WHO, immediate=st.booleans())
    def delete(self, number, immediate):
        esper.delete_entity(self.one(number), immediate=immediate)

    @precondition(lambda self: bodies())
    @rule(number=WHO, kind=st.sampled_from([Transform, Inertia, Motion, Sleeping, Trigger]))
    def replace(self, number, kind):
        if old := self.component(number, kind):
            esper.add_component(self.one(number), copy.copy(old))

    @precondition(lambda self: bodies())
    @rule(number=WHO, shape=SHAPE_NUMBERS)
    def replace_collider(self, number, shape):
        entity = self.one(number)
        for kind in COLLIDERS:
            if esper.has_component(entity, kind):
                esper.remove_component(entity, kind)
        esper.add_component(entity, a_shape(shape))

    @precondition(lambda self: bodies())
    @rule(number=WHO)
    def sleeping_added_or_removed(self, number):
        entity = self.one(number)
        if esper.has_component(entity, Sleeping):
            esper.remove_component(entity, Sleeping)
        elif not esper.has_component(entity, Static):
            esper.add_component(entity, Sleeping(asleep=True, after=1))

    @rule()
    def clear_database(self):
        esper.clear_database()

    @rule()
    def switch_world(self):
        esper.switch_world("right" if esper.current_world == "left" else "left")

    @rule()
    def process(self):
        esper.process()
        assert self.ledgers[esper.current_world].frame() == said(self.system)

    @rule(corner=SPOTS, size=st.tuples(st.integers(0, 12), st.integers(0, 12)), triggers=st.booleans())
    def ask(self, corner, size, triggers):
        box = (*corner, -0.5), (corner[0] + size[0] / 4, corner[1] + size[1] / 4, 0.5)
        here = {e: body for e, body in bodies().items() if body.taking_part and (triggers or body.trigger is None)}
        for answer, test in (("overlapping", boxes_overlap), ("touching", boxes_touch)):
            expected = [entity for entity, body in here.items() if any(test(box, other) for other in body.boxes())]
            if answer == "touching":
                meeting = self.system.space.overlapping(box, triggers=triggers)
                expected = [entity for entity in expected if entity not in meeting]
            assert expected == getattr(self.system.space, answer)(box, triggers=triggers)

    @invariant()
    def all_answers_equal_brute_force_and_a_rebuilt_index(self):
        if not hasattr(self, "before"):
            return
        self.ledgers[esper.current_world].look()
        system = self.system
        system.check()
        assert answers(rebuilt().space) == answers(system.space)
        assert overlapping_pairs() == system.space.pairs()
        assert overlapping_pairs(triggers=True) == system.space.pairs(triggers=True)


TestTwoWorlds = TwoWorlds.TestCase
TestTwoWorlds.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
