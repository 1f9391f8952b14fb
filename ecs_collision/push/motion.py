# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Plans all axes of one motion, one after the other, and packs its result (rules P1, P5 and P16).

The planner does not change the world: it fills `displacements`, which are committed later. The result is packed into a
few bytes of entity ids and units, which later changes of the world cannot affect. It is unpacked when it is read; most
results are not.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import inf

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.push.axis_planner import AxisPlanner
    from cython.cimports.ecs_collision.push.displacements import DisplacementLog, Displacements
    from cython.cimports.ecs_collision.push.graph import PushGraph
else:
    from ecs_collision.push.axis_planner import AxisPlanner
    from ecs_collision.push.displacements import DisplacementLog, Displacements
    from ecs_collision.push.graph import PushGraph

from ecs_collision._arrays import longer
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import PUSHABLE
from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.push.axis_planner import CALL_HOOK, DONE
from ecs_collision.push.graph import ALL_OR_NOTHING, BOUNDS
from ecs_collision.settings import BLOCK_DEEPER, Settings

# C copies: compiled code would look the imported names up as Python objects.
_PUSHABLE = cython.declare(cython.int, PUSHABLE)
_DONE = cython.declare(cython.int, DONE)
_CALL_HOOK = cython.declare(cython.int, CALL_HOOK)
_BOUNDS = cython.declare(cython.int, BOUNDS)
_ALL_OR_NOTHING = cython.declare(cython.int, ALL_OR_NOTHING)

_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_INFINITE = cython.declare(cython.double, inf)


@cython.final
@cython.cclass
class MotionPlanner:
    """Plans whole motions by the settings of a world.

    Call `begin(...)`, then `plan()`; while it returns CALL_HOOK, call `apply_verdict` of `axis_planner` and repeat.
    Then `displacements` has the displaced rows, to be committed or cleared. `requested` and `allowed` are the
    displacement of the mover as requested and as planned, by axis in units. `stops` has `stop_count` records: one for
    each blocker of each axis that was stopped, one without a blocker at the bounds and for ALL_OR_NOTHING.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
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
        self.axes_view, self.lows_view, self.highs_view = self.axes, self.lows, self.highs
        self.requested, self.allowed = array("q", bytes(24)), array("q", bytes(24))
        self.requested_view, self.allowed_view = self.requested, self.allowed
        self.leg_ends = array("i", bytes(16))
        self.leg_ends_view = self.leg_ends
        self.leg_rows, self.leg_units = array("i"), array("q")
        self.links, self.pushes, self.stops = array("q"), array("q", bytes(8 * 64)), array("q", bytes(8 * 64))
        self.pushes_view, self.stops_view = self.pushes, self.stops
        self.leg_count = self.link_count = 0
        self.axis_number = self.stop_count = 0
        self.all_or_nothing = self.record_legs = self.searching = False

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
        axis: cython.int
        self.graph.begin(row, force, summing, max_chain)
        self.displacements.begin()
        self.all_or_nothing = all_or_nothing
        self.requested_view[0] = x
        self.requested_view[1] = y
        self.requested_view[2] = z
        for axis in range(3):
            self.allowed_view[axis] = 0
            if only_axis >= 0 and axis != only_axis:
                self.requested_view[axis] = 0
        self.record_legs, self.searching = record_legs, False
        self.axis_number = self.stop_count = 0
        self.leg_count = self.link_count = 0
        for axis in range(4):
            self.leg_ends_view[axis] = 0  # a disabled body has no legs

    @cython.ccall
    def plan(self) -> cython.int:
        """Continue until the motion is planned (DONE) or a pair needs the hook (CALL_HOOK)."""
        axis: cython.int
        while self.axis_number < 3:
            axis = self.axes_view[self.axis_number]
            if not self.searching and self.requested_view[axis] != 0:
                self.searching = True
                self.axis_planner.start(axis, self.requested_view[axis], self.lows_view[axis], self.highs_view[axis])
            if self.searching:
                if self.axis_planner.search() == _CALL_HOOK:
                    return _CALL_HOOK
                self.searching = False
                self.apply_axis()
            self.axis_number += 1
            self.leg_ends_view[self.axis_number] = cython.cast(cython.int, self.leg_count)
        return _DONE

    @cython.cfunc
    def apply_axis(self) -> cython.void:
        """Apply the plan of one axis: displace the mover, the pushed rows, and their fused groups."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        axis: cython.int = graph.axis
        allowed: cython.longlong = self.axis_planner.allowed
        self.allowed_view[axis] = graph.sign * allowed
        if self.axis_planner.reason != 0:
            if self.all_or_nothing:
                self.cancel(axis, self.axis_planner.reason, allowed, self.axis_planner.batch_count)
                return
            self.add_stop(axis, self.axis_planner.reason, allowed, self.axis_planner.batch_count)
        if allowed == 0:
            return
        if graph.pushed_count > 0:
            self.add_links()
        if self.record_legs:
            self.reserve_legs()
        self.displace(graph.mover, axis, graph.sign * allowed)
        for at in range(graph.pushed_count):
            row = graph.pushed_view[at]
            if graph.distances_view[row] < allowed:
                self.displace(row, axis, graph.sign * (allowed - graph.distances_view[row]))
        if self.has_further_axis():
            self.displacements.update_overlay()

    @cython.cfunc
    def displace(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row and its fused group by units along an axis."""
        self.displacements.add_group(row, axis, by)
        if self.record_legs:
            self.add_leg(row, by)

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_further_axis(self) -> cython.bint:
        """Return whether another axis will be planned."""
        axis_number: cython.int
        for axis_number in range(self.axis_number + 1, 3):
            if self.requested_view[self.axes_view[axis_number]] != 0:
                return True
        return False

    def plan_unobstructed(self, low: Sequence[int], high: Sequence[int]) -> None:
        """Plan the motion of a disabled body, which only the range of the index stops.

        `low` and `high` are the extents of its boxes relative to its position.
        """
        axis_number: cython.Py_ssize_t
        axis: cython.int
        by: cython.longlong
        distance: cython.longlong
        for axis_number in range(3):
            axis = self.axes_view[axis_number]
            by = self.requested_view[axis]
            if by == 0:
                continue
            if by > 0:
                distance = self.graph.range_high - self.columns.pos_view[3 * self.graph.mover + axis] - high[axis]
            else:
                distance = self.columns.pos_view[3 * self.graph.mover + axis] + low[axis] - self.graph.range_low
            if max(by, -by) > distance:
                by = distance if by > 0 else -distance
                if self.all_or_nothing:
                    self.cancel(axis, _BOUNDS, distance, 0)
                    return
                self.add_stop(axis, _BOUNDS, distance, 0)
            self.allowed_view[axis] = by
            if by != 0:
                self.displacements.add(self.graph.mover, axis, by)

    @cython.cfunc
    def add_stop(
        self, axis: cython.int, reason: cython.int, distance: cython.longlong, blocker_count: cython.Py_ssize_t
    ) -> cython.void:
        """Pack what stopped an axis after `distance` units: a record for each blocker, or one without a blocker."""
        at: cython.Py_ssize_t
        row: cython.int
        count: cython.Py_ssize_t = max(1, blocker_count)
        end: cython.Py_ssize_t = 7 * self.stop_count
        if len(self.stops) < end + 7 * count:
            self.stops = longer(self.stops, 2 * (end + 7 * count))
            self.stops_view = self.stops
        for at in range(count):
            row = -1 if blocker_count == 0 else self.axis_planner.batch_view[at]
            self.stops_view[end] = axis
            self.stops_view[end + 1] = -1 if row < 0 else self.columns.ids_view[row]
            self.stops_view[end + 2] = reason
            self.stops_view[end + 3] = distance
            self.pack_inertia(row, self.stops_view, end + 4)
            end += 7
        self.stop_count += count

    @cython.ccall
    @cython.exceptval(check=False)
    def is_stopped(self, axis: cython.int) -> cython.bint:
        """Return whether the motion was stopped on an axis."""
        at: cython.Py_ssize_t
        for at in range(self.stop_count):
            if self.stops_view[7 * at] == axis:
                return True
        return False

    @cython.cfunc
    def cancel(
        self, failed: cython.int, reason: cython.int, distance: cython.longlong, blocker_count: cython.Py_ssize_t
    ) -> cython.void:
        """Cancel an all-or-nothing motion: the failed axis keeps its reason, the others get ALL_OR_NOTHING."""
        axis_number: cython.Py_ssize_t
        axis: cython.int
        self.displacements.clear()
        for axis_number in range(3):
            axis = self.axes_view[axis_number]
            self.allowed_view[axis] = 0
            if axis == failed:
                self.add_stop(axis, reason, distance, blocker_count)
            elif self.requested_view[axis] != 0:
                self.add_stop(axis, _ALL_OR_NOTHING, 0, 0)
        self.leg_count = self.link_count = 0
        for axis in range(3):
            self.leg_ends_view[axis] = 0
        self.axis_number = 2  # none is left

    # How far each row goes on each axis, for swept triggers.

    @cython.cfunc
    def reserve_legs(self) -> cython.void:
        """Make room for the legs of the axis just planned."""
        capacity: cython.Py_ssize_t = self.leg_count + self.graph.pushed_count + 1 + self.group_links.count
        if len(self.leg_rows) < capacity:
            rows, units = longer(self.leg_rows, 2 * capacity), longer(self.leg_units, 2 * capacity)
            self.leg_rows, self.leg_units = rows, units
            self.leg_rows_view, self.leg_units_view = self.leg_rows, self.leg_units

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_leg(self, row: cython.int, by: cython.longlong) -> cython.void:
        """Record how far a row and its fused group go."""
        member: cython.int = row
        while True:
            self.leg_rows_view[self.leg_count] = member
            self.leg_units_view[self.leg_count] = by
            self.leg_count += 1
            member = self.group_links.next_row_view[member]
            if member == row:
                break

    def legs(self) -> list[tuple[int, dict[int, int]]]:
        """Return, for each axis with a displacement and in order, the axis and the signed units of each row."""
        legs = []
        for axis_number in range(3):
            start, end = self.leg_ends[axis_number], self.leg_ends[axis_number + 1]
            if start < end:
                moves = dict(zip(self.leg_rows[start:end], self.leg_units[start:end], strict=True))
                legs.append((self.axes[axis_number], moves))
        return legs

    # The result.

    @cython.ccall
    def log_stops(self, log: DisplacementLog) -> cython.void:
        """Add every stop to the log."""
        at: cython.Py_ssize_t
        axis: cython.longlong
        last_axis: cython.longlong = -1
        direction: cython.longlong
        for at in range(0, 7 * self.stop_count, 7):
            axis = self.stops_view[at]
            direction = 0 if axis == last_axis else 1 if self.requested_view[axis] > 0 else -1
            log.add_stop(
                self.columns.ids_view[self.graph.mover],
                axis,
                direction,
                self.stops_view[at + 1],
                self.stops_view[at + 2],
            )
            last_axis = axis

    @cython.cfunc
    def add_links(self) -> cython.void:
        """Pack every edge over which one displaced body pushes another along the axis just planned."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t = 4 * self.link_count
        allowed: cython.longlong = self.axis_planner.allowed
        pusher: cython.int
        pushed: cython.int
        if len(self.links) < end + 4 * graph.edge_count:
            self.links = longer(self.links, 2 * (end + 4 * graph.edge_count))
            self.links_view = self.links
        for at in range(graph.edge_count):
            pusher, pushed = graph.edge_from_view[at], graph.edge_to_view[at]
            if (
                graph.distances_view[pushed] < allowed
                and graph.distances_view[pusher] + graph.edge_gap_view[at] == graph.distances_view[pushed]
            ):
                self.links_view[end] = self.columns.ids_view[pusher]
                self.links_view[end + 1] = self.columns.ids_view[pushed]
                self.links_view[end + 2] = graph.axis
                self.links_view[end + 3] = graph.edge_gap_view[at]
                end += 4
        self.link_count = end >> 2

    @cython.cfunc
    @cython.exceptval(check=False)
    def pack_inertia(self, row: cython.int, records_view: cython.longlong[::1], at: cython.Py_ssize_t) -> cython.void:
        """Pack the inertia of a row in units, into a record: -1 is infinite, -2 is none."""
        axis: cython.Py_ssize_t
        inertia: cython.double
        for axis in range(3):
            inertia = 0.0 if row < 0 else self.columns.inertia_view[3 * row + axis]
            if row < 0 or not (self.columns.flags_view[row] & _PUSHABLE):
                records_view[at + axis] = -2
            elif inertia == _INFINITE:
                records_view[at + axis] = -1
            else:
                records_view[at + axis] = cython.cast(cython.longlong, inertia * _PER_UNIT)

    @cython.ccall
    def packed_pushes(self) -> object:
        """Return (entity, x, y, z, inertia by axis) of every pushed body, seven numbers each, unordered."""
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t = 0
        row: cython.int
        part: cython.Py_ssize_t
        if self.displacements.count < 2:
            return b""
        if len(self.pushes) < 7 * self.displacements.count:
            self.pushes = longer(self.pushes, 14 * self.displacements.count)
            self.pushes_view = self.pushes
        for at in range(1, self.displacements.count):  # the mover is the first
            row = self.displacements.rows_view[at]
            if self.group_links.leader_view[row] != row:  # only the leader of a group is reported
                continue
            self.pushes_view[end] = self.columns.ids_view[row]
            for part in range(3):
                self.pushes_view[end + 1 + part] = self.displacements.units_view[3 * row + part]
            self.pack_inertia(row, self.pushes_view, end + 4)
            end += 7
        return packed(self.pushes_view, end)

    @cython.ccall
    def packed_links(self) -> object:
        """Return (pusher, pushed, axis, gap) of every link, four numbers each, by axis; links may repeat."""
        return b"" if self.link_count == 0 else packed(self.links_view, 4 * self.link_count)

    @cython.ccall
    def packed_stops(self) -> object:
        """Return (axis, blocker or -1, reason, units allowed, inertia of the blocker by axis) of every stop.

        A stop has a record for each of its blockers, by entity id.
        """
        return b"" if self.stop_count == 0 else packed(self.stops_view, 7 * self.stop_count)


@cython.cfunc
def packed(records_view: cython.longlong[::1], count: cython.Py_ssize_t) -> object:
    """Return the first `count` numbers of a view as bytes, at least one."""
    if cython.compiled:
        return cython.cast(cython.p_char, cython.address(records_view[0]))[: 8 * count]
    else:
        return records_view[:count].tobytes()
