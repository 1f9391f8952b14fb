# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Plans how far a push goes along one axis: shortest paths over gaps (rule P2).

Dijkstra's algorithm on a graph that is opened lazily (`graph.py`). The motion ends at the nearest body that cannot be
pushed. Every body reached moves by what is left of the motion beyond its distance.

All bodies at one distance form a batch and are decided together, after the edges of gap 0 between them are closed. So
the result depends neither on the order of discovery nor on the order of creation.

Not taken: recursion over the bodies ahead (does not end on interlocked compounds, exponential on side-by-side bricks,
exceeds the stack on trains); unit steps (slow, and only for whole numbers).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.push.graph import PriorityQueue, PushGraph
else:
    from ecs_collision.push.graph import PriorityQueue, PushGraph

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import STATIC
from ecs_collision.push.graph import BATCHED, BOUNDS, EXPANDED, FREE, MARKER, REACHED

DONE = 0
CALL_HOOK = 1
"""`search` needs the hook for `hook_pusher` and `hook_pushed`; pass the verdict to `apply_verdict`."""

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
    """Plans one axis at a time. A world has one planner, whose arrays are reused.

    For each axis call `start(...)`, then `search()`, and `apply_verdict(...)` while it returns CALL_HOOK. The mover
    goes `allowed` units. If that is less than the request, `reason` says why, and `batch[:batch_count]` are the rows
    that stop it, by entity id; none at the bounds.
    """

    def __init__(self, graph: PushGraph) -> None:
        self.graph = graph
        self.queue = graph.queue
        self.columns = graph.columns
        self.batch = array("i")
        self.batch_count = self.expanded_count = self.judged_count = 0
        self.distance = self.allowed = 0
        self.at_bounds = False
        self.hook_pusher = self.hook_pushed = -1
        self.reason = 0

    @cython.cfunc
    def start(
        self, axis: cython.int, request: cython.longlong, low: cython.longlong, high: cython.longlong
    ) -> cython.void:
        """Start planning the motion of the mover along `axis`; arguments as for `PushGraph.start`."""
        if len(self.batch) != self.graph.capacity:
            self.batch = longer(self.batch, self.graph.capacity)
            self.batch_view = self.batch
        self.batch_count = self.expanded_count = self.judged_count = 0
        self.at_bounds = False
        self.allowed = request if request > 0 else -request
        self.distance = self.reason = 0
        self.graph.start(axis, request, low, high)
        self.graph.states_view[self.graph.mover] |= _BATCHED

    @cython.cfunc
    def search(self) -> cython.int:
        """Continue until the axis is planned (DONE) or a pair needs the hook (CALL_HOOK)."""
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
        """Apply the hook's verdict on the current pair: 1 allow, 0 veto, -1 no opinion."""
        self.graph.apply_verdict(self.hook_pushed, verdict)
        if verdict == 1:
            self.expanded_count = 0  # an earlier row may be pushable now

    # The batch of rows at one distance.

    @cython.cfunc
    def collect_batch(self) -> cython.void:
        """Move every queue entry at the current distance into the batch."""
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
        """Expand the pushable rows of the batch; return whether that queued more at the current distance."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(self.expanded_count, self.batch_count):
            row = self.batch_view[at]
            if not (graph.states_view[row] & _EXPANDED) and graph.stop_reason(row) == 0:
                self.judged_count = 0  # new edges may lead to rows that were checked
                graph.expand(row)
        self.expanded_count = self.batch_count
        return self.queue.size > 0 and self.queue.keys_view[0] == self.distance

    @cython.cfunc
    def find_hook_pair(self) -> cython.bint:
        """Find a pair of the batch for which the hook has not been called (P15); return whether there is one.

        Pushed bodies come in the order of the batch and their pushers by id, so the order depends on the state alone.
        """
        graph: PushGraph = self.graph
        pushed: cython.int
        at: cython.int
        best: cython.int
        while self.judged_count < self.batch_count:
            pushed = self.batch_view[self.judged_count]
            best = -1
            at = graph.last_edge_view[pushed]
            if self.columns.flags_view[pushed] & _STATIC:  # a verdict cannot move a static body
                at = -1
            while at >= 0:
                if not graph.edge_judged_view[at] and graph.leads_to(at, self.distance):
                    if best < 0 or self.is_lower(graph.edge_from_view[at], graph.edge_from_view[best]):
                        best = at
                at = graph.previous_edge_view[at]
            if best >= 0:
                self.hook_pusher, self.hook_pushed = graph.edge_from_view[best], pushed
                at = graph.last_edge_view[pushed]
                while at >= 0:  # compounds may have several edges to a row
                    if graph.edge_from_view[at] == self.hook_pusher:
                        graph.edge_judged_view[at] = 1
                    at = graph.previous_edge_view[at]
                return True
            self.judged_count += 1
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_lower(self, row: cython.int, other: cython.int) -> cython.bint:
        """Return whether the entity id of `row` is lower than that of `other`."""
        return self.columns.ids_view[row] < self.columns.ids_view[other]

    @cython.cfunc
    def mark_reached(self) -> cython.void:
        """Mark the rows of the batch that are still reached; a veto may have cut off some."""
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
        """Return whether the batch contains a body that stops the motion."""
        at: cython.Py_ssize_t
        for at in range(self.batch_count):
            if self.graph.stop_reason(self.batch_view[at]) != 0:
                return True
        return False

    @cython.cfunc
    def sort_batch(self) -> cython.void:
        """Sort the batch by entity id, using the queue: it has no other entry at this distance."""
        at: cython.Py_ssize_t
        for at in range(self.batch_count):
            self.queue.push(self.distance, _FREE, self.batch_view[at])
        for at in range(self.batch_count):
            self.batch_view[at] = self.queue.rows_view[0]
            self.queue.pop()

    @cython.cfunc
    def resolve_batch(self) -> cython.bint:
        """Push the whole batch, or stop the motion here; return whether the motion ends."""
        if self.graph.has_hook and self.has_stop():
            self.mark_reached()
        if not self.keep_blockers():
            self.push_batch()
        if self.reason != 0:
            self.allowed = self.distance
            return True
        return False

    @cython.cfunc
    def keep_blockers(self) -> cython.bint:
        """Reduce the batch to the rows that cannot be pushed, by id; if there is none, keep it and return False."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        count: cython.Py_ssize_t = 0
        for at in range(self.batch_count):
            row = self.batch_view[at]
            if graph.stop_reason(row) != 0 and (not graph.has_hook or graph.states_view[row] & _REACHED):
                self.batch_view[count] = row
                count += 1
        if count == 0:
            return False
        self.batch_count = count
        if count > 1:
            self.sort_batch()
        self.reason = graph.stop_reason(self.batch_view[0])
        return True

    @cython.cfunc
    def push_batch(self) -> cython.void:
        """Push the rows of the batch, by id if their number or sum is limited; one too many becomes the batch."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = self.batch_count
        if graph.summing or graph.max_chain >= 0:
            self.sort_batch()
        self.batch_count = self.expanded_count = self.judged_count = 0
        for at in range(count):
            self.reason = graph.add_pushed(self.batch_view[at])
            if self.reason != 0:
                self.batch_view[0] = self.batch_view[at]
                self.batch_count = 1
                return
        if self.at_bounds:
            self.reason = _BOUNDS
