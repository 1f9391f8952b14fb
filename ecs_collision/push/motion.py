# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""All axes of one motion, one after the other, and the report on it (rules P1, P5 and P16).

The planner changes nothing: what it finds goes into `displacements`, and into the world at the commit. The report is
packed into few bytes: entity ids and units, nothing that a later change of the world could reach. It is unpacked when
somebody reads it; most results are never looked into.
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
    from cython.cimports.ecs_collision.push.displacement_log import DisplacementLog
    from cython.cimports.ecs_collision.push.displacements import Displacements
    from cython.cimports.ecs_collision.push.graph import PushGraph
else:
    from ecs_collision.push.axis_planner import AxisPlanner
    from ecs_collision.push.displacement_log import DisplacementLog
    from ecs_collision.push.displacements import Displacements
    from ecs_collision.push.graph import PushGraph

from ecs_collision._arrays import longer
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import PUSHABLE
from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.push.axis_planner import ASK, DONE
from ecs_collision.push.graph import ALL_OR_NOTHING, BOUNDS
from ecs_collision.sealing import seal
from ecs_collision.settings import BLOCK_DEEPER, Settings

# Constants of other kernels, as constants of this module so that the compiled loops read no globals.
_PUSHABLE = cython.declare(cython.int, PUSHABLE)
_DONE = cython.declare(cython.int, DONE)
_ASK = cython.declare(cython.int, ASK)
_BOUNDS = cython.declare(cython.int, BOUNDS)
_ALL_OR_NOTHING = cython.declare(cython.int, ALL_OR_NOTHING)

_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_INFINITE = cython.declare(cython.double, inf)


@cython.final
@cython.cclass
class MotionPlanner:
    """Plans whole motions, by the settings of a world.

    Use: `begin(...)`, then `go()`; while it returns ASK, answer the question of the `axis_planner` and go on. Then
    `displacements` holds what the motion displaces, to be committed or forgotten. `requested` is what was asked and
    `allowed` how far the mover goes, both by axis in units; `stop_count` axes were stopped.
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
        self.requested, self.allowed, self.stop_distances = (
            array("q", bytes(24)),
            array("q", bytes(24)),
            array("q", bytes(24)),
        )
        self.reasons, self.blockers = array("i", bytes(12)), array("i", bytes(12))
        self.leg_ends = array("i", bytes(16))
        self.requested_view, self.allowed_view, self.stop_distances_view = (
            self.requested,
            self.allowed,
            self.stop_distances,
        )
        self.reasons_view, self.blockers_view, self.leg_ends_view = self.reasons, self.blockers, self.leg_ends
        self.leg_rows, self.leg_units = array("i"), array("q")
        self.links, self.records = array("q"), array("q", bytes(8 * 64))
        self.records_view = self.records
        self.leg_count = self.link_count = 0
        self.turn = self.stop_count = 0
        self.whole = self.tracing = self.searching = False

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
        whole: cython.bint,
        only: cython.int,
        tracing: cython.bint,
    ) -> cython.void:
        """Ask for a motion of a row by so many units, along the axis `only` alone unless that is -1.

        `summing` is rule "sum"; `max_chain` below 0 means no limit; `whole` all or nothing. `tracing`: keep who
        went how far on each axis, for `legs`.
        """
        axis: cython.int
        self.graph.begin(row, force, summing, max_chain)
        self.displacements.begin()
        self.whole = whole
        self.requested_view[0] = x
        self.requested_view[1] = y
        self.requested_view[2] = z
        for axis in range(3):
            self.allowed_view[axis] = 0
            self.reasons_view[axis] = 0
            if only >= 0 and axis != only:
                self.requested_view[axis] = 0
        self.tracing, self.searching = tracing, False
        self.turn = self.stop_count = 0
        self.leg_count = self.link_count = 0
        for axis in range(4):
            self.leg_ends_view[axis] = 0  # a body that drifts leaves no legs

    @cython.ccall
    def go(self) -> cython.int:
        """Go on until the motion is planned (DONE) or the hook must decide a pair (ASK)."""
        axis: cython.int
        while self.turn < 3:
            axis = self.axes_view[self.turn]
            if not self.searching and self.requested_view[axis] != 0:
                self.searching = True
                self.axis_planner.start(axis, self.requested_view[axis], self.lows_view[axis], self.highs_view[axis])
            if self.searching:
                if self.axis_planner.search() == _ASK:
                    return _ASK
                self.searching = False
                self.conclude()
            self.turn += 1
            self.leg_ends_view[self.turn] = cython.cast(cython.int, self.leg_count)
        return _DONE

    @cython.cfunc
    def conclude(self) -> cython.void:
        """Take over the answer for one axis: displace the mover and the pushed by it, groups whole."""
        graph: PushGraph = self.graph
        at: cython.Py_ssize_t
        row: cython.int
        axis: cython.int = graph.axis
        allowed: cython.longlong = self.axis_planner.allowed
        self.allowed_view[axis] = graph.sign * allowed
        if self.axis_planner.reason != 0:
            self.stop(axis, self.axis_planner.blocker, self.axis_planner.reason, allowed)
            if self.whole:
                self.refuse(axis)
                return
        if allowed == 0:
            return
        if graph.pushed_count > 0:
            self.note_links()
        if self.tracing:
            self.room_for_legs()
        self.displace(graph.mover, axis, graph.sign * allowed)
        for at in range(graph.pushed_count):
            row = graph.pushed_view[at]
            if graph.distances_view[row] < allowed:
                self.displace(row, axis, graph.sign * (allowed - graph.distances_view[row]))
        if self.way_ahead():
            self.displacements.lay()

    @cython.cfunc
    def displace(self, row: cython.int, axis: cython.int, by: cython.longlong) -> cython.void:
        """Displace a row, and all that is fused to it, by so many units along an axis."""
        self.displacements.add_all(row, axis, by)
        if self.tracing:
            self.trace(row, by)

    @cython.cfunc
    @cython.exceptval(check=False)
    def way_ahead(self) -> cython.bint:
        """Whether a further axis will be planned."""
        turn: cython.int
        for turn in range(self.turn + 1, 3):
            if self.requested_view[self.axes_view[turn]] != 0:
                return True
        return False

    def drift(self, low: Sequence[int], high: Sequence[int]) -> None:
        """Plan the motion of a body that is disabled: it meets nothing, only the range of the index ends its way.

        `low` and `high` are how far its boxes would reach from its position.
        """
        turn: cython.Py_ssize_t
        axis: cython.int
        by: cython.longlong
        room: cython.longlong
        for turn in range(3):
            axis = self.axes_view[turn]
            by = self.requested_view[axis]
            if by == 0:
                continue
            if by > 0:
                room = self.graph.most - self.columns.pos_view[3 * self.graph.mover + axis] - high[axis]
            else:
                room = self.columns.pos_view[3 * self.graph.mover + axis] + low[axis] - self.graph.least
            if max(by, -by) > room:
                by = room if by > 0 else -room
                self.stop(axis, -1, _BOUNDS, room)
                if self.whole:
                    self.refuse(axis)
                    return
            self.allowed_view[axis] = by
            if by != 0:
                self.displacements.add(self.graph.mover, axis, by)

    @cython.cfunc
    @cython.exceptval(check=False)
    def stop(self, axis: cython.int, blocker: cython.int, reason: cython.int, room: cython.longlong) -> cython.void:
        """Note what stopped an axis, and after how many units."""
        if self.reasons_view[axis] == 0:
            self.stop_count += 1
        self.blockers_view[axis] = blocker
        self.reasons_view[axis] = reason
        self.stop_distances_view[axis] = room

    @cython.ccall
    @cython.exceptval(check=False)
    def stopped(self, axis: cython.int) -> cython.bint:
        """Whether the motion was stopped on an axis."""
        return self.reasons_view[axis] != 0

    @cython.cfunc
    def refuse(self, failed: cython.int) -> cython.void:
        """Undo a motion that does not fit whole: the failed axis keeps its reason, the others get their own."""
        axis: cython.int
        self.displacements.forget()
        for axis in range(3):
            self.allowed_view[axis] = 0
            if axis != failed and self.requested_view[axis] != 0:
                self.stop(axis, -1, _ALL_OR_NOTHING, 0)
        self.leg_count = self.link_count = 0
        for axis in range(3):
            self.leg_ends_view[axis] = 0
        self.turn = 2  # none is left

    # How far each row went on each axis, for whatever follows the way.

    @cython.cfunc
    def room_for_legs(self) -> cython.void:
        """Make room for what goes along the axis just planned."""
        room: cython.Py_ssize_t = self.leg_count + self.graph.pushed_count + 1 + self.group_links.count
        if len(self.leg_rows) < room:
            rows, units = longer(self.leg_rows, 2 * room), longer(self.leg_units, 2 * room)
            self.leg_rows, self.leg_units = rows, units
            self.leg_rows_view, self.leg_units_view = self.leg_rows, self.leg_units

    @cython.cfunc
    @cython.exceptval(check=False)
    def trace(self, row: cython.int, by: cython.longlong) -> cython.void:
        """Keep how far a row goes, and all that is fused to it."""
        member: cython.int = row
        while True:
            self.leg_rows_view[self.leg_count] = member
            self.leg_units_view[self.leg_count] = by
            self.leg_count += 1
            member = self.group_links.next_row_view[member]
            if member == row:
                break

    def legs(self) -> list[tuple[int, dict[int, int]]]:
        """Return, for each axis along which anything moves, in order: the axis and the units of each row, signed."""
        legs = []
        for turn in range(3):
            start, end = self.leg_ends[turn], self.leg_ends[turn + 1]
            if start < end:
                moves = dict(zip(self.leg_rows[start:end], self.leg_units[start:end], strict=True))
                legs.append((self.axes[turn], moves))
        return legs

    # The report.

    @cython.ccall
    def note_halts(self, log: DisplacementLog) -> cython.void:
        """Note every stop on the log."""
        axis: cython.int
        if self.stop_count == 0:
            return
        for axis in range(3):
            if self.reasons_view[axis] != 0:
                log.halt(
                    self.columns.ids_view[self.graph.mover],
                    axis,
                    -1 if self.blockers_view[axis] < 0 else self.columns.ids_view[self.blockers_view[axis]],
                    self.reasons_view[axis],
                )

    @cython.cfunc
    def note_links(self) -> cython.void:
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
    def weigh(self, row: cython.int, at: cython.Py_ssize_t) -> cython.void:
        """Pack the inertia of a row in units, -1 for infinity and -2 for none at all."""
        axis: cython.Py_ssize_t
        inertia: cython.double
        for axis in range(3):
            inertia = 0.0 if row < 0 else self.columns.inertia_view[3 * row + axis]
            if row < 0 or not (self.columns.flags_view[row] & _PUSHABLE):
                self.records_view[at + axis] = -2
            elif inertia == _INFINITE:
                self.records_view[at + axis] = -1
            else:
                self.records_view[at + axis] = cython.cast(cython.longlong, inertia * _PER_UNIT)

    @cython.cfunc
    def packed(self, count: cython.Py_ssize_t) -> object:
        """Return the first numbers told, as bytes."""
        if cython.compiled:
            return cython.cast(cython.p_char, cython.address(self.records_view[0]))[: 8 * count]
        else:
            return self.records[:count].tobytes()

    @cython.ccall
    def pushes(self) -> object:
        """Return (entity, x, y, z and inertia by axis) of every body pushed, seven numbers each, in no order."""
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t = 0
        row: cython.int
        part: cython.Py_ssize_t
        if self.displacements.count < 2:
            return b""
        if len(self.records) < 7 * self.displacements.count:
            self.records = longer(self.records, 14 * self.displacements.count)
            self.records_view = self.records
        for at in range(1, self.displacements.count):  # the mover is the first
            row = self.displacements.rows_view[at]
            if self.group_links.leader_view[row] != row:  # it goes along with another that is named
                continue
            self.records_view[end] = self.columns.ids_view[row]
            for part in range(3):
                self.records_view[end + 1 + part] = self.displacements.units_view[3 * row + part]
            self.weigh(row, end + 4)
            end += 7
        return self.packed(end)

    @cython.ccall
    def meetings(self) -> object:
        """Return (pusher, pushed, axis, gap) of every link, four numbers each, axis by axis; some may come twice."""
        count: cython.Py_ssize_t = 4 * self.link_count
        if count == 0:
            return b""
        if cython.compiled:
            return cython.cast(cython.p_char, cython.address(self.links_view[0]))[: 8 * count]
        else:
            return self.links[:count].tobytes()

    @cython.ccall
    def obstacles(self) -> object:
        """Return (axis, blocker or -1, reason, units allowed, the blocker's inertia by axis) of every stop."""
        turn: cython.Py_ssize_t
        axis: cython.int
        row: cython.int
        end: cython.Py_ssize_t = 0
        if self.stop_count == 0:
            return b""
        for turn in range(3):
            axis = self.axes_view[turn]
            if self.reasons_view[axis] == 0:
                continue
            row = self.blockers_view[axis]
            self.records_view[end] = axis
            self.records_view[end + 1] = -1 if row < 0 else self.columns.ids_view[row]
            self.records_view[end + 2] = self.reasons_view[axis]
            self.records_view[end + 3] = self.stop_distances_view[axis]
            self.weigh(row, end + 4)
            end += 7
        return self.packed(end)


seal(MotionPlanner)
