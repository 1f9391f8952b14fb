# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The graph of a push along one axis: bodies are nodes, gaps between faces are edges; and what stops the push.

A fused group is one node, named by its leader. All its boxes are searched from, each with the layers of its own body,
and members of the group do not meet each other.

The graph is opened lazily: a row queries the index only for the distance that is left, in stretches of growing length,
and nothing beyond the nearest body that cannot be pushed (rules P2, P3, P4, P9, P18).

The index has the bounds of round and turned parts (H4). The gap to such a part is never less than that to its bounds,
so a part is compared once, in the stretch in which its bounds begin, and its edge may be longer than that.
"""

from __future__ import annotations

from array import array
from math import inf

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import separation
    from cython.cimports.ecs_collision.shapes.way import way_along
else:
    from ecs_collision.shapes.overlap import separation
    from ecs_collision.shapes.way import way_along

from ecs_collision._arrays import grown, longer
from ecs_collision.bodies.columns import ONE_WAY, PUSHABLE, SHAPED, SOLID, STATIC, Columns, GroupLinks
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.protocol import Index
from ecs_collision.push.displacements import Displacements
from ecs_collision.results import CHAIN_LIMIT, FORCE, HOOK, IMMOVABLE, RESPONSE
from ecs_collision.shapes.contact import normal_of
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.way import OVERLAP

EXPANDED = 1
BATCHED = 2
ALLOWED = 4
VETOED = 8
REACHED = 16
LIFTED = 32
SOURCE = 64
REFUSED = 128
"""Flags of a row in the current plan (`states`). LIFTED: carried along `up`, so allowed (M6). SOURCE: a mover besides
the first, in a joint push (M11). REFUSED: the response of the mover is not to push it (M9)."""

PUSHES, CROSSES = 0, 1
"""Responses of the mover to a row (`responses`, M9); any other number: the row blocks."""

MARKER = 0
FIXED = 1
FREE = 2
"""Kinds of queue entries, in the order in which they are taken at one distance."""

# C copies: compiled code would look the imported names up as Python objects.
_SOLID = cython.declare(cython.int, SOLID)
_STATIC = cython.declare(cython.int, STATIC)
_PUSHABLE = cython.declare(cython.int, PUSHABLE)
_SHAPED = cython.declare(cython.int, SHAPED)
_OVERLAP = cython.declare(cython.longlong, OVERLAP)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_FORCE = cython.declare(cython.int, FORCE)
_IMMOVABLE = cython.declare(cython.int, IMMOVABLE)
_CHAIN_LIMIT = cython.declare(cython.int, CHAIN_LIMIT)
_HOOK = cython.declare(cython.int, HOOK)
_EXPANDED = cython.declare(cython.int, EXPANDED)
_ALLOWED = cython.declare(cython.int, ALLOWED)
_VETOED = cython.declare(cython.int, VETOED)
_BATCHED = cython.declare(cython.int, BATCHED)
_REACHED = cython.declare(cython.int, REACHED)
_LIFTED = cython.declare(cython.int, LIFTED)
_SOURCE = cython.declare(cython.int, SOURCE)
_REFUSED = cython.declare(cython.int, REFUSED)
_RESPONSE = cython.declare(cython.int, RESPONSE)
_CROSSES = cython.declare(cython.int, CROSSES)
_MARKER = cython.declare(cython.int, MARKER)
_FIXED = cython.declare(cython.int, FIXED)
_FREE = cython.declare(cython.int, FREE)

_INFINITE = cython.declare(cython.double, inf)

_STRETCH = cython.declare(cython.longlong, 8)
"""Length in bins of the first stretch that is searched; each further one is four times as long."""

_ALONG = cython.declare(cython.double, 2.0**-20)
"""A normal with a smaller part along an axis is at a right angle to it, but for rounding errors."""


@cython.cclass
class PriorityQueue:
    """The reached rows of a plan: a binary heap in arrays, by (distance, kind, entity id).

    The first entry is `keys[0]`, `kinds[0]`, `rows[0]`; row -1 stands for the bounds. The entity id makes the order
    total, so that neither the order of discovery nor of creation affects a result.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.keys, self.kinds, self.rows = array("q"), array("i"), array("i")
        self.size = self.capacity = 0
        self.grow()

    def grow(self) -> cython.void:
        """Double the capacity."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.capacity)
        self.keys, self.kinds, self.rows = grown(capacity, self.keys, self.kinds, self.rows)
        self.capacity = capacity

    def clear(self) -> cython.void:
        """Remove every entry."""
        self.size = 0

    def before(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether entry a precedes entry b."""
        if self.keys[a] != self.keys[b]:
            return self.keys[a] < self.keys[b]
        if self.kinds[a] != self.kinds[b]:
            return self.kinds[a] < self.kinds[b]
        if self.rows[a] < 0 or self.rows[b] < 0:
            return self.rows[b] < 0 <= self.rows[a]
        return self.columns.ids_view[self.rows[a]] < self.columns.ids_view[self.rows[b]]

    def swap(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.void:
        """Exchange two entries."""
        key: cython.longlong = self.keys[a]
        kind: cython.int = self.kinds[a]
        row: cython.int = self.rows[a]
        self.keys[a] = self.keys[b]
        self.kinds[a] = self.kinds[b]
        self.rows[a] = self.rows[b]
        self.keys[b] = key
        self.kinds[b] = kind
        self.rows[b] = row

    def push(self, key: cython.longlong, kind: cython.int, row: cython.int) -> cython.void:
        """Add an entry. O(log n)."""
        at: cython.Py_ssize_t = self.size
        if at == self.capacity:
            self.grow()
        self.keys[at] = key
        self.kinds[at] = kind
        self.rows[at] = row
        self.size += 1
        while at > 0:
            above: cython.Py_ssize_t = (at - 1) >> 1
            if not self.before(at, above):
                break
            self.swap(at, above)
            at = above

    def pop(self) -> cython.void:
        """Remove the first entry. O(log n)."""
        at: cython.Py_ssize_t = 0
        self.size -= 1
        self.swap(0, self.size)
        while True:
            below: cython.Py_ssize_t = 2 * at + 1
            if below >= self.size:
                break
            if below + 1 < self.size and self.before(below + 1, below):
                below += 1
            if not self.before(below, at):
                break
            self.swap(at, below)
            at = below


@cython.final
@cython.cclass
class PushGraph:
    """The rows reached in the current plan with their distances, and the edges between them.

    Per row: `distances` from the mover, `search_ends` how far ahead it was searched, and the flags `states`; all are
    valid only if `stamps` has the number of the plan. Edge e leads from row `edge_from[e]` to `edge_to[e]` over
    `edge_gap[e]`; the edges to a row are linked from `last_edge` by `previous_edge`. `pushed[:pushed_count]` are the
    pushed rows.

    `through`: the mover passes through one-way bodies (M5). With `has_responses`, `responses` has what the mover does
    on meeting a row (M9), and `crossed` the rows that it crosses on this axis, with the gap and the entity before each.

    Call `begin(...)` once a motion and `start(...)` for each axis. Reached rows are added to `queue`; the caller takes
    them off and calls `expand` for those that can be pushed.

    What else a motion takes along, each list emptied by `begin`: `gripped[:gripped_count]` are leaders that the mover
    grips (M12), `sources[:source_count]` further movers of a joint push (M11), and `crushed[:crushed_count]` leaders
    that it passes through (M8). A rider is not stopped by the `platform`, which has gone as far as it will. `rides[:2 *
    ride_count]` are the supports and riders that `find_riders` found (M6).
    """

    def __init__(
        self,
        columns: Columns,
        group_links: GroupLinks,
        dynamic: Index,
        static: Index,
        overlay: Index,
        displacements: Displacements,
        range_low: cython.longlong,
        range_high: cython.longlong,
        block_deeper: cython.bint,
        has_hook: cython.bint,
    ) -> None:
        self.columns = columns
        self.group_links = group_links
        self.dynamic = dynamic
        self.static = static
        self.overlay = overlay
        self.displacements = displacements
        self.range_low, self.range_high = range_low, range_high
        self.block_deeper, self.has_hook = block_deeper, has_hook
        self.queue = PriorityQueue(columns)
        self.stamps, self.states = array("i"), array("i")
        self.distances, self.search_ends = array("q"), array("q")
        self.last_edge, self.previous_edge = array("i"), array("i")
        self.edge_from, self.edge_to = array("i"), array("i")
        self.edge_gap, self.edge_judged = array("q"), array("i")
        self.pushed, self.crushed, self.rides = array("i"), array("i"), array("i", bytes(4 * 16))
        self.gripped, self.sources, self.responses = array("i"), array("i"), array("i")
        self.crossed: list[tuple[int, int, int]] = []
        self.has_responses = self.is_refused = False
        self.low = self.high = 0
        self.capacity = self.edge_capacity = self.edge_count = self.pushed_count = 0
        self.gripped_count = self.source_count = self.crushed_count = self.ride_count = self.chain_count = 0
        self.lift = 0
        self.platform = -1
        self.passes_some = False
        self.lifting = self.late_lift = self.finding_riders = False
        self.plan = 0
        self.mover, self.axis, self.sign = -1, 0, 1
        self.request = self.limit = self.horizon = 0
        self.force = self.total = 0.0
        self.summing, self.max_chain = False, -1
        self.has_shapes = self.through = False
        self.part, self.other_part = PlacedPart(), PlacedPart()
        self.expansions = 0
        self.reserve_rows()
        self.reserve_edges()

    # Capacity.

    def reserve_rows(self) -> cython.void:
        """Make room for every row of the table."""
        rows: cython.Py_ssize_t = self.columns.capacity
        if rows == self.capacity:
            return
        self.stamps, self.states, self.last_edge, self.distances, self.search_ends, self.pushed = grown(
            rows, self.stamps, self.states, self.last_edge, self.distances, self.search_ends, self.pushed
        )
        self.gripped, self.sources, self.crushed = grown(rows, self.gripped, self.sources, self.crushed)
        self.responses = longer(self.responses, rows)
        self.capacity = rows

    def reserve_edges(self) -> cython.void:
        """Double the capacity for edges."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.edge_capacity)
        self.edge_from, self.edge_to, self.edge_gap, self.edge_judged, self.previous_edge = grown(
            capacity, self.edge_from, self.edge_to, self.edge_gap, self.edge_judged, self.previous_edge
        )
        self.edge_capacity = capacity

    # A motion, and each of its axes.

    def begin(
        self, mover: cython.int, force: cython.double, summing: cython.bint, max_chain: cython.longlong
    ) -> cython.void:
        """Start a motion of row `mover` and its fused group.

        summing: rule "sum" (P4). max_chain: the largest number of pushed bodies, below 0 for no limit.
        """
        self.reserve_rows()
        self.mover = self.group_links.leader_view[mover]
        self.force, self.summing, self.max_chain = force, summing, max_chain
        self.gripped_count = self.source_count = self.crushed_count = 0
        self.platform = -1
        self.has_responses = self.is_refused = False

    def set_response(self, row: cython.int, response: cython.int) -> cython.void:
        """Set what the mover of the motion that began does on meeting a row (M9)."""
        self.has_responses = True
        self.responses[row] = response

    def add_gripped(self, row: cython.int) -> cython.void:
        """Add a body that the mover grips, by its row (M12). Call it after `begin`."""
        row = self.group_links.leader_view[row]
        if row != self.mover and not _contains(self.gripped, self.gripped_count, row):
            self.gripped[self.gripped_count] = row
            self.gripped_count += 1

    def add_source(self, row: cython.int) -> cython.void:
        """Add a further mover of a joint push, by its row (M11). Call it after `begin`."""
        row = self.group_links.leader_view[row]
        if row != self.mover and not _contains(self.sources, self.source_count, row):
            self.sources[self.source_count] = row
            self.source_count += 1

    def start(
        self, axis: cython.int, request: cython.longlong, low: cython.longlong, high: cython.longlong
    ) -> cython.void:
        """Start an axis: a request in units (not 0) between the bounds low and high."""
        if self.plan == 2147483647:  # the stamps restart after 2**31 plans
            for row in range(self.capacity):
                self.stamps[row] = 0
            self.plan = 0
        self.plan += 1
        self.axis = axis
        self.sign = 1 if request > 0 else -1
        self.request = request if request > 0 else -request
        self.limit = self.request
        self.low, self.high = low, high
        self.has_shapes = self.columns.shaped_count > 0
        self.total = 0.0
        self.queue.clear()
        if len(self.crossed) > 0:
            self.crossed.clear()
        self.edge_count = self.pushed_count = self.chain_count = 0
        self.lift = (axis + 1) * self.sign if self.columns.carrying_count > 0 else 0
        self.lifting = self.late_lift = False
        self.passes_some = self.crushed_count > 0 or self.platform >= 0
        self.stamps[self.mover] = self.plan
        self.distances[self.mover] = 0
        self.search_ends[self.mover] = 0
        self.states[self.mover] = 0
        for at in range(self.source_count):
            self.start_source(self.sources[at])
        for at in range(self.gripped_count):
            self.add_edge(self.mover, self.gripped[at], 0)
        self.expand(self.mover)
        for at in range(self.source_count):
            self.expand(self.sources[at])

    def start_source(self, row: cython.int) -> cython.void:
        """Start an axis from a further mover: it is at distance 0, and pushes as the first one does (M11)."""
        self.stamps[row] = self.plan
        self.distances[row] = 0
        self.search_ends[row] = 0
        self.states[row] = _SOURCE | _ALLOWED | _BATCHED | _REACHED
        self.last_edge[row] = -1

    # What stops a push. The planner adds BOUNDS and ALL_OR_NOTHING, and says which blockers count.

    def stop_reason(self, row: cython.int) -> cython.int:
        """Return why the force does not move `row`, or 0 if it does (P3). A verdict of the hook has priority (P15).

        Without a verdict IMMOVABLE means that no force would move it: static, no inertia, or an infinite one on this
        axis.
        """
        state: cython.int = self.states[row]
        flags: cython.int = self.columns.flags_view[row]
        if state & _VETOED:
            return _HOOK
        if state & _REFUSED:
            return _RESPONSE
        if flags & _STATIC:
            return _IMMOVABLE
        if state & _ALLOWED:
            return 0
        if not (flags & _PUSHABLE):
            return _IMMOVABLE
        inertia: cython.double = self.columns.inertia_view[3 * row + self.axis]
        if self.force > inertia:
            return 0
        return _IMMOVABLE if inertia == _INFINITE else _FORCE

    def add_pushed(self, row: cython.int) -> cython.int:
        """Add `row` to the pushed rows and return 0, or return the reason why it is one too many (P4).

        What is carried counts for neither limit (M6).
        """
        allowed: cython.bint = (self.states[row] & _ALLOWED) != 0
        is_lifted: cython.bint = (self.states[row] & _LIFTED) != 0
        inertia: cython.double = 0.0 if allowed else self.columns.inertia_view[3 * row + self.axis]
        if self.summing and not allowed and not (self.total + inertia < self.force):
            return _FORCE
        if 0 <= self.max_chain < self.chain_count + 1 and not is_lifted:
            return _CHAIN_LIMIT
        self.total += inertia
        self.chain_count += not is_lifted
        self.pushed[self.pushed_count] = row
        self.pushed_count += 1
        return 0

    def apply_verdict(self, row: cython.int, verdict: cython.int) -> cython.void:
        """Store the hook's verdict on a row: 1 allow, 0 veto, -1 no opinion."""
        if verdict == 0:
            self.states[row] |= _VETOED
        elif verdict == 1:
            self.states[row] |= _ALLOWED

    def leads_to(self, edge: cython.int, distance: cython.longlong) -> cython.bint:
        """Return whether an edge ends at a distance and starts at a row that pushes."""
        pusher: cython.int = self.edge_from[edge]
        if self.distances[pusher] + self.edge_gap[edge] != distance or not (self.states[pusher] & _EXPANDED):
            return False
        return pusher == self.mover or self.stop_reason(pusher) == 0

    # What lies ahead.

    def expand(self, row: cython.int) -> cython.void:
        """Search the next stretch ahead of `row` and its fused group."""
        start: cython.longlong = self.search_ends[row]
        left: cython.longlong = self.limit - self.distances[row]
        member: cython.int = row
        boxes: cython.int = 0
        self.states[row] |= _EXPANDED
        if self.limit < self.request:
            left += 1  # a body exactly at the limit may be the blocker
        if start >= left:
            return
        stop: cython.longlong = 4 * start if start > 0 else _STRETCH << self.dynamic.boxes.bin_shift
        if stop > left or stop <= 0:
            stop = left
        if start == 0:
            self.add_bounds(row)
        self.expansions += 1
        self.search_ends[row] = stop
        self.horizon = left
        while True:
            if self.columns.flags_view[member] & _SOLID:
                boxes += self.columns.count_view[member]
                self.expand_row(member, start, stop)
            member = self.group_links.next_row_view[member]
            if member == row:
                break
        if boxes > 0 and stop < left and (stop < self.horizon or boxes > 1):
            self.queue.push(self.distances[row] + stop, _MARKER, row)

    @cython.cfunc
    @cython.inline
    def expand_row(self, row: cython.int, start: cython.longlong, stop: cython.longlong) -> cython.void:
        """Search the stretch ahead of each box of a row."""
        first: cython.Py_ssize_t = self.columns.first_view[row]
        own_boxes: BoxPool = self.dynamic.boxes
        if self.displacements.moved[row]:
            own_boxes = self.overlay.boxes
            first = self.displacements.overlay_slots[row]
        end: cython.Py_ssize_t = first + self.columns.count_view[row]
        while first < end:
            group_end: cython.Py_ssize_t = own_boxes.next_hull(first, end)
            self.expand_boxes(row, own_boxes, first, group_end, start, stop)
            first = group_end

    def expand_boxes(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.void:
        """Search the stretch ahead of the boxes first to end, which `together` grouped."""
        axis: cython.int = self.axis
        lox: cython.longlong = own_boxes.hull_view[0]
        loy: cython.longlong = own_boxes.hull_view[1]
        loz: cython.longlong = own_boxes.hull_view[2]
        hix: cython.longlong = own_boxes.hull_view[3]
        hiy: cython.longlong = own_boxes.hull_view[4]
        hiz: cython.longlong = own_boxes.hull_view[5]
        # A single box is searched from its leading face, which is inside what it would go deeper into (P9); several
        # boxes have different ones. The bounds of a part ahead may be beside or around the box already.
        full_box: cython.bint = end > first + 1 or (self.has_shapes and start == 0)
        if self.sign > 0:
            near: cython.longlong = own_boxes.hull_view[axis if full_box else 3 + axis] + start
            far: cython.longlong = own_boxes.hull_view[3 + axis] + stop
        else:
            near = own_boxes.hull_view[axis] - stop
            far = own_boxes.hull_view[3 + axis if full_box else axis] - start
        if axis == 0:
            lox, hix = near, far
        elif axis == 1:
            loy, hiy = near, far
        else:
            loz, hiz = near, far
        hits: cython.Py_ssize_t = self.dynamic.collect(lox, loy, loz, hix, hiy, hiz)
        self.add_edges(row, own_boxes, first, end, self.dynamic, hits, start, stop)
        if self.static.boxes.box_count > 0:
            hits = self.static.collect(lox, loy, loz, hix, hiy, hiz)
            self.add_edges(row, own_boxes, first, end, self.static, hits, start, stop)
        if self.overlay.boxes.box_count > 0:
            hits = self.overlay.collect(lox, loy, loz, hix, hiy, hiz)
            self.add_edges(row, own_boxes, first, end, self.overlay, hits, start, stop)

    def add_edges(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        index: Index,
        hits: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.void:
        """Add an edge to every body of `index` among the hits that is ahead of one of the boxes in the stretch."""
        body: cython.int = self.group_links.leader_view[row]
        boxes: BoxPool = index.boxes
        is_dynamic: cython.bint = index is self.dynamic
        self.lifting = self.lift != 0 and (
            self.columns.carries_view[row] == self.lift or (self.states[body] & _LIFTED) != 0
        )
        for at in range(hits):
            other: cython.int = boxes.owner_view[index.hits_view[at]]
            leader: cython.int = self.group_links.leader_view[other]
            if leader == body or leader == self.mover or (is_dynamic and self.displacements.moved[other]):
                continue
            if not self.columns.may_meet(row, other):
                continue
            if self.passes_some and body == self.mover and (leader == self.platform or self.is_crushed(leader)):
                continue
            if self.has_responses and body == self.mover:
                if self.responses[other] == _CROSSES:
                    self.cross(row, own_boxes, first, end, other, boxes, index.hits_view[at], start, stop)
                    continue
                self.is_refused = self.responses[other] > _CROSSES
            if (self.columns.flags_view[row] | self.columns.flags_view[other]) & _ONE_WAY:
                self.add_one_way_edges(row, own_boxes, first, end, other, boxes, index.hits_view[at], start, stop)
                self.is_refused = False
                continue
            if self.has_shapes and (self.columns.flags_view[row] | self.columns.flags_view[other]) & _SHAPED:
                for slot in range(first, end):
                    gap = self.gap_in_stretch(row, own_boxes, slot, other, boxes, index.hits_view[at], start, stop)
                    if gap >= 0:
                        self.add_edge(body, leader, gap)
                self.is_refused = False
                continue
            for slot in range(first, end):
                gap = self.gap_to(own_boxes, slot, boxes, index.hits_view[at])
                if start <= gap < stop:
                    self.add_edge(body, leader, gap)
                    self.limit_horizon(row, own_boxes, slot, other, boxes, index.hits_view[at], gap)
            self.is_refused = False

    def cross(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        other: cython.int,
        boxes: BoxPool,
        other_slot: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.void:
        """Add a body that the mover crosses (M9), with the gap to it."""
        for slot in range(first, end):
            gap: cython.longlong = self.gap_in_stretch(row, own_boxes, slot, other, boxes, other_slot, start, stop)
            if gap >= 0:
                self.crossed.append((gap, self.columns.ids_view[other], other))

    # One-way bodies (M5). They hide nothing behind them, because they may pass through what stops their pusher.

    def add_one_way_edges(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        other: cython.int,
        boxes: BoxPool,
        other_slot: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.void:
        """Add an edge to a part of a body, one of the two being one-way, if it is met from outside in the stretch."""
        if not self.meets_one_way(row, other):
            return
        if self.columns.flags_view[other] & _ONE_WAY and self.overlaps_body(other, boxes, other_slot, row):
            return
        for slot in range(first, end):
            gap: cython.longlong = self.gap_in_stretch(row, own_boxes, slot, other, boxes, other_slot, start, stop)
            if gap < 0:
                continue
            if self.columns.flags_view[row] & _ONE_WAY and self.overlaps_body(row, own_boxes, slot, other):
                continue
            self.add_edge(self.group_links.leader_view[row], self.group_links.leader_view[other], gap)

    def meets_one_way(self, row: cython.int, other: cython.int) -> cython.bint:
        """Return whether a row that moves along the axis comes against the direction of each of the two that has one.

        Seen from a one-way body that moves, what is ahead comes towards it.
        """
        if self.columns.flags_view[other] & _ONE_WAY and not self.columns.comes_against(
            other, self.axis, self.sign > 0
        ):
            return False
        if self.columns.flags_view[row] & _ONE_WAY and not self.columns.comes_against(row, self.axis, self.sign < 0):
            return False
        return not (
            self.through
            and self.columns.flags_view[other] & _ONE_WAY
            and self.group_links.leader_view[row] == self.mover
        )

    def overlaps_body(self, row: cython.int, boxes: BoxPool, slot: cython.Py_ssize_t, other: cython.int) -> cython.bint:
        """Return whether a part of a row overlaps any part of another body, where the axis begins."""
        first: cython.Py_ssize_t = self.first_box(other)
        other_boxes: BoxPool = self.boxes_of(other)
        for at in range(first, first + self.columns.count_view[other]):
            if self.overlaps_part(row, boxes, slot, other, other_boxes, at):
                return True
        return False

    def width_on(self, other: cython.int, distance: cython.longlong) -> cython.double:
        """Return by how much a body `distance` ahead overlaps the mover across the axis: a length in 2D, or an area.

        It is that of the boxes which would touch there; of parts that are no boxes, that of all bounds.
        """
        member: cython.int = self.mover
        found: cython.double = 0.0
        while True:
            at: cython.int = other
            while True:
                found += self.width_between(member, at, distance)
                at = self.group_links.next_row_view[at]
                if at == other:
                    break
            member = self.group_links.next_row_view[member]
            if member == self.mover:
                return found

    def width_between(self, row: cython.int, other: cython.int, distance: cython.longlong) -> cython.double:
        """Return the sum for two rows, as `width_on`."""
        found: cython.double = 0.0
        is_flat: cython.bint = self.columns.are_flat(row, other)
        is_shaped: cython.bint = ((self.columns.flags_view[row] | self.columns.flags_view[other]) & _SHAPED) != 0
        boxes: BoxPool = self.boxes_of(row)
        others: BoxPool = self.boxes_of(other)
        first: cython.Py_ssize_t = self.first_box(row)
        other_first: cython.Py_ssize_t = self.first_box(other)
        if not self.columns.may_meet(row, other):
            return 0.0
        for slot in range(first, first + self.columns.outer_view[row]):
            for at in range(other_first, other_first + self.columns.outer_view[other]):
                if not is_shaped and self.gap_to(boxes, slot, others, at) != distance:
                    continue
                share: cython.double = 1.0
                for axis in range(3):
                    if axis != self.axis and not (axis == 2 and is_flat):
                        low: cython.longlong = max(boxes.faces_view[8 * slot + axis], others.faces_view[8 * at + axis])
                        high = min(boxes.faces_view[8 * slot + 3 + axis], others.faces_view[8 * at + 3 + axis])
                        share *= cython.cast(cython.double, max(0, high - low))
                found += share
        return found

    def boxes_of(self, row: cython.int) -> BoxPool:
        """Return the boxes among which are those of a row, where the motion has displaced it so far."""
        if self.columns.flags_view[row] & _STATIC:
            return self.static.boxes
        return self.overlay.boxes if self.displacements.moved[row] else self.dynamic.boxes

    def first_box(self, row: cython.int) -> cython.Py_ssize_t:
        """Return the first box of a row among `boxes_of`."""
        return self.displacements.overlay_slots[row] if self.displacements.moved[row] else self.columns.first_view[row]

    def overlaps_part(
        self,
        row: cython.int,
        boxes: BoxPool,
        slot: cython.Py_ssize_t,
        other: cython.int,
        other_boxes: BoxPool,
        other_slot: cython.Py_ssize_t,
    ) -> cython.bint:
        """Return whether two parts overlap (L4, H5)."""
        for axis in range(3):
            if (
                boxes.faces_view[8 * slot + axis] >= other_boxes.faces_view[8 * other_slot + 3 + axis]
                or other_boxes.faces_view[8 * other_slot + axis] >= boxes.faces_view[8 * slot + 3 + axis]
            ):
                return False
        if not (self.columns.flags_view[row] | self.columns.flags_view[other]) & _SHAPED:
            return True
        self.place_part(self.part, row, boxes, slot)
        self.place_part(self.other_part, other, other_boxes, other_slot)
        return separation(self.part, self.other_part) == 0

    def limit_horizon(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        slot: cython.Py_ssize_t,
        other: cython.int,
        boxes: BoxPool,
        other_slot: cython.Py_ssize_t,
        gap: cython.longlong,
    ) -> cython.void:
        """Reduce the horizon if a box ahead hides everything behind its far face.

        It does if it covers the whole cross-section, can be pushed and has the filter of `row`: it will be searched
        from at a smaller distance. Without this a long push of a long train is quadratic.
        """
        mine: cython.Py_ssize_t = 8 * slot
        theirs: cython.Py_ssize_t = 8 * other_slot
        depth: cython.longlong = boxes.faces_view[theirs + 3 + self.axis] - boxes.faces_view[theirs + self.axis]
        if depth <= 0 or gap + depth >= self.horizon or self.columns.passing_count > 0:
            return
        if self.columns.classes_view[row] != self.columns.classes_view[other]:
            return
        if self.stop_reason(self.group_links.leader_view[other]) != 0:
            return
        for across in range(3):
            if across != self.axis and (
                boxes.faces_view[theirs + across] > own_boxes.faces_view[mine + across]
                or boxes.faces_view[theirs + 3 + across] < own_boxes.faces_view[mine + 3 + across]
            ):
                return
        self.horizon = gap + depth

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def gap_to(
        self, own_boxes: BoxPool, slot: cython.Py_ssize_t, boxes: BoxPool, other: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the gap from a box's leading face to the near face of another, -1 if that is not ahead (P9)."""
        mine: cython.Py_ssize_t = 8 * slot
        theirs: cython.Py_ssize_t = 8 * other
        axis: cython.int = self.axis
        for across in range(3):
            if across != axis and not (
                own_boxes.faces_view[mine + across] < boxes.faces_view[theirs + 3 + across]
                and boxes.faces_view[theirs + across] < own_boxes.faces_view[mine + 3 + across]
            ):
                return -1
        low: cython.longlong = own_boxes.faces_view[mine + axis]
        high: cython.longlong = own_boxes.faces_view[mine + 3 + axis]
        their_low: cython.longlong = boxes.faces_view[theirs + axis]
        their_high: cython.longlong = boxes.faces_view[theirs + 3 + axis]
        if self.sign > 0:
            if their_low >= high:
                return their_low - high
            deepens: cython.bint = low < their_low and high < their_high
        else:
            if their_high <= low:
                return low - their_high
            deepens = high > their_high and low > their_low
        if self.block_deeper and deepens and low < their_high and their_low < high:
            return 0
        return -1

    def bounds_gap_to(
        self, own_boxes: BoxPool, slot: cython.Py_ssize_t, boxes: BoxPool, other: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the gap between the bounds of two parts, below 0 if they are side by side or the other is behind."""
        if self.sign > 0:
            return boxes.faces_view[8 * other + self.axis] - own_boxes.faces_view[8 * slot + 3 + self.axis]
        return own_boxes.faces_view[8 * slot + self.axis] - boxes.faces_view[8 * other + 3 + self.axis]

    def gap_in_stretch(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        slot: cython.Py_ssize_t,
        other: cython.int,
        boxes: BoxPool,
        other_slot: cython.Py_ssize_t,
        start: cython.longlong,
        stop: cython.longlong,
    ) -> cython.longlong:
        """Return the gap from a part to another whose bounds begin in the stretch, -1 if there is none (P2, P9)."""
        if not (self.has_shapes and (self.columns.flags_view[row] | self.columns.flags_view[other]) & _SHAPED):
            gap: cython.longlong = self.gap_to(own_boxes, slot, boxes, other_slot)
            return gap if start <= gap < stop else -1
        if start <= max(0, self.bounds_gap_to(own_boxes, slot, boxes, other_slot)) < stop:
            return self.gap_of_parts(row, own_boxes, slot, other, boxes, other_slot)
        return -1

    def gap_of_parts(
        self,
        row: cython.int,
        own_boxes: BoxPool,
        slot: cython.Py_ssize_t,
        other: cython.int,
        boxes: BoxPool,
        other_slot: cython.Py_ssize_t,
    ) -> cython.longlong:
        """Return how far a part can go until it overlaps another (P2, H4), 0 if it goes deeper (P9), -1 if never."""
        for across in range(3):
            if across != self.axis and not (
                own_boxes.faces_view[8 * slot + across] < boxes.faces_view[8 * other_slot + 3 + across]
                and boxes.faces_view[8 * other_slot + across] < own_boxes.faces_view[8 * slot + 3 + across]
            ):
                return -1
        self.place_part(self.part, row, own_boxes, slot)
        self.place_part(self.other_part, other, boxes, other_slot)
        if self.part.radius + self.other_part.radius == 0 and not (self.part.is_turned or self.other_part.is_turned):
            return self.gap_to(own_boxes, slot, boxes, other_slot)
        left: cython.longlong = self.limit - self.distances[self.group_links.leader_view[row]] + 1
        way: cython.longlong = way_along(self.part, self.other_part, self.axis, self.sign, left)
        if way != _OVERLAP:
            return way
        return 0 if self.block_deeper and self.goes_deeper(row, other) else -1

    def place_part(self, part: PlacedPart, row: cython.int, boxes: BoxPool, slot: cython.Py_ssize_t) -> cython.void:
        """Set a part to that of a box, where the motion has displaced it so far."""
        units: cython.longlong[::1] = self.displacements.units
        if not self.displacements.moved[row]:
            self.columns.place_part(part, boxes, slot, 0, 0, 0)
            return
        slot += self.columns.first_view[row] - self.displacements.overlay_slots[row]
        self.columns.place_part(part, self.dynamic.boxes, slot, units[3 * row], units[3 * row + 1], units[3 * row + 2])

    def goes_deeper(self, row: cython.int, other: cython.int) -> cython.bint:
        """Return whether a step takes the part deeper into the other, which it overlaps: against the normal (P9)."""
        flat: cython.bint = self.columns.are_flat(row, other)
        if self.is_off_plane(row) or self.is_off_plane(other):
            flat = False
        if self.columns.ids_view[row] < self.columns.ids_view[other]:
            along: cython.double = normal_of(self.part, self.other_part, flat)[self.axis]
        else:
            along = -normal_of(self.other_part, self.part, flat)[self.axis]
        return along * self.sign > _ALONG

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_off_plane(self, row: cython.int) -> cython.bint:
        """Return whether the motion has displaced a row along z."""
        return self.displacements.moved[row] != 0 and self.displacements.units[3 * row + 2] != 0

    def add_bounds(self, row: cython.int) -> cython.void:
        """Queue the distance at which a leading face of `row` or its fused group reaches the bounds (P18)."""
        nearest: cython.longlong = self.nearest_bounds(row)
        if (
            nearest >= 0
            and self.distances[row] + nearest < self.request
            and self.distances[row] + nearest <= self.limit
        ):
            self.limit = self.distances[row] + nearest
            self.queue.push(self.limit, _FIXED, -1)

    def nearest_bounds(self, row: cython.int) -> cython.longlong:
        """Return the distance from the leading faces of `row` and its fused group to the bounds, -1 without boxes."""
        member: cython.int = row
        nearest: cython.longlong = -1
        while True:
            gap: cython.longlong = self.bounds_gap(member)
            if gap >= 0 and (nearest < 0 or gap < nearest):
                nearest = gap
            member = self.group_links.next_row_view[member]
            if member == row:
                return nearest

    def bounds_gap(self, row: cython.int) -> cython.longlong:
        """Return the distance from the leading faces of a row to the bounds; past these, to the end of the index.

        Bounds do not stop triggers; only the range of the index does. Returns -1 for a row without boxes.
        """
        axis: cython.int = self.axis
        nearest: cython.longlong = -1
        first: cython.Py_ssize_t = self.columns.first_view[row]
        own_boxes: BoxPool = self.dynamic.boxes
        low: cython.longlong = self.low if self.columns.flags_view[row] & _SOLID else self.range_low
        high: cython.longlong = self.high if self.columns.flags_view[row] & _SOLID else self.range_high
        if self.displacements.moved[row]:
            own_boxes = self.overlay.boxes
            first = self.displacements.overlay_slots[row]
        for slot in range(first, first + self.columns.count_view[row]):
            if self.sign > 0:
                face: cython.longlong = own_boxes.faces_view[8 * slot + 3 + axis]
                gap: cython.longlong = (high if face <= high else self.range_high) - face
            else:
                face = own_boxes.faces_view[8 * slot + axis]
                gap = face - (low if face >= low else self.range_low)
            if nearest < 0 or gap < nearest:
                nearest = gap
        return nearest

    def add_edge(self, pusher: cython.int, pushed: cython.int, gap: cython.longlong) -> cython.void:
        """Add an edge from `pusher` to `pushed`, and queue the row if this is its shortest path."""
        reached: cython.longlong = self.distances[pusher] + gap
        if self.finding_riders:
            if gap == 0:
                self.add_ride(pusher, pushed)
            return
        if reached > self.limit or reached >= self.request:
            return
        if self.stamps[pushed] != self.plan:
            self.stamps[pushed] = self.plan
            self.states[pushed] = 0
            self.search_ends[pushed] = 0
            self.distances[pushed] = self.request
            self.last_edge[pushed] = -1
        if reached > self.distances[pushed]:
            return
        if self.states[pushed] & _SOURCE:
            return  # a mover of a joint push is no obstacle of the others
        if self.lifting and gap == 0 and not (self.states[pushed] & _LIFTED):
            self.states[pushed] |= _ALLOWED | _LIFTED
            self.late_lift = self.late_lift or (self.states[pushed] & _BATCHED) != 0
        if reached < self.distances[pushed]:
            self.states[pushed] &= ~_REFUSED
        if self.is_refused:
            self.states[pushed] |= _REFUSED
        last: cython.int = self.last_edge[pushed]
        if last >= 0 and self.edge_from[last] == pusher and self.edge_gap[last] <= gap:
            return  # the same two bodies have an edge that is not longer
        if self.edge_count == self.edge_capacity:
            self.reserve_edges()
        self.edge_from[self.edge_count] = pusher
        self.edge_to[self.edge_count] = pushed
        self.edge_gap[self.edge_count] = gap
        self.edge_judged[self.edge_count] = 0
        self.previous_edge[self.edge_count] = self.last_edge[pushed]
        self.last_edge[pushed] = cython.cast(cython.int, self.edge_count)
        self.edge_count += 1
        if reached == self.distances[pushed]:
            return
        self.distances[pushed] = reached
        kind: cython.int = _FREE
        if self.stop_reason(pushed) != 0:
            kind = _FIXED
            if not (self.has_hook or self.lift != 0) or (self.columns.flags_view[pushed] & _STATIC):
                self.limit = reached  # nothing beyond can be reached
        self.queue.push(reached, kind, pushed)

    # What stands on a body, and what is crushed (M6, M8).

    def find_riders(self, row: cython.int, axis: cython.int, sign: cython.int) -> cython.void:
        """Append to `rides` what stands on the boxes of a row: what a step of it along `up` would push at once (M6).

        The axis in progress stays as it is.
        """
        body: cython.int = self.group_links.leader_view[row]
        kept_mover: cython.int = self.mover
        kept_axis: cython.int = self.axis
        kept_sign: cython.int = self.sign
        kept_lift: cython.int = self.lift
        kept_request: cython.longlong = self.request
        kept_limit: cython.longlong = self.limit
        kept_distance: cython.longlong = self.distances[body]
        if not (self.columns.flags_view[row] & _SOLID):
            return
        self.mover, self.axis, self.sign, self.lift = -1, axis, sign, 0
        self.request = self.limit = self.horizon = 1
        self.distances[body] = 0
        self.finding_riders = True
        self.expand_row(row, 0, 1)
        self.finding_riders = False
        self.mover, self.axis, self.sign, self.lift = kept_mover, kept_axis, kept_sign, kept_lift
        self.request, self.limit = kept_request, kept_limit
        self.distances[body] = kept_distance

    def add_ride(self, support: cython.int, rider: cython.int) -> cython.void:
        """Append a support and what stands on it to `rides`, unless it is static or crushed."""
        if self.columns.flags_view[rider] & _STATIC or self.is_crushed(rider):
            return
        if 2 * self.ride_count + 2 > len(self.rides):
            self.rides = longer(self.rides, 4 * self.ride_count + 4)
        self.rides[2 * self.ride_count] = support
        self.rides[2 * self.ride_count + 1] = rider
        self.ride_count += 1

    def find_crushed(
        self, blockers: cython.int[::1], blocker_count: cython.Py_ssize_t, distance: cython.longlong
    ) -> cython.bint:
        """Add what the motion presses against the bodies, or the bounds, that stop it at a distance (M8).

        That is every body on a shortest path from the mover to one of these, between the two. Returns whether there is
        any that was not crushed yet.
        """
        found: cython.Py_ssize_t = self.crushed_count
        before: cython.Py_ssize_t = -1
        if blocker_count == 0:
            for edge in range(self.edge_count):
                pushed: cython.int = self.edge_to[edge]
                if self.pushes_on(pushed) and self.distances[pushed] + self.nearest_bounds(pushed) == distance:
                    self.add_crushed(pushed)
        while before != self.crushed_count:
            before = self.crushed_count
            for edge in range(self.edge_count):
                pusher, pushed = self.edge_from[edge], self.edge_to[edge]
                if (
                    self.pushes_on(pusher)
                    and self.distances[pushed] == self.distances[pusher] + self.edge_gap[edge]
                    and (self.is_crushed(pushed) or _contains(blockers, blocker_count, pushed))
                ):
                    self.add_crushed(pusher)
        return self.crushed_count > found

    def pushes_on(self, row: cython.int) -> cython.bint:
        """Return whether a row other than the mover was searched from, so that it pushes what is ahead of it."""
        return row != self.mover and (self.states[row] & _EXPANDED) != 0 and self.stop_reason(row) == 0

    def is_at_blocker(
        self, blockers: cython.int[::1], blocker_count: cython.Py_ssize_t, distance: cython.longlong
    ) -> cython.bint:
        """Return whether the mover itself comes to a body, or to the bounds, that stop it at a distance."""
        if blocker_count == 0:
            return self.nearest_bounds(self.mover) == distance
        for edge in range(self.edge_count):
            if (
                self.edge_from[edge] == self.mover
                and self.edge_gap[edge] == distance
                and _contains(blockers, blocker_count, self.edge_to[edge])
            ):
                return True
        return False

    def is_crushed(self, row: cython.int) -> cython.bint:
        """Return whether a leader is crushed by the current motion."""
        return _contains(self.crushed, self.crushed_count, row)

    def add_crushed(self, row: cython.int) -> cython.void:
        """Add a leader that is crushed by the current motion, once."""
        if not self.is_crushed(row):
            self.crushed[self.crushed_count] = row
            self.crushed_count += 1


@cython.cfunc
@cython.exceptval(check=False)
def _contains(rows: cython.int[::1], count: cython.Py_ssize_t, row: cython.int) -> cython.bint:
    """Return whether a row is among the first `count` of a list."""
    for at in range(count):
        if rows[at] == row:
            return True
    return False
