"""What a library does in a frame workload: read the writes of the game, find which pairs began and ended, make events.

The game is the same for all: it writes `position` of a component one by one, or passes an array. A library whose own
objects hold positions is written to directly, as in a game. All libraries create their events here, with the cheapest
constructor, two for each pair because both triggers report. They need not sort them, as this project does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeVar

import numpy
from numpy.typing import NDArray

from benchmarks.boxes import Boxes, Coordinates
from benchmarks.frames_crowd import Change, Crowd, Rows
from benchmarks.libraries import Job, library
from benchmarks.other_memory import walk
from benchmarks.outputs import Output, rows

ONE_BY_ONE, IN_BULK = "frames", "frames-bulk"
"""The two workloads: positions written one by one, or passed in an array."""


class Began(NamedTuple):
    """The record of a library for `TriggerEntered`."""

    frame: int
    trigger: int
    other: int


class Ended(NamedTuple):
    """The record of a library for `TriggerLeft`."""

    frame: int
    trigger: int
    other: int
    reason: str


Pairs = tuple[Iterable[int], Iterable[int]]


def records(frame: int, began: Pairs, ended: Pairs) -> list[Any]:
    """Return the events of a frame from the rows of the pairs that began and ended, each pair in both directions."""
    new = tuple.__new__
    (a, b), (c, d) = began, ended
    frames, why, left, entered = repeat(frame), repeat("moved"), repeat(Ended), repeat(Began)
    events: list[Any] = list(map(new, left, zip(frames, c, d, why, strict=False)))
    events += map(new, left, zip(frames, d, c, why, strict=False))
    events += map(new, entered, zip(frames, a, b, strict=False))
    events += map(new, entered, zip(frames, b, a, strict=False))
    return events


def output(events: Iterable[Any], first: int = 0) -> Output:
    """Return events as rows (0 ended or 1 began, trigger, other), with ids counted from `first`."""
    kinds = {"Ended": 0, "TriggerLeft": 0, "Began": 1, "TriggerEntered": 1}
    output = [(kinds.get(type(event).__name__), event) for event in events]
    return rows([(kind, event.trigger - first, event.other - first) for kind, event in output if kind is not None])


class FrameLibrary:
    """A library in the frame workloads, created from the boxes at the start. Each frame returns its events.

    A library that does not report which pairs began and ended returns none, and is not compared.
    """

    reports_events = True

    def __init__(self, boxes: Boxes) -> None:
        raise NotImplementedError

    def one_by_one(self, change: Change) -> list[Any]:
        """Read the positions of a frame that the game writes one by one; return the events."""
        raise NotImplementedError

    def in_bulk(self, change: Change) -> list[Any]:
        """Read the positions of a frame from an array; return the events."""
        raise NotImplementedError

    def cool(self) -> None:
        """Walk other memory, in the process of the library."""
        walk()

    def output(self, events: Any) -> Output:
        """Return the events of a frame as an output, not timed."""
        return output(events)


Made = TypeVar("Made", bound=type[FrameLibrary])


def frame_library(name: str, **facts: Any) -> Callable[[Made], Made]:
    """Return a decorator that registers a class for both workloads; `facts` are those of `libraries.library`."""

    def register(made: Made) -> Made:
        library(ONE_BY_ONE, name, **facts)(partial(job, made, FrameLibrary.one_by_one.__name__))
        library(IN_BULK, name, **facts)(partial(job, made, FrameLibrary.in_bulk.__name__))
        return made

    return register


def job(made: Callable[[Boxes], FrameLibrary], method: str, crowd: Crowd) -> Job:
    """Return a library set up for a crowd, whose runs are the frames of the crowd, one after another."""
    participant = made(crowd.start)
    changes, frame = iter(crowd.changes), getattr(participant, method)
    current: list[Change] = []

    def turn() -> None:
        current[:] = [next(changes)]

    output = participant.output if participant.reports_events else None
    return Job(lambda: frame(current[0]), output, turn, cool=participant.cool)


class Component:
    """What a game keeps for a library that only takes arrays: the cheapest object to write."""

    __slots__ = ("position",)

    position: tuple[float, ...]


class ArrayLibrary(FrameLibrary):
    """A library that takes arrays: positions written one by one are collected from the written components.

    Pairs are kept as sorted keys `a * count + b`, a < b.
    """

    def __init__(self, boxes: Boxes) -> None:
        self.count, self.halves, self.side = boxes.count, boxes.halves, boxes.side
        self.lo, self.hi = boxes.lo.copy(), boxes.hi.copy()
        self.components = [Component() for _ in range(self.count)]

    def one_by_one(self, change: Change) -> list[Any]:
        """Write components, collect them into an array, and continue as in bulk."""
        components = self.components
        for row, place in zip(change.row_list, change.places, strict=True):
            components[row].position = place
        written = map(components.__getitem__, change.row_list)
        values = chain.from_iterable(map(operator.attrgetter("position"), written))
        shape = change.centres.shape
        return self._moved(change, numpy.fromiter(values, float, shape[0] * shape[1]).reshape(shape))

    def in_bulk(self, change: Change) -> list[Any]:
        """Use the array."""
        return self._moved(change, change.centres)

    def _moved(self, change: Change, centres: Coordinates) -> list[Any]:
        halves = self.halves[change.rows]
        began, ended = self._compare(change.rows, centres - halves, centres + halves)
        return records(change.number, self._rows(began), self._rows(ended))

    def _compare(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Return the keys of the pairs that began and ended when these rows moved."""
        raise NotImplementedError

    def _keys(self, first: Rows, second: Rows) -> Rows:
        """Return the sorted keys of pairs given in either order."""
        keys: Rows = numpy.minimum(first, second) * numpy.int64(self.count) + numpy.maximum(first, second)
        keys.sort()
        return keys

    def _rows(self, keys: Rows) -> Pairs:
        first, second = numpy.divmod(keys, self.count)
        return first.tolist(), second.tolist()


class Rebuilding(ArrayLibrary):
    """A library that finds all pairs in every frame; what began and ended is the difference of two sets."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__(boxes)
        self.known = self._keys(*self._all_pairs())

    def _all_pairs(self) -> tuple[Rows, Rows]:
        """Return all pairs that overlap now, each once."""
        raise NotImplementedError

    def _compare(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Rebuild, and compute both differences of the sets."""
        self.lo[moved], self.hi[moved] = lo, hi
        before, self.known = self.known, self._keys(*self._all_pairs())
        return difference_of(self.known, before), difference_of(before, self.known)


class Updating(ArrayLibrary):
    """A library that moves boxes in its index and queries those that moved."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__(boxes)
        self._insert()
        self.known = self._searched(numpy.arange(self.count), self.lo, self.hi)
        self._has_moved = numpy.zeros(self.count, bool)

    def _insert(self) -> None:
        """Create the index of all boxes."""
        raise NotImplementedError

    def _update(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> None:
        """Move boxes in the index; `self.lo` and `self.hi` are still the old ones."""
        raise NotImplementedError

    def _search(self, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Return the boxes that overlap each of these boxes, one after another, and the number for each."""
        raise NotImplementedError

    def _compare(self, moved: Rows, lo: Coordinates, hi: Coordinates) -> tuple[Rows, Rows]:
        """Move, query, and compute both differences of the pairs of the moved boxes."""
        self._update(moved, lo, hi)
        self.lo[moved], self.hi[moved] = lo, hi
        now = self._searched(moved, lo, hi)
        if len(moved) == self.count:
            before, self.known = self.known, now
        else:
            concerned = self._concerned(moved)
            before = self.known[concerned]
            self.known = numpy.concatenate([self.known[~concerned], now])
        return difference_of(now, before), difference_of(before, now)

    def _concerned(self, moved: Rows) -> NDArray[numpy.bool_]:
        """Return for each known pair whether one of its boxes has moved."""
        self._has_moved[moved] = True
        first, second = numpy.divmod(self.known, self.count)
        concerned: NDArray[numpy.bool_] = self._has_moved[first] | self._has_moved[second]
        self._has_moved[moved] = False
        return concerned

    def _searched(self, askers: Rows, lo: Coordinates, hi: Coordinates) -> Rows:
        found, counts = self._search(lo, hi)
        searcher = numpy.repeat(askers, counts)
        others = found != searcher
        keys = self._keys(searcher[others], found[others])
        return keys[numpy.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


def difference_of(keys: Rows, others: Rows) -> Rows:
    """Return the keys that are not among the others; neither has duplicates."""
    return numpy.setdiff1d(keys, others, assume_unique=True)
