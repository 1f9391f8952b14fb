"""Reading what a snapshot tells of things that change every turn: lists of fixed records, judged as they are read."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ecs_collision.components import Trigger
from ecs_collision.errors import SnapshotError
from ecs_collision.events import Event
from ecs_collision.fixed_point import LARGEST, LARGEST_WHOLE, LATTICE
from ecs_collision.snapshot.codec import little, numbers_of
from ecs_collision.snapshot.pending_events import PendingEvents, read_events, read_pending

STATE = struct.Struct("<IIII")
"""At the start of the block that the state hash covers: contacts, changes on the way, requests, bytes of
pending events."""
APART = struct.Struct("<qIIII")
"""At the start of the block that it leaves out: frame number, counts of those who woke and who fell asleep and
of remainders, bytes of undelivered events."""
REQUEST = struct.Struct("<qddd")
REMAINDER = struct.Struct("<qdddqqq")

_SMALL = b"\x00\xff"
"""The highest bytes of numbers below 2**56: sums of such with any size stay exact in 64 bits."""

IDLE = (0.0,) * 6 + (0,) * 3
"""What a Motion has `asked` that asks for nothing and has nothing left over."""

Triples = list[tuple[int, int, int]]

LONGEST = LARGEST_WHOLE + 1
"""The most frames a contact can have left: it lingers from the frame behind a crossing on (T5)."""


class SavedState(NamedTuple):
    """What changes every turn, as it was. Bodies are given by their place in the order of ids.

    `places` are the positions in units, little-endian, `contacts` the bytes of (trigger, other, frames left), `ways`
    (trigger, other, whether it came) for the changes on the way through swept triggers, `asked` what motions asked,
    `waited` for each sleeper the frames it has been quiet, -1 where it is asleep.

    The third number is stored `inverted` where the trigger of a contact has no Trigger component any more (of a way: no
    swept one). Such an entry ends with the coming frame.
    """

    places: bytes
    contacts: bytes
    ways: Triples
    asked: Mapping[int, tuple[Any, ...]]
    number: int
    waited: Sequence[int]
    pending: PendingEvents
    undelivered: tuple[Event, ...]


class Scope(NamedTuple):
    """What must be known of a world to read what a snapshot tells of it; `contacts` need no judgement.

    `entity_at` gives the entity of a place, `trigger_at` the Trigger that it has by the snapshot.
    """

    bodies: int
    sleepers: int
    movers: Collection[int]
    contacts: bytes
    entity_at: Callable[[int], int]
    trigger_at: Callable[[int], Trigger | None]


def read(state: bytes, apart: bytes, scope: Scope) -> SavedState:
    """Return what two blocks tell of a world; raises SnapshotError where that makes no sense."""
    try:
        return _read(state, apart, scope)
    except SnapshotError:
        raise
    except (struct.error, ValueError) as cause:
        raise SnapshotError(f"the snapshot tells of no state that this world can have: {cause}") from cause


def _read(state: bytes, apart: bytes, scope: Scope) -> SavedState:
    contact_count, way_count, request_count, waiting = STATE.unpack_from(state)
    number, woke_count, fell_count, left_count, letter_size = APART.unpack_from(apart)
    a = STATE.size + 24 * scope.bodies
    b = a + 24 * contact_count
    c = b + 24 * way_count
    d = c + REQUEST.size * request_count
    asleep = APART.size + 8 * scope.sleepers
    e = asleep + 8 * (woke_count + fell_count)
    f = e + REMAINDER.size * left_count
    _sound(len(state) == d + waiting and len(apart) == f + letter_size, "its lists have another length than they say")
    _sound(0 <= number < LARGEST_WHOLE, "its frame number is out of range")
    places = state[STATE.size : a]
    _sound(not places[7::8].strip(_SMALL), "a position lies beyond all worlds")
    contacts, waited, woke, fell = state[a:b], *_sleep(apart[APART.size : e], scope.sleepers, woke_count)
    if contacts and contacts != scope.contacts:
        _judge_contacts(triples(contacts), scope)
    ways = _ways(triples(state[b:c]), triples(contacts), scope) if way_count else []
    asked: dict[int, Any] = {}
    if request_count or left_count:
        asked = _asked(list(REQUEST.iter_unpack(state[c:d])), list(REMAINDER.iter_unpack(apart[e:f])), scope.movers)
    pending = read_pending(state[d:], woke, fell)
    if pending.left:
        pairs = {(scope.entity_at(a), scope.entity_at(b)) for a, b, _ in triples(contacts)}
        _sound(pairs.isdisjoint(pending.left), "a contact goes on that has ended")
    return SavedState(places, contacts, ways, asked, number, waited, pending, read_events(apart[f:]))


def _sleep(data: bytes, sleepers: int, woke_count: int) -> tuple[list[int], list[int], list[int]]:
    """Return for how long each sleeper has been quiet, and who woke and fell asleep."""
    numbers = numbers_of(data).tolist() if data else []
    waited, woke, fell = numbers[:sleepers], numbers[sleepers:][:woke_count], numbers[sleepers + woke_count :]
    if numbers:
        _sound(_ascending(woke) and _ascending(fell) and not {*woke} & {*fell}, "who woke and fell is out of order")
        _sound(min(waited, default=0) >= -1, "a body is to be quiet before it was disturbed")
    return waited, woke, fell


def flat(rows: Iterable[tuple[int, int, int]]) -> bytes:
    """Return triples of whole numbers as bytes."""
    return little(array("q", [number for row in rows for number in row]))


def triples(data: bytes) -> Triples:
    """Return the triples that `flat` wrote."""
    numbers = numbers_of(data)
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))


def remainder(asked: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what is left over per axis, and the signs, of what a Motion has `asked`; that of nothing is 0."""
    left, signs = asked[3:6], asked[6:]
    return (*[by + 0.0 for by in left], *[sign if by else 0 for by, sign in zip(left, signs, strict=True)])


def _sound(is_sound: bool, fault: str) -> None:
    if not is_sound:
        raise ValueError(fault)


def _ascending(items: Sequence[Any]) -> bool:
    """Return whether each item is greater than the one before."""
    return all(a < b for a, b in pairwise(items))


def inverted(number: int, is_over: bool) -> int:
    """Return a number that is not negative, as it is or as a negative one; twice, it is itself."""
    return ~number if is_over else number


def plain(rows: Triples) -> Triples:
    """Return triples as they are if nothing is over."""
    return [(a, b, inverted(number, number < 0)) for a, b, number in rows]


def _judge_contacts(contacts: Triples, scope: Scope) -> None:
    _sound(_pairs_exist(contacts, scope.bodies), "a contact is of bodies that are not there")
    _sound(all(-1 - LONGEST <= frames <= LONGEST for _, _, frames in contacts), "a contact lasts too long")
    _sound(_ascending([contact[:2] for contact in contacts]), "its contacts are out of order")
    for place, is_over in {(place, frames < 0) for place, _, frames in contacts}:
        is_trigger = scope.trigger_at(place) is not None
        _sound(is_trigger != is_over, f"entity {scope.entity_at(place)} has contacts as only a trigger has")


def _pairs_exist(rows: Triples, bodies: int) -> bool:
    return all(0 <= a < bodies and 0 <= b < bodies and a != b for a, b, _ in rows)


def _ways(told: Triples, contacts: Triples, scope: Scope) -> Triples:
    """Return changes on the way if they can be: those of a pair follow each other and alternate from its contact on."""
    ways = plain(told)
    _sound(_pairs_exist(ways, scope.bodies) and all(came in (0, 1) for _, _, came in ways), "a way leads nowhere")
    _sound(all(before[:2] <= behind[:2] for before, behind in pairwise(ways)), "its ways are out of order")
    for place, is_over in {(place, came < 0) for place, _, came in told}:
        trigger = scope.trigger_at(place)
        is_swept = trigger is not None and trigger.swept
        _sound(is_swept != is_over, f"entity {scope.entity_at(place)} is crossed as only a swept trigger is")
    inside = {(a, b): 1 for a, b, frames in plain(contacts) if not frames}
    for a, b, came in ways:
        _sound(inside.get((a, b), 0) != came, "a way leads in twice, or out")
        inside[a, b] = came
    return ways


def _asked(requests: Sequence[tuple[Any, ...]], left: Sequence[tuple[Any, ...]], movers: Collection[int]) -> Any:
    """Return what motions ask for and what is left over, by place."""
    for entries in (requests, left):
        _sound(_ascending([entry[0] for entry in entries]), "its requests are out of order")
        _sound(all(entry[0] in movers and any(entry[1:4]) for entry in entries), "a request has no Motion")
        _sound(all(-LARGEST <= by <= LARGEST for entry in entries for by in entry[1:4]), "a request is out of range")
    for entry in left:
        for by, sign in zip(entry[1:4], entry[4:], strict=True):
            _sound(abs(by) <= LATTICE and (sign in (-1, 1) if by else sign == 0), "a remainder is out of range")
    asked = {entry[0]: entry[1:] + IDLE[3:] for entry in requests}
    for entry in left:
        asked[entry[0]] = asked.get(entry[0], IDLE)[:3] + entry[1:]
    return asked
