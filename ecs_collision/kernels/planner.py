# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
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
    from cython.cimports.ecs_collision.kernels.columns import Columns
    from cython.cimports.ecs_collision.kernels.displacements import Displacements
    from cython.cimports.ecs_collision.kernels.frontier import Frontier
    from cython.cimports.ecs_collision.kernels.grid import Grid
else:
    from ecs_collision.kernels.columns import Columns
    from ecs_collision.kernels.displacements import Displacements
    from ecs_collision.kernels.frontier import Frontier
    from ecs_collision.kernels.grid import Grid

from ecs_collision.kernels.columns import longer

# Flags of columns.py, as constants of this module so that the compiled loops read no globals.
_SOLID = cython.declare(cython.int, 1)
_STATIC = cython.declare(cython.int, 4)
_PUSHABLE = cython.declare(cython.int, 64)

DONE = 0
ASK = 1
"""`run` has a question for the hook: `asked_pusher` and `asked_pushed`; give the verdict to `answer`."""

FORCE = 1
IMMOVABLE = 2
CHAIN_LIMIT = 3
HOOK = 4
BOUNDS = 5
"""Why the motion stops (`reason`); 0 when it does not."""

# What is known of a row in the current plan (`state`).
_EXPANDED = cython.declare(cython.int, 1)
_BATCHED = cython.declare(cython.int, 2)
_ALLOWED = cython.declare(cython.int, 4)
_VETOED = cython.declare(cython.int, 8)
_REACHED = cython.declare(cython.int, 16)

# Kinds of entries of the frontier, in the order in which they come off at one distance.
_MARKER = cython.declare(cython.int, 0)
_FIXED = cython.declare(cython.int, 1)
_FREE = cython.declare(cython.int, 2)

_INFINITE = cython.declare(cython.double, float("inf"))

_STRETCH = cython.declare(cython.longlong, 8)
"""The first stretch asked of the index, in bins; each further one is four times as long."""


@cython.cclass
class Planner:
    """Plans motions axis by axis; one object serves a world, its arrays are reused.

    Use: `begin(mover)`, then for each axis `start(...)`, `run()` (and `answer(...)` while it returns ASK),
    read the answer, `advance()`; at the end `displacements` holds what the motion displaces.
    """

    def __init__(self, columns: Columns, dynamic: Grid, static: Grid, overlay: Grid) -> None:
        self.columns = columns
        self.dynamic = dynamic
        self.static = static
        self.overlay = overlay
        self.displacements = Displacements(columns, dynamic, overlay)
        self.frontier = Frontier(columns)
        self._stamp, self._state = array("i"), array("i")
        self._dist, self._reach = array("q"), array("q")
        self._last_edge, self._edge_before = array("i"), array("i")
        self._batch, self.pushed_rows = array("i"), array("i")
        self.edge_pushers, self.edge_pushed = array("i"), array("i")
        self.edge_gaps, self._edge_asked = array("q"), array("i")
        self._low, self._high = array("q", [0, 0, 0]), array("q", [0, 0, 0])
        self.low, self.high = self._low, self._high
        self.capacity = 0
        self.edge_room = 0
        self.edge_count = 0
        self.plan = 0
        self.pushed_count = self.batch_size = self.asked_rows = 0
        self.expansions = 0
        self.room_for_rows()
        self.room_for_edges()

    # Room: every array grows by doubling, before it is needed.

    @cython.cfunc
    def room_for_rows(self) -> cython.void:
        """Make room for every row of the table."""
        rows: cython.Py_ssize_t = self.columns.capacity
        if rows == self.capacity:
            return
        self._stamp, self._state = longer(self._stamp, rows), longer(self._state, rows)
        self._dist, self._reach = longer(self._dist, rows), longer(self._reach, rows)
        self._last_edge = longer(self._last_edge, rows)
        self.last_edge = self._last_edge
        self._batch = longer(self._batch, rows)
        self.pushed_rows = longer(self.pushed_rows, rows)
        self.stamp, self.state = self._stamp, self._state
        self.dist, self.reach = self._dist, self._reach
        self.batch = self._batch
        self.pushed = self.pushed_rows
        self.capacity = rows

    @cython.cfunc
    def room_for_edges(self) -> cython.void:
        """Double the room for edges."""
        room: cython.Py_ssize_t = max(64, 2 * self.edge_room)
        self.edge_pushers, self.edge_pushed = longer(self.edge_pushers, room), longer(self.edge_pushed, room)
        self.edge_gaps, self._edge_asked = longer(self.edge_gaps, room), longer(self._edge_asked, room)
        self._edge_before = longer(self._edge_before, room)
        self.edge_before = self._edge_before
        self.edge_from, self.edge_to = self.edge_pushers, self.edge_pushed
        self.edge_gap, self.edge_asked = self.edge_gaps, self._edge_asked
        self.edge_room = room

    # A motion: begin, start and advance per axis, finish.

    def begin(self, mover: cython.int) -> None:
        """Start a motion of row `mover`; nothing is displaced yet."""
        self.room_for_rows()
        self.displacements.begin()
        self.mover = mover

    def start(
        self,
        axis: cython.int,
        request: cython.longlong,
        force: cython.double,
        summing: cython.bint,
        max_chain: cython.longlong,
        deeper: cython.bint,
        hooked: cython.bint,
        low: cython.longlong,
        high: cython.longlong,
    ) -> None:
        """Ask how far the mover goes along `axis` for `request` units (not 0), between the bounds low and high.

        `max_chain` below 0 means no limit; `summing` is rule "sum"; `deeper` the policy block_deeper.
        """
        if self.plan == 2147483647:  # after 2**31 plans the stamps start over
            for row in range(self.capacity):
                self.stamp[row] = 0
            self.plan = 0
        self.plan += 1
        self.axis = axis
        self.sign = 1 if request > 0 else -1
        self.request = request if request > 0 else -request
        self.limit = self.request
        self.force, self.total = force, 0.0
        self.summing, self.deeper, self.hooked = summing, deeper, hooked
        self.max_chain = max_chain
        self.low[axis], self.high[axis] = low, high
        self.frontier.clear()
        self.edge_count = 0
        self.pushed_count = self.batch_size = self.asked_rows = 0
        self.at_bounds = False
        self.allowed = self.request
        self.blocker, self.reason = -1, 0
        self.now = 0
        self.stamp[self.mover] = self.plan
        self.dist[self.mover] = 0
        self.reach[self.mover] = 0
        self.state[self.mover] = _EXPANDED | _BATCHED
        self.expand(self.mover)

    def run(self) -> int:
        """Go on until the answer is there (DONE) or the hook must decide a pair (ASK)."""
        while True:
            if self.batch_size == 0 and not self.at_bounds:
                if self.frontier.size == 0:
                    return DONE
                self.now = self.frontier.key[0]
            self.gather()
            if self.spread():
                continue
            if self.hooked and self.next_question():
                return ASK
            if (self.batch_size > 0 or self.at_bounds) and self.settle():
                return DONE

    def answer(self, verdict: cython.int) -> None:
        """Take the hook's verdict on the pair asked: 1 allow, 0 veto, -1 no opinion."""
        row: cython.int = self.asked_pushed
        if verdict == 0:
            self.state[row] |= _VETOED
        elif verdict == 1:
            self.state[row] |= _ALLOWED

    # The graph.

    @cython.cfunc
    @cython.exceptval(check=False)
    def pushable(self, row: cython.int) -> cython.bint:
        """Whether the force alone moves `row` (P3), hook considered (P15)."""
        state: cython.int = self.state[row]
        if (state & _VETOED) or (self.columns.flags_view[row] & _STATIC):
            return False
        if state & _ALLOWED:
            return True
        if not (self.columns.flags_view[row] & _PUSHABLE):
            return False
        return self.force > self.columns.inertia_view[3 * row + self.axis]

    @cython.cfunc
    @cython.exceptval(check=False)
    def immovable(self, row: cython.int) -> cython.bint:
        """Whether no force at all moves `row` along this axis: static, no inertia, or an infinite one."""
        flags: cython.int = self.columns.flags_view[row]
        if (flags & _STATIC) or not (flags & _PUSHABLE):
            return True
        return self.columns.inertia_view[3 * row + self.axis] == _INFINITE

    @cython.cfunc
    def expand(self, row: cython.int) -> cython.void:
        """Ask the index for what lies ahead of `row` in the next stretch."""
        start: cython.longlong = self.reach[row]
        left: cython.longlong = self.limit - self.dist[row]
        stop: cython.longlong
        if self.limit < self.request:
            left += 1  # bodies exactly at the limit may share the blame
        if start >= left:
            return
        stop = 4 * start if start > 0 else _STRETCH << self.dynamic.bin_shift
        if stop > left or stop <= 0:
            stop = left
        if start == 0:
            self.reach_bounds(row)
        self.expansions += 1
        self.reach[row] = stop
        if self.columns.flags_view[row] & _SOLID:
            first: cython.Py_ssize_t = self.columns.first_view[row]
            slot: cython.Py_ssize_t
            home: Grid = self.dynamic
            if self.displacements.moved[row]:
                home = self.overlay
                first = self.displacements.first[row]
            for slot in range(first, first + self.columns.count_view[row]):
                self.expand_box(row, home, slot, start, stop)
            if stop < left:
                self.frontier.push(self.dist[row] + stop, _MARKER, row)

    @cython.cfunc
    def expand_box(
        self,
        row: cython.int,
        home: Grid,
        slot: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.void:
        """Ask the index for what lies ahead of one box in the stretch."""
        axis: cython.int = self.axis
        base: cython.Py_ssize_t = 6 * slot
        lox: cython.longlong = home.faces[base]
        loy: cython.longlong = home.faces[base + 1]
        loz: cython.longlong = home.faces[base + 2]
        hix: cython.longlong = home.faces[base + 3]
        hiy: cython.longlong = home.faces[base + 4]
        hiz: cython.longlong = home.faces[base + 5]
        near: cython.longlong
        far: cython.longlong
        whole: cython.bint = self.deeper and start == 0
        if self.sign > 0:
            near = home.faces[base + 3 + axis] + start
            far = home.faces[base + 3 + axis] + stop
            if whole:
                near = home.faces[base + axis]
        else:
            near = home.faces[base + axis] - stop
            far = home.faces[base + axis] - start
            if whole:
                far = home.faces[base + 3 + axis]
        if axis == 0:
            lox, hix = near, far
        elif axis == 1:
            loy, hiy = near, far
        else:
            loz, hiz = near, far
        hits: cython.Py_ssize_t
        hits = self.dynamic.collect(lox, loy, loz, hix, hiy, hiz)
        self.meet(row, home, slot, self.dynamic, hits, start, stop)
        if self.static.box_count > 0:
            hits = self.static.collect(lox, loy, loz, hix, hiy, hiz)
            self.meet(row, home, slot, self.static, hits, start, stop)
        if self.overlay.box_count > 0:
            hits = self.overlay.collect(lox, loy, loz, hix, hiy, hiz)
            self.meet(row, home, slot, self.overlay, hits, start, stop)

    @cython.cfunc
    def meet(
        self,
        row: cython.int,
        home: Grid,
        slot: cython.Py_ssize_t,
        grid: Grid,
        hits: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.void:
        """Note an edge to every body of `grid` among the hits that lies ahead of the box within the stretch."""
        at: cython.Py_ssize_t
        other: cython.int
        gap: cython.longlong
        plain: cython.bint = grid is self.dynamic
        for at in range(hits):
            other = grid.owner[grid.hits[at]]
            if other == row or other == self.mover or (plain and self.displacements.moved[other]):
                continue
            if not self.columns.may_meet(row, other):
                continue
            gap = self.gap_to(home, slot, grid, grid.hits[at])
            if start <= gap < stop:
                self.edge(row, other, gap)

    @cython.cfunc
    @cython.exceptval(check=False)
    def gap_to(self, home: Grid, slot: cython.Py_ssize_t, grid: Grid, other: cython.Py_ssize_t) -> cython.longlong:
        """Return the gap from a box's leading face to the near face of another, -1 where it is not ahead (P9)."""
        mine: cython.Py_ssize_t = 6 * slot
        theirs: cython.Py_ssize_t = 6 * other
        axis: cython.int = self.axis
        across: cython.int
        for across in range(3):
            if across != axis and not (
                home.faces[mine + across] < grid.faces[theirs + 3 + across]
                and grid.faces[theirs + across] < home.faces[mine + 3 + across]
            ):
                return -1
        low: cython.longlong = home.faces[mine + axis]
        high: cython.longlong = home.faces[mine + 3 + axis]
        their_low: cython.longlong = grid.faces[theirs + axis]
        their_high: cython.longlong = grid.faces[theirs + 3 + axis]
        if self.sign > 0:
            if their_low >= high:
                return their_low - high
            deepens: cython.bint = low < their_low and high < their_high
        else:
            if their_high <= low:
                return low - their_high
            deepens = high > their_high and low > their_low
        if self.deeper and deepens and low < their_high and their_low < high:
            return 0
        return -1

    @cython.cfunc
    def reach_bounds(self, row: cython.int) -> cython.void:
        """Note the distance at which a leading face of `row` meets the bounds, if they are ahead (P18)."""
        axis: cython.int = self.axis
        gap: cython.longlong
        least: cython.longlong = -1
        slot: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.columns.first_view[row]
        home: Grid = self.dynamic
        if self.displacements.moved[row]:
            home = self.overlay
            first = self.displacements.first[row]
        for slot in range(first, first + self.columns.count_view[row]):
            if self.sign > 0:
                gap = self.high[axis] - home.faces[6 * slot + 3 + axis]
            else:
                gap = home.faces[6 * slot + axis] - self.low[axis]
            if gap >= 0 and (least < 0 or gap < least):
                least = gap
        if least >= 0 and self.dist[row] + least < self.request and self.dist[row] + least <= self.limit:
            self.limit = self.dist[row] + least
            self.frontier.push(self.limit, _FIXED, -1)

    @cython.cfunc
    def edge(self, pusher: cython.int, pushed: cython.int, gap: cython.longlong) -> cython.void:
        """Note that `pusher` meets `pushed` after `gap`; on the frontier if that is its shortest way."""
        reached: cython.longlong = self.dist[pusher] + gap
        kind: cython.int
        if reached > self.limit or reached >= self.request:
            return
        if self.stamp[pushed] != self.plan:
            self.stamp[pushed] = self.plan
            self.state[pushed] = 0
            self.reach[pushed] = 0
            self.dist[pushed] = self.request
            self.last_edge[pushed] = -1
        if reached > self.dist[pushed]:
            return
        if self.edge_count == self.edge_room:
            self.room_for_edges()
        self.edge_from[self.edge_count] = pusher
        self.edge_to[self.edge_count] = pushed
        self.edge_gap[self.edge_count] = gap
        self.edge_asked[self.edge_count] = 0
        self.edge_before[self.edge_count] = self.last_edge[pushed]
        self.last_edge[pushed] = cython.cast(cython.int, self.edge_count)
        self.edge_count += 1
        if reached == self.dist[pushed]:
            return
        self.dist[pushed] = reached
        kind = _FREE
        if not self.pushable(pushed):
            kind = _FIXED
            if not self.hooked or (self.columns.flags_view[pushed] & _STATIC):
                self.limit = reached  # nothing beyond can matter any more
        self.frontier.push(reached, kind, pushed)

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
        for at in range(self.batch_size):
            row = self.batch[at]
            if not (self.state[row] & _EXPANDED) and self.pushable(row):
                self.state[row] |= _EXPANDED
                self.asked_rows = 0  # new edges may lead to bodies that were asked for already
                self.expand(row)
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
                    self.block(row, HOOK)
                elif self.immovable(row):
                    self.block(row, IMMOVABLE)
                else:
                    self.block(row, FORCE)
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
                    self.block(row, FORCE)
                    break
            if 0 <= self.max_chain < self.pushed_count + 1:
                self.block(row, CHAIN_LIMIT)
                break
            self.total += inertia
            self.pushed[self.pushed_count] = row
            self.pushed_count += 1
        self.batch_size = self.asked_rows = 0
        if self.blocker < 0 and self.at_bounds:
            self.reason = BOUNDS
        if self.reason != 0:
            self.allowed = self.now
            return True
        return False

    # The answer.

    def distance(self, row: cython.int) -> int:
        """Return how far `row` moves along the axis just planned, in units, signed."""
        if row == self.mover:
            return self.sign * self.allowed
        if self.stamp[row] != self.plan or self.dist[row] >= self.allowed:
            return 0
        return self.sign * (self.allowed - self.dist[row])

    def advance(self, keep: cython.bint) -> None:
        """Displace the mover and the pushed by the answer; `keep`: a further axis will be planned."""
        at: cython.Py_ssize_t
        row: cython.int
        if self.allowed == 0:
            return
        self.displacements.add(self.mover, self.axis, self.sign * self.allowed)
        for at in range(self.pushed_count):
            row = self.pushed[at]
            if self.dist[row] < self.allowed:
                self.displacements.add(row, self.axis, self.sign * (self.allowed - self.dist[row]))
        if keep:
            self.displacements.lay()
