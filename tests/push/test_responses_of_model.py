"""Random worlds of movers that push, slide along or cross what they meet, beside the model of the rules (M9)."""

from __future__ import annotations

import random

import pytest
from boards import many

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Motion,
    Mover,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.components import Box
from tests.model.oracle import checked

LAYERS = ("crate", "ghost", "glass")
RESPONSES = ("push", "slide", "cross")


def random_world(rng, **settings):
    """Return a small world without overlaps of most bodies, and the ids of its movers."""
    world, movers = CollisionWorld(**settings), []
    for _ in range(rng.randint(3, 9)):
        layer = rng.choice(LAYERS)
        collider = BoxCollider(rng.choice((0.5, 1)), rng.choice((0.5, 1)), layer=layer)
        if rng.random() < 0.2:
            collider = CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(2, 0))], layer=layer)
        parts = {"transform": Transform(rng.randint(-4, 4), rng.randint(-4, 4)), "collider": collider}
        kind = rng.random()
        if kind < 0.5:
            responses = {name: rng.choice(RESPONSES) for name in LAYERS if rng.random() < 0.7}
            parts |= {"motion": Motion(force=rng.choice((1, 3))), "mover": Mover(rng.choice(RESPONSES))}
            parts["mover"].responses = responses
        if 0.3 < kind < 0.8:
            parts["inertia"] = Inertia(rng.choice((1, 2)))
        elif kind >= 0.9:
            parts["static"] = Static()
        if rng.random() < 0.25:
            parts["contact"] = Contact()
        elif rng.random() < 0.1:
            parts["trigger"] = Trigger(swept=True)
        if movers and "static" not in parts and rng.random() < 0.15:
            parts["fused"] = Fused(movers[0])
        id = world.add(**parts)
        if "motion" in parts:
            movers.append(id)
    return world, movers


def play(seed, steps):
    rng = random.Random(seed)
    world, movers = random_world(
        rng,
        order=rng.choice(("sequential", "front_first")),
        rule=rng.choice(("each", "sum")),
        overlap_policy=rng.choice(("block_deeper", "leave")),
    )
    if rng.random() < 0.5:
        world.reports_overlaps = True
    everything, saved = sorted(world._bodies.row_of), None
    with checked(world) as oracle:
        for _ in range(steps if movers else 0):
            kind = rng.random()
            by = (rng.choice((0, 0.5, 1, 2, 5)) * rng.choice((1, -1)), rng.choice((0, 0, 0.5, 1, 3)))
            if kind < 0.5:
                for id in rng.sample(movers, rng.randint(1, len(movers))):
                    world.request(id, *by)
                world.step()
            elif kind < 0.8:
                world.move(rng.choice(movers), *by)
            elif kind < 0.85:
                world.teleport(rng.choice(everything), rng.randint(-4, 4), rng.randint(-4, 4))
            elif kind < 0.9:
                saved = world.snapshot()
            elif kind < 0.95 and saved is not None:
                world.restore(saved)
            else:
                world.step()
            world.check()
        return oracle.checks


@pytest.mark.parametrize("seed", [*range(20), *many(0, more=500)])
def test_the_model_of_the_rules_predicts_responses_M9(seed):
    play(seed, 25)
