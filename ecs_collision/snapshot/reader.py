"""Reads the blocks of a snapshot that change every turn: lists of fixed records, checked as they are read."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ecs_collision.components import Parts
from ecs_collision.errors import SnapshotError
from ecs_collision.events import Event
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE, MAX_INTEGER
from ecs_collision.snapshot.codec import little_endian, numbers_of
from ecs_collision.snapshot.dynamics_section import SavedDynamics, read_dynamics
from ecs_collision.snapshot.pending_events import PendingEvents, read_events, read_pending

HASHED = struct.Struct("<IIII")
"""Head of the block that the state hash covers: counts of contacts, crossings and requests, bytes of
pending events."""
UNHASHED = struct.Struct("<qIIII")
"""Head of the block that it leaves out: frame number, counts of bodies that woke, of bodies that fell asleep
and of remainders, bytes of undelivered events."""
REQUEST = struct.Struct("<qddd")
REMAINDER = struct.Struct("<qdddqqq")

_HIGH_BYTES = b"\x00\xff"
"""The highest byte of numbers below 2**56, whose sums with any size fit 64 bits."""

NO_REQUEST = (0.0,) * 6 + (0,) * 3
"""`Motion.asked()` without a request and without remainders."""

Triples = list[tuple[int, int, int]]

MAX_FRAME = 2**53
"""Largest frame number of a snapshot; at a million frames a second a world gets there in 285 years."""

MAX_FRAMES_LEFT = MAX_INTEGER + 1
"""Maximum number of frames that a contact lingers, from the frame after a crossing on (T5)."""


class SavedState(NamedTuple):
    """The state that changes every turn. Bodies are given by their index in the order of ids.

    `positions` are in units, little-endian. `contacts` are the bytes of (reporter, other, frames left). `crossings` are
    (trigger, other, whether it entered) on paths through swept triggers. `requests` are those of motions by index.
    `quiet_frames` has the number of quiet frames of each sleeper, -1 if it is asleep. `overlaps` are the known pairs of
    solid bodies (T11), None if they were not tracked. `dynamics` are velocities, remainders and kept contacts (I8).

    The other of a contact is stored `inverted` if the reporter is a solid body that asks for contacts. The third number
    is stored `inverted` if the reporter no longer has its Trigger or Contact component (for a crossing: no swept
    Trigger). Such an entry ends with the coming frame.
    """

    positions: bytes
    contacts: bytes
    crossings: Triples
    requests: Mapping[int, tuple[Any, ...]]
    number: int
    quiet_frames: Sequence[int]
    pending: PendingEvents
    undelivered: tuple[Event, ...]
    overlaps: list[tuple[int, int]] | None
    dynamics: SavedDynamics


class ReadContext(NamedTuple):
    """The data of a world that reading its snapshot needs; stored contacts equal to `contacts` need no check.

    `entity_at` returns the entity of an index, `parts_at` the components that the snapshot gives it.
    """

    bodies: int
    sleepers: int
    velocities: int
    movers: Collection[int]
    contacts: bytes
    entity_at: Callable[[int], int]
    parts_at: Callable[[int], Parts]


def read(hashed: bytes, unhashed: bytes, context: ReadContext) -> SavedState:
    """Return the state in two blocks; raises SnapshotError if the world cannot have it."""
    try:
        return _read(hashed, unhashed, context)
    except SnapshotError:
        raise
    except (struct.error, ValueError) as cause:
        raise SnapshotError(f"the snapshot has a state that this world cannot have: {cause}") from cause


def _read(hashed: bytes, unhashed: bytes, context: ReadContext) -> SavedState:
    contact_count, crossing_count, request_count, pending_size = HASHED.unpack_from(hashed)
    number, woke_count, fell_count, remainder_count, event_size = UNHASHED.unpack_from(unhashed)
    a = HASHED.size + 24 * context.bodies
    b = a + 24 * contact_count
    c = b + 24 * crossing_count
    d = c + REQUEST.size * request_count
    asleep = UNHASHED.size + 8 * context.sleepers
    e = asleep + 8 * (woke_count + fell_count)
    f = e + REMAINDER.size * remainder_count
    end = f + event_size
    _require(len(hashed) >= d + pending_size and len(unhashed) >= end, "its lists have wrong lengths")
    _require(0 <= number <= MAX_FRAME, "its frame number is out of range")
    positions = hashed[HASHED.size : a]
    _require(not positions[7::8].strip(_HIGH_BYTES), "a position is out of range")
    contacts, quiet_frames, woke, fell = hashed[a:b], *_sleep(unhashed[UNHASHED.size : e], context.sleepers, woke_count)
    if contacts and contacts != context.contacts:
        _check_contacts(contacts_in(contacts), context)
    crossings = _crossings(triples(hashed[b:c]), contacts_in(contacts), context) if crossing_count else []
    requests: dict[int, Any] = {}
    if request_count or remainder_count:
        requests = _requests(
            list(REQUEST.iter_unpack(hashed[c:d])), list(REMAINDER.iter_unpack(unhashed[e:f])), context.movers
        )
    pending = read_pending(hashed[d : d + pending_size], woke, fell)
    if pending.ended:
        open_contacts = {
            (context.entity_at(a), context.entity_at(b), asks) for a, b, _, asks, _ in contacts_in(contacts)
        }
        _require(open_contacts.isdisjoint(pending.ended), "a contact is both open and ended")
    return SavedState(
        positions,
        contacts,
        crossings,
        requests,
        number,
        quiet_frames,
        pending,
        read_events(unhashed[f:end]),
        _overlaps(unhashed[end:], context.bodies),
        read_dynamics(hashed[d + pending_size :], context.bodies, context.velocities),
    )


def _sleep(data: bytes, sleepers: int, woke_count: int) -> tuple[list[int], list[int], list[int]]:
    """Return the quiet frames of each sleeper, and the bodies that woke and that fell asleep."""
    numbers = numbers_of(data).tolist() if data else []
    quiet_frames, woke, fell = numbers[:sleepers], numbers[sleepers:][:woke_count], numbers[sleepers + woke_count :]
    if numbers:
        _require(
            _is_ascending(woke) and _is_ascending(fell) and not {*woke} & {*fell},
            "its lists of sleep are out of order",
        )
        _require(min(quiet_frames, default=0) >= -1, "a number of quiet frames is negative")
    return quiet_frames, woke, fell


def overlap_bytes(pairs: Sequence[tuple[int, int]]) -> bytes:
    """Return the known overlaps of solid bodies as bytes: their number, then the pairs."""
    return little_endian(array("q", [len(pairs), *(index for pair in pairs for index in pair)]))


def _overlaps(data: bytes, bodies: int) -> list[tuple[int, int]] | None:
    """Return the known overlaps that `overlap_bytes` wrote, None for no bytes."""
    if not data:
        return None
    numbers = numbers_of(data).tolist()
    _require(len(numbers) == 2 * numbers[0] + 1, "its overlaps have a wrong length")
    pairs = list(zip(numbers[1::2], numbers[2::2], strict=True))
    _require(_is_ascending(pairs) and all(0 <= a < b < bodies for a, b in pairs), "its overlaps are out of order")
    return pairs


def triple_bytes(rows: Iterable[tuple[int, int, int]]) -> bytes:
    """Return triples of ints as bytes."""
    return little_endian(array("q", [number for row in rows for number in row]))


def triples(data: bytes) -> Triples:
    """Return the triples that `triple_bytes` wrote."""
    numbers = numbers_of(data)
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))


def remainder(asked: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the remainders and signs of a `Motion.asked()`; the sign of a remainder 0 is 0."""
    left, signs = asked[3:6], asked[6:]
    return (*[by + 0.0 for by in left], *[sign if by else 0 for by, sign in zip(left, signs, strict=True)])


def _require(condition: bool, fault: str) -> None:
    if not condition:
        raise ValueError(fault)


def _is_ascending(items: Sequence[Any]) -> bool:
    """Return whether each item is greater than its predecessor."""
    return all(a < b for a, b in pairwise(items))


def inverted(number: int, is_ending: bool) -> int:
    """Return a non-negative number, mapped to a negative one if `is_ending`; the mapping is its own inverse."""
    return ~number if is_ending else number


def not_inverted(rows: Triples) -> Triples:
    """Return triples with all third numbers non-negative."""
    return [(a, b, inverted(number, number < 0)) for a, b, number in rows]


class StoredContact(NamedTuple):
    """A contact of a snapshot: the indices of reporter and other, the frames left, and two of its properties.

    `asks`: the reporter is a solid body that asks for contacts. `is_ending`: it no longer has its component.
    """

    row: int
    other: int
    frames: int
    asks: bool
    is_ending: bool


def contacts_in(data: bytes) -> list[StoredContact]:
    """Return the contacts of a snapshot."""
    return [
        StoredContact(row, inverted(other, other < 0), inverted(frames, frames < 0), other < 0, frames < 0)
        for row, other, frames in triples(data)
    ]


def _check_contacts(contacts: Sequence[StoredContact], context: ReadContext) -> None:
    _require(_pairs_exist(contacts, context.bodies), "a contact has bodies that do not exist")
    _require(all(contact.frames <= MAX_FRAMES_LEFT for contact in contacts), "a contact lasts too long")
    stored = [(contact.row, inverted(contact.other, contact.asks)) for contact in contacts]
    is_in_order = _is_ascending(stored) and len({contact[:2] for contact in contacts}) == len(contacts)
    _require(is_in_order, "its contacts are out of order")
    for index, asks, is_ending in {(contact.row, contact.asks, contact.is_ending) for contact in contacts}:
        parts = context.parts_at(index)
        reports = (parts.contact if asks else parts.trigger) is not None
        _require(reports != is_ending, f"entity {context.entity_at(index)} has inconsistent contacts")


def _pairs_exist(rows: Sequence[tuple[int, ...]], bodies: int) -> bool:
    return all(0 <= row[0] < bodies and 0 <= row[1] < bodies and row[0] != row[1] for row in rows)


def _crossings(stored: Triples, contacts: Sequence[StoredContact], context: ReadContext) -> Triples:
    """Return crossings after checks: those of a pair are successive and alternate, starting from its contact."""
    crossings = not_inverted(stored)
    _require(
        _pairs_exist(crossings, context.bodies) and all(came in (0, 1) for _, _, came in crossings),
        "a crossing has bodies that do not exist",
    )
    _require(all(before[:2] <= behind[:2] for before, behind in pairwise(crossings)), "its crossings are out of order")
    for index, is_ending in {(index, came < 0) for index, _, came in stored}:
        trigger = context.parts_at(index).trigger
        is_swept = trigger is not None and trigger.swept
        _require(is_swept != is_ending, f"entity {context.entity_at(index)} has inconsistent crossings")
    inside = {contact[:2]: 1 for contact in contacts if not (contact.frames or contact.asks)}
    for a, b, came in crossings:
        _require(inside.get((a, b), 0) != came, "a crossing enters or leaves twice")
        inside[a, b] = came
    return crossings


def _requests(requests: Sequence[tuple[Any, ...]], left: Sequence[tuple[Any, ...]], movers: Collection[int]) -> Any:
    """Return requests and remainders of motions by index."""
    for entries in (requests, left):
        _require(_is_ascending([entry[0] for entry in entries]), "its requests are out of order")
        _require(all(entry[0] in movers and any(entry[1:4]) for entry in entries), "a request has no Motion")
        _require(
            all(-MAX_COORDINATE <= by <= MAX_COORDINATE for entry in entries for by in entry[1:4]),
            "a request is out of range",
        )
    for entry in left:
        for by, sign in zip(entry[1:4], entry[4:], strict=True):
            _require(abs(by) <= LATTICE and (sign in (-1, 1) if by else sign == 0), "a remainder is out of range")
    found = {entry[0]: entry[1:] + NO_REQUEST[3:] for entry in requests}
    for entry in left:
        found[entry[0]] = found.get(entry[0], NO_REQUEST)[:3] + entry[1:]
    return found
