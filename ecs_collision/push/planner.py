# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""Plans motions: all axes of one, one after the other (rules P1, P5, P16), and each by shortest paths over gaps (P2).

`AxisPlanner` runs Dijkstra's algorithm on a graph that is opened lazily (`graph.py`). The motion ends at the nearest
body that cannot be pushed. Every body reached moves by what is left of the motion beyond its distance. All bodies at
one distance form a batch and are decided together, after the edges of gap 0 between them are closed. So the result
depends neither on the order of discovery nor on the order of creation.

`MotionPlanner` does not change the world: it fills `displacements`, which are committed later. The result is packed
into a few bytes of entity ids and units, which later changes of the world cannot affect. It is unpacked when it is
read; most results are not.

Not taken: recursion over the bodies ahead (does not end on interlocked compounds, exponential on side-by-side bricks,
exceeds the stack on trains); unit steps (slow, and only for whole numbers).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import inf

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import array_of, grown, longer
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import CARRIES, PUSHABLE, SOLID, STATIC
from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.push.displacements import DisplacementLog, Displacements
from ecs_collision.push.graph import BATCHED, EXPANDED, FREE, MARKER, REACHED, PriorityQueue, PushGraph
from ecs_collision.push.host import Leg
from ecs_collision.push.riders import Riders
from ecs_collision.results import ALL_OR_NOTHING, BOUNDS, FORCE, Hit
from ecs_collision.settings import BLOCK_DEEPER, Settings

DONE = 0
CALL_HOOK = 1
"""`search` needs the hook for `hook_pusher` and `hook_pushed`; pass the verdict to `apply_verdict`."""

# C copies: compiled code would look the names above up as Python objects.
_PUSHABLE = cython.declare(cython.int, PUSHABLE)
_STATIC = cython.declare(cython.int, STATIC)
_SOLID = cython.declare(cython.int, SOLID)
_CARRIES = cython.declare(cython.int, CARRIES)
_FORCE = cython.declare(cython.int, FORCE)
_DONE = cython.declare(cython.int, DONE)
_CALL_HOOK = cython.declare(cython.int, CALL_HOOK)
_BOUNDS = cython.declare(cython.int, BOUNDS)
_ALL_OR_NOTHING = cython.declare(cython.int, ALL_OR_NOTHING)
_EXPANDED = cython.declare(cython.int, EXPANDED)
_BATCHED = cython.declare(cython.int, BATCHED)
_REACHED = cython.declare(cython.int, REACHED)
_MARKER = cython.declare(cython.int, MARKER)
_FREE = cython.declare(cython.int, FREE)

_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_INFINITE = cython.declare(cython.double, inf)


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

    def start(
        self, axis: cython.int, request: cython.longlong, low: cython.longlong, high: cython.longlong
    ) -> cython.void:
        """Start planning the motion of the mover along `axis`; arguments as for `PushGraph.start`."""
        if len(self.batch) != self.graph.capacity:
            self.batch = longer(self.batch, self.graph.capacity)
        self.batch_count = self.expanded_count = self.judged_count = 0
        self.at_bounds = False
        self.allowed = request if request > 0 else -request
        self.distance = self.reason = 0
        self.graph.start(axis, request, low, high)
        self.graph.states[self.graph.mover] |= _BATCHED

    def search(self) -> cython.int:
        """Continue until the axis is planned (DONE) or a pair needs the hook (CALL_HOOK)."""
        while True:
            if self.batch_count == 0 and not self.at_bounds:
                if self.queue.size == 0:
                    return _DONE
                self.distance = self.queue.keys[0]
            self.collect_batch()
            if self.expand_batch():
                continue
            if self.graph.has_hook and self.find_hook_pair():
                return _CALL_HOOK
            if (self.batch_count > 0 or self.at_bounds) and self.resolve_batch():
                return _DONE

    def apply_verdict(self, verdict: cython.int) -> cython.void:
        """Apply the hook's verdict on the current pair: 1 allow, 0 veto, -1 no opinion."""
        self.graph.apply_verdict(self.hook_pushed, verdict)
        if verdict == 1:
            self.expanded_count = 0  # an earlier row may be pushable now

    # The batch of rows at one distance.

    def collect_batch(self) -> cython.void:
        """Move every queue entry at the current distance into the batch."""
        graph: PushGraph = self.graph
        queue: PriorityQueue = self.queue
        while queue.size > 0 and queue.keys[0] == self.distance:
            row: cython.int = queue.rows[0]
            marker: cython.bint = queue.kinds[0] == _MARKER
            queue.pop()
            if marker:
                graph.expand(row)
            elif row < 0:
                self.at_bounds = True
            elif graph.distances[row] == self.distance and not (graph.states[row] & _BATCHED):
                graph.states[row] |= _BATCHED
                self.batch[self.batch_count] = row
                self.batch_count += 1

    def expand_batch(self) -> cython.bint:
        """Expand the pushable rows of the batch; return whether that queued more at the current distance."""
        graph: PushGraph = self.graph
        for at in range(self.expanded_count, self.batch_count):
            row: cython.int = self.batch[at]
            if not (graph.states[row] & _EXPANDED) and graph.stop_reason(row) == 0:
                self.judged_count = 0  # new edges may lead to rows that were checked
                graph.expand(row)
        self.expanded_count = self.batch_count
        if graph.late_lift:  # an earlier row of the batch is carried
            graph.late_lift = False
            self.expanded_count = 0
            return True
        return self.queue.size > 0 and self.queue.keys[0] == self.distance

    def find_hook_pair(self) -> cython.bint:
        """Find a pair of the batch for which the hook has not been called (P15); return whether there is one.

        Pushed bodies come in the order of the batch and their pushers by id, so the order depends on the state alone.
        """
        graph: PushGraph = self.graph
        while self.judged_count < self.batch_count:
            pushed: cython.int = self.batch[self.judged_count]
            best: cython.int = -1
            at: cython.int = graph.last_edge[pushed]
            if self.columns.flags_view[pushed] & _STATIC:  # a verdict cannot move a static body
                at = -1
            while at >= 0:
                if not graph.edge_judged[at] and graph.leads_to(at, self.distance):
                    if best < 0 or self.is_lower(graph.edge_from[at], graph.edge_from[best]):
                        best = at
                at = graph.previous_edge[at]
            if best >= 0:
                self.hook_pusher, self.hook_pushed = graph.edge_from[best], pushed
                at = graph.last_edge[pushed]
                while at >= 0:  # compounds may have several edges to a row
                    if graph.edge_from[at] == self.hook_pusher:
                        graph.edge_judged[at] = 1
                    at = graph.previous_edge[at]
                return True
            self.judged_count += 1
        return False

    def is_lower(self, row: cython.int, other: cython.int) -> cython.bint:
        """Return whether the entity id of `row` is lower than that of `other`."""
        return self.columns.ids_view[row] < self.columns.ids_view[other]

    def mark_reached(self) -> cython.void:
        """Mark the rows of the batch that are still reached; a veto may have cut off some."""
        graph: PushGraph = self.graph
        changed: cython.bint = True
        while changed:
            changed = False
            for at in range(self.batch_count):
                row: cython.int = self.batch[at]
                edge: cython.int = -1 if graph.states[row] & _REACHED else graph.last_edge[row]
                while edge >= 0:
                    pusher: cython.int = graph.edge_from[edge]
                    if graph.leads_to(edge, self.distance) and (
                        pusher == graph.mover
                        or graph.distances[pusher] < self.distance
                        or (graph.states[pusher] & _REACHED) != 0
                    ):
                        graph.states[row] |= _REACHED
                        changed = True
                        break
                    edge = graph.previous_edge[edge]

    def has_stop(self) -> cython.bint:
        """Return whether the batch contains a body that stops the motion."""
        for at in range(self.batch_count):
            if self.graph.stop_reason(self.batch[at]) != 0:
                return True
        return False

    def sort_batch(self) -> cython.void:
        """Sort the batch by entity id, using the queue: it has no other entry at this distance."""
        for at in range(self.batch_count):
            self.queue.push(self.distance, _FREE, self.batch[at])
        for at in range(self.batch_count):
            self.batch[at] = self.queue.rows[0]
            self.queue.pop()

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

    def keep_blockers(self) -> cython.bint:
        """Reduce the batch to the rows that cannot be pushed, by id; if there is none, keep it and return False."""
        graph: PushGraph = self.graph
        count: cython.Py_ssize_t = 0
        for at in range(self.batch_count):
            row: cython.int = self.batch[at]
            if graph.stop_reason(row) != 0 and (not graph.has_hook or graph.states[row] & _REACHED):
                self.batch[count] = row
                count += 1
        if count == 0:
            return False
        self.batch_count = count
        if count > 1:
            self.sort_batch()
        self.reason = graph.stop_reason(self.batch[0])
        return True

    def lacks_force(self) -> cython.bint:
        """Return whether the axis is stopped, and only by bodies for which the force is too small."""
        if self.reason != _FORCE:
            return False
        for at in range(self.batch_count):
            if self.graph.stop_reason(self.batch[at]) not in (0, _FORCE):
                return False
        return True

    def push_batch(self) -> cython.void:
        """Push the rows of the batch, by id if their number or sum is limited; one too many becomes the batch."""
        graph: PushGraph = self.graph
        count: cython.Py_ssize_t = self.batch_count
        if graph.summing or graph.max_chain >= 0:
            self.sort_batch()
        self.batch_count = self.expanded_count = self.judged_count = 0
        for at in range(count):
            self.reason = graph.add_pushed(self.batch[at])
            if self.reason != 0:
                self.batch[0] = self.batch[at]
                self.batch_count = 1
                return
        if self.at_bounds:
            self.reason = _BOUNDS


@cython.final
@cython.cclass
class MotionPlanner:
    """Plans whole motions by the settings of a world.

    Call `begin(...)`, then `plan()`; while it returns CALL_HOOK, call `apply_verdict` of `axis_planner` and repeat.
    Then `displacements` has the displaced rows, to be committed or cleared. `requested` and `allowed` are the
    displacement of the mover as requested and as planned, by axis in units. `stops` has `stop_count` records: one for
    each blocker of each axis that was stopped, one without a blocker at the bounds and for ALL_OR_NOTHING.
    `crushed` are pairs of ids, what is crushed and by what (M8); `passing` are leaders that the mover passes through.
    `lacks_force`: all that stops the last axis is bodies for which the force is too small.

    A motion with responses (M9) may go on with another displacement, by `go_on`, or be done by `add_straight` (M10):
    then `has_line` is set, `hits` are what its line met, `crossed` the rows that it crossed, and `begun` those of them
    that it did not overlap before.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self.bodies = bodies
        self.columns = bodies.columns
        self.group_links = bodies.group_links
        self.displacements = Displacements(
            bodies.columns,
            bodies.group_links,
            bodies.dynamic,
            bodies.overlay,
            bodies.dirty_rows,
            bodies.dirty_transforms,
        )
        self.graph = PushGraph(
            bodies.columns,
            bodies.group_links,
            bodies.dynamic,
            bodies.static,
            bodies.overlay,
            self.displacements,
            settings.range_low,
            settings.range_high,
            settings.overlap_policy == BLOCK_DEEPER,
            settings.can_push is not None,
        )
        self.axis_planner = AxisPlanner(self.graph)
        self.axes, self.lows = array("i", settings.axes), array("q", settings.low)
        self.highs = array("q", settings.high)
        self.requested, self.allowed = array("q", bytes(24)), array("q", bytes(24))
        self.leg_rows, self.leg_units = array("i"), array("q")
        self.leg_axes, self.leg_ends = array("i", bytes(4 * 4)), array("i", bytes(4 * 4))
        self.marked_allowed = array("q", bytes(24))
        self.marked_crossed = self.marked_legs = self.marked_leg_number = self.marked_links = self.marked_stops = 0
        self.leg_number = 0
        self.links, self.pushes, self.stops = array("q"), array("q", bytes(8 * 64)), array("q", bytes(8 * 64))
        self.leg_count = self.link_count = 0
        self.axis_number = self.stop_count = 0
        self.all_or_nothing = self.record_legs = self.searching = False
        self.crushed: list[tuple[int, int]] = []
        self.passing: list[int] = []
        self.carries = self.crushes = self.had_responses = self.lacks_force = False
        self.riders = Riders(self.graph, self.displacements)
        self.ride_count = self.gripped_count = self.source_count = self.crushed_count = 0
        self.mover = self.rider = -1
        self.asked = array("q", bytes(24))
        self.has_line = False
        self.crossed: list[int] = []
        self.begun: list[int] = []
        self.hits: tuple[Hit, ...] = ()
        self.former_legs: list[Leg] = []

    # The motion.

    @cython.ccall
    def begin(
        self,
        row: cython.int,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        force: cython.double,
        summing: cython.bint,
        max_chain: cython.longlong,
        all_or_nothing: cython.bint,
        only_axis: cython.int,
        record_legs: cython.bint,
    ) -> cython.void:
        """Start a motion of a row by units, along the axis `only_axis` alone unless that is -1.

        `summing` is rule "sum"; `max_chain` below 0 means no limit. `record_legs`: record how far each row goes on
        each axis, for `legs`.
        """
        self.graph.begin(row, force, summing, max_chain)
        self.mover, self.rider = self.graph.mover, -1
        self.graph.ride_count = 0
        self.displacements.begin()
        if self.carries:
            self.crushed, self.passing = [], []
        self.lacks_force = self.carries = self.crushes = False
        if self.columns.carrying_count > 0:
            self.begin_carrying()
        self.all_or_nothing = all_or_nothing
        self.requested[0] = x
        self.requested[1] = y
        self.requested[2] = z
        for axis in range(3):
            self.allowed[axis] = 0
            if only_axis >= 0 and axis != only_axis:
                self.requested[axis] = 0
        self.record_legs, self.searching = record_legs, False
        self.has_line = False
        self.axis_number = self.stop_count = 0
        self.leg_count = self.leg_number = self.link_count = 0

    def grip(self, row: cython.int) -> cython.void:
        """Take along a body that the mover grips, by its row (M12). Call it after `begin`."""
        self.graph.add_gripped(row)

    def join(self, row: cython.int) -> cython.void:
        """Make a row a further mover of the motion, with the displacement of the first (M11). Call it after `begin`."""
        self.graph.add_source(row)
        self.carries = False  # it crushes nothing

    def begin_line(self) -> cython.void:
        """Let the motion that began have a line, with or without segments."""
        self.has_line = True
        self.crossed, self.begun, self.hits, self.former_legs = [], [], (), []
        for axis in range(3):
            self.asked[axis] = self.requested[axis]

    def end_line(self) -> cython.void:
        """End the line: what the motion requested is the whole again."""
        for axis in range(3):
            self.requested[axis] = self.asked[axis]

    def go_on(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        """Go on from where the motion is with another displacement, to be planned by `plan`."""
        if self.record_legs:
            self.former_legs = self.legs()
        if self.displacements.count > 0:
            self.displacements.update_overlay()
        self.requested[0], self.requested[1], self.requested[2] = x, y, z
        self.axis_number = 0
        self.leg_count = self.leg_number = 0

    def add_straight(self, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> cython.void:
        """Displace the mover and its group straight, as a motion that pushes nothing."""
        if x == 0 and y == 0 and z == 0:
            return
        for axis, by in enumerate((x, y, z)):
            self.displacements.add_group(self.graph.mover, cython.cast(cython.int, axis), by)
            self.allowed[axis] += by
        if self.record_legs:
            rows = self.group_links.rows_of(self.graph.mover)
            self.former_legs.append(((x, y, z), dict.fromkeys(rows, 1)))

    def stop_line(
        self, axis: cython.int, reason: cython.int, distance: cython.longlong, row: cython.int
    ) -> cython.void:
        """Stop an axis at a row, -1 for the bounds; an axis that has been stopped keeps its stop."""
        if self.is_stopped(axis):
            return
        if len(self.axis_planner.batch) != self.graph.capacity:
            self.axis_planner.batch = longer(self.axis_planner.batch, self.graph.capacity)
        self.axis_planner.batch[0] = row
        if self.all_or_nothing:
            self.cancel(axis, reason, distance, row >= 0)
        else:
            self.add_stop(axis, reason, distance, row >= 0)

    def plan(self) -> cython.int:
        """Continue until the motion is planned (DONE) or a pair needs the hook (CALL_HOOK)."""
        while self.axis_number < 3:
            axis: cython.int = self.axes[self.axis_number]
            if not self.searching and self.requested[axis] != 0:
                self.searching = True
                self.axis_planner.start(axis, self.requested[axis], self.lows[axis], self.highs[axis])
            while self.searching:
                if self.axis_planner.search() == _CALL_HOOK:
                    return _CALL_HOOK
                if self.carries and self.passes_crushed():
                    self.axis_planner.start(axis, self.requested[axis], self.lows[axis], self.highs[axis])
                    continue
                if self.rider >= 0:
                    self.apply_rider()
                else:
                    self.apply_axis()
                self.searching = self.graph.ride_count > 0 and self.start_rider()
            self.close_leg(axis)
            self.axis_number += 1
        return _DONE

    # A walk: any number of legs along axes, each after those before it, and one commit.

    def start_leg(self, axis: cython.int, units: cython.longlong, force: cython.double) -> cython.void:
        """Start a leg of the motion begun: along an axis by signed units, with a force. Then call `continue_leg`."""
        if self.displacements.count > 0:
            self.displacements.update_overlay()
        self.graph.force = force
        self.axis_number = 3
        self.axis_planner.start(axis, units, self.lows[axis], self.highs[axis])

    def continue_leg(self) -> cython.int:
        """Continue until the leg is planned (DONE) or a pair needs the hook (CALL_HOOK)."""
        return self.axis_planner.search()

    def end_leg(self, is_reported: cython.bint, looks: cython.bint) -> cython.longlong:
        """Add a planned leg to the motion; returns how many units it goes. is_reported: whether its stop is reported.

        looks: the last unit was planned to find what is there, and is not gone.
        """
        reason: cython.int = self.axis_planner.reason
        units: cython.longlong = self.graph.request - (1 if looks else 0)
        if self.axis_planner.allowed > units:
            self.axis_planner.allowed = units
        if not is_reported or self.is_stopped(self.graph.axis) or (looks and self.axis_planner.allowed == units):
            self.axis_planner.reason = 0
        else:
            self.requested[self.graph.axis] = self.graph.sign * units
        self.apply_axis()
        self.close_leg(self.graph.axis)
        self.axis_planner.reason = reason
        return self.axis_planner.allowed

    def starts_ride(self) -> cython.bint:
        """Start the leg of the next body that the last leg carries (M6); returns whether there is one."""
        return self.graph.ride_count > 0 and self.start_rider()

    def end_ride(self) -> cython.void:
        """Add the planned leg of a rider to the motion."""
        self.apply_rider()
        self.close_leg(self.graph.axis)

    def mark(self) -> cython.void:
        """Store what the motion has done so far, for `retract`."""
        self.displacements.mark()
        for axis in range(3):
            self.marked_allowed[axis] = self.allowed[axis]
        self.marked_legs, self.marked_leg_number = self.leg_count, self.leg_number
        self.marked_links, self.marked_stops = self.link_count, self.stop_count
        self.marked_crossed = len(self.crossed) if self.has_line else 0

    def retract(self) -> cython.void:
        """Take back the legs since `mark`."""
        self.displacements.retract()
        for axis in range(3):
            self.allowed[axis] = self.marked_allowed[axis]
        self.leg_count, self.leg_number = self.marked_legs, self.marked_leg_number
        self.link_count, self.stop_count = self.marked_links, self.marked_stops
        if self.has_line:
            del self.crossed[self.marked_crossed :]

    def blocker(self) -> cython.int:
        """Return the row that stopped the last leg: -1 if the bounds did, -2 if nothing did."""
        if self.axis_planner.reason == 0:
            return -2
        return -1 if self.axis_planner.batch_count == 0 else self.axis_planner.batch[0]

    def main_blocker(self, former: cython.int) -> cython.int:
        """Return of the rows that stop the planned leg that which the mover overlaps most across the axis, then by id.

        former: the row that is meant if it is one of them, or -1. Call it before `end_leg`. -1 and -2 as `blocker`.
        """
        best: cython.int = self.blocker()
        most: cython.double = -1.0
        if best < 0 or self.axis_planner.batch_count == 1:
            return best
        for at in range(self.axis_planner.batch_count):
            if self.axis_planner.batch[at] == former:
                return former
        for at in range(self.axis_planner.batch_count):
            width: cython.double = self.graph.width_on(self.axis_planner.batch[at], self.axis_planner.distance)
            if width > most:
                best, most = self.axis_planner.batch[at], width
        return best

    def apply_axis(self) -> cython.void:
        """Apply the plan of one axis: displace the mover, the pushed rows, and their fused groups."""
        graph: PushGraph = self.graph
        axis: cython.int = graph.axis
        allowed: cython.longlong = self.axis_planner.allowed
        self.allowed[axis] += graph.sign * allowed
        if self.has_line and graph.crossed:
            self.add_crossed(allowed)
        if self.axis_planner.reason != 0 and not (self.has_line and self.is_stopped(axis)):
            self.lacks_force = self.axis_planner.lacks_force()
            if self.all_or_nothing:
                self.cancel(axis, self.axis_planner.reason, allowed, self.axis_planner.batch_count)
                return
            self.add_stop(
                axis, self.axis_planner.reason, graph.sign * self.allowed[axis], self.axis_planner.batch_count
            )
        if allowed == 0:
            return
        if graph.pushed_count > 0:
            self.add_links()
        if self.record_legs:
            self.reserve_legs()
        if self.columns.carrying_count > 0:
            self.note_displaced()
        self.displace(graph.mover, axis, graph.sign * allowed)
        for at in range(graph.source_count):
            self.displace(graph.sources[at], axis, graph.sign * allowed)
        if graph.source_count > 0:
            self.displacements.own_count = self.displacements.count
        self.displace_pushed()
        if self.has_further_axis() or graph.ride_count > 0:
            self.displacements.update_overlay()

    def add_crossed(self, allowed: cython.longlong) -> cython.void:
        """Add the rows that the mover crosses on the axis just planned."""
        for gap, _, row in sorted(self.graph.crossed):
            if gap < allowed and row not in self.crossed:
                self.crossed.append(row)

    def displace(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row and its fused group by units along an axis. The riders of the axis see it at once."""
        member: cython.int = row
        self.displacements.add_group(row, axis, by)
        if self.record_legs:
            self.add_leg(row, by)
        while self.rider >= 0:
            self.displacements.place(member)
            member = self.group_links.next_row_view[member]
            if member == row:
                break

    def displace_pushed(self) -> cython.void:
        """Displace the pushed rows of the plan of an axis, or of a rider."""
        graph: PushGraph = self.graph
        allowed: cython.longlong = self.axis_planner.allowed
        for at in range(graph.pushed_count):
            row: cython.int = graph.pushed[at]
            if graph.distances[row] < allowed:
                self.displace(row, graph.axis, graph.sign * (allowed - graph.distances[row]))

    # What stands on a body goes along (M6): after the others, each in its turn, as a motion within this one.

    def begin_carrying(self) -> cython.void:
        """Read whether the mover carries and crushes."""
        row: cython.int = self.mover
        while True:
            if self.columns.flags_view[row] & _CARRIES and self.columns.flags_view[row] & _SOLID:
                self.carries = True
                self.crushes = self.crushes or self.bodies.parts[row].carries.crushes
            row = self.group_links.next_row_view[row]
            if row == self.mover:
                break

    def note_displaced(self) -> cython.void:
        """Find what stands on the bodies that the plan of an axis, or of a rider, is about to displace."""
        graph: PushGraph = self.graph
        allowed: cython.longlong = self.axis_planner.allowed
        if self.rider < 0:
            self.riders.start(graph.axis, graph.sign, allowed)
        self.riders.note(graph.mover, allowed)
        for at in range(graph.source_count):
            self.riders.note(graph.sources[at], allowed)
        for at in range(graph.pushed_count):
            row: cython.int = graph.pushed[at]
            self.riders.note(row, allowed - graph.distances[row])

    def start_rider(self) -> cython.bint:
        """Start the motion of the next rider; return whether there is one. If not, go back to the mover of the axis."""
        graph: PushGraph = self.graph
        axis: cython.int = graph.axis
        sign: cython.int = graph.sign
        if self.rider < 0:
            self.gripped_count, self.source_count = graph.gripped_count, graph.source_count
            self.crushed_count, self.had_responses = graph.crushed_count, graph.has_responses
        self.rider = self.riders.next()
        if self.rider < 0:
            self.add_ride_links(axis)
            graph.mover, graph.platform, graph.ride_count = self.mover, -1, 0
            self.allowed[axis] = self.displacements.units[3 * self.mover + axis]
            graph.gripped_count, graph.source_count = self.gripped_count, self.source_count
            graph.crushed_count, graph.has_responses = self.crushed_count, self.had_responses
            return False
        graph.begin(self.rider, graph.force, graph.summing, graph.max_chain)
        graph.platform = self.mover
        self.axis_planner.start(axis, sign * self.riders.left(self.rider), self.lows[axis], self.highs[axis])
        return True

    def apply_rider(self) -> cython.void:
        """Apply the plan of a rider: displace it, and what it pushes. What stops it does not stop the motion."""
        graph: PushGraph = self.graph
        allowed: cython.longlong = self.axis_planner.allowed
        if self.axis_planner.reason != 0:
            self.riders.stop(self.rider)
        if allowed == 0:
            return
        if graph.pushed_count > 0:
            self.add_links()
        if self.record_legs:
            self.reserve_legs()
        self.riders.ride(self.rider)
        self.note_displaced()
        self.displace(self.rider, graph.axis, graph.sign * allowed)
        self.displace_pushed()

    def add_ride_links(self, axis: cython.int) -> cython.void:
        """Pack a link from every displaced support to what was displaced with it."""
        graph: PushGraph = self.graph
        end: cython.Py_ssize_t = 4 * self.link_count
        if len(self.links) < end + 4 * graph.ride_count:
            self.links = longer(self.links, 2 * (end + 4 * graph.ride_count))
        for at in range(graph.ride_count):
            if self.riders.shift(graph.rides[2 * at]) > 0 and self.riders.has_ridden(graph.rides[2 * at + 1]):
                self.links[end] = self.columns.ids_view[graph.rides[2 * at]]
                self.links[end + 1] = self.columns.ids_view[graph.rides[2 * at + 1]]
                self.links[end + 2] = axis
                self.links[end + 3] = 0
                end += 4
        self.link_count = end >> 2

    # What a platform crushes (M8).

    def passes_crushed(self) -> cython.bint:
        """Note what the mover crushes; return whether it passes through, so that the axis is to be planned again."""
        graph: PushGraph = self.graph
        planner: AxisPlanner = self.axis_planner
        first: cython.Py_ssize_t = graph.crushed_count
        if self.rider >= 0 or planner.reason == 0:
            return False
        if not graph.find_crushed(planner.batch, planner.batch_count, planner.allowed):
            return False
        for at in range(first, graph.crushed_count):
            pair = (self.columns.ids_view[graph.crushed[at]], self.columns.ids_view[self.mover])
            if pair not in self.crushed:
                self.crushed.append(pair)
        if not self.crushes or graph.is_at_blocker(planner.batch, planner.batch_count, planner.allowed):
            graph.crushed_count = first
            return False
        for at in range(first, graph.crushed_count):
            self.passing.append(graph.crushed[at])
        return True

    def has_further_axis(self) -> cython.bint:
        """Return whether another axis will be planned."""
        for axis_number in range(self.axis_number + 1, 3):
            if self.requested[self.axes[axis_number]] != 0:
                return True
        return False

    def plan_unobstructed(self, low: Sequence[int], high: Sequence[int]) -> None:
        """Plan the motion of a disabled body, which only the range of the index stops.

        `low` and `high` are the extents of its boxes relative to its position.
        """
        distance: cython.longlong
        for axis_number in range(3):
            axis: cython.int = self.axes[axis_number]
            by: cython.longlong = self.requested[axis]
            if by == 0:
                continue
            if by > 0:
                distance = self.graph.range_high - self.columns.pos_view[8 * self.graph.mover + axis] - high[axis]
            else:
                distance = self.columns.pos_view[8 * self.graph.mover + axis] + low[axis] - self.graph.range_low
            if max(by, -by) > distance:
                by = distance if by > 0 else -distance
                if self.all_or_nothing:
                    self.cancel(axis, _BOUNDS, distance, 0)
                    return
                self.add_stop(axis, _BOUNDS, distance, 0)
            self.allowed[axis] = by
            if by != 0:
                self.displacements.add(self.graph.mover, axis, by)

    def add_stop(
        self, axis: cython.int, reason: cython.int, distance: cython.longlong, blocker_count: cython.Py_ssize_t
    ) -> cython.void:
        """Pack what stopped an axis after `distance` units: a record for each blocker, or one without a blocker."""
        count: cython.Py_ssize_t = max(1, blocker_count)
        end: cython.Py_ssize_t = 7 * self.stop_count
        if len(self.stops) < end + 7 * count:
            self.stops = longer(self.stops, 2 * (end + 7 * count))
        for at in range(count):
            row: cython.int = -1 if blocker_count == 0 else self.axis_planner.batch[at]
            self.stops[end] = axis
            self.stops[end + 1] = -1 if row < 0 else self.columns.ids_view[row]
            self.stops[end + 2] = reason
            self.stops[end + 3] = distance
            self.pack_inertia(row, self.stops, end + 4)
            end += 7
        self.stop_count += count

    def is_stopped(self, axis: cython.int) -> cython.bint:
        """Return whether the motion was stopped on an axis."""
        for at in range(self.stop_count):
            if self.stops[7 * at] == axis:
                return True
        return False

    def cancel(
        self, failed: cython.int, reason: cython.int, distance: cython.longlong, blocker_count: cython.Py_ssize_t
    ) -> cython.void:
        """Cancel an all-or-nothing motion: the failed axis keeps its reason, the others get ALL_OR_NOTHING."""
        self.graph.ride_count = 0
        if self.carries:
            self.crushed, self.passing = [], []
        self.displacements.clear()
        for axis_number in range(3):
            axis: cython.int = self.axes[axis_number]
            self.allowed[axis] = 0
            if axis == failed:
                self.add_stop(axis, reason, distance, blocker_count)
            elif (self.asked[axis] if self.has_line else self.requested[axis]) != 0:
                self.add_stop(axis, _ALL_OR_NOTHING, 0, 0)
        self.leg_count = self.leg_number = self.link_count = 0
        self.axis_number = 2  # none is left

    # How far each row goes on each axis, for swept triggers.

    def reserve_legs(self) -> cython.void:
        """Make room for the legs of the axis just planned."""
        capacity: cython.Py_ssize_t = self.leg_count + self.graph.pushed_count + 1 + self.group_links.count
        if len(self.leg_rows) < capacity:
            self.leg_units, self.leg_rows = grown(2 * capacity, self.leg_units, self.leg_rows)

    def add_leg(self, row: cython.int, by: cython.longlong) -> cython.void:
        """Record how far a row and its fused group go."""
        member: cython.int = row
        while True:
            self.leg_rows[self.leg_count] = member
            self.leg_units[self.leg_count] = by
            self.leg_count += 1
            member = self.group_links.next_row_view[member]
            if member == row:
                break

    def close_leg(self, axis: cython.int) -> cython.void:
        """End a leg: all rows recorded since the last one went along this axis."""
        if self.leg_count == (self.leg_ends[self.leg_number - 1] if self.leg_number > 0 else 0):
            return
        if self.leg_number == len(self.leg_ends):
            self.leg_axes, self.leg_ends = grown(2 * self.leg_number, self.leg_axes, self.leg_ends)
        self.leg_axes[self.leg_number] = axis
        self.leg_ends[self.leg_number] = cython.cast(cython.int, self.leg_count)
        self.leg_number += 1

    def legs(self) -> list[Leg]:
        """Return, for each leg in order, the axis and the signed units of each row.

        A straight motion has a leg for each segment, with the displacement in place of the axis.
        """
        legs: list[Leg] = list(self.former_legs) if self.has_line else []
        start = 0
        rows, units = array_of(self.leg_rows), array_of(self.leg_units)
        for number in range(self.leg_number):
            end = self.leg_ends[number]
            moves: dict[int, int] = {}
            for row, by in zip(rows[start:end], units[start:end], strict=True):
                moves[row] = moves.get(row, 0) + by  # a body may be pushed and carried
            legs.append((self.leg_axes[number], moves))
            start = end
        return legs

    # The result.

    def log_stops(self, log: DisplacementLog) -> cython.void:
        """Add every stop to the log."""
        last_axis: cython.longlong = -1
        for at in range(0, 7 * self.stop_count, 7):
            axis: cython.longlong = self.stops[at]
            direction: cython.longlong = 0 if axis == last_axis else 1 if self.requested[axis] > 0 else -1
            log.add_stop(
                self.columns.ids_view[self.graph.mover],
                axis,
                direction,
                self.stops[at + 1],
                self.stops[at + 2],
            )
            last_axis = axis

    def add_links(self) -> cython.void:
        """Pack every edge over which one displaced body pushes another along the axis just planned."""
        graph: PushGraph = self.graph
        end: cython.Py_ssize_t = 4 * self.link_count
        allowed: cython.longlong = self.axis_planner.allowed
        if len(self.links) < end + 4 * graph.edge_count:
            self.links = longer(self.links, 2 * (end + 4 * graph.edge_count))
        for at in range(graph.edge_count):
            pusher, pushed = graph.edge_from[at], graph.edge_to[at]
            if (
                graph.distances[pushed] < allowed
                and graph.distances[pusher] + graph.edge_gap[at] == graph.distances[pushed]
            ):
                self.links[end] = self.columns.ids_view[pusher]
                self.links[end + 1] = self.columns.ids_view[pushed]
                self.links[end + 2] = graph.axis
                self.links[end + 3] = graph.edge_gap[at]
                end += 4
        self.link_count = end >> 2

    def pack_inertia(self, row: cython.int, records_view: cython.longlong[::1], at: cython.Py_ssize_t) -> cython.void:
        """Pack the inertia of a row in units, into a record: -1 is infinite, -2 is none."""
        for axis in range(3):
            if row < 0 or not (self.columns.flags_view[row] & _PUSHABLE):
                records_view[at + axis] = -2
                continue
            inertia: cython.double = self.columns.inertia_view[3 * row + axis]
            if inertia == _INFINITE:
                records_view[at + axis] = -1
            else:
                records_view[at + axis] = cython.cast(cython.longlong, inertia * _PER_UNIT)

    def packed_pushes(self) -> object:
        """Return (entity, x, y, z, inertia by axis) of every pushed body, seven numbers each, unordered."""
        end: cython.Py_ssize_t = 0
        if self.displacements.count < 2:
            return b""
        if len(self.pushes) < 7 * self.displacements.count:
            self.pushes = longer(self.pushes, 14 * self.displacements.count)
        for at in range(max(1, self.displacements.own_count), self.displacements.count):  # the mover is the first
            row: cython.int = self.displacements.rows[at]
            if self.group_links.leader_view[row] != row:  # only the leader of a group is reported
                continue
            self.pushes[end] = self.columns.ids_view[row]
            for part in range(3):
                self.pushes[end + 1 + part] = self.displacements.units[3 * row + part]
            self.pack_inertia(row, self.pushes, end + 4)
            end += 7
        return packed(self.pushes, end)

    def packed_links(self) -> object:
        """Return (pusher, pushed, axis, gap) of every link, four numbers each, by axis; links may repeat."""
        return b"" if self.link_count == 0 else packed(self.links, 4 * self.link_count)

    @cython.ccall
    def packed_stops(self) -> object:
        """Return (axis, blocker or -1, reason, units allowed, inertia of the blocker by axis) of every stop.

        A stop has a record for each of its blockers, by entity id.
        """
        return b"" if self.stop_count == 0 else packed(self.stops, 7 * self.stop_count)


def packed(records_view: cython.longlong[::1], count: cython.Py_ssize_t) -> object:
    """Return the first `count` numbers of a view as bytes, at least one."""
    if cython.compiled:
        return cython.cast(cython.p_char, cython.address(records_view[0]))[: 8 * count]
    else:
        return records_view[:count].tobytes()
