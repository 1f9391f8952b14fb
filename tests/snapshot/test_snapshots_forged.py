"""Contacts and crossings in a snapshot with a true checksum: what no world can have written is refused (N1).

And what a world can write between two frames, however odd it looks, is restored.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import esper
import pytest
from boards import Board
from snapshot_bytes import Blocks, Triples, lists_of, taken_apart
from worlds import a_box, a_crate, a_system, a_zone, fresh_world, next_frame, part

from ecs_collision import BoxCollider, CollisionSystem, Fused, Inertia, Motion, SnapshotError, Transform, Trigger
from ecs_collision.fixed_point import MAX_INTEGER

ZONE, INSIDE, CROSSER, PLAIN, FELLOW, GONE = range(1, 7)
"""A swept trigger, who is inside, who crossed it, a trigger that is not swept, who is fused to INSIDE, and a body that
is removed while it is inside."""

BODIES = 5


def a_board() -> Board:
    """Return a world between two frames, in which each body stands at the place of its id less one."""
    board = Board()
    board.body(0, 0, 2, 2, id=ZONE, trigger=Trigger(swept=True, linger=2))
    board.crate(0, 0, id=INSIDE)
    board.crate(-5, 1, id=CROSSER, motion=Motion(force=0))
    board.body(0, 0, 2, 2, id=PLAIN, trigger=Trigger())
    board.crate(20, 0, id=FELLOW, fused=Fused(INSIDE))
    board.crate(1, 0, id=GONE)
    board.world.step()
    board.push(CROSSER, 20)
    board.world.remove(GONE)
    return board


def with_lists(blocks: Blocks, contacts: Triples, ways: Triples, waiting: bytes | None = None) -> bytes:
    """Return a snapshot with other contacts and ways, and its checksum true."""
    places, _, _, behind = lists_of(blocks, BODIES)
    behind = behind if waiting is None else waiting
    head = struct.pack("<IIII", len(contacts), len(ways), 0, len(behind))
    triples = b"".join(struct.pack("<qqq", *triple) for triple in (*contacts, *ways))
    return blocks._replace(state=head + places + triples + behind).sealed()


def at(*ids: int) -> tuple[int, ...]:
    """Return the places of bodies."""
    return tuple(id - 1 for id in ids)


def test_the_world_to_be_forged_has_contacts_crossings_and_an_end():
    board = a_board()
    data = board.world.snapshot()
    _, contacts, ways, waiting = lists_of(taken_apart(data), BODIES)
    assert [(*at(ZONE, INSIDE), 0), (*at(PLAIN, INSIDE), 0)] == contacts
    assert [(*at(ZONE, CROSSER), 1), (*at(ZONE, CROSSER), 0)] == ways
    assert data == with_lists(taken_apart(data), contacts, ways)
    assert struct.pack("<qqq", ZONE, GONE, 1) in waiting


MANY_FRAMES = MAX_INTEGER + 2

CONTACTS: dict[str, tuple[Triples, str]] = {
    "of a body that is no trigger": ([(*at(CROSSER, INSIDE), 0)], "entity 3 has inconsistent contacts"),
    "of a fused body that is no trigger": ([(*at(FELLOW, CROSSER), 0)], "entity 5 has inconsistent contacts"),
    "of a trigger that is said to be none": ([(*at(ZONE, INSIDE), -1)], "entity 1 has inconsistent contacts"),
    "of a trigger that is one and none": (
        [(*at(ZONE, INSIDE), 0), (*at(ZONE, CROSSER), -1)], "entity 1 has inconsistent contacts"
    ),
    "of a trigger with itself": ([(*at(ZONE, ZONE), 0)], "a contact has bodies that do not exist"),
    "with nobody": ([(0, 5, 0)], "a contact has bodies that do not exist"),
    "of nobody": ([(-1, 0, 0)], "a contact has bodies that do not exist"),
    "told twice": ([(*at(ZONE, INSIDE), 0)] * 2, "its contacts are out of order"),
    "told inside and lingering": ([(*at(ZONE, INSIDE), 0), (*at(ZONE, INSIDE), 2)], "its contacts are out of order"),
    "in another order": ([(*at(PLAIN, INSIDE), 0), (*at(ZONE, INSIDE), 0)], "its contacts are out of order"),
    "that lasts for ever": ([(*at(ZONE, INSIDE), MANY_FRAMES)], "a contact lasts too long"),
    "of no trigger that lasts for ever": ([(*at(CROSSER, INSIDE), ~MANY_FRAMES)], "a contact lasts too long"),
}  # fmt: skip


@pytest.mark.parametrize(("contacts", "words"), CONTACTS.values(), ids=CONTACTS)
def test_a_contact_that_no_world_can_have_is_refused(contacts, words):
    board = a_board()
    data = board.world.snapshot()
    with pytest.raises(SnapshotError, match=words):
        board.world.restore(with_lists(taken_apart(data), contacts, []))
    assert data == board.world.snapshot()
    board.world.check()


WAYS: dict[str, tuple[Triples, str]] = {
    "through a body that is no trigger": ([(*at(CROSSER, INSIDE), 1)], "entity 3 has inconsistent crossings"),
    "through a trigger that is not swept": ([(*at(PLAIN, CROSSER), 1)], "entity 4 has inconsistent crossings"),
    "through a trigger that is said to be swept no more": (
        [(*at(ZONE, CROSSER), -2)], "entity 1 has inconsistent crossings"
    ),
    "through itself": ([(*at(ZONE, ZONE), 1)], "a crossing has bodies that do not exist"),
    "of nobody": ([(*at(ZONE), 99, 1)], "a crossing has bodies that do not exist"),
    "neither in nor out": ([(*at(ZONE, CROSSER), 2)], "a crossing has bodies that do not exist"),
    "out of where it is not": ([(*at(ZONE, CROSSER), 0)], "a crossing enters or leaves twice"),
    "into where it is": ([(*at(ZONE, INSIDE), 1)], "a crossing enters or leaves twice"),
    "in twice": ([(*at(ZONE, CROSSER), 1)] * 2, "a crossing enters or leaves twice"),
    "in another order": ([(*at(ZONE, CROSSER), 1), (*at(ZONE, INSIDE), 0)], "its crossings are out of order"),
}  # fmt: skip


@pytest.mark.parametrize(("ways", "words"), WAYS.values(), ids=WAYS)
def test_a_way_that_no_world_can_have_is_refused(ways, words):
    board = a_board()
    data = board.world.snapshot()
    blocks = taken_apart(data)
    with pytest.raises(SnapshotError, match=words):
        board.world.restore(with_lists(blocks, lists_of(blocks, BODIES)[1], ways))
    assert data == board.world.snapshot()
    board.world.check()


ENDS: dict[str, tuple[bytes, str]] = {
    "that goes on": (struct.pack("<qqq", ZONE, INSIDE, 1), "a contact is both open and ended"),
    "that ended as one that moved": (struct.pack("<qqq", ZONE, GONE, 0), "pending events are invalid"),
    "with itself": (struct.pack("<qqq", ZONE, ZONE, 1), "pending events are invalid"),
    "told twice": (struct.pack("<qqq", ZONE, GONE, 1) * 2, "pending events are invalid"),
}


@pytest.mark.parametrize(("left", "words"), ENDS.values(), ids=ENDS)
def test_an_end_that_no_world_can_tell_is_refused(left, words):
    board = a_board()
    data = board.world.snapshot()
    blocks = taken_apart(data)
    _, contacts, ways, _ = lists_of(blocks, BODIES)
    waiting = struct.pack("<4I12x", 0, 0, 0, len(left) // 8) + left
    with pytest.raises(SnapshotError, match=words):
        board.world.restore(with_lists(blocks, contacts, ways, waiting))
    assert data == board.world.snapshot()


@pytest.mark.parametrize("list_number", [4, 5, 6])
def test_what_only_the_end_of_a_frame_tells_waits_in_no_snapshot(list_number):
    """Entered, Stayed and crossings: they are told by the frame that finds them."""
    board = a_board()
    blocks = taken_apart(board.world.snapshot())
    _, contacts, ways, _ = lists_of(blocks, BODIES)
    counts = [0] * 7
    counts[list_number] = 3
    waiting = struct.pack("<7I", *counts) + struct.pack("<qqq", ZONE, CROSSER, 0)
    with pytest.raises(SnapshotError, match=r"pending events|bytes that are not a value"):
        board.world.restore(with_lists(blocks, contacts, ways, waiting))


# -- What a world can write between two frames. ---------------------------------------------------------------------


def _none(zone: int, body: int, other: int) -> None:
    esper.remove_component(zone, Trigger)


def _set(kind: type[Any], whose: int, **values: Any) -> Callable[..., None]:
    def act(*ids: int) -> None:
        for name, value in values.items():
            setattr(part(ids[whose], kind), name, value)

    return act


ODD: dict[str, Callable[[int, int, int], None]] = {
    "nothing": lambda zone, body, other: None,
    "the trigger is none any more": _none,
    "the trigger is another": lambda *ids: (_none(*ids), esper.add_component(ids[0], Trigger())),
    "the trigger is disabled": _set(Trigger, 0, enabled=False),
    "the trigger is swept no more": _set(Trigger, 0, swept=False),
    "the trigger does not linger any more": _set(Trigger, 0, linger=0),
    "the mask names nobody": _set(Trigger, 0, mask=()),
    "the body is disabled": _set(BoxCollider, 1, enabled=False),
    "the body is fused to the trigger": lambda zone, body, other: esper.add_component(body, Fused(zone)),
    "the body is fused to another": lambda zone, body, other: esper.add_component(body, Fused(other)),
    "another is fused to the body": lambda zone, body, other: esper.add_component(other, Fused(body)),
    "the body is a trigger itself": lambda zone, body, other: esper.add_component(body, Trigger(swept=True)),
    "the body is elsewhere": _set(Transform, 1, position=(50, 50)),
    "the other is deleted": lambda zone, body, other: esper.delete_entity(other),
    "the body is deleted": lambda zone, body, other: esper.delete_entity(body),
}


@pytest.mark.parametrize("crossing", [False, True], ids=["", "crossing"])
@pytest.mark.parametrize("start", [0, -5, 7], ids=["inside", "outside", "lingering"])
@pytest.mark.parametrize("act", ODD.values(), ids=ODD)
def test_what_a_world_writes_between_two_frames_is_restored_N1(act, start, crossing):
    """The frames behind a restore, at once and when frames have passed, are those behind the original."""
    told = []
    for again in (False, True):
        with fresh_world():
            system = _a_history(act, start, crossing)
            system.check()
            kept = system.snapshot()
            if again:
                system.restore(kept)
            first = [next_frame(system) for _ in range(4)]
            system.restore(kept)
            system.check()
            assert kept == system.snapshot()
            assert first == [next_frame(system) for _ in range(4)]
            told.append(first)
            system.check()
    assert told[0] == told[1]


def _a_history(act: Callable[..., None], start: float, crossing: bool) -> CollisionSystem:
    system = a_system()
    zone, body, other = a_zone(0, swept=True, linger=2), a_crate(0 if start == 7 else start), a_box(30, 0, Inertia(1))
    next_frame(system)
    if start == 7:
        part(body, Transform).x = 7
        next_frame(system)
    if crossing:
        system.move(body, dx=-20)
    system.snapshot()
    act(zone, body, other)
    return system
