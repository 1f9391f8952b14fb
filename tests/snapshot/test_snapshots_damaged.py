"""What is no snapshot of this world is refused, and nothing has changed (N1)."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest
from boards import Board, trials
from snapshot_bytes import BEGIN, Blocks, lists_of, taken_apart
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
    """Return a world with all that a snapshot can hold: requests, remainders, lingering contacts, results put off."""
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


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Return other bytes: bits turned, a piece lost, added, repeated, exchanged or blanked."""
    kind, at = dice.randrange(8), dice.randrange(len(data))
    end = min(len(data), at + dice.choice([1, 2, 4, 8, 16, 100]))
    if kind < 3:
        return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
    if kind == 3:
        return data[:at]
    if kind == 4:
        return data[:at] + data[end:]
    if kind == 5:
        return data[:at] + dice.randbytes(end - at) + data[at if dice.random() < 0.5 else end :]
    if kind == 6:
        return data + data[at:end]
    other = dice.randrange(len(data))
    low, high, size = min(at, other), max(at, other), min(end - at, abs(at - other), len(data) - max(at, other))
    return (
        data[:low] + data[high : high + size] + data[low + size : high] + data[low : low + size] + data[high + size :]
    )


def test_ten_thousand_damaged_snapshots_are_refused_and_nothing_has_changed():
    board, dice = a_world(), random.Random(5)
    data = board.world.snapshot()
    refused, wanted = 0, trials(10_000)
    while refused < wanted:
        mutant = damaged(data, dice)
        if mutant == data:
            continue
        with pytest.raises(SnapshotError):
            board.world.restore(mutant)
        refused += 1
        if refused % 50 == 0:
            assert data == board.world.snapshot()
    assert data == board.world.snapshot()
    board.world.check()


def test_a_forged_snapshot_is_refused_or_a_state_like_any_other():
    """With a true checksum every value has to be judged: what is let in can be stepped, checked, kept and restored."""
    board, dice = a_world(), random.Random(6)
    data = board.world.snapshot()
    blocks, taken = taken_apart(data), 0
    for number in range(trials(1500)):
        at = dice.choice([0, 1, 1, 2, 2])
        others = {blocks._fields[at]: forged(blocks[at], dice)}
        if dice.random() < 0.2:
            others = {"state": with_other_lists(blocks, len(board.world), dice)}
        mutant = blocks._replace(**others).sealed()
        try:
            board.world.restore(mutant)
        except SnapshotError:
            if number % 20 == 0:
                assert data == board.world.snapshot(), number
            continue
        taken += mutant != data
        assert_contacts_can_be(board, mutant)
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


def with_other_lists(blocks: Blocks, bodies: int, dice: random.Random) -> bytes:
    """Return the block with a number of a contact or a way that is another, which often names another body."""
    places, contacts, ways, behind = lists_of(blocks, bodies)
    numbers = [number for triple in (*contacts, *ways) for number in triple]
    at = dice.randrange(len(numbers))
    numbers[at] = dice.choice([dice.randrange(bodies), dice.choice([-2, -1, 0, 1, 2]), ~numbers[at]])
    return blocks.state[:16] + places + struct.pack(f"<{len(numbers)}q", *numbers) + behind


def assert_contacts_can_be(board: Board, data: bytes) -> None:
    """Of a snapshot that was let in: only triggers have contacts, and only those that are swept are crossed."""
    parts = [board.world.bodies.of(row) for row in board.world.bodies.rows()]
    _, contacts, ways, _ = lists_of(taken_apart(data), len(parts))
    for trigger, other, frames in contacts:
        assert trigger != other
        assert (parts[trigger].trigger is None) == (frames < 0)
    for trigger, other, came in ways:
        assert trigger != other
        assert (parts[trigger].trigger is None or not parts[trigger].trigger.swept) == (came < 0)


def forged(block: Any, dice: random.Random) -> bytes:
    """Return a block with one number changed in a way that is often legal, or with a few bytes turned."""
    if dice.random() < 0.2:
        return damaged(block, dice)
    at = dice.randrange(len(block))
    if dice.random() < 0.5:
        at -= at % 8
    size = dice.choice([1, 1, 2, 4, 8])
    old = int.from_bytes(block[at : at + size], "little")
    new = dice.choice([old + 1, old - 1, 0, 1, old ^ 1 << dice.randrange(8 * size), dice.getrandbits(8 * size), -1])
    return block[:at] + (new % (1 << 8 * size)).to_bytes(size, "little")[: len(block) - at] + block[at + size :]


def with_place(state: bytes, number: int, units: int) -> bytes:
    """Return a block with another coordinate: three of 8 bytes a body, behind four counts."""
    at = 16 + 8 * number
    return state[:at] + struct.pack("<q", units) + state[at + 8 :]


@pytest.mark.parametrize("units", [-(1 << 63), (1 << 63) - 1, 1 << 60, -(1 << 56), 1 << 53, 1 << 40])
def test_a_body_beyond_the_world_is_refused_however_far(units):
    board = a_world()
    data = board.world.snapshot()
    blocks = taken_apart(data)
    for number in (0, 1, 2, 3 * 11):  # the last is disabled and has no boxes in the index
        with pytest.raises(SnapshotError, match=r"a position is out of range|outside the range of this world"):
            board.world.restore(blocks._replace(state=with_place(blocks.state, number, units)).sealed())
    assert data == board.world.snapshot()
    board.world.check()


def test_a_record_that_says_it_is_longer_is_refused():
    """Also the last one, behind which there is nothing."""
    board = a_world()
    data = board.world.snapshot()
    blocks = taken_apart(data)
    length = len(record_in(blocks.seldom, 14))
    at = len(blocks.seldom) - length - 4
    longer = blocks.seldom[:at] + struct.pack("<I", length + 1) + blocks.seldom[at + 4 :]
    with pytest.raises(SnapshotError, match="list of bodies ends too soon: a record is cut off"):
        board.world.restore(blocks._replace(seldom=longer).sealed())
    assert data == board.world.snapshot()


def test_what_waits_to_be_told_has_one_form():
    """Displacements in another order, of nobody or of nothing are not how a world tells them."""
    board = Board()
    for number in range(3):
        board.push(board.crate(3 * number), 1)
    data = board.world.snapshot()
    blocks = taken_apart(data)
    waiting = len(blocks.state) - struct.unpack_from("<IIII", blocks.state)[3]
    counts, rows = blocks.state[waiting : waiting + 28], blocks.state[waiting + 28 :]
    assert len(rows) == 3 * 32
    fewer = struct.pack("<7I", 8, *[0] * 6)
    for forgery in (
        counts + rows[32:64] + rows[:32] + rows[64:],
        counts + rows[:32] + rows[:32] + rows[64:],
        counts + struct.pack("<4q", 1, 0, 0, 0) + rows[32:],
        counts + struct.pack("<4q", -1, 5, 0, 0) + rows[32:],
        counts + struct.pack("<4q", 1, 1 << 62, 1, 0) + rows[32:],
        fewer + rows,
    ):
        state = blocks.state[:12] + struct.pack("<I", len(forgery)) + blocks.state[16:waiting] + forgery
        with pytest.raises(SnapshotError, match=r"the snapshot's pending events|bytes that are not a value"):
            board.world.restore(blocks._replace(state=state).sealed())
    assert data == board.world.snapshot()


# What differs is named.


def swapped(blocks: Blocks) -> bytes:
    return blocks._replace(state=blocks.apart, apart=blocks.state).sealed()


NO_SNAPSHOTS: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda data: b"", "these bytes are not a snapshot"),
    (lambda data: data[: BEGIN - 1], "these bytes are not a snapshot"),
    (lambda data: b"PK" + data[2:], "these bytes are not a snapshot"),
    (lambda data: data[:-1], "has 2705 bytes instead of 2706: some are missing or were added"),
    (lambda data: data + b"\n", "some are missing or were added"),
    (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged: its checksum is wrong; use an intact copy"),
    (lambda data: taken_apart(data)._replace(version=2).sealed(), "has format 2, but this version of .* reads 1"),
    (lambda data: swapped(taken_apart(data)), "has a state that this world cannot have"),
    (lambda data: taken_apart(data)._replace(seldom=b"").sealed(), "list of bodies ends too soon"),
    (lambda data: taken_apart(data)._replace(apart=b"").sealed(), "has a state that this world cannot have"),
]


@pytest.mark.parametrize(("change", "words"), NO_SNAPSHOTS, ids=[words[:30] for _, words in NO_SNAPSHOTS])
def test_what_is_no_snapshot_is_refused_in_words(change, words):
    board = a_world()
    data = board.world.snapshot()
    with pytest.raises(SnapshotError, match=words.replace("2706", str(len(data))).replace("2705", str(len(data) - 1))):
        board.world.restore(change(data))
    assert data == board.world.snapshot()


def test_a_snapshot_error_is_an_error_of_a_value():
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
    ({"overlap_policy": "block_deeper"}, "overlap_policy is 'block_deeper' here and 'leave' in the snapshot"),
    ({"bounds": ((0, 0), (5, 5))}, r"bounds is \(\(0.0, 0.0\), \(5.0, 5.0\)\) here and None in the snapshot"),
    ({"can_push": print}, "this world has a can_push hook, but the snapshot has none"),
]


@pytest.mark.parametrize(("settings", "words"), SETTINGS, ids=[words for _, words in SETTINGS])
def test_another_configuration_is_named(settings, words):
    plain, other = Board(), Board(**settings)
    for board in (plain, other):
        board.crate(1)
    before = other.world.snapshot()
    with pytest.raises(SnapshotError, match=f"of another world: {words}"):
        other.world.restore(plain.world.snapshot())
    assert before == other.world.snapshot()


def test_that_the_hook_is_missing_is_named():
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


def test_a_body_deleted_or_stripped_since_is_missed(world):
    import esper

    system = a_system()
    crate, zone = a_crate(0), a_zone(5)
    snapshot = system.snapshot()
    esper.remove_component(zone, Trigger)
    with pytest.raises(SnapshotError, match=f"entity {zone} has a Trigger in the snapshot, but not here"):
        system.restore(snapshot)
    esper.delete_entity(crate)
    with pytest.raises(SnapshotError, match=f"entity {crate} is a body in the snapshot, but not here"):
        system.restore(snapshot)
    assert part(zone, Transform).x == 5


# What is refused leaves also what was pending.


def test_a_refused_restore_leaves_pending_writes_pending(world):
    system = a_system()
    one, two = a_crate(0), a_crate(5)
    data = system.snapshot()
    blocks = taken_apart(data)
    # the second body far outside, and the first one's file size of 1 x 1 grown beyond the world
    far = blocks.state[:16] + blocks.state[16:40] + struct.pack("<q", 1 << 50) + blocks.state[48:]
    part(one, Transform).x = 2.0
    part(two, BoxCollider).layer = "high"
    for _ in range(2):
        with pytest.raises(
            SnapshotError, match=f"does not fit into this world: entity {two}: Transform.x is 17179869184"
        ):
            system.restore(blocks._replace(state=far).sealed())
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


@pytest.mark.parametrize(("mine", "theirs", "words"), FORGED, ids=[words for *_, words in FORGED])
def test_fields_that_a_take_in_would_refuse_are_refused(mine, theirs, words):
    """A snapshot of one world with the fields of another, where they would be legal."""
    worlds = []
    for make, bin_size, order in ((mine, 1.0, "front_first"), (theirs, 2.0**16, "sequential")):
        world = CollisionWorld(bin_size=bin_size, order=order)
        for entity in (2, 7)[: 2 if make is theirs else 1]:
            world.add(entity, transform=Transform(entity, 3), collider=BoxCollider(0.5, 0.5))
        part = make()
        collider = part if isinstance(part, BoxCollider) else BoxCollider(0.5, 0.5)
        more = {} if part is collider else {type(part).__name__.lower(): part}
        if getattr(part, "to", 0) == 3:
            more = {"fused": Fused(2)}
        world.add(3, transform=Transform(0, 0), collider=collider, **more)
        worlds.append(world)
    world, other = worlds
    blocks = taken_apart(world.snapshot())
    record = record_in(taken_apart(other.snapshot()).seldom, 3)
    if words.endswith("itself"):
        record = record.replace(struct.pack("<q", 2), struct.pack("<q", 3))
    old = record_in(blocks.seldom, 3)
    seldom = blocks.seldom[: -len(old) - 4] + struct.pack("<I", len(record)) + record
    before = world.snapshot()
    with pytest.raises(SnapshotError, match=words):
        world.restore(blocks._replace(seldom=seldom).sealed())
    assert before == world.snapshot()
    world.check()


def record_in(seldom: bytes, entity: int) -> bytes:
    """Return the record of a body: behind its id, its kinds and the length of the record."""
    at = 4 + struct.unpack_from("<I", seldom)[0] + 4
    while True:
        who, _, length = struct.unpack_from("<qII", seldom, at)
        if who == entity:
            return seldom[at + 16 : at + 16 + length]
        at += 16 + length
