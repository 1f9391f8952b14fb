"""The contact store compared with a dict of pairs."""

from __future__ import annotations

import random

import pytest

from ecs_collision import BoxCollider, CollisionWorld, Transform
from ecs_collision.bodies.columns import ASKS, TRIGGER


@pytest.mark.parametrize("rows", [4, 20, 60])
def test_a_store_equals_a_set_of_pairs_through_changes_and_rollbacks(rows):
    """Few rows have many contacts each, so tables grow, wrap around and close the holes of what ended."""
    world = CollisionWorld()
    for _ in range(rows):
        world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1))
    world.step()
    store, chance = world._step.triggers.contacts, random.Random(rows)
    pairs = [(a, b) for a in range(rows) for b in range(rows) if a != b]
    known: dict[tuple[int, int], tuple[bool, int]] = {}
    before = dict(known)
    for turn in range(600):
        if turn % 100 == 0:
            if turn % 200:
                store.rollback()
                known = before
            store.mark()
            before = dict(known)
            store.check()
        assert known == {(row, other): (lingering, kind) for row, other, lingering, kind in store.all()}
        pair = chance.choice(pairs)
        if pair not in known:
            known[pair] = (False, chance.choice((TRIGGER, ASKS)))
            store.restore(*pair, known[pair][1])
        elif chance.random() < 0.3:
            known[pair] = (True, known[pair][1])
            store.set_lingering(*pair)
        elif chance.random() < 0.2:
            store.restore(*pair, ASKS)
            known[pair] = (False, known[pair][1])
        else:
            store.remove(*pair)
            del known[pair]
        for reporter, other in chance.sample(pairs, 3):
            assert known.get((reporter, other), (False, 0)) == (
                store.lingers(reporter, other),
                store.kind(reporter, other),
            )
            mine = [each for each in known if reporter in each]
            assert sorted(mine) == sorted(store.of_row(reporter))
    store.check()
    assert len(known) == store.pair_count
