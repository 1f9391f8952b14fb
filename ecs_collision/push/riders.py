# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""What stands on the bodies that a motion displaces, and follows them (rule M6).

Along `up` riders are pushed, in the push graph. In all other directions each rider is a motion of its own, planned
after that of the carrier and committed with it. Not taken: riders as edges of the push graph in all directions, because
a wall that stops a rider would stop the platform.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import grown, longer
from ecs_collision.bodies.columns import SOLID
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.push.displacements import Displacements
from ecs_collision.push.graph import FREE, PriorityQueue, PushGraph

# C copies: compiled code would look the names above up as Python objects.
_SOLID = cython.declare(cython.int, SOLID)
_FREE = cython.declare(cython.int, FREE)

_QUEUED = cython.declare(cython.int, 1)
_STOPPED = cython.declare(cython.int, 2)
_RIDDEN = cython.declare(cython.int, 4)
"""Flags of a rider: it waits for its turn, something stopped it, it was displaced as a rider."""


@cython.final
@cython.cclass
class Riders:
    """What stands on the bodies that a motion displaces along an axis, and how far it is to go (M6).

    `shifts` is how far each row has been displaced on the axis, `wanted` how far it is to be. Both are valid only if
    `stamps` has the number of the axis, as is `states`. Ride e of the graph goes with the carrier `roots[e]`.
    """

    def __init__(self, graph: PushGraph, displacements: Displacements) -> None:
        self.graph, self.displacements = graph, displacements
        self.columns = graph.columns
        self.group_links = graph.group_links
        self.queue = PriorityQueue(graph.columns)
        self.stamps, self.states, self.visits = array("i"), array("i"), array("i")
        self.shifts, self.wanted = array("q"), array("q")
        self.roots = array("i")
        self.number = self.visit = 0
        self.axis, self.sign, self.most = 0, 1, 0

    def start(self, axis: cython.int, sign: cython.int, most: cython.longlong) -> cython.void:
        """Start an axis along which the mover goes `most` units."""
        rows: cython.Py_ssize_t = self.columns.capacity
        if len(self.stamps) != rows:
            self.stamps, self.states, self.visits, self.shifts, self.wanted = grown(
                rows, self.stamps, self.states, self.visits, self.shifts, self.wanted
            )
        self.number += 1
        self.axis, self.sign, self.most = axis, sign, most
        self.graph.ride_count = 0
        self.queue.clear()

    def touch(self, row: cython.int) -> cython.void:
        """Give a row valid numbers."""
        if self.stamps[row] != self.number:
            self.stamps[row] = self.number
            self.states[row] = 0
            self.shifts[row] = self.wanted[row] = 0

    def note(self, row: cython.int, by: cython.longlong) -> cython.void:
        """Note that a group is about to be displaced, and find what stands on it if it has not been displaced yet."""
        member: cython.int = row
        lift: cython.int = (self.axis + 1) * self.sign
        if by <= 0:
            return  # it is reached, and not displaced
        self.touch(row)
        if self.shifts[row] == 0:
            while True:
                up: cython.int = self.columns.carries_view[member]
                if up != 0 and up != lift:  # along `up` riders are pushed
                    self.find(row, member, up)
                member = self.group_links.next_row_view[member]
                if member == row:
                    break
        self.shifts[row] += by

    def find(self, carrier: cython.int, member: cython.int, up: cython.int) -> cython.void:
        """Find what stands on a member of a carrier, and what stands on that."""
        graph: PushGraph = self.graph
        axis: cython.int = (up if up > 0 else -up) - 1
        sign: cython.int = 1 if up > 0 else -1
        at: cython.Py_ssize_t = graph.ride_count
        self.visit += 1
        self.visits[carrier] = self.visit
        graph.find_riders(member, axis, sign)
        while at < graph.ride_count:
            if len(self.roots) < graph.ride_count:
                self.roots = longer(self.roots, len(graph.rides))
            rider: cython.int = graph.rides[2 * at + 1]
            self.roots[at] = carrier
            at += 1
            if self.visits[rider] == self.visit:
                continue
            self.visits[rider] = self.visit
            member = rider
            while True:
                graph.find_riders(member, axis, sign)
                member = self.group_links.next_row_view[member]
                if member == rider:
                    break

    def next(self) -> cython.int:
        """Return the rider to be displaced next, the front ones first, or -1."""
        while True:
            if self.queue.size == 0:
                self.fill_queue()
            if self.queue.size == 0:
                return -1
            row: cython.int = self.queue.rows[0]
            self.queue.pop()
            self.states[row] &= ~_QUEUED
            if self.left(row) > 0:  # another rider may have pushed it
                return row

    def fill_queue(self) -> cython.void:
        """Queue every rider that is not as far as its carriers, and was not stopped."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        for at in range(graph.ride_count):
            row: cython.int = graph.rides[2 * at + 1]
            self.touch(row)
            far: cython.longlong = min(self.shifts[self.roots[at]], self.most)
            if far > self.wanted[row]:
                self.wanted[row] = far
        for at in range(graph.ride_count):
            row = graph.rides[2 * at + 1]
            if self.wanted[row] > self.shifts[row] and not (self.states[row] & (_STOPPED | _QUEUED)):
                self.states[row] |= _QUEUED
                self.queue.push(-self.front(row), _FREE, row)

    def front(self, row: cython.int) -> cython.longlong:
        """Return the foremost face of a group along the axis, in its direction."""
        member: cython.int = row
        slot: cython.Py_ssize_t
        first: cython.Py_ssize_t
        found: cython.longlong = -(1 << 62)
        boxes: BoxPool
        while True:
            boxes, first = self.graph.dynamic.boxes, self.columns.first_view[member]
            if self.displacements.moved[member]:
                boxes, first = self.graph.overlay.boxes, self.displacements.overlay_slots[member]
            if self.columns.flags_view[member] & _SOLID:
                for slot in range(first, first + self.columns.count_view[member]):
                    face: cython.longlong = boxes.faces_view[8 * slot + (3 if self.sign > 0 else 0) + self.axis]
                    found = max(found, self.sign * face)
            member = self.group_links.next_row_view[member]
            if member == row:
                return found

    def left(self, row: cython.int) -> cython.longlong:
        """Return how far a rider is still to go."""
        return self.wanted[row] - self.shifts[row]

    def shift(self, row: cython.int) -> cython.longlong:
        """Return how far a row has been displaced."""
        return self.shifts[row] if self.stamps[row] == self.number else 0

    def has_ridden(self, row: cython.int) -> cython.bint:
        """Return whether a rider was displaced as such."""
        return self.shift(row) > 0 and (self.states[row] & _RIDDEN) != 0

    def ride(self, row: cython.int) -> cython.void:
        """Note that a rider is displaced as such."""
        self.states[row] |= _RIDDEN

    def stop(self, row: cython.int) -> cython.void:
        """Leave a rider where it is from now on: something is in its way."""
        self.states[row] |= _STOPPED
