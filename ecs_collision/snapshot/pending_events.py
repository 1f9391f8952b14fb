"""Pending events as bytes and back: the frame log, the results of a failed frame, events not yet delivered.

Numbers are checked only where an event could not be made of them: `Snapshots.restore` compares the whole.
"""

from __future__ import annotations

import dataclasses
import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.contacts.store import REASONS as LEFT_REASONS
from ecs_collision.events import DELIVERY_ORDER, Event, LeftReason, StopReason
from ecs_collision.frame_log import FrameLog
from ecs_collision.results import REASONS, AxisStop, Hit, MoveResult, PushLink
from ecs_collision.snapshot.codec import little_endian, numbers_of, pack, unpack

Record = TypeVar("Record")

EMPTY = b""
"""Encoding of an empty frame log."""

_NONE = array("q")
_DELETED = LEFT_REASONS.index(LeftReason.DELETED)


class PendingEvents(NamedTuple):
    """What happened since the last finished frame, and the pairs of indices that pass through each other (M9)."""

    log: FrameLog
    deferred_results: dict[int, MoveResult]
    passing: list[tuple[int, ...]]


def pending_bytes(
    log: FrameLog, deferred_results: Mapping[int, MoveResult], passing: Sequence[tuple[int, int]] = ()
) -> bytes:
    """Return pending events as bytes, without bodies that woke or fell asleep; equal events give equal bytes.

    Between two frames the log contains no contacts except those that ended because a body was removed.
    """
    displacements = log.displacement_log
    if not (
        displacements
        or log.left
        or log.ended
        or log.crossed
        or log.impacts
        or log.touches
        or deferred_results
        or passing
    ):
        return EMPTY
    lists = [_NONE] * len(_WIDTHS)
    if displacements.entry_count:
        lists[0], lists[1] = displacements.net_displacements(), displacements.pushes()
    if displacements.stop_count:
        lists[2] = (
            displacements.stop_records() if displacements.stop_count == 1 else _sorted(displacements.stop_records(), 5)
        )
    if log.left:
        lists[3] = _log(log.left)
    if log.ended:
        lists[4] = _log(log.ended)
    met = [(0, *pair) for pair in sorted(displacements.crushed)]
    met += [(1, *pair) for pair in sorted(log.crossed, key=lambda pair: pair[0])]
    impacts = sorted(log.impacts, key=lambda hit: hit[:2])
    met += [(2, *hit[:2]) for hit in impacts]
    touches = sorted(log.touches, key=lambda touch: touch[:2])
    met += [(2 + began + 2 * ended, a, b) for a, b, began, ended, _ in touches]
    if met:
        lists[5] = array("q", [number for each in met for number in each])
    if passing:
        lists[6] = array("q", [index for pair in passing for index in pair])
    hits = b"".join([_HIT.pack(*[by + 0.0 for by in (*hit[2], *hit[3], *hit[4:])]) for hit in impacts])
    hits += b"".join([_NORMAL.pack(*touch[4]) for touch in touches])
    rest = hits + (pack(tuple(map(_result, deferred_results.values()))) if deferred_results else b"")
    if not (rest or any(lists)):
        return EMPTY
    return b"".join([_COUNTS.pack(*map(len, lists)), *map(little_endian, lists), rest])


_WIDTHS = (4, 5, 5, 3, 3, 3, 2)
_COUNTS = struct.Struct("<7I")
"""Lengths of the lists: net displacements, displacements by pushers, stops, contacts of triggers and of solid bodies
that ended by removal, what was crushed (0), crossed (1) or hit (2), or touched by a step (3: began, 4: ended, 5: both),
and pairs that pass through each other."""
_NORMAL = struct.Struct("<3d")
"""The normal of a touch; these come behind the hits."""
_HIT = struct.Struct("<8d")
"""Point, normal, impulse and speed of a hit; these come behind the lists."""


def read_pending(data: bytes, woke: Iterable[int], fell: Iterable[int]) -> PendingEvents:
    """Return the pending events that `pending_bytes` wrote."""
    log = FrameLog()
    log.woke, log.fell = set(woke), set(fell)
    if data == EMPTY:
        return PendingEvents(log, {}, [])
    (moved, pushed, stops, left, ended, met, passing), rest = _lists(data)
    _read_displacements(log, moved, pushed)
    _read_stops(log, stops)
    _read_ended(log.left, left)
    _read_ended(log.ended, ended)
    _require(all(0 <= kind <= 5 and min(entity, other) >= 0 for kind, entity, other in met))
    log.displacement_log.crushed.extend([(entity, by) for kind, entity, by in met if kind == 0])
    log.crossed = [(entity, other) for kind, entity, other in met if kind == 1]
    rest = _read_impacts(log, [(a, b) for kind, a, b in met if kind == 2], rest)
    rest = _read_touches(log, [each for each in met if each[0] > 2], rest)
    _require(passing == sorted(set(passing)) and all(0 <= a < b for a, b in passing))
    results = map(_result_in, unpack(rest) if rest else ())
    return PendingEvents(log, {result.entity: result for result in results}, passing)


def event_bytes(events: Sequence[Event]) -> bytes:
    """Return undelivered events as bytes."""
    return pack(tuple(map(_event, events))) if events else EMPTY


def read_events(data: bytes) -> tuple[Event, ...]:
    """Return the events that `event_bytes` wrote."""
    return tuple(map(_event_in, unpack(data))) if data else ()


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError("a number is out of its range")


def _lists(data: bytes) -> tuple[list[list[tuple[int, ...]]], bytes]:
    """Return the lists of numbers as rows, and the bytes after them."""
    lists, at = [], _COUNTS.size
    for count, width in zip(_COUNTS.unpack_from(data), _WIDTHS, strict=True):
        end = at + 8 * count
        _require(end <= len(data))
        lists.append(_rows(numbers_of(data[at:end]), width))
        at = end
    return lists, data[at:]


def _rows(numbers: array[int], width: int) -> list[tuple[int, ...]]:
    """Return numbers as rows of `width`."""
    return list(zip(*[iter(numbers)] * width, strict=True))


def _sorted(numbers: array[int], width: int) -> array[int]:
    """Return rows of numbers sorted by their first two; the sort is stable."""
    return array("q", [item for row in sorted(_rows(numbers, width), key=lambda row: row[:2]) for item in row])


# Parts of the log.


def _read_displacements(log: FrameLog, moved: list[tuple[int, ...]], pushed: list[tuple[int, ...]]) -> None:
    """Log displacements: the net displacement of a body less that by pushers is by its own motions."""
    own = {entity: displacement for entity, *displacement in moved}
    for entity, by, *displacement in pushed:
        log.displacement_log.add(entity, by, *displacement)
        own[entity] = [a - b for a, b in zip(own.get(entity, [0, 0, 0]), displacement, strict=True)]
    for entity, displacement in own.items():
        if any(displacement):
            log.displacement_log.add(entity, entity, *displacement)


def _read_stops(log: FrameLog, stops: list[tuple[int, ...]]) -> None:
    """Log stops; the first has a direction, a further blocker follows its stop."""
    _require(not stops or stops[0][2] != 0)
    for entity, axis, direction, blocker, reason in stops:
        _require(axis in (0, 1, 2) and direction in (-1, 0, 1) and reason in REASONS)
        log.displacement_log.add_stop(entity, axis, direction, blocker, reason)


def _read_ended(log: PairLog, ended: list[tuple[int, ...]]) -> None:
    """Log contacts that ended because a body was removed."""
    for reporter, other, reason in ended:
        _require(reason == _DELETED)
        log.add(reporter, other, reason)


def _read_impacts(log: FrameLog, pairs: list[tuple[int, int]], rest: bytes) -> bytes:
    """Log impacts, whose numbers are at the beginning of `rest`; returns what follows."""
    end = _HIT.size * len(pairs)
    _require(end <= len(rest) and all(a != b for a, b in pairs))
    for (a, b), hit in zip(pairs, _HIT.iter_unpack(rest[:end]), strict=True):
        _require(all(map(isfinite, hit)) and hit[6] >= 0.0 and hit[7] >= 0.0)
        log.impact(a, b, hit[:3], hit[3:6], hit[6], hit[7])
    return rest[end:]


def _read_touches(log: FrameLog, touches: list[tuple[int, ...]], rest: bytes) -> bytes:
    """Log what steps noted of contacts; the normals are at the beginning of `rest`; returns what follows."""
    end = _NORMAL.size * len(touches)
    _require(end <= len(rest) and all(a < b for _, a, b in touches))
    for (kind, a, b), normal in zip(touches, _NORMAL.iter_unpack(rest[:end]), strict=True):
        _require(all(map(isfinite, normal)))
        log.touches.append((a, b, kind != 4, kind != 3, normal))
    return rest[end:]


def _log(log: PairLog) -> array[int]:
    """Return the two ids and the code of each entry in order."""
    log.sort()
    return array("q", [number for row in log.rows() for number in row])


# Results and events.


def _result(result: MoveResult) -> tuple[Any, ...]:
    stops = tuple(
        [(stop.axis, stop.blockers, stop.reason.value, stop.allowed, stop.direction) for stop in result.stops]
    )
    links = tuple([(link.pusher, link.pushed, link.axis, link.gap) for link in result.links])
    pushed, inertias = tuple(result.pushed.items()), tuple(result.inertias.items())
    found = (result.entity, result.requested, result.moved, pushed, stops, links, result.force, inertias)
    if not (result.shares or result.hits):
        return found
    return (*found, tuple(result.shares.items()), tuple([_hit(hit) for hit in result.hits]))


def _hit(hit: Hit) -> tuple[Any, ...]:
    return hit.entity, hit.normal, hit.response, hit.moved


def _result_in(value: Any) -> MoveResult:
    entity, requested, moved, pushed, stops, links, force, inertias, *later = value
    shares, hits = later or ((), ())
    found = tuple([_stop_in(*stop) for stop in stops]), tuple([PushLink(*link) for link in links])
    met = tuple([Hit(*hit) for hit in hits])
    return MoveResult(entity, requested, moved, dict(pushed), *found, force, dict(inertias), dict(shares), met)


def _stop_in(axis: Any, blockers: Any, reason: Any, allowed: Any, direction: Any) -> AxisStop:
    return AxisStop(axis, blockers[0] if blockers else None, StopReason(reason), allowed, direction, blockers)


_KINDS = {kind.__name__: kind for kind in DELIVERY_ORDER}
_ENUMS = {"LeftReason": LeftReason, "StopReason": StopReason}
"""The types of fields that are stored by value, by their annotations."""


def _event(event: Event) -> tuple[Any, ...]:
    values = [getattr(event, field.name) for field in dataclasses.fields(event)]
    return (type(event).__name__, *[value.value if isinstance(value, Enum) else value for value in values])


def _event_in(value: Any) -> Event:
    name, *values = value
    kind: Any = _KINDS[name]
    fields = zip(dataclasses.fields(kind), values, strict=True)
    event: Event = kind(*[_ENUMS.get(str(field.type), _same)(value) for field, value in fields])
    return event


def _same(value: Any) -> Any:
    return value
