"""Contacts and crossings in a snapshot with a correct checksum: impossible ones are refused (N1).

And what a world can write between two frames, however odd it looks, is restored.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import esper
import pytest
from boards import Board
from snapshot_bytes import Blocks, Triples, lists_of, split, with_lists
from worlds import a_box, a_crate, a_system, a_zone, fresh_world, next_frame, part

from ecs_collision import BoxCollider, CollisionSystem, Fused, Inertia, Motion, SnapshotError, Transform, Trigger
from ecs_collision.snapshot.reader import MAX_FRAME

ZONE, INSIDE, CROSSER, PLAIN, FELLOW, GONE = range(1, 7)
"""A swept trigger, a body inside it, one that crossed it, a trigger that is not swept, one fused to INSIDE, and one
that is removed while it is inside."""

BODIES = 5


def a_board() -> Board:
    """Return a world between two frames, in which the index of each body is its id less one."""
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


def at(*ids: int) -> tuple[int, ...]:
    """Return the indices of bodies."""
    return tuple(id - 1 for id in ids)


def test_the_world_to_be_forged_has_contacts_crossings_and_an_ended_contact():
    board = a_board()
    data = board.world.snapshot()
    _, contacts, crossings, pending = lists_of(split(data), BODIES)
    assert [(*at(ZONE, INSIDE), 0), (*at(PLAIN, INSIDE), 0)] == contacts
    assert [(*at(ZONE, CROSSER), 1), (*at(ZONE, CROSSER), 0)] == crossings
    assert data == with_lists(split(data), BODIES, contacts, crossings)
    assert struct.pack("<qqq", ZONE, GONE, 1) in pending


IMPOSSIBLE: dict[str, tuple[Triples, Triples]] = {
    "a contact of a body that is not a trigger": ([(*at(CROSSER, INSIDE), 0)], []),
    "a contact of a fused body that is not a trigger": ([(*at(FELLOW, CROSSER), 0)], []),
    "a contact of a trigger stored as none": ([(*at(ZONE, INSIDE), -1)], []),
    "a contact of a trigger stored as trigger and as none": ([(*at(ZONE, INSIDE), 0), (*at(ZONE, CROSSER), -1)], []),
    "a contact of a trigger with itself": ([(*at(ZONE, ZONE), 0)], []),
    "a contact with an unknown body": ([(0, 5, 0)], []),
    "a contact of an unknown body": ([(-1, 0, 0)], []),
    "a contact stored twice": ([(*at(ZONE, INSIDE), 0)] * 2, []),
    "a contact inside and lingering": ([(*at(ZONE, INSIDE), 0), (*at(ZONE, INSIDE), 2)], []),
    "contacts in another order": ([(*at(PLAIN, INSIDE), 0), (*at(ZONE, INSIDE), 0)], []),
    "a crossing through a body that is not a trigger": ([], [(*at(CROSSER, INSIDE), 1)]),
    "a crossing through a trigger that is not swept": ([], [(*at(PLAIN, CROSSER), 1)]),
    "a crossing through a trigger stored as not swept": ([], [(*at(ZONE, CROSSER), -2)]),
    "a crossing through itself": ([], [(*at(ZONE, ZONE), 1)]),
    "a crossing of an unknown body": ([], [(*at(ZONE), 99, 1)]),
    "a crossing neither in nor out": ([], [(*at(ZONE, CROSSER), 2)]),
    "a crossing in twice": ([], [(*at(ZONE, CROSSER), 1)] * 2),
    "crossings in another order": ([], [(*at(ZONE, CROSSER), 1), (*at(ZONE, INSIDE), 0)]),
}  # fmt: skip


@pytest.mark.parametrize(("contacts", "crossings"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_contact_or_crossing_is_refused(contacts, crossings):
    assert_refused(lambda blocks: with_lists(blocks, BODIES, contacts or lists_of(blocks, BODIES)[1], crossings))


def assert_refused(forge: Callable[[Blocks], bytes]) -> None:
    """Assert that a forged snapshot is refused and changes nothing."""
    board = a_board()
    data = board.world.snapshot()
    with pytest.raises(SnapshotError, match="the snapshot"):
        board.world.restore(forge(split(data)))
    assert data == board.world.snapshot()
    board.world.check()


def ended(*ids: int) -> bytes:
    """Return pending events that are contacts of triggers that ended: three numbers each."""
    return struct.pack("<4I12x", 0, 0, 0, len(ids)) + struct.pack(f"<{len(ids)}q", *ids)


def stopped(*stops: tuple[int, ...]) -> bytes:
    """Return pending events that are stops."""
    return struct.pack("<4I12x", 0, 0, 5 * len(stops), 0) + b"".join(struct.pack("<5q", *stop) for stop in stops)


A_STOP, ANOTHER = (ZONE, 0, 1, INSIDE, 2), (ZONE, 0, 0, INSIDE + 9, 2)
PENDING: dict[str, bytes] = {
    "an end of one that moved": ended(ZONE, GONE, 0),
    "ends in another order": ended(PLAIN, GONE, 1, ZONE, GONE, 1),
    "a stop on a fourth axis": stopped((ZONE, 3, 1, INSIDE, 2)),
    "a stop in two directions": stopped((ZONE, 0, 2, INSIDE, 2)),
    "a stop without a reason": stopped((ZONE, 0, 1, INSIDE, 0)),
    "a further blocker of no stop": stopped(ANOTHER),
    "stops in another order": stopped((ZONE, 1, 1, INSIDE, 2), A_STOP),
    "neither crushed, crossed nor hit": struct.pack("<7I", 0, 0, 0, 0, 0, 3, 0) + struct.pack("<qqq", 3, ZONE, CROSSER),
    "stayed": struct.pack("<7I", 0, 0, 0, 0, 0, 0, 3) + struct.pack("<qqq", ZONE, CROSSER, 0),
}


@pytest.mark.parametrize("pending", PENDING.values(), ids=PENDING)
def test_impossible_pending_events_are_refused(pending):
    """Entered and Stayed belong to the frame that finds them, so they are never pending."""
    assert_refused(lambda blocks: with_lists(blocks, BODIES, *lists_of(blocks, BODIES)[1:3], pending))


def test_a_stop_with_two_blockers_is_restored():
    board = a_board()
    blocks = split(board.world.snapshot())
    forged = with_lists(blocks, BODIES, *lists_of(blocks, BODIES)[1:3], stopped(A_STOP, ANOTHER))
    board.world.restore(forged)
    assert forged == board.world.snapshot()


def test_only_frames_from_which_a_world_goes_on_are_restored_N1():
    world = a_board().world
    data = world.snapshot()
    blocks = split(data)
    at = {
        number: blocks._replace(unhashed=struct.pack("<q", number) + blocks.unhashed[8:]).joined()
        for number in (-1, MAX_FRAME - 1, MAX_FRAME + 1, 2**62 - 1)
    }
    for number in (-1, MAX_FRAME + 1, 2**62 - 1):
        with pytest.raises(SnapshotError, match="its frame number is out of range"):
            world.restore(at[number])
        assert data == world.snapshot()
    world.restore(at[MAX_FRAME - 1])
    world.step()
    world.restore(world.snapshot())
    world.step()
    with pytest.raises(SnapshotError, match=r"^frame 9007199254740993 is above 2\*\*53"):
        world.snapshot()
    world.step()
    world.check()


# -- Valid states between two frames. -------------------------------------------------------------------------------


def _none(zone: int, body: int, other: int) -> None:
    esper.remove_component(zone, Trigger)


def _set(kind: type[Any], whose: int, **values: Any) -> Callable[..., None]:
    def action(*ids: int) -> None:
        for name, value in values.items():
            setattr(part(ids[whose], kind), name, value)

    return action


ODD: dict[str, Callable[[int, int, int], None]] = {
    "nothing": lambda zone, body, other: None,
    "the trigger is none any more": _none,
    "the trigger is another": lambda *ids: (_none(*ids), esper.add_component(ids[0], Trigger())),
    "the trigger is disabled": _set(Trigger, 0, enabled=False),
    "the trigger is swept no more": _set(Trigger, 0, swept=False),
    "the trigger does not linger any more": _set(Trigger, 0, linger=0),
    "the mask is empty": _set(Trigger, 0, mask=()),
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
@pytest.mark.parametrize("action", ODD.values(), ids=ODD)
def test_any_state_between_two_frames_is_restored_N1(action, start, crossing):
    """The frames after a restore, at once or some frames later, equal those of the original."""
    results = []
    for again in (False, True):
        with fresh_world():
            system = _a_history(action, start, crossing)
            system.check()
            kept = system.snapshot()
            if again:
                system.restore(kept)
            first = [next_frame(system) for _ in range(4)]
            system.restore(kept)
            system.check()
            assert kept == system.snapshot()
            assert first == [next_frame(system) for _ in range(4)]
            results.append(first)
            system.check()
    assert results[0] == results[1]


def _a_history(action: Callable[..., None], start: float, crossing: bool) -> CollisionSystem:
    system = a_system()
    zone, body, other = a_zone(0, swept=True, linger=2), a_crate(0 if start == 7 else start), a_box(30, 0, Inertia(1))
    next_frame(system)
    if start == 7:
        part(body, Transform).x = 7
        next_frame(system)
    if crossing:
        system.move(body, dx=-20)
    system.snapshot()
    action(zone, body, other)
    return system
