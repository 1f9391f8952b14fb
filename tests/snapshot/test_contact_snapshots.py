"""Contacts of solid bodies in snapshots: they go on after a restore, and impossible ones are refused (rules N1, C3)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import esper
import pytest
from snapshot_bytes import Triples, lists_of, split, with_lists
from worlds import a_box, a_player, a_system, fresh_world, part

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Contact,
    ContactBegan,
    ContactEnded,
    LeftReason,
    SnapshotError,
    Static,
    Transform,
    Trigger,
)

ASKING, OTHER, ZONE, PLAIN, GONE = range(1, 6)
"""A body that asks and is in contact with OTHER, a trigger that OTHER is in, one of neither kind, and one that is
removed while it is in contact with ASKING."""

BODIES = 4


def a_world() -> CollisionWorld:
    """Return a world between two frames, in which the index of each body is its id less one."""
    world = CollisionWorld()

    def at(x: float, y: float = 0.0) -> dict[str, Any]:
        return {"transform": Transform(x, y), "collider": BoxCollider(0.5, 0.5)}

    world.add(ASKING, **at(0), contact=Contact(linger=3))
    world.add(OTHER, **at(1))
    world.add(ZONE, **at(1), trigger=Trigger(linger=3))
    world.add(PLAIN, **at(9))
    world.add(GONE, **at(-1))
    world.step()
    world.remove(GONE)
    return world


def at(*ids: int) -> tuple[int, ...]:
    """Return the indices of bodies."""
    return tuple(id - 1 for id in ids)


def asked(reporter: int, other: int, frames: int = 0) -> tuple[int, int, int]:
    """Return a contact of a body that asks, as it is stored: the other is inverted."""
    return reporter - 1, ~(other - 1), frames


def test_contacts_and_those_that_ended_are_in_a_snapshot_N1():
    world = a_world()
    data = world.snapshot()
    _, contacts, crossings, pending = lists_of(split(data), BODIES)
    assert [asked(ASKING, OTHER), (*at(ZONE, OTHER), 0)] == contacts
    assert [] == crossings
    assert data == with_lists(split(data), BODIES, contacts, [])
    assert struct.pack("<qqq", ASKING, GONE, 1) in pending
    assert [ContactEnded(2, ASKING, GONE, LeftReason.DELETED)] == world.step().events
    world.restore(data)
    assert data == world.snapshot()
    assert [ContactEnded(2, ASKING, GONE, LeftReason.DELETED)] == world.step().events
    assert [OTHER] == world.contacts(ASKING)


IMPOSSIBLE: dict[str, Triples] = {
    "of a body that does not ask": [asked(PLAIN, OTHER)],
    "of a trigger that asks": [asked(ZONE, OTHER)],
    "of a body that asks, as of a trigger": [(*at(ASKING, OTHER), 0)],
    "of a body that asks, stored as ending": [asked(ASKING, OTHER, -1)],
    "of both kinds": [asked(ASKING, OTHER), (*at(ASKING, OTHER), -1)],
    "stored twice": [asked(ASKING, OTHER)] * 2,
    "in another order": [asked(ASKING, OTHER), asked(ASKING, ZONE)],
    "with itself": [asked(ASKING, ASKING)],
    "with an unknown body": [asked(ASKING, 99)],
}


@pytest.mark.parametrize("contacts", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_contact_is_refused_and_nothing_changes_N1(contacts):
    world = a_world()
    data = world.snapshot()
    with pytest.raises(SnapshotError, match="the snapshot has a state that this world cannot have"):
        world.restore(with_lists(split(data), BODIES, contacts, []))
    assert data == world.snapshot()
    world.check()


def test_a_trigger_and_a_body_that_asks_may_end_contacts_with_the_same_body_N1():
    world = a_world()
    data = world.snapshot()
    left = struct.pack("<qqq", ASKING, GONE, 1)
    pending = struct.pack("<5I8x", 0, 0, 0, 3, 3) + left + left  # the body was a trigger once, and asked later
    _, contacts, _, _ = lists_of(split(data), BODIES)
    both = with_lists(split(data), BODIES, contacts, [], pending)
    world.restore(both)
    assert both == world.snapshot()


def test_the_state_hash_has_the_contacts_and_how_long_they_linger_N2():
    world = a_world()
    hashes = [world.state_hash()]
    world.step()
    hashes.append(world.state_hash())
    world.teleport(OTHER, 1, 5)
    for _ in range(2):
        world.step()
        hashes.append(world.state_hash())
    world._bodies.of(world._bodies.row(ASKING)).contact.linger = 1
    hashes.append(world.state_hash())
    assert len(set(hashes)) == len(hashes)


ODD: dict[str, Callable[[int, int], Any]] = {
    "nothing": lambda asks, other: None,
    "it asks no more": lambda asks, other: esper.remove_component(asks, Contact),
    "it asks again": lambda asks, other: (esper.remove_component(asks, Contact), esper.add_component(asks, Contact())),
    "it is a trigger": lambda asks, other: (
        esper.remove_component(asks, Contact),
        esper.add_component(asks, Trigger(touching=True)),
    ),
    "its mask is empty": lambda asks, other: setattr(part(asks, Contact), "mask", ()),
    "it lingers no more": lambda asks, other: setattr(part(asks, Contact), "linger", 0),
    "the other is static": lambda asks, other: esper.add_component(other, Static()),
    "the other asks too": lambda asks, other: esper.add_component(other, Contact()),
    "the other is disabled": lambda asks, other: setattr(part(other, BoxCollider), "enabled", False),
    "the other is elsewhere": lambda asks, other: setattr(part(other, Transform), "x", 50),
    "the other is deleted": lambda asks, other: esper.delete_entity(other),
}


@pytest.mark.parametrize("start", [1, 7], ids=["in contact", "lingering"])
@pytest.mark.parametrize("action", ODD.values(), ids=ODD)
def test_any_state_between_two_frames_is_restored_N1_C3(action, start):
    """The frames after a restore, at once or some frames later, equal those of the original."""
    results = []
    for again in (False, True):
        with fresh_world():
            system = a_system()
            asks, other = a_box(0, 0, Contact(linger=3)), a_box(1, 0)
            esper.process()
            part(other, Transform).x = start
            esper.process()
            action(asks, other)
            kept = system.snapshot()
            if again:
                for _ in range(3):
                    part(asks, Transform).y += 5
                    esper.process()
                system.restore(kept)
                assert kept == system.snapshot()
                system.check()
            got = []
            for _ in range(6):
                esper.process()
                system.check()
                got.append((list(system.events), system.state_hash()))
            results.append(got)
    assert results[0] == results[1]


def test_undelivered_contact_events_come_first_after_a_restore_with_their_normals_T7(world):
    system, heard, wild = a_system(), [], [True]

    @system.on(ContactBegan)
    def listen(event: ContactBegan) -> None:
        if wild.pop():
            raise KeyboardInterrupt
        heard.append(event)

    asks, first, second = a_player(0, 0, Contact()), a_box(1, 0), a_box(0, 1)
    with pytest.raises(KeyboardInterrupt):
        esper.process()
    kept = system.snapshot()
    for _ in range(2):
        wild[:] = [False] * 9
        esper.process()
        assert [ContactBegan(1, asks, second, (0.0, 1.0, 0.0))] == heard
        heard.clear()
        system.restore(kept)
        assert kept == system.snapshot()
    assert first < second
