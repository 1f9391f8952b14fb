"""Boxes of many bodies tried pair by pair with numpy, and motions walked in small steps (L4, T4).

All faces and motions must lie on quarters. Nothing is read from the engine but its components.
"""

from __future__ import annotations

from typing import Any

import numpy
from ledger import Contact, Ledger, may_report

GRID = 0.25
Words = dict[tuple[int, int], list[str]]


class Boxes:
    """The faces of all parts of some bodies, as arrays, and whose they are."""

    def __init__(self, bodies: dict[int, Any]) -> None:
        self.entities = list(bodies)
        self.number = {entity: number for number, entity in enumerate(self.entities)}
        faces = [(number, *box) for number, body in enumerate(bodies.values()) for box in body.boxes()]
        self.owner = numpy.array([face[0] for face in faces], dtype=int)
        self.lo = numpy.array([face[1] for face in faces]).reshape(-1, 3)
        self.hi = numpy.array([face[2] for face in faces]).reshape(-1, 3)

    def relations(self, lo: Any, hi: Any, parts: Any) -> tuple[Any, Any]:
        """Return which of boxes lo, hi overlap which parts, and which overlap or touch them (L4)."""
        opened, equal = [], []
        for axis in range(3):
            low, high = lo[:, axis, None], hi[:, axis, None]
            opened.append((low < self.hi[parts, axis]) & (self.lo[parts, axis] < high))
            equal.append((low == self.hi[parts, axis]) | (self.lo[parts, axis] == high))
        x, y, z = opened
        overlapping = x & y & z
        return overlapping, overlapping | (equal[0] & y & z) | (x & equal[1] & z) | (x & y & equal[2])

    def matrices(self) -> tuple[Any, Any]:
        """Return which bodies overlap which, and which overlap or touch: squares of bodies."""
        squares = []
        for parts in self.relations(self.lo, self.hi, slice(None)):
            square = numpy.zeros((len(self.entities),) * 2, dtype=bool)
            firsts, seconds = numpy.nonzero(parts)
            square[self.owner[firsts], self.owner[seconds]] = True
            numpy.fill_diagonal(square, False)
            squares.append(square)
        return squares[0], squares[1]


class Walk:
    """Walks the motions of a frame in small steps and notes what swept triggers must tell, pair by pair (T4).

    Between two steps on the grid of faces nothing can change, so the looks are taken there: what leaves one part of a
    compound for the next is then seen without a gap. One more look is taken where an axis is done.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.boxes = Boxes(ledger.bodies)
        bodies, number = ledger.bodies, self.boxes.number
        self.zones = [entity for entity, body in bodies.items() if body.trigger and body.trigger.swept]
        self.line = {number[entity]: line for line, entity in enumerate(self.zones)}
        self.lines = numpy.array([number[entity] for entity in self.zones], dtype=int)
        self.touching = numpy.array([bodies[entity].trigger.touching for entity in self.zones], dtype=bool)
        self.reports = numpy.zeros((len(self.zones), len(bodies)), dtype=bool)
        for line, entity in enumerate(self.zones):
            for other, body in bodies.items():
                fits = bodies[entity].taking_part and body.taking_part and may_report(bodies[entity], body)
                self.reports[line, number[other]] = fits and entity != other
        self.zone_parts = numpy.flatnonzero(numpy.isin(self.boxes.owner, self.lines))
        self.words: Words = {}
        self.state = numpy.zeros_like(self.reports)
        for contact in ledger.contacts:
            self._recall(contact, ledger.births)
        self.rest()

    def _recall(self, contact: Contact, births: dict[int, int]) -> None:
        """Take over a contact of the last frame; with a body that is gone it has ended."""
        trigger, other = contact.trigger, contact.other
        if trigger in self.zones:
            if (births.get(trigger), births.get(other)) == contact.births:
                self.state[self.zones.index(trigger), self.boxes.number[other]] = True
            else:
                self.words[trigger, other] = ["left"]

    def rest(self) -> None:
        """Look at all bodies as they stand."""
        overlapping, meeting = self.boxes.matrices()
        now = numpy.where(self.touching[:, None], meeting[self.lines], overlapping[self.lines]) & self.reports
        for line, other in zip(*numpy.nonzero(now != self.state), strict=True):
            self._note(line, other, now[line, other])

    def _note(self, line: int, other: int, inside: bool) -> None:
        self.state[line, other] = inside
        pair = (self.zones[line], self.boxes.entities[other])
        self.words.setdefault(pair, []).append("entered" if inside else "left")

    def go(self, entity: int, way: tuple[float, ...]) -> None:
        """Move one body by its way, axis by axis."""
        boxes, mover = self.boxes, self.boxes.number[entity]
        mine = numpy.flatnonzero(boxes.owner == mover)
        parts = slice(None) if mover in self.line else self.zone_parts
        for axis, length in enumerate(way):
            steps, shift = round(abs(length) / GRID), numpy.zeros(3)
            for step in range(steps):
                shift[axis] = (step + 0.5) * (GRID if length > 0 else -GRID)
                self._look(mover, mine, shift, parts)
            boxes.lo[mine, axis] += length
            boxes.hi[mine, axis] += length
            if steps:
                self._look(mover, mine, numpy.zeros(3), parts)

    def _look(self, mover: int, mine: Any, shift: Any, parts: Any) -> None:
        boxes = self.boxes
        overlapping, meeting = numpy.zeros((2, len(boxes.entities)), dtype=bool)
        found = boxes.relations(boxes.lo[mine] + shift, boxes.hi[mine] + shift, parts)
        for relation, bodies in zip(found, (overlapping, meeting), strict=True):
            bodies[boxes.owner[parts][relation.any(0)]] = True
        by_zone = numpy.where(self.touching, meeting[self.lines], overlapping[self.lines]) & self.reports[:, mover]
        for line in numpy.flatnonzero(by_zone != self.state[:, mover]):
            self._note(line, mover, by_zone[line])
        if mover in self.line:
            line = self.line[mover]
            by_body = (meeting if self.touching[line] else overlapping) & self.reports[line]
            for other in numpy.flatnonzero(by_body != self.state[line]):
                self._note(line, other, by_body[other])
