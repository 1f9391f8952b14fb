"""Reads the blocks of a snapshot that change every turn: lists of fixed records.

Here is checked that a restore can take the numbers: lengths, ranges and bodies. Whether a world can have this state is
checked by `Snapshots.restore`: a snapshot of the restored world has the same bytes.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ecs_collision.events import Event
from ecs_collision.snapshot.codec import little_endian, numbers_of
from ecs_collision.snapshot.dynamics_section import SavedDynamics, read_dynamics
from ecs_collision.snapshot.movement_section import MovementCounts, SavedMovement, read_movement
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

Pair = tuple[int, int]
Triples = list[tuple[int, int, int]]

MAX_FRAME = 2**53
"""Largest frame number of a snapshot; at a million frames a second a world gets there in 285 years."""


class SavedState(NamedTuple):
    """The state that changes every turn. Bodies are given by their index in the order of ids.

    `positions` are in units, little-endian. `contacts` are the bytes of (reporter, other, frames left). `crossings` are
    (trigger, other, whether it entered) on paths through swept triggers. `requests` are those of motions by index.
    `quiet_frames` has the number of quiet frames of each sleeper, -1 if it is asleep. `overlaps` are the known pairs of
    solid bodies (T11), None if they were not tracked. `dynamics` are velocities, remainders and kept contacts (I8),
    `movement` paths, lifetimes and characters (M).

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
    overlaps: list[Pair] | None
    dynamics: SavedDynamics
    movement: SavedMovement


class ReadContext(NamedTuple):
    """How many of each the world has; stored contacts equal to `contacts` need no check."""

    bodies: int
    sleepers: int
    velocities: int
    movement: MovementCounts
    contacts: bytes


def read(hashed: bytes, unhashed: bytes, context: ReadContext) -> SavedState:
    """Return the state in two blocks; raises ValueError or `struct.error` if these are not the blocks of a snapshot."""
    contact_count, crossing_count, request_count, pending_size = HASHED.unpack_from(hashed)
    number, woke_count, fell_count, remainder_count, event_size = UNHASHED.unpack_from(unhashed)
    a = HASHED.size + 24 * context.bodies
    b = a + 24 * contact_count
    c = b + 24 * crossing_count
    d = c + REQUEST.size * request_count
    asleep = UNHASHED.size + 8 * context.sleepers
    e = asleep + 8 * (woke_count + fell_count)
    f = e + REMAINDER.size * remainder_count
    g = f + event_size
    end = g + context.movement.unhashed_size
    dynamics, movement = d + pending_size, len(hashed) - context.movement.hashed_size
    _require(movement >= dynamics and len(unhashed) >= end, "its lists have wrong lengths")
    _require(0 <= number <= MAX_FRAME, "its frame number is out of range")
    positions, contacts, crossings = hashed[HASHED.size : a], hashed[a:b], _not_inverted(triples(hashed[b:c]))
    _require(not positions[7::8].strip(_HIGH_BYTES), "a position is out of range")
    if contacts != context.contacts:
        _require_pairs([contact[:2] for contact in contacts_in(contacts)], context.bodies)
    _require_pairs([crossing[:2] for crossing in crossings], context.bodies)
    numbers = numbers_of(unhashed[UNHASHED.size : e]).tolist()
    woke, fell = numbers[context.sleepers :][:woke_count], numbers[context.sleepers + woke_count :]
    return SavedState(
        positions,
        contacts,
        crossings,
        _requests(REQUEST.iter_unpack(hashed[c:d]), REMAINDER.iter_unpack(unhashed[e:f])),
        number,
        numbers[: context.sleepers],
        read_pending(hashed[d:dynamics], woke, fell),
        read_events(unhashed[f:g]),
        _overlaps(unhashed[end:], context.bodies),
        read_dynamics(hashed[dynamics:movement], context.bodies, context.velocities),
        read_movement(hashed[movement:], unhashed[g:end], context.movement),
    )


def overlap_bytes(pairs: Sequence[tuple[int, int]]) -> bytes:
    """Return the known overlaps of solid bodies as bytes: their number, then the pairs."""
    return little_endian(array("q", [len(pairs), *(index for pair in pairs for index in pair)]))


def _overlaps(data: bytes, bodies: int) -> list[Pair] | None:
    """Return the known overlaps that `overlap_bytes` wrote, None for no bytes."""
    if not data:
        return None
    count, *numbers = numbers_of(data)
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    _require(count == len(pairs), "its overlaps have a wrong length")
    _require(pairs == sorted(set(pairs)), "its overlaps are out of order")
    _require(all(0 <= a < b < bodies for a, b in pairs), "an overlap has no such bodies")
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


def inverted(number: int, is_ending: bool) -> int:
    """Return a non-negative number, mapped to a negative one if `is_ending`; the mapping is its own inverse."""
    return ~number if is_ending else number


def _not_inverted(rows: Triples) -> Triples:
    return [(a, b, inverted(number, number < 0)) for a, b, number in rows]


def contacts_in(data: bytes) -> list[tuple[int, int, int, bool]]:
    """Return the contacts of a snapshot: indices of reporter and other, frames left, and whether the reporter asks."""
    return [(row, inverted(other, other < 0), frames, other < 0) for row, other, frames in _not_inverted(triples(data))]


def _require_pairs(pairs: Iterable[Pair], bodies: int) -> None:
    _require(all(0 <= a < bodies and 0 <= b < bodies and a != b for a, b in pairs), "a pair has no such bodies")


def _requests(requests: Iterable[Any], left: Iterable[Any]) -> dict[int, Any]:
    """Return requests and remainders of motions by index."""
    found = {index: (*by, *NO_REQUEST[3:]) for index, *by in requests}
    for index, *remainders in left:
        found[index] = (*found.get(index, NO_REQUEST)[:3], *remainders)
    return found
