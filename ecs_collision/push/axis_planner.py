# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""How far a push goes along one axis: shortest paths over gaps (rule P2).

Dijkstra's algorithm over a graph that is opened lazily (`graph.py`). The motion goes as far as the nearest body that
cannot be pushed; every body reached moves what is left behind its distance.

All bodies at one distance are decided together, after the edges of gap 0 among them are closed: then
neither the order of discovery nor that of creation reaches an answer.

Not taken: recursion over what is ahead (interlocked compounds never end, side-by-side bricks are
exponential, trains exceed the stack); unit steps (slow, and only for whole numbers).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.push.graph import PushGraph
    from cython.cimports.ecs_collision.push.priority_queue import PriorityQueue
else:
    from ecs_collision.push.graph import PushGraph
    from ecs_collision.push.priority_queue import PriorityQueue

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import STATIC
from ecs_collision.push.graph import BATCHED, BOUNDS, EXPANDED, FREE, MARKER, REACHED
from ecs_collision.sealing import seal

DONE = 0
CALL_HOOK = 1
"""The search has a question for the hook: `hook_pusher` and `hook_pushed`; give the verdict to `apply_verdict`."""

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_DONE = cython.declare(cython.int, DONE)
_CALL_HOOK = cython.declare(cython.int, CALL_HOOK)
_BOUNDS = cython.declare(cython.int, BOUNDS)
_EXPANDED = cython.declare(cython.int, EXPANDED)
_BATCHED = cython.declare(cython.int, BATCHED)
_REACHED = cython.declare(cython.int, REACHED)
_MARKER = cython.declare(cython.int, MARKER)
_FREE = cython.declare(cython.int, FREE)


@cython.final
@cython.cclass
class AxisPlanner:
    """Plans one axis at a time; one object serves a world, its arrays are reused.

    For each axis call `start(...)`, then `search()`, and `apply_verdict(...)` while it returns CALL_HOOK. The mover
    goes `allowed` units. If that is less than the request, `reason` says why and `blocker` is the blocking row, -1 for
    the bounds.
    """

    def __init__(self, graph: PushGraph) -> None:
        self.graph = graph
        self.queue = graph.queue
        self.columns = graph.columns
        self.batch = array("i")
        self.batch_count = self.expanded_count = self.judged_count = 0
        self.distance = self.allowed = 0
        self.at_bounds = False
        self.blocker = self.hook_pusher = self.hook_pushed = -1
        self.reason = 0

    @cython.cfunc
    def start(
        self, axis: cython.int, request: cython.longlong, low: cython.longlong, high: cython.longlong
    ) -> cython.void:
        """Ask how far the mover of the graph goes along `axis`, as for `PushGraph.start`."""
        if len(self.batch) != self.graph.capacity:
            self.batch = longer(self.batch, self.graph.capacity)
            self.batch_view = self.batch
        self.batch_count = self.expanded_count = self.judged_count = 0
        self.at_bounds = False
        self.allowed = request if request > 0 else -request
        self.blocker, self.reason = -1, 0
        self.distance = 0
        self.graph.start(axis, request, low, high)
        self.graph.states_view[self.graph.mover] |= _BATCHED

    @cython.cfunc
    def search(self) -> cython.int:
        """Go on until the answer is there (DONE) or the hook must decide a pair (ASK)."""
        while True:
            if self.batch_count == 0 and not self.at_bounds:
                if self.queue.size == 0:
                    return _DONE
                self.distance = self.queue.keys_view[0]
            self.collect_batch()
            if self.expand_batch():
                continue
            if self.graph.has_hook and self.find_hook_pair():
                return _CALL_HOOK
            if (self.batch_count > 0 or self.at_bounds) and self.resolve_batch():
                return _DONE

    @cython.ccall
    def apply_verdict(self, verdict: cython.int) -> cython.void:
        """Take the hook's verdict on the pair asked: 1 allow, 0 veto, -1 no opinion."""
        self.graph.apply_verdict(self.hook_pushed, verdict)
        if verdict == 1:
            self.expanded_count = 0  # it may have been passed over

    # Deciding all that is reached at one distance.

    @cython.cfunc
    def collect_batch(self) -> cython.void:
        """Move every entry at the current distance from the queue into the batch."""
        graph: PushGraph = self.graph
        queue: PriorityQueue = self.queue
        row: cython.int
        marker: cython.bint
        while queue.size > 0 and queue.keys_view[0] == self.distance:
            row = queue.rows_view[0]
            marker = queue.kinds_view[0] == _MARKER
            queue.pop()
            if marker:
                graph.expand(row)
            elif row < 0:
                self.at_bounds = True
            elif graph.distances_view[row] == self.distance and not (graph.states_view[row] & _BATCHED):
                graph.states_view[row] |= _BATCHED
                self.batch_view[self.batch_count] = row
                self.batch_count += 1

    @cython.cfunc
    def expand_batch(self) -> cython.bint:
        """Expand what can be pushed in the batch; returns whether that put more at the current distance."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(self.expanded_count, self.batch_count):
            row = self.batch_view[at]
            if not (graph.states_view[row] & _EXPANDED) and graph.stop_reason(row) == 0:
                self.judged_count = 0  # new edges may lead to bodies that were asked for already
                graph.expand(row)
        self.expanded_count = self.batch_count
        return self.queue.size > 0 and self.queue.keys_view[0] == self.distance

    @cython.cfunc
    def find_hook_pair(self) -> cython.bint:
        """Find a pair of the batch that the hook has not been asked about yet (P15).

        Bodies are asked for in the order of the batch, their pushers by id: a function of the state alone.
        """
        graph: PushGraph = self.graph
        pushed: cython.int
        at: cython.int
        best: cython.int
        while self.judged_count < self.batch_count:
            pushed = self.batch_view[self.judged_count]
            best = -1
            at = graph.last_edge_view[pushed]
            if self.columns.flags_view[pushed] & _STATIC:  # no verdict moves a static
                at = -1
            while at >= 0:
                if not graph.edge_judged_view[at] and graph.leads_to(at, self.distance):
                    if best < 0 or self.is_lower(graph.edge_from_view[at], graph.edge_from_view[best]):
                        best = at
                at = graph.previous_edge_view[at]
            if best >= 0:
                self.hook_pusher, self.hook_pushed = graph.edge_from_view[best], pushed
                at = graph.last_edge_view[pushed]
                while at >= 0:  # boxes of compounds may meet several times
                    if graph.edge_from_view[at] == self.hook_pusher:
                        graph.edge_judged_view[at] = 1
                    at = graph.previous_edge_view[at]
                return True
            self.judged_count += 1
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_lower(self, row: cython.int, other: cython.int) -> cython.bint:
        """Whether a row has a lower entity id than another."""
        return self.columns.ids_view[row] < self.columns.ids_view[other]

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_blocker(self, row: cython.int, reason: cython.int) -> cython.void:
        """Blame `row` unless a lower id is already blamed."""
        if self.blocker < 0 or self.is_lower(row, self.blocker):
            self.blocker, self.reason = row, reason

    @cython.cfunc
    def mark_reached(self) -> cython.void:
        """Mark the rows of the batch that are still reached now that the hook may have closed the way to some."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        edge: cython.int
        pusher: cython.int
        changed: cython.bint = True
        while changed:
            changed = False
            for at in range(self.batch_count):
                row = self.batch_view[at]
                edge = -1 if graph.states_view[row] & _REACHED else graph.last_edge_view[row]
                while edge >= 0:
                    pusher = graph.edge_from_view[edge]
                    if graph.leads_to(edge, self.distance) and (
                        pusher == graph.mover
                        or graph.distances_view[pusher] < self.distance
                        or (graph.states_view[pusher] & _REACHED) != 0
                    ):
                        graph.states_view[row] |= _REACHED
                        changed = True
                        break
                    edge = graph.previous_edge_view[edge]

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_stop(self) -> cython.bint:
        """Whether the batch holds a body that ends the motion."""
        at: cython.Py_ssize_t
        for at in range(self.batch_count):
            if self.graph.stop_reason(self.batch_view[at]) != 0:
                return True
        return False

    @cython.cfunc
    def sort_batch(self) -> cython.void:
        """Order the batch by entity id, through the queue: nothing else in it is at this distance."""
        at: cython.Py_ssize_t
        for at in range(self.batch_count):
            self.queue.push(self.distance, _FREE, self.batch_view[at])
        for at in range(self.batch_count):
            self.batch_view[at] = self.queue.rows_view[0]
            self.queue.pop()

    @cython.cfunc
    def resolve_batch(self) -> cython.bint:
        """Decide the batch: push all of it, or stop here; returns whether the motion ends."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        reason: cython.int
        if graph.has_hook and self.has_stop():
            self.mark_reached()
        for at in range(self.batch_count):
            row = self.batch_view[at]
            reason = graph.stop_reason(row)
            if reason != 0 and (not graph.has_hook or graph.states_view[row] & _REACHED):
                self.set_blocker(row, reason)
        if self.reason == 0:
            self.push_batch()
        if self.reason != 0:
            self.allowed = self.distance
            return True
        return False

    @cython.cfunc
    def push_batch(self) -> cython.void:
        """Push the rows of the batch, by id where their number counts, until one is too many."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        reason: cython.int
        if graph.summing or graph.max_chain >= 0:
            self.sort_batch()
        for at in range(self.batch_count):
            reason = graph.add_pushed(self.batch_view[at])
            if reason != 0:
                self.set_blocker(self.batch_view[at], reason)
                break
        self.batch_count = self.expanded_count = self.judged_count = 0
        if self.blocker < 0 and self.at_bounds:
            self.reason = _BOUNDS


seal(AxisPlanner)
