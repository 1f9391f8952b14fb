"""The two bodies of events as arrays: those of `events`, in their order."""

from __future__ import annotations

import random

import numpy
import pytest
from boards import Board

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    CollisionWorld,
    Contact,
    ContactBegan,
    ContactEnded,
    Event,
    Inertia,
    Moved,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Woke,
)
from ecs_collision.events import DELIVERY_ORDER, PAIR_KINDS


def a_crowd() -> tuple[CollisionWorld, list[Transform]]:
    """Return a world of triggers and solid bodies that ask for contacts, and their transforms."""
    world, places, chance = CollisionWorld(), [], random.Random(4)
    for number in range(120):
        place = Transform(chance.uniform(0, 9), chance.uniform(0, 9))
        reports = {"trigger": Trigger(stay=number % 4 == 1)} if number % 2 else {"contact": Contact()}
        world.add(transform=place, collider=BoxCollider(0.5, 0.5), inertia=Inertia(1), **reports)
        places.append(place)
    return world, places


def pairs_of(events: list[Event], kind: type[Event]) -> list[list[int]]:
    """Return the first two fields of the events of a kind."""
    _, first, second, *_ = kind.__match_args__
    return [[getattr(event, first), getattr(event, second)] for event in events if type(event) is kind]


@pytest.mark.parametrize("is_read", [False, True], ids=["before the events", "after the events"])
def test_arrays_have_the_bodies_of_the_events_in_their_order_T7(is_read):
    world, places = a_crowd()
    chance, seen = random.Random(5), set()
    for _ in range(12):
        for place in chance.sample(places, 40):
            place.position = (place.x + chance.uniform(-0.6, 0.6), place.y + chance.uniform(-0.6, 0.6))
        world.step()
        if is_read:
            assert world.events
        arrays = {kind: world.events_array(kind) for kind in PAIR_KINDS}
        for kind, array in arrays.items():
            assert (numpy.int64, 2) == (array.dtype, array.shape[1])
            assert pairs_of(world.events, kind) == array.tolist()
            seen |= {kind} if len(array) else set()
    assert {TriggerEntered, TriggerStayed, TriggerLeft, ContactBegan, ContactEnded} <= seen


def test_what_crossed_a_swept_trigger_is_in_the_arrays_T4():
    board = Board()
    board.body(3, trigger=Trigger(swept=True))
    player = board.player(0)
    board.push(player, 6)
    entered = board.world.events_array(TriggerEntered) if board.world.step() else None
    assert pairs_of(board.world.events, TriggerEntered) == entered.tolist() == [[1, 2]]


@pytest.mark.parametrize("kind", [kind for kind in DELIVERY_ORDER if kind not in PAIR_KINDS] + [Event, "moved", None])
def test_a_kind_without_two_bodies_is_refused_with_those_that_have_two(kind):
    name = kind.__name__ if kind in (Woke, Moved, Blocked) else ""
    with pytest.raises(CollisionTypeError, match=rf"events_array\(\) got .*{name}.*TriggerEntered.*read others from"):
        CollisionWorld().events_array(kind)


def test_a_system_gives_the_arrays_of_its_world():
    assert CollisionSystem.events_array.__doc__ == CollisionWorld.events_array.__doc__
    assert (0, 2) == CollisionWorld().events_array(TriggerLeft).shape
