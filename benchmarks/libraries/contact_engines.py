"""Other libraries in the workload of contacts: solid bodies, and a record with the normal for each contact.

Bodies are written where the game wants them, and nothing pushes them apart again: those of pymunk are kinematic, those
of Box2D are stepped without iterations or for an instant, those of rapier3d are colliders without a body. Each pair is
reported in both directions, as by two bodies of this project that both ask.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

from benchmarks.boxes import Boxes
from benchmarks.frames_crowd import Crowd, Place
from benchmarks.libraries import Job, library
from benchmarks.libraries.frame_base import FrameLibrary, Pairs, job
from benchmarks.libraries.frame_engines import Box2d3Frame, Box2dFrame, PymunkFrame, RapierFrame, unzipped
from benchmarks.outputs import Output, rows

CONTACTS = "contacts"
"""The workload."""


class Began(NamedTuple):
    """The record of a library for `ContactBegan`."""

    frame: int
    a: int
    b: int
    normal: Any


class Ended(NamedTuple):
    """The record of a library for `ContactEnded`."""

    frame: int
    a: int
    b: int
    reason: str


def contact_records(frame: int, began: Pairs, normals: list[Any], ended: Pairs) -> list[Any]:
    """Return the events of a frame from the rows of pairs and the normals of those that began, in both directions."""
    new = tuple.__new__
    (a, b), (c, d) = began, ended
    frames, why, left, touched = repeat(frame), repeat("moved"), repeat(Ended), repeat(Began)
    events: list[Any] = list(map(new, left, zip(frames, c, d, why, strict=False)))
    events += map(new, left, zip(frames, d, c, why, strict=False))
    events += map(new, touched, zip(frames, a, b, normals, strict=False))
    events += map(new, touched, zip(frames, b, a, map(operator.neg, normals), strict=False))
    return events


def output(events: Iterable[Any], first: int = 0) -> Output:
    """Return events as rows (0 ended or 1 began, a, b), with ids counted from `first`."""
    kinds = {"Ended": 0, "ContactEnded": 0, "Began": 1, "ContactBegan": 1}
    found = [(kinds.get(type(event).__name__), event) for event in events]
    return rows([(kind, event.a - first, event.b - first) for kind, event in found if kind is not None])


class _Contacts(FrameLibrary):
    """What all of them share: the form of the output."""

    def output(self, events: Any) -> Output:
        """Return the events of a frame as an output, not timed."""
        return output(events)


@library(CONTACTS, "rapier3d contacts", exact=False, leaves_out="contacts begin within a margin")
def rapier(crowd: Crowd) -> Job:
    """Return a job with solid colliders, whose events are collected, and a normal for each that began."""
    return job(_Rapier, "one_by_one", crowd)


class _Rapier(_Contacts, RapierFrame):
    is_sensor = False

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        self._write(moved, places)
        began: tuple[list[int], list[int]] = ([], [])
        ended: tuple[list[int], list[int]] = ([], [])
        normals: list[Any] = []
        contact = self._world.narrow_phase.contact_pair
        for event in self._heard.drain_collision_events():
            first, second = began if event.started else ended
            first.append(event.collider1.index)
            second.append(event.collider2.index)
            if event.started:
                normals.append(contact(event.collider1, event.collider2).manifolds[0].data.normal)
        return contact_records(number, began, normals, ended)


@library(CONTACTS, "pymunk contacts", dims=(2,))
def pymunk(crowd: Crowd) -> Job:
    """Return a job with solid shapes on kinematic bodies, and callbacks."""
    return job(_Pymunk, "one_by_one", crowd)


class _Pymunk(_Contacts, PymunkFrame):
    is_sensor = False

    def __init__(self, boxes: Boxes) -> None:
        self._normals: list[Any] = []
        super().__init__(boxes)

    def _begin(self, arbiter: Any, space: Any, data: Any) -> bool:
        self._normals.append(arbiter.normal)
        return super()._begin(arbiter, space, data)

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        self._normals.clear()
        self._write(moved, places)
        return contact_records(number, unzipped(self._began), self._normals, unzipped(self._ended))


@library(CONTACTS, "pyb2d3 contacts (Box2D 3)", dims=(2,), exact=False, leaves_out="contacts begin within a margin")
def box2d3(crowd: Crowd) -> Job:
    """Return a job with dynamic bodies that are stepped for an instant, and the events of the contacts."""
    return job(_Box2d3, "one_by_one", crowd)


class _Box2d3(_Contacts, Box2d3Frame):
    def _found(self, number: int) -> list[Any]:
        row_of = self._row_of
        self._world.step(self.INSTANT, 1)
        events = self._world.get_contact_events()
        began, normals = [], []
        for event in events.begin_events():
            began.append((row_of[event.shape_a.id], row_of[event.shape_b.id]))
            normals.append(event.manifold.normal)
        return contact_records(number, unzipped(began), normals, self._rows(events.end_events()))


@library(CONTACTS, "box2d contacts (2.3)", dims=(2,), exact=False, leaves_out="boxes have a skin")
def box2d(crowd: Crowd) -> Job:
    """Return a job with dynamic bodies that are stepped without iterations, and a contact listener."""
    return job(_Box2d, "one_by_one", crowd)


class _Box2d(_Contacts, Box2dFrame):
    is_sensor, iterations = False, 0

    def __init__(self, boxes: Boxes) -> None:
        self._normals: list[Any] = []
        super().__init__(boxes)

    def _new_listener(self, base: Any) -> Any:
        return _listener(base, self._began, self._normals, self._ended)

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        self._normals.clear()
        self._write(moved, places)
        return contact_records(number, unzipped(self._began), self._normals, unzipped(self._ended))


def _listener(base: Any, began: list[tuple[int, int]], normals: list[Any], ended: list[tuple[int, int]]) -> Any:
    """Return a contact listener that stores rows and normals. Its class needs the library to be imported."""

    class Listener(base):  # type: ignore[misc, unused-ignore]
        def BeginContact(self, contact: Any) -> None:
            began.append((contact.fixtureA.userData, contact.fixtureB.userData))
            manifold = contact.worldManifold  # the normal is only valid while this object lives
            normals.append(manifold.normal.copy())

        def EndContact(self, contact: Any) -> None:
            ended.append((contact.fixtureA.userData, contact.fixtureB.userData))

    return Listener()
