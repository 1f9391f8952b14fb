"""Snapshots: the state of a world as bytes, and back (rules N1 and N2).

A snapshot is a head (magic, version, lengths, checksum) and three blocks: what seldom changes (census.py), what else
the state hash counts (positions, contacts, requests, what waits to be told), and what it does not (frame number,
sleep, remainders). It says what is so and nothing of how it came about: no row, no order of creation, no cache.
What is derived from the state, such as the index, is not stored either, and brought up to date by a restore.

All numbers are little-endian. A restore judges everything before it applies anything.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy

from ecs_collision.components import Collider, Component
from ecs_collision.errors import CollisionTypeError, SnapshotError
from ecs_collision.events import Event
from ecs_collision.kernels.columns import ASLEEP
from ecs_collision.lattice import LARGEST, LARGEST_WHOLE, LATTICE
from ecs_collision.world.census import Census, digest_of
from ecs_collision.world.intake import lies_within
from ecs_collision.world.packing import little, numbers_of
from ecs_collision.world.records import components_in, take_over
from ecs_collision.world.stepping import Stepping
from ecs_collision.world.unserved import Unserved, told, untold
from ecs_collision.writes import REWRITTEN

MAGIC, VERSION = b"ECSCSNAP", 1
_HEAD = struct.Struct("<8sIIII16s")
"""Magic, version, lengths of the three blocks, checksum."""
_STATE = struct.Struct("<IIII")
"""Counts of contacts, changes on the way and requests, and bytes of what waits to be told."""
_REQUEST = struct.Struct("<qddd")
_APART = struct.Struct("<qIII")
"""Frame number, counts of remainders, of those who woke and who fell asleep."""
_REMAINDER = struct.Struct("<qdddqqq")

_IDLE = (0.0,) * 6 + (0,) * 3
_BIG = sys.byteorder == "big"
Numbers = Any


class _Then(NamedTuple):
    """What a snapshot tells of what changes every turn."""

    places: Numbers
    contacts: list[tuple[int, int, int]]
    ways: list[tuple[int, int, bool]]
    asked: dict[int, tuple[Any, ...]]
    number: int
    waited: Sequence[int]
    unserved: Unserved


class Snapshots:
    """Takes snapshots of a world and restores them."""

    def __init__(self, stepping: Stepping) -> None:
        self._stepping = stepping
        self._bodies = stepping.bodies
        self._census = Census(stepping.bodies, stepping.settings)

    # Taking.

    def take(self, undelivered: Sequence[Event] = ()) -> bytes:
        """Return the state as bytes; everything pending has been taken in."""
        self._census.look()
        block, state, apart = self._census.block, self._state(undelivered), self._apart()
        head = _HEAD.pack(MAGIC, VERSION, len(block), len(state), len(apart), bytes(16))
        head = head[:-16]
        return b"".join([head, digest_of(head + self._census.digest + state + apart), block, state, apart])

    def digest(self, undelivered: Sequence[Event] = ()) -> str:
        """Return the hash of the state without frame number, sleep and remainders, in hexadecimal (N2)."""
        self._census.look()
        return digest_of(self._census.digest + self._state(undelivered)).hex()

    def _state(self, undelivered: Sequence[Event]) -> bytes:
        census, stepping = self._census, self._stepping
        triggers, place_of = stepping.triggers, census.place_of
        contacts: list[tuple[int, int, int]] = []
        if triggers.contacts.pair_count:
            told_of = triggers.told(stepping.number)
            contacts = sorted([(place_of[row], place_of[other], frames) for row, other, frames in told_of])
        ways = [(place_of[row], place_of[other], came) for row, other, came in triggers.sweeps.told()]
        if len(ways) > 1:
            ways.sort(key=lambda way: way[:2])
        requests = [
            _REQUEST.pack(place, motion.dx + 0.0, motion.dy + 0.0, motion.dz + 0.0)
            for place, _, motion in census.motions
            if motion.asks()
        ]
        waiting = told(stepping.journal, stepping.late, undelivered)
        return b"".join(
            [
                _STATE.pack(len(contacts), len(ways), len(requests), len(waiting)),
                self._positions(),
                _flat(contacts),
                _flat(ways),
                *requests,
                waiting,
            ]
        )

    def _positions(self) -> bytes:
        rows, pos = self._census.rows, self._bodies.columns.pos
        if self._census.is_in_order and not _BIG:
            return pos[: 3 * len(rows)].tobytes()
        table = numpy.frombuffer(pos, numpy.int64).reshape(-1, 3)
        return table[numpy.asarray(rows, numpy.intp)].astype("<i8").tobytes()

    def _apart(self) -> bytes:
        census, stepping, journal = self._census, self._stepping, self._stepping.journal
        flags, quiet, coming = self._bodies.columns.flags, stepping.resting.quiet, stepping.number + 1
        waited = [-1 if flags[row] & ASLEEP else quiet(row, coming) for row, _ in census.sleepers]
        left = [
            _REMAINDER.pack(place, *remainder)
            for place, _, motion in census.motions
            if any((remainder := _remainder(motion.asked()))[:3])
        ]
        counts = _APART.pack(stepping.number, len(left), len(journal.woke), len(journal.fell))
        numbers = (*waited, *sorted(journal.woke), *sorted(journal.fell))
        return b"".join([counts, little(array("q", numbers)), *left])

    # Restoring.

    def restore(self, data: bytes) -> tuple[Event, ...]:
        """Set everything back to a snapshot and return what had not been delivered; raises SnapshotError as a whole."""
        census, written = self._census, self._rewritten()
        census.look()
        block, state, apart = _opened(data, census)
        others = census.others(block, written) if written or block != census.block else {}
        fresh = {row: components_in(*entry) for row, entry in others.items()}
        then = _read(state, apart, census)
        self._judge_positions(then.places, fresh)
        self._apply(then, fresh)
        return then.unserved.undelivered

    def _rewritten(self) -> set[int]:
        """Return the rows of which a field was written and not taken in."""
        writes = self._bodies.writes
        return {row for row in writes.rows[: writes.count] if writes.kinds[row] & REWRITTEN}

    def _judge_positions(self, places: Numbers, fresh: Mapping[int, Sequence[Component | None]]) -> None:
        """Write the positions on the slate, in place of what was pending; where one is refused, nothing is changed."""
        placing, writes, rows = self._bodies.placing, self._bodies.writes, self._census.rows
        written = writes.rows[: writes.count]
        pending = [(row, writes.kinds[row], writes.wanted[3 * row : 3 * row + 3]) for row in written]
        wrong = placing.want(rows, places.data)
        fault = f"entity {self._bodies.entity(rows[wrong])} has a position beyond all worlds" if wrong >= 0 else ""
        if not fault:
            settings = self._stepping.settings
            odd = placing.judge(settings.range_low, settings.range_high)
            doubtful = {*placing.odd[:odd], *fresh} if odd or fresh else ()
            fault = self._misplaced(doubtful, fresh)
            if fault:
                placing.recall(rows)
                for row, kind, wanted in pending:
                    writes.wanted[3 * row : 3 * row + 3] = wanted
                    writes.note(row, kind)
        if fault:
            raise SnapshotError(f"the snapshot cannot be restored: {fault}")

    def _misplaced(self, rows: Iterable[int], fresh: Mapping[int, Sequence[Component | None]]) -> str:
        """Return which of some rows does not fit into the world where it wants to be."""
        bodies, settings = self._bodies, self._stepping.settings
        for row in sorted(rows, key=bodies.entity):
            shape = bodies.shapes[row]
            for component in fresh.get(row, ()):
                if isinstance(component, Collider):
                    shape = component.boxes()
            at = bodies.wanted(row)
            if not all(lies_within(faces, at, settings.range_low, settings.range_high) for faces in shape):
                return f"entity {bodies.entity(row)} would lie outside the range of this world"
        return ""

    # Nothing below refuses anything.

    def _apply(self, then: _Then, fresh: Mapping[int, Sequence[Component | None]]) -> None:
        bodies, stepping, number = self._bodies, self._stepping, then.number
        triggers = stepping.triggers
        for row, components in fresh.items():
            parts = [part for part in bodies.of(row) if part is not None]
            for part, wanted in zip(parts, components, strict=True):
                if wanted is not None:
                    take_over(part, wanted)
            bodies.writes.note(row, REWRITTEN)
        self._put_in_place(number + 1)
        rows = self._census.rows
        triggers.set_back([(rows[a], rows[b], frames) for a, b, frames in then.contacts], number)
        triggers.sweeps.set_back([(rows[a], rows[b], came) for a, b, came in then.ways])
        self._ask_again(then.asked)
        if then.waited:
            sleepers = zip(self._census.sleepers, then.waited, strict=True)
            stepping.resting.set_back({row: None if quiet < 0 else quiet for (row, _), quiet in sleepers}, number)
        stepping.jump(number, then.unserved)

    def _put_in_place(self, frame: int) -> None:
        """Bring all bodies to what the slate says, quietly; who is elsewhere now looks at everything around it."""
        bodies, changed = self._bodies, self._bodies.changed
        bodies.placing.apply(frame)
        bodies.settle_flatness()
        for row in bodies.placing.odd[: bodies.placing.odd_count]:
            moved, altered, _ = bodies.update(row, bodies.has(row, ASLEEP))
            if moved or altered:
                changed.note(row, True)
        for row in changed.rows[: changed.count]:
            changed.altered[row] = True

    def _ask_again(self, asked: Mapping[int, tuple[Any, ...]]) -> None:
        requests = self._bodies.requests
        requests.clear()
        for place, row, motion in self._census.motions:
            wanted = asked.get(place, _IDLE)
            if motion.asked() != wanted:
                motion._ask_again(wanted)
            if motion.asks():
                requests.add(row)


# Reading.


def _opened(data: bytes, census: Census) -> tuple[bytes, bytes, bytes]:
    """Return the three blocks of a snapshot that is whole and of this version."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise CollisionTypeError(f"restore() got {data!r}; give the bytes that snapshot() returned")
    data = bytes(data)
    if len(data) < _HEAD.size or not data.startswith(MAGIC):
        raise SnapshotError("these bytes are no snapshot; give what snapshot() returned, as it is")
    _, version, *lengths, checksum = _HEAD.unpack_from(data)
    if version != VERSION:
        raise SnapshotError(f"the snapshot has format {version}, this version of ecs_collision reads format {VERSION}")
    first, second, third = _HEAD.size + lengths[0], _HEAD.size + lengths[0] + lengths[1], _HEAD.size + sum(lengths)
    if third != len(data):
        raise SnapshotError(f"the snapshot has {len(data)} bytes instead of {third}: it was cut off or added to")
    block, state, apart = data[_HEAD.size : first], data[first:second], data[second:]
    digest = census.digest if block == census.block else digest_of(block)
    if checksum != digest_of(data[: _HEAD.size - 16] + digest + state + apart):
        raise SnapshotError("the snapshot is damaged: its checksum is another; use a copy that is whole")
    return block, state, apart


def _read(state: bytes, apart: bytes, census: Census) -> _Then:
    """Return what the blocks tell that change every turn; raises SnapshotError where that is no state of this world."""
    try:
        return _then(state, apart, census)
    except (struct.error, ValueError) as cause:
        raise SnapshotError(f"the snapshot tells of no state that this world can have: {cause}") from cause


def _then(state: bytes, apart: bytes, census: Census) -> _Then:
    count = len(census.rows)
    contact_count, way_count, request_count, waiting = _STATE.unpack_from(state)
    at = _STATE.size + 24 * count
    places = numpy.frombuffer(state, "<i8", 3 * count, _STATE.size).reshape(-1, 3) * LATTICE
    contacts, at = _triples(state, at, contact_count, count)
    ways, at = _triples(state, at, way_count, count)
    _sound(all(frames >= 0 for _, _, frames in contacts), "a contact that ended long ago")
    _sound(_ascending([contact[:2] for contact in contacts]), "contacts out of order")
    requests = list(_REQUEST.iter_unpack(state[at : at + _REQUEST.size * request_count]))
    at += _REQUEST.size * request_count
    number, left_count, woke_count, fell_count = _APART.unpack_from(apart)
    behind = _APART.size + 8 * (len(census.sleepers) + woke_count + fell_count)
    numbers = numbers_of(apart[_APART.size : behind]).tolist()
    waited, ids = numbers[: len(census.sleepers)], numbers[len(census.sleepers) :]
    left = list(_REMAINDER.iter_unpack(apart[behind:]))
    _sound(len(requests) == request_count and len(state) == at + waiting, "lists of another length than they say")
    _sound(len(left) == left_count and len(numbers) == len(waited) + len(ids), "lists of another length than they say")
    _sound(0 <= number < LARGEST_WHOLE, "a frame number out of range")
    woke, fell = ids[:woke_count], ids[woke_count:]
    _sound(_ascending(woke) and _ascending(fell) and not {*woke} & {*fell}, "sleepers out of order")
    asked = _asked(requests, left, {place for place, _, _ in census.motions})
    unserved = untold(state[at:], woke, fell)
    return _Then(places, contacts, _judged(ways), asked, number, waited, unserved)


def _sound(is_sound: bool, what: str) -> None:
    if not is_sound:
        raise ValueError(what)


def _ascending(items: Sequence[Any]) -> bool:
    """Return whether each item is greater than the one before."""
    return all(a < b for a, b in pairwise(items))


def _triples(data: bytes, at: int, count: int, places: int) -> tuple[list[tuple[int, int, int]], int]:
    """Return so many (place, another place, number) and where they end."""
    end = at + 24 * count
    numbers = numbers_of(data[at:end])
    _sound(len(numbers) == 3 * count, "lists of another length than they say")
    triples = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
    _sound(all(0 <= a < places and 0 <= b < places and a != b for a, b, _ in triples), "bodies that are not there")
    return triples, end


def _judged(ways: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, bool]]:
    """Return the changes on the way; those of a pair follow each other, and alternate."""
    for before, behind in pairwise(ways):
        _sound(before[:2] < behind[:2] or (before[:2] == behind[:2] and before[2] != behind[2]), "ways out of order")
    _sound(all(came in (0, 1) for _, _, came in ways), "ways that lead nowhere")
    return [(trigger, other, bool(came)) for trigger, other, came in ways]


def _asked(requests: Sequence[tuple[Any, ...]], left: Sequence[tuple[Any, ...]], places: set[int]) -> dict[int, Any]:
    """Return what motions ask for and what is left over, by place."""
    for listed in (requests, left):
        _sound(_ascending([entry[0] for entry in listed]), "requests out of order")
        _sound(all(entry[0] in places and any(entry[1:4]) for entry in listed), "requests of what has no Motion")
        _sound(all(-LARGEST <= by <= LARGEST for entry in listed for by in entry[1:4]), "requests out of range")
    for entry in left:
        for by, sign in zip(entry[1:4], entry[4:], strict=True):
            _sound(abs(by) <= LATTICE and (sign in (-1, 1) if by else sign == 0), "remainders out of range")
    asked = {entry[0]: entry[1:] + _IDLE[3:] for entry in requests}
    for entry in left:
        asked[entry[0]] = asked.get(entry[0], _IDLE)[:3] + entry[1:]
    return asked


def _remainder(asked: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what is left over per axis, and the signs; that of nothing is 0."""
    left, signs = asked[3:6], asked[6:]
    return (*[by + 0.0 for by in left], *[sign if by else 0 for by, sign in zip(left, signs, strict=True)])


def _flat(triples: Iterable[tuple[int, int, int]]) -> bytes:
    return little(array("q", [number for triple in triples for number in triple]))
