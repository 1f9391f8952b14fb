"""Invalid snapshots, and those of other worlds, are refused without any change (N1)."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest
from boards import Board, trials
from snapshot_bytes import BEGIN, Blocks, lists_of, split
from worlds import a_crate, a_system, a_zone, part

from ecs_collision import (
    BoxCollider,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    SnapshotError,
    Transform,
    Trigger,
)


def a_world(**settings: Any) -> Board:
    """Return a world with all a snapshot can contain: requests, remainders, lingering contacts, deferred results."""
    wild: list[int] = []

    def hook(pusher: int, pushed: int, axis: str, force: float) -> None:
        if pushed in wild:
            raise RuntimeError("no")

    board = Board(can_push=hook, bounds=((-9, -9), (9, 9)), **settings)
    board.player(0, 0, id=1, priority=1)
    board.player(0, 3, id=2)
    board.player(0, 6, id=3, layer="high", mask=["high", "low"])
    board.crate(1, 0, id=4, sleeping=Sleeping(True, 3))
    board.crate(1, 3, id=5, sleeping=Sleeping(False, 5))
    board.crate(1, 6, id=6, layer="high", sleeping=Sleeping(False, 2))
    board.compound((0, 0, 1, 1), (1, 0, 2, 3), x=5, y=5, id=7, inertia=Inertia(x=2))
    board.body(4, -4, id=8, inertia=Inertia(1), fused=Fused(7))
    board.wall(-3, -3, id=9)
    board.body(4, 0, 2, 2, id=10, trigger=Trigger(linger=4, stay=True))
    board.body(4, 3, 2, 2, id=11, trigger=Trigger(swept=True, mask=["default"]))
    board.body(0, -2, 2, 2, id=12, trigger=Trigger(touching=True, enabled=False))
    board.body(-6, 0, id=13)
    board.crate(-6, 6, id=14, sleeping=Sleeping(True))
    board.world.step()
    board.push(1, 5)
    board.push(5, 4)
    board.world.step()
    board.push(4, -3)
    board.world.step()
    board.push(5, 3, force=1)
    board.push(1, -3, -9, force=9)
    board.push(2, 1)
    board.push(14, 1)
    wild.append(6)
    for entity in (1, 2, 3):
        board.world.request(entity, 1 / 3, 0)
        if entity == 2:
            board.world.request(entity, 1)
        if entity == 3:
            board.world.request(entity, 2)
    with pytest.raises(RuntimeError):
        board.world.step()
    wild.clear()
    board.world.request(2, 2, -1)
    board.world.remove(13)
    return board


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return other bytes: bits flipped, a piece removed, added, repeated, exchanged or zeroed."""
    kind, at = rng.randrange(8), rng.randrange(len(data))
    end = min(len(data), at + rng.choice([1, 2, 4, 8, 16, 100]))
    if kind < 3:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    if kind == 3:
        return data[:at]
    if kind == 4:
        return data[:at] + data[end:]
    if kind == 5:
        return data[:at] + rng.randbytes(end - at) + data[at if rng.random() < 0.5 else end :]
    if kind == 6:
        return data + data[at:end]
    other = rng.randrange(len(data))
    low, high, size = min(at, other), max(at, other), min(end - at, abs(at - other), len(data) - max(at, other))
    return (
        data[:low] + data[high : high + size] + data[low + size : high] + data[low : low + size] + data[high + size :]
    )


def test_ten_thousand_damaged_snapshots_are_refused_without_change():
    board, rng = a_world(), random.Random(5)
    data = board.world.snapshot()
    refused, wanted = 0, trials(10_000)
    while refused < wanted:
        mutant = damaged(data, rng)
        if mutant == data:
            continue
        with pytest.raises(SnapshotError):
            board.world.restore(mutant)
        refused += 1
        if refused % 50 == 0:
            assert data == board.world.snapshot()
    assert data == board.world.snapshot()
    board.world.check()


def test_a_forged_snapshot_is_refused_or_a_valid_state():
    """With a correct checksum every value has to be checked: an accepted state can be stepped, checked and saved."""
    board, rng = a_world(), random.Random(6)
    data = board.world.snapshot()
    blocks, taken = split(data), 0
    for number in range(trials(1500)):
        at = rng.choice([0, 1, 1, 2, 2])
        others = {blocks._fields[at]: forged(blocks[at], rng)}
        if rng.random() < 0.2:
            others = {"hashed": with_other_lists(blocks, len(board.world), rng)}
        mutant = blocks._replace(**others).joined()
        try:
            board.world.restore(mutant)
        except SnapshotError:
            if number % 20 == 0:
                assert data == board.world.snapshot(), number
            continue
        taken += mutant != data
        assert_valid_contacts(board, mutant)
        board.world.check()
        kept = board.world.snapshot()
        for _ in range(2):
            board.world.step()
        board.world.check()
        board.world.restore(kept)
        assert kept == board.world.snapshot(), number
        board.world.restore(data)
        assert data == board.world.snapshot(), number
    assert taken > trials(100)


def with_other_lists(blocks: Blocks, bodies: int, rng: random.Random) -> bytes:
    """Return the block with another number in a contact or crossing, which often is another body."""
    positions, contacts, crossings, rest = lists_of(blocks, bodies)
    numbers = [number for triple in (*contacts, *crossings) for number in triple]
    at = rng.randrange(len(numbers))
    numbers[at] = rng.choice([rng.randrange(bodies), rng.choice([-2, -1, 0, 1, 2]), ~numbers[at]])
    return blocks.hashed[:16] + positions + struct.pack(f"<{len(numbers)}q", *numbers) + rest


def assert_valid_contacts(board: Board, data: bytes) -> None:
    """Assert that only triggers have contacts, and that only swept ones are crossed."""
    parts = [board.world._bodies.of(row) for row in board.world._bodies.rows()]
    _, contacts, crossings, _ = lists_of(split(data), len(parts))
    for trigger, other, frames in contacts:
        assert trigger != other
        assert (parts[trigger].trigger is None) == (frames < 0)
    for trigger, other, came in crossings:
        assert trigger != other
        assert (parts[trigger].trigger is None or not parts[trigger].trigger.swept) == (came < 0)


def forged(block: Any, rng: random.Random) -> bytes:
    """Return a block with one number changed, often to a valid one, or with a few bytes flipped."""
    if rng.random() < 0.2:
        return damaged(block, rng)
    at = rng.randrange(len(block))
    if rng.random() < 0.5:
        at -= at % 8
    size = rng.choice([1, 1, 2, 4, 8])
    old = int.from_bytes(block[at : at + size], "little")
    new = rng.choice([old + 1, old - 1, 0, 1, old ^ 1 << rng.randrange(8 * size), rng.getrandbits(8 * size), -1])
    return block[:at] + (new % (1 << 8 * size)).to_bytes(size, "little")[: len(block) - at] + block[at + size :]


def with_coordinate(hashed: bytes, number: int, units: int) -> bytes:
    """Return a block with another coordinate: three of 8 bytes per body, after four counts."""
    at = 16 + 8 * number
    return hashed[:at] + struct.pack("<q", units) + hashed[at + 8 :]


@pytest.mark.parametrize("units", [-(1 << 63), (1 << 63) - 1, 1 << 60, -(1 << 56), 1 << 53, 1 << 40])
def test_a_body_outside_the_world_is_refused_at_any_distance(units):
    board = a_world()
    data = board.world.snapshot()
    blocks = split(data)
    for number in (0, 1, 2, 3 * 11):  # the last body is disabled and has no boxes in the index
        with pytest.raises(SnapshotError, match=r"a position is out of range|outside the range of this world"):
            board.world.restore(blocks._replace(hashed=with_coordinate(blocks.hashed, number, units)).joined())
    assert data == board.world.snapshot()
    board.world.check()


# Differences are named.


def swapped(blocks: Blocks) -> bytes:
    return blocks._replace(hashed=blocks.unhashed, unhashed=blocks.hashed).joined()


NO_SNAPSHOTS: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda data: b"", "these bytes are not a snapshot"),
    (lambda data: data[: BEGIN - 1], "these bytes are not a snapshot"),
    (lambda data: b"PK" + data[2:], "these bytes are not a snapshot"),
    (lambda data: data[:-1], "has 2705 bytes instead of 2706: some are missing or were added"),
    (lambda data: data + b"\n", "some are missing or were added"),
    (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged: its checksum is wrong; use an intact copy"),
    (lambda data: split(data)._replace(version=1).joined(), "has format 1, but this version of .* reads 4"),
    (lambda data: swapped(split(data)), "has a state that this world cannot have"),
    (lambda data: split(data)._replace(fields=b"").joined(), "list of bodies ends too soon"),
    (lambda data: split(data)._replace(unhashed=b"").joined(), "has a state that this world cannot have"),
]


@pytest.mark.parametrize(("change", "words"), NO_SNAPSHOTS, ids=[words[:30] for _, words in NO_SNAPSHOTS])
def test_bytes_that_are_not_a_snapshot_are_refused_with_a_reason(change, words):
    board = a_world()
    data = board.world.snapshot()
    with pytest.raises(SnapshotError, match=words.replace("2706", str(len(data))).replace("2705", str(len(data) - 1))):
        board.world.restore(change(data))
    assert data == board.world.snapshot()


def test_a_snapshot_error_is_a_value_error():
    assert issubclass(SnapshotError, CollisionValueError)
    with pytest.raises(CollisionTypeError, match=r"restore\(\) got 'text'; give the bytes that snapshot\(\) returned"):
        CollisionWorld().restore("text")  # type: ignore[arg-type]


SETTINGS: list[tuple[dict[str, Any], str]] = [
    ({"bin_size": 2.0}, "bin_size is 2.0 here and 1.0 in the snapshot"),
    ({"rule": "sum"}, "rule is 'sum' here and 'each' in the snapshot"),
    ({"max_chain": 3}, "max_chain is 3 here and None in the snapshot"),
    ({"all_or_nothing": True}, "all_or_nothing is True here and False in the snapshot"),
    ({"axis_order": "yxz"}, "axis_order is 'yxz' here and 'xyz' in the snapshot"),
    ({"order": "front_first"}, "order is 'front_first' here and 'sequential' in the snapshot"),
    ({"overlap_policy": "leave"}, "overlap_policy is 'leave' here and 'block_deeper' in the snapshot"),
    ({"bounds": ((0, 0), (5, 5))}, r"bounds is \(\(0.0, 0.0\), \(5.0, 5.0\)\) here and None in the snapshot"),
    ({"can_push": print}, "this world has a can_push hook, but the snapshot has none"),
]


@pytest.mark.parametrize(("settings", "words"), SETTINGS, ids=[words for _, words in SETTINGS])
def test_other_settings_are_named(settings, words):
    plain, other = Board(), Board(**settings)
    for board in (plain, other):
        board.crate(1)
    before = other.world.snapshot()
    with pytest.raises(SnapshotError, match=f"of another world: {words}"):
        other.world.restore(plain.world.snapshot())
    assert before == other.world.snapshot()


def test_a_missing_hook_is_named():
    plain, other = Board(), Board(can_push=print)
    with pytest.raises(SnapshotError, match="the snapshot has a can_push hook, but this world has none"):
        plain.world.restore(other.world.snapshot())


def crate(board: Board, **more: Any) -> None:
    board.crate(0, id=5, **more)


BODIES: list[tuple[Callable[[Board], Any], str]] = [
    (lambda board: None, "entity 5 is a body in the snapshot, but not here"),
    (lambda board: (crate(board), board.crate(3, id=9)), "entity 9 is a body here, but not in the snapshot"),
    (lambda board: board.body(0, id=5), "entity 5 has a Inertia in the snapshot, but not here"),
    (lambda board: crate(board, motion=Motion()), "entity 5 has a Motion here, but not in the snapshot"),
    (lambda board: crate(board, sleeping=Sleeping()), "entity 5 has a Sleeping here, but not in the snapshot"),
    (lambda board: crate(board, trigger=Trigger()), "entity 5 has a Trigger here, but not in the snapshot"),
    (lambda board: board.compound((0, 0, 1, 1), id=5, inertia=Inertia(1)),
        "entity 5 has a CompoundCollider here, but not in the snapshot; entity 5 has a BoxCollider in the snapshot"),
    (lambda board: board.wall(0, id=5),
        "entity 5 has a Static here, but not in the snapshot; entity 5 has a Inertia in the snapshot, but not here"),
]  # fmt: skip


@pytest.mark.parametrize(("fill", "words"), BODIES, ids=[words for _, words in BODIES])
def test_other_bodies_are_named(fill, words):
    one, other = Board(), Board()
    crate(one)
    fill(other)
    before = other.world.snapshot()
    with pytest.raises(SnapshotError, match=words):
        other.world.restore(one.world.snapshot())
    assert before == other.world.snapshot()
    other.world.check()


def test_bodies_and_components_deleted_since_are_named(world):
    import esper

    system = a_system()
    crate, zone = a_crate(0), a_zone(5)
    snapshot = system.snapshot()
    esper.remove_component(zone, Trigger)
    with pytest.raises(SnapshotError, match=f"entity {zone} has a Trigger in the snapshot, but not here$"):
        system.restore(snapshot)
    esper.delete_entity(crate)
    with pytest.raises(SnapshotError) as caught:
        system.restore(snapshot)
    text = str(caught.value)
    assert f"entity {crate} is a body in the snapshot, but not here; entity {zone} has a Trigger" in text
    assert text.endswith(
        "; restore needs the same entities: disable bodies instead of deleting them (collider.enabled = False), and "
        "make all of them first, in the same order"
    )
    assert part(zone, Transform).x == 5


# A refused restore keeps pending changes.


def test_a_refused_restore_leaves_pending_writes_pending(world):
    system = a_system()
    one, two = a_crate(0), a_crate(5)
    data = system.snapshot()
    blocks = split(data)
    # the second body far outside, and the file size of the first, 1 x 1, larger than the world
    far = blocks.hashed[:16] + blocks.hashed[16:40] + struct.pack("<q", 1 << 50) + blocks.hashed[48:]
    part(one, Transform).x = 2.0
    part(two, BoxCollider).layer = "high"
    for _ in range(2):
        with pytest.raises(
            SnapshotError, match=f"does not fit into this world: entity {two}: Transform.x is 17179869184"
        ):
            system.restore(blocks._replace(hashed=far).joined())
    assert part(one, Transform).position == (2, 0, 0)
    assert part(two, BoxCollider).layer == "high"
    assert system.space.overlapping(((1.9, 0), (2.1, 0.1))) == [one]
    assert system.space.at(5, 0, layers="high") == [two]
    system.check()


FORGED: list[tuple[Callable[[], Any], Callable[[], Any], str]] = [
    (lambda: Motion(1), lambda: Motion(1, all_or_nothing=True), 'Motion.all_or_nothing is True; order="front_first"'),
    (lambda: Fused(2), lambda: Fused(3), "entity 3: Fused.to is 3, the entity itself"),
    (lambda: Fused(2), lambda: Fused(7), "entity 3: Fused.to is 7, which is not a body of this world"),
    (lambda: BoxCollider(0.5, 0.5), lambda: BoxCollider(2.0**35, 0.5), "BoxCollider.hx is 34359738368.0, which puts"),
]


@pytest.mark.parametrize(("first", "second", "words"), FORGED, ids=[words for *_, words in FORGED])
def test_fields_that_would_be_refused_as_changes_are_refused(first, second, words):
    """A snapshot of one world with the fields of another world, in which they are valid."""
    worlds = []
    for make, bin_size, order in ((first, 1.0, "front_first"), (second, 2.0**16, "sequential")):
        world = CollisionWorld(bin_size=bin_size, order=order)
        for entity in (2, 7)[: 2 if make is second else 1]:
            world.add(entity, transform=Transform(entity, 3), collider=BoxCollider(0.5, 0.5))
        part = make()
        collider = part if isinstance(part, BoxCollider) else BoxCollider(0.5, 0.5)
        more = {} if part is collider else {type(part).__name__.lower(): part}
        if getattr(part, "to", 0) == 3:
            more = {"fused": Fused(2)}
        world.add(3, transform=Transform(0, 0), collider=collider, **more)
        worlds.append(world)
    world, other = worlds
    blocks = split(world.snapshot())
    record = record_in(split(other.snapshot()).fields, 3)
    if words.endswith("itself"):
        record = record.replace(struct.pack("<q", 2), struct.pack("<q", 3))
    old = record_in(blocks.fields, 3)
    fields = blocks.fields[: -len(old) - 4] + struct.pack("<I", len(record)) + record
    before = world.snapshot()
    with pytest.raises(SnapshotError, match=words):
        world.restore(blocks._replace(fields=fields).joined())
    assert before == world.snapshot()
    world.check()


def record_in(fields: bytes, entity: int) -> bytes:
    """Return the record of a body, which follows its id, its kinds and the length of the record."""
    at = 4 + struct.unpack_from("<I", fields)[0] + 4
    while True:
        who, _, length = struct.unpack_from("<qII", fields, at)
        if who == entity:
            return fields[at + 16 : at + 16 + length]
        at += 16 + length
