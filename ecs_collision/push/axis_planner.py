# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""How far a push goes along one axis: shortest paths over gaps (rule P2).

Dijkstra's algorithm over a graph that is opened lazily: bodies are nodes, a gap between a leading face
and the near face of a body ahead is an edge, and a popped body asks the index only for the part of the
distance that is left, in stretches that grow. The motion goes as far as the nearest body that cannot be
pushed; every body reached moves what is left behind its distance.

All bodies at one distance are decided together, after the edges of gap 0 among them are closed: then
neither the order of discovery nor that of creation reaches an answer.

Not taken: recursion over what is ahead (interlocked compounds never end, side-by-side bricks are
exponential, trains exceed the stack); unit steps (slow, and only for whole numbers).

The planner changes nothing: what it finds goes into `displacements`, and into the world at the commit.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
    from cython.cimports.ecs_collision.bodies.dirty_rows import DirtyRows
    from cython.cimports.ecs_collision.bodies.group_links import GroupLinks
    from cython.cimports.ecs_collision.broadphase.morton_grid.grid import Grid
    from cython.cimports.ecs_collision.components.dirty_transforms import DirtyTransforms
    from cython.cimports.ecs_collision.push.graph import PushGraph
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.bodies.group_links import GroupLinks
    from ecs_collision.broadphase.morton_grid.grid import Grid
    from ecs_collision.components.dirty_transforms import DirtyTransforms
    from ecs_collision.push.graph import PushGraph

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal

# Flags of columns.py, as constants of this module so that the compiled loops read no globals.
_STATIC = cython.declare(cython.int, 4)

DONE = 0
ASK = 1
"""The search has a question for the hook: `asked_pusher` and `asked_pushed`; give the verdict to `answer`."""

FORCE = 1
IMMOVABLE = 2
CHAIN_LIMIT = 3
HOOK = 4
BOUNDS = 5
"""Why the motion stops (`reason`); 0 when it does not."""

# The same for the compiled loops.
_DONE = cython.declare(cython.int, DONE)
_ASK = cython.declare(cython.int, ASK)
_FORCE = cython.declare(cython.int, FORCE)
_IMMOVABLE = cython.declare(cython.int, IMMOVABLE)
_CHAIN_LIMIT = cython.declare(cython.int, CHAIN_LIMIT)
_HOOK = cython.declare(cython.int, HOOK)
_BOUNDS = cython.declare(cython.int, BOUNDS)

# What is known of a row in the current plan (`state`).
_EXPANDED = cython.declare(cython.int, 1)
_BATCHED = cython.declare(cython.int, 2)
_ALLOWED = cython.declare(cython.int, 4)
_VETOED = cython.declare(cython.int, 8)
_REACHED = cython.declare(cython.int, 16)

# Kinds of entries of the frontier, in the order in which they come off at one distance.
_MARKER = cython.declare(cython.int, 0)
_FREE = cython.declare(cython.int, 2)


@cython.cclass
class AxisPlanner(PushGraph):
    """Plans one axis at a time; one object serves a world, its arrays are reused.

    Use: `embark(mover)`, then for each axis `start(...)`, `search()` (and `answer(...)` while it returns ASK), read
    the answer, `advance()`; at the end `displacements` holds what the motion displaces.
    """

    def __init__(
        self,
        columns: Columns,
        rings: GroupLinks,
        dynamic: Grid,
        static: Grid,
        overlay: Grid,
        changed: DirtyRows,
        writes: DirtyTransforms,
    ) -> None:
        PushGraph.__init__(self, columns, rings, dynamic, static, overlay, changed, writes)
        self._batch, self._pushed = array("i"), array("i")
        self.pushed_count = self.batch_size = self.spread_rows = self.asked_rows = 0
        self.now = self.allowed = 0
        self.max_chain = -1
        self.total = 0.0
        self.summing = self.at_bounds = False
        self.blocker = self.asked_pusher = self.asked_pushed = -1
        self.reason = 0

    # A motion: embark, then start, search and advance per axis.

    @cython.cfunc
    def embark(self, mover: cython.int) -> cython.void:
        """Start a motion of row `mover` and all that is welded to it; nothing is displaced yet."""
        self.room_for_rows()
        if len(self._batch) != self.capacity:
            batch, pushed = longer(self._batch, self.capacity), longer(self._pushed, self.capacity)
            self._batch, self._pushed = batch, pushed
            self.batch, self.pushed = self._batch, self._pushed
        self.displacements.begin()
        self.mover = self.rings.leader_view[mover]

    @cython.cfunc
    def start(
        self, axis: cython.int, request: cython.longlong, low: cython.longlong, high: cython.longlong
    ) -> cython.void:
        """Ask how far the mover goes along `axis` for `request` units (not 0), between the bounds low and high.

        `force`, `summing` (rule "sum"), `max_chain` (below 0: no limit), `deeper` (policy block_deeper) and `hooked`
        have been set.
        """
        row: cython.Py_ssize_t
        if self.plan == 2147483647:  # after 2**31 plans the stamps start over
            for row in range(self.capacity):
                self.stamp[row] = 0
            self.plan = 0
        self.plan += 1
        self.axis = axis
        self.sign = 1 if request > 0 else -1
        self.request = request if request > 0 else -request
        self.limit = self.request
        self.total = 0.0
        self.low, self.high = low, high
        self.frontier.clear()
        self.edge_count = 0
        self.pushed_count = self.batch_size = self.spread_rows = self.asked_rows = 0
        self.at_bounds = False
        self.allowed = self.request
        self.blocker, self.reason = -1, 0
        self.now = 0
        self.stamp[self.mover] = self.plan
        self.dist[self.mover] = 0
        self.reach[self.mover] = 0
        self.state[self.mover] = _EXPANDED | _BATCHED
        self.expand(self.mover)

    @cython.cfunc
    def search(self) -> cython.int:
        """Go on until the answer is there (DONE) or the hook must decide a pair (ASK)."""
        while True:
            if self.batch_size == 0 and not self.at_bounds:
                if self.frontier.size == 0:
                    return _DONE
                self.now = self.frontier.key[0]
            self.gather()
            if self.spread():
                continue
            if self.hooked and self.next_question():
                return _ASK
            if (self.batch_size > 0 or self.at_bounds) and self.settle():
                return _DONE

    @cython.ccall
    def answer(self, verdict: cython.int) -> cython.void:
        """Take the hook's verdict on the pair asked: 1 allow, 0 veto, -1 no opinion."""
        row: cython.int = self.asked_pushed
        if verdict == 0:
            self.state[row] |= _VETOED
        elif verdict == 1:
            self.state[row] |= _ALLOWED
            self.spread_rows = 0  # it may have been passed over

    # Deciding all that is reached at one distance.

    @cython.cfunc
    def gather(self) -> cython.void:
        """Move every entry at the current distance from the frontier into the batch."""
        row: cython.int
        while self.frontier.size > 0 and self.frontier.key[0] == self.now:
            row = self.frontier.row[0]
            if self.frontier.kind[0] == _MARKER:
                self.frontier.drop()
                self.expand(row)
                continue
            self.frontier.drop()
            if row < 0:
                self.at_bounds = True
            elif self.dist[row] == self.now and not (self.state[row] & _BATCHED):
                self.state[row] |= _BATCHED
                self.batch[self.batch_size] = row
                self.batch_size += 1

    @cython.cfunc
    def spread(self) -> cython.bint:
        """Expand what can be pushed in the batch; returns whether that put more at the current distance."""
        at: cython.Py_ssize_t
        row: cython.int
        for at in range(self.spread_rows, self.batch_size):
            row = self.batch[at]
            if not (self.state[row] & _EXPANDED) and self.pushable(row):
                self.state[row] |= _EXPANDED
                self.asked_rows = 0  # new edges may lead to bodies that were asked for already
                self.expand(row)
        self.spread_rows = self.batch_size
        return self.frontier.size > 0 and self.frontier.key[0] == self.now

    @cython.cfunc
    def next_question(self) -> cython.bint:
        """Find a pair of the batch that the hook has not been asked about yet (P15).

        Bodies are asked for in the order of the batch, their pushers by id: a function of the state alone.
        """
        pushed: cython.int
        at: cython.int
        best: cython.int
        while self.asked_rows < self.batch_size:
            pushed = self.batch[self.asked_rows]
            best = -1
            at = (
                -1 if self.columns.flags_view[pushed] & _STATIC else self.last_edge[pushed]
            )  # no verdict moves a static
            while at >= 0:
                if not self.edge_asked[at] and self.attains(at):
                    if (
                        best < 0
                        or self.columns.ids_view[self.edge_from[at]] < self.columns.ids_view[self.edge_from[best]]
                    ):
                        best = at
                at = self.edge_before[at]
            if best >= 0:
                self.asked_pusher, self.asked_pushed = self.edge_from[best], pushed
                at = self.last_edge[pushed]
                while at >= 0:  # boxes of compounds may meet several times
                    if self.edge_from[at] == self.asked_pusher:
                        self.edge_asked[at] = 1
                    at = self.edge_before[at]
                return True
            self.asked_rows += 1
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def attains(self, edge: cython.int) -> cython.bint:
        """Whether an edge leads to the current distance, from a body that pushes."""
        pusher: cython.int = self.edge_from[edge]
        if self.dist[pusher] + self.edge_gap[edge] != self.now or not (self.state[pusher] & _EXPANDED):
            return False
        return pusher == self.mover or self.pushable(pusher)

    @cython.cfunc
    @cython.exceptval(check=False)
    def block(self, row: cython.int, reason: cython.int) -> cython.void:
        """Blame `row` unless a lower id is already blamed."""
        if self.blocker < 0 or self.columns.ids_view[row] < self.columns.ids_view[self.blocker]:
            self.blocker, self.reason = row, reason

    @cython.cfunc
    def retrace(self) -> cython.void:
        """Mark the rows of the batch that are still reached now that the hook may have closed the way to some."""
        at: cython.Py_ssize_t
        row: cython.int
        edge: cython.int
        pusher: cython.int
        changed: cython.bint = True
        while changed:
            changed = False
            for at in range(self.batch_size):
                row = self.batch[at]
                edge = -1 if self.state[row] & _REACHED else self.last_edge[row]
                while edge >= 0:
                    pusher = self.edge_from[edge]
                    if self.attains(edge) and (
                        pusher == self.mover or self.dist[pusher] < self.now or (self.state[pusher] & _REACHED) != 0
                    ):
                        self.state[row] |= _REACHED
                        changed = True
                        break
                    edge = self.edge_before[edge]

    @cython.cfunc
    @cython.exceptval(check=False)
    def any_unpushable(self) -> cython.bint:
        """Whether the batch holds a body that ends the motion."""
        at: cython.Py_ssize_t
        for at in range(self.batch_size):
            if not self.pushable(self.batch[at]):
                return True
        return False

    @cython.cfunc
    def sort_batch(self) -> cython.void:
        """Order the batch by entity id, through the frontier: nothing else in it is at this distance."""
        at: cython.Py_ssize_t
        for at in range(self.batch_size):
            self.frontier.push(self.now, _FREE, self.batch[at])
        for at in range(self.batch_size):
            self.batch[at] = self.frontier.row[0]
            self.frontier.drop()

    @cython.cfunc
    def settle(self) -> cython.bint:
        """Decide the batch: push all of it, or stop here; returns whether the motion ends."""
        at: cython.Py_ssize_t
        row: cython.int
        inertia: cython.double
        if self.hooked and self.any_unpushable():
            self.retrace()
        for at in range(self.batch_size):
            row = self.batch[at]
            if not self.pushable(row) and (self.state[row] & _REACHED or not self.hooked):
                if self.state[row] & _VETOED:
                    self.block(row, _HOOK)
                elif self.immovable(row):
                    self.block(row, _IMMOVABLE)
                else:
                    self.block(row, _FORCE)
        if self.reason != 0:
            self.allowed = self.now
            return True
        if self.summing or self.max_chain >= 0:
            self.sort_batch()
        for at in range(self.batch_size):
            row = self.batch[at]
            inertia = 0.0 if self.state[row] & _ALLOWED else self.columns.inertia_view[3 * row + self.axis]
            if self.summing and not (self.total + inertia < self.force):
                if not (self.state[row] & _ALLOWED):
                    self.block(row, _FORCE)
                    break
            if 0 <= self.max_chain < self.pushed_count + 1:
                self.block(row, _CHAIN_LIMIT)
                break
            self.total += inertia
            self.pushed[self.pushed_count] = row
            self.pushed_count += 1
        self.batch_size = self.spread_rows = self.asked_rows = 0
        if self.blocker < 0 and self.at_bounds:
            self.reason = _BOUNDS
        if self.reason != 0:
            self.allowed = self.now
            return True
        return False

    # The answer.

    @cython.cfunc
    def advance(self, keep: cython.bint) -> cython.void:
        """Displace the mover and the pushed by the answer, groups whole; `keep`: a further axis will be planned."""
        at: cython.Py_ssize_t
        row: cython.int
        if self.allowed == 0:
            return
        self.displacements.add_all(self.mover, self.axis, self.sign * self.allowed)
        for at in range(self.pushed_count):
            row = self.pushed[at]
            if self.dist[row] < self.allowed:
                self.displacements.add_all(row, self.axis, self.sign * (self.allowed - self.dist[row]))
        if keep:
            self.displacements.lay()


seal(AxisPlanner)
