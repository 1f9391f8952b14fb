"""What a peer does in a frame workload: take the game's writes, find who began and ended overlapping, make events.

The game's side is the same for all: it writes `position` of a component one by one, or hands over an array. A peer
whose own objects hold positions is written to directly, as a game would. All peers make their events here, by the
cheapest constructor there is, two a pair, since both triggers report. They need not sort them, as ours are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeVar

import numpy
from numpy.typing import NDArray

from benchmarks.answers import Answer, rows
from benchmarks.boxes import Boxes, Coordinates
from benchmarks.frames_crowd import Change, Crowd, Rows
from benchmarks.peers import Job, peer

ONE_BY_ONE, IN_BULK = "frames", "frames-bulk"
"""The two workloads: positions written one by one, or handed over in an array."""


class Began(NamedTuple):
    """The record of a peer for `TriggerEntered`."""

    frame: int
    trigger: int
    other: int


class Ended(NamedTuple):
    """The record of a peer for `TriggerLeft`."""

    frame: int
    trigger: int
    other: int
    reason: str


Pairs = tuple[Iterable[int], Iterable[int]]


def records(frame: int, began: Pairs, ended: Pairs) -> list[Any]:
    """Return the events of a frame from the rows of the pairs that began and ended, each pair both ways round."""
    new = tuple.__new__
    (a, b), (c, d) = began, ended
    frames, why, left, entered = repeat(frame), repeat("moved"), repeat(Ended), repeat(Began)
    events: list[Any] = list(map(new, left, zip(frames, c, d, why, strict=False)))
    events += map(new, left, zip(frames, d, c, why, strict=False))
    events += map(new, entered, zip(frames, a, b, strict=False))
    events += map(new, entered, zip(frames, b, a, strict=False))
    return events


def answer(events: Iterable[Any], first: int = 0) -> Answer:
    """Return events as rows (0 ended or 1 began, trigger, other), counted from the id `first`."""
    kinds = {"Ended": 0, "TriggerLeft": 0, "Began": 1, "TriggerEntered": 1}
    told = [(kinds.get(type(event).__name__), event) for event in events]
    return rows([(kind, event.trigger - first, event.other - first) for kind, event in told if kind is not None])


class FramePeer:
    """A peer of the frame workloads, made of the boxes at the start; each frame gives the events it made.

    One that does not tell who began and ended gives none, and is not compared.
    """

    tells = True

    def __init__(self, boxes: Boxes) -> None:
        raise NotImplementedError

    def one_by_one(self, change: Change) -> list[Any]:
        """Take a frame's positions from what the game writes one by one; return its events."""
        raise NotImplementedError

    def in_bulk(self, change: Change) -> list[Any]:
        """Take a frame's positions from an array; return its events."""
        raise NotImplementedError

    def told(self, events: Any) -> Answer:
        """Return the events of a frame as an answer, untimed."""
        return answer(events)


Made = TypeVar("Made", bound=type[FramePeer])


def frame_peer(name: str, **facts: Any) -> Callable[[Made], Made]:
    """Return a decorator that registers a class as a peer of both workloads; `facts` are those of `peers.peer`."""

    def register(made: Made) -> Made:
        peer(ONE_BY_ONE, name, **facts)(partial(job, made, FramePeer.one_by_one.__name__))
        peer(IN_BULK, name, **facts)(partial(job, made, FramePeer.in_bulk.__name__))
        return made

    return register


def job(made: Callable[[Boxes], FramePeer], door: str, crowd: Crowd) -> Job:
    """Return a peer set up for a crowd, whose runs are the frames of the crowd, one after another."""
    entrant = made(crowd.start)
    changes, frame = iter(crowd.changes), getattr(entrant, door)
    current: list[Change] = []

    def turn() -> None:
        current[:] = [next(changes)]

    return Job(lambda: frame(current[0]), entrant.told if entrant.tells else None, turn)


class Component:
    """What a game keeps for a peer that knows arrays only: the cheapest there is to write."""

    __slots__ = ("position",)

    position: tuple[float, ...]


class ArrayPeer(FramePeer):
    """A peer that takes arrays: positions written one by one are gathered from the components that were written.

    Pairs are kept as sorted keys `a * count + b`, a < b.
    """

    def __init__(self, boxes: Boxes) -> None:
        self.count, self.halves, self.side = boxes.count, boxes.halves, boxes.side
        self.lo, self.hi = boxes.lo.copy(), boxes.hi.copy()
        self.components = [Component() for _ in range(self.count)]

    def one_by_one(self, change: Change) -> list[Any]:
        """Write components, gather them into an array, and go on as in bulk."""
        components = self.components
        for row, place in zip(change.row_list, change.places, strict=True):
            components[row].position = place
        written = map(components.__getitem__, change.row_list)
        values = chain.from_iterable(map(operator.attrgetter("position"), written))
        shape = change.centres.shape
        return self._moved(change, numpy.fromiter(values, float, shape[0] * shape[1]).reshape(shape))

    def in_bulk(self, change: Change) -> list[Any]:
        """Take the array."""
        return self._moved(change, change.centres)

    def _moved(self, change: Change, centres: Coordinates) -> list[Any]:
        halves = self.halves[change.rows]
        began, ended = self._compare(change.rows, centres - halves, centres + halves)
        return records(change.number, self._rows(began), self._rows(ended))

    def _compare(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Return the keys of the pairs that began and ended when these rows moved."""
        raise NotImplementedError

    def _keys(self, first: Rows, second: Rows) -> Rows:
        """Return the sorted keys of pairs given either way round."""
        keys: Rows = numpy.minimum(first, second) * numpy.int64(self.count) + numpy.maximum(first, second)
        keys.sort()
        return keys

    def _rows(self, keys: Rows) -> Pairs:
        first, second = numpy.divmod(keys, self.count)
        return first.tolist(), second.tolist()


class Rebuilding(ArrayPeer):
    """A peer that finds all pairs anew in every frame; what began and ended is the difference of two sets."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__(boxes)
        self.known = self._keys(*self._all_pairs())

    def _all_pairs(self) -> tuple[Rows, Rows]:
        """Return all pairs that overlap now, each once."""
        raise NotImplementedError

    def _compare(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Rebuild, and subtract the sets from each other."""
        self.lo[moved], self.hi[moved] = lo, hi
        before, self.known = self.known, self._keys(*self._all_pairs())
        return without(self.known, before), without(before, self.known)


class Updating(ArrayPeer):
    """A peer that moves boxes in its index and asks who overlaps those that moved."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__(boxes)
        self._insert()
        self.known = self._asked(numpy.arange(self.count), self.lo, self.hi)
        self._has_moved = numpy.zeros(self.count, bool)

    def _insert(self) -> None:
        """Make the index of all boxes."""
        raise NotImplementedError

    def _update(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> None:
        """Move boxes in the index; `self.lo` and `self.hi` are still the old ones."""
        raise NotImplementedError

    def _ask(self, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Return who overlaps each of these boxes, one after another, and how many for each."""
        raise NotImplementedError

    def _compare(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Move, ask, and subtract the pairs of those that moved from each other."""
        self._update(moved, lo, hi)
        self.lo[moved], self.hi[moved] = lo, hi
        now = self._asked(moved, lo, hi)
        if len(moved) == self.count:
            before, self.known = self.known, now
        else:
            concerned = self._concerned(moved)
            before = self.known[concerned]
            self.known = numpy.concatenate([self.known[~concerned], now])
        return without(now, before), without(before, now)

    def _concerned(self, moved: Rows) -> NDArray[numpy.bool_]:
        """Return for each pair known whether one of the two has moved."""
        self._has_moved[moved] = True
        first, second = numpy.divmod(self.known, self.count)
        concerned: NDArray[numpy.bool_] = self._has_moved[first] | self._has_moved[second]
        self._has_moved[moved] = False
        return concerned

    def _asked(self, askers: Rows, lo: Coordinates, hi: Coordinates) -> Rows:
        found, counts = self._ask(lo, hi)
        asker = numpy.repeat(askers, counts)
        others = found != asker
        keys = self._keys(asker[others], found[others])
        return keys[numpy.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


def without(keys: Rows, others: Rows) -> Rows:
    """Return the keys that are not among the others; no key is twice in either."""
    return numpy.setdiff1d(keys, others, assume_unique=True)
