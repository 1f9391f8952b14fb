# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Motions, a single one or those of a frame: each is planned axis by axis and committed once (rules P1, P5, P10, P16).

A plan changes nothing observable, so an interrupted plan leaves nothing behind. An interrupted commit is rolled back
by the `MotionHost`, from the former state of the displaced rows in `dirty_rows.kept`. Requests take their values from a
call or a Motion, and their defaults from the settings.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import product
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.components.dirty_transforms import rounded
    from cython.cimports.ecs_collision.results import combined, make_result, pushed_on
else:
    from ecs_collision.components.dirty_transforms import rounded
    from ecs_collision.results import combined, make_result, pushed_on

from ecs_collision._arrays import array_of
from ecs_collision.access import Access
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import MOVER, STATIC, Columns
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.components import SUM, Mover, rule_name
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.components.fields import MotionFields
from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import AXES, MAX_COORDINATE, MAX_INTEGER, PER_UNIT, finite, flag, strength, whole
from ecs_collision.push.displacements import DisplacementLog, Displacements
from ecs_collision.push.host import MotionHost
from ecs_collision.push.joint_forces import push_jointly
from ecs_collision.push.lines import LineMotions
from ecs_collision.push.planner import CALL_HOOK, AxisPlanner, MotionPlanner
from ecs_collision.results import CODES, STOP, MoveResult
from ecs_collision.settings import ADD, Settings

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_MOVER = cython.declare(cython.int, MOVER)
_CALL_HOOK = cython.declare(cython.int, CALL_HOOK)
_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)


@cython.final
@cython.no_gc
@cython.cclass
class MotionRequest:
    """A requested motion of one body: displacement in units, force and rules.

    `max_chain` is -1 without a limit. `mover` is the Mover of the body, None without one. `straight`: it follows the
    straight line (M10); `through`: it passes through one-way bodies (M5). `silent`: if it displaces nothing, it gives
    no `Blocked` and disturbs no body (M1). `remaining` has a bit for each axis that is still to be done in this frame,
    and `result` is the result of the others, or None.
    """

    @cython.cfunc
    @cython.exceptval(-1)
    def begin(
        self,
        row: cython.int,
        entity: cython.longlong,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        summing: cython.bint,
        max_chain: cython.longlong,
        all_or_nothing: cython.bint,
    ) -> cython.int:
        """Set the values for a row without a Motion."""
        self.row, self.entity = row, entity
        self.x, self.y, self.z = x, y, z
        self.force, self.priority = 0.0, 0
        self.summing, self.max_chain, self.all_or_nothing = summing, max_chain, all_or_nothing
        self.through = self.silent = False
        self.remaining = (1 if x != 0 else 0) | (2 if y != 0 else 0) | (4 if z != 0 else 0)
        self.mover: Mover | None = None
        self.straight = False
        self.result: MoveResult | None = None
        return 0

    def set_along(self, axis: cython.int, units: cython.longlong) -> cython.void:
        """Set the displacement along an axis."""
        if axis == 0:
            self.x = units
        elif axis == 1:
            self.y = units
        else:
            self.z = units
        if units != 0:
            self.remaining |= 1 << axis

    def along(self, axis: cython.int) -> cython.longlong:
        """Return the displacement along an axis."""
        return self.x if axis == 0 else self.y if axis == 1 else self.z


@cython.final
@cython.cclass
class RequestReader:
    """Makes the motion requests of a world."""

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies = bodies
        self._columns: Columns = bodies.columns
        self._dirty_rows: DirtyRows = bodies.dirty_rows
        self._dirty_transforms: DirtyTransforms = bodies.dirty_transforms
        self._displacement = array("q", bytes(24))
        self._summing = settings.rule == SUM
        self._max_chain = -1 if settings.max_chain is None else settings.max_chain
        self._all_or_nothing = settings.all_or_nothing

    def from_arguments(
        self,
        entity: object,
        dx: object,
        dy: object,
        dz: object,
        force: object,
        rule: object,
        max_chain: object,
        all_or_nothing: object,
        through: object,
        straight: object,
    ) -> MotionRequest:
        """Read the arguments of move or plan, apply changes and return the request.

        Errors name the entity, the argument and the remedy.
        """
        if not (type(entity) is int and 0 <= entity <= MAX_INTEGER):
            entity = self._bodies.id_of(entity)
        x: cython.longlong = self._units(dx, "dx", entity)
        y: cython.longlong = self._units(dy, "dy", entity)
        z: cython.longlong = self._units(dz, "dz", entity)
        if force is not None:
            force = strength(force, f"force of entity {entity}")
        if rule is not None:
            summing = rule_name(rule, f"rule of entity {entity}") == SUM
        if max_chain is not None:
            max_chain = whole(max_chain, f"max_chain of entity {entity}", minimum=0)
        if all_or_nothing is not None:
            all_or_nothing = flag(all_or_nothing, f"all_or_nothing of entity {entity}")
        if through is not False:
            through = flag(through, f"through of entity {entity}")
        if straight is not None:
            straight = flag(straight, f"straight of entity {entity}")
        if self._dirty_transforms.may_apply():
            self._bodies.refresh()
        row: cython.int = self._bodies.row(entity)
        if self._columns.flags_view[row] & _STATIC:
            raise CollisionValueError(
                f"entity {entity} is Static and never moves of itself; teleport it, or remove Static from it"
            )
        request: MotionRequest = self.from_motion(row, self._bodies.parts[row].motion, x, y, z)
        if force is not None:
            request.force = force
        if rule is not None:
            request.summing = summing
        if max_chain is not None:
            request.max_chain = max_chain
        if all_or_nothing is not None:
            request.all_or_nothing = all_or_nothing
        request.through = through
        if straight is not None:
            request.straight = straight
        return request

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _units(self, value: object, name: object, entity: object) -> cython.longlong:
        """Return a displacement in units. A float or an int in range is converted without a call."""
        if type(value) is float or type(value) is int:
            try:
                number: cython.double = value
                if -_MAX_COORDINATE <= number <= _MAX_COORDINATE:
                    return rounded(number)
            except OverflowError:  # an int beyond every float
                pass
        return rounded(finite(value, f"{name} of entity {entity}"))

    def from_motion(
        self, row: cython.int, motion: MotionFields | None, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> MotionRequest:
        """Return the request of a body by its Motion; settings give what that leaves open."""
        request: MotionRequest = MotionRequest.__new__(MotionRequest)
        request.begin(row, self._columns.ids_view[row], x, y, z, self._summing, self._max_chain, self._all_or_nothing)
        if motion is not None:
            request.force, request.priority = motion._force, motion._priority
            if motion._rule is not None:
                request.summing = motion._rule == SUM
            if motion._max_chain is not None:
                request.max_chain = motion._max_chain
            if motion._all_or_nothing is not None:
                request.all_or_nothing = motion._all_or_nothing
        if self._columns.flags_view[row] & _MOVER:
            request.mover = self._bodies.parts[row].mover
            request.straight = request.mover.straight
        return request

    # The frame.

    def take_all(self, frame: cython.longlong) -> list[MotionRequest]:
        """Take the requests of a frame out of the Motion components (L2), and disturb their bodies (S2).

        Sorted by (priority descending, entity id): each performs all its axes in its turn (P10). If this raises, none
        is taken.
        """
        requests: list[MotionRequest] = []
        try:
            if self._take_each(requests, frame):
                requests.sort(key=_priority_key)  # stable
        except BaseException:
            for row in list(self._bodies.requests):
                motion = self._bodies.of(row).motion
                if motion is not None:
                    motion._rollback(frame)
            raise
        self._bodies.requests.clear()
        request: MotionRequest
        for request in requests:
            self._dirty_rows.disturbed_view[request.row] = frame
        return requests

    def _take_each(self, requests: list, frame: cython.longlong) -> cython.bint:  # type: ignore[type-arg]
        """Append a request for each Motion by entity id; return whether any has a priority."""
        row: cython.int
        motion: MotionFields
        has_priority: cython.bint = False
        displacement_view: cython.longlong[::1] = self._displacement
        parts, row_of = self._bodies.parts, self._bodies.row_of
        entities = [self._columns.ids_view[row] for row in self._bodies.requests]
        entities.sort()
        for entity in entities:
            row = row_of[entity]
            motion = parts[row].motion
            if motion is not None and motion._take(displacement_view, frame):
                requests.append(
                    self.from_motion(row, motion, displacement_view[0], displacement_view[1], displacement_view[2])
                )
                has_priority = has_priority or motion._priority != 0
        return has_priority

    def sorted_front_first(self, requests: Iterable[MotionRequest], axis: int) -> list[MotionRequest]:
        """Return the requests along an axis by (priority descending, + before -, furthest ahead first, entity id)."""
        keyed = []
        request: MotionRequest
        for request in requests:
            by = request.along(axis)
            if by != 0:
                sign = 1 if by > 0 else -1
                ahead = sign * self._leading_face(request.row, axis, sign)
                keyed.append((-request.priority, -sign, -ahead, request.entity, request))
        keyed.sort(key=_front_key)
        return [each[4] for each in keyed]

    def _leading_face(self, row: int, axis: int, sign: int) -> int:
        """Return the foremost face of a body along an axis, or of all solid boxes of its group."""
        pos, forms = self._columns.pos, self._bodies.forms
        side = axis + 3 if sign > 0 else axis
        rows = self._bodies.groups.solid_rows(row) if self._bodies.group_links.is_fused(row) else [row]
        faces = [pos[8 * each + axis] + box[side] for each in rows for box in forms[each].boxes]
        return int(max(faces) if sign > 0 else min(faces))


@cython.final
@cython.cclass
class Motions:
    """Plans and commits the motions of a world.

    `frame` is the number of the next frame and `displacement_log` its log. `commits` counts the motions that displaced
    anything, `has_displaced` is whether the last one did. `blocker` is the row that stopped the last leg of a walk, of
    several `floor`, or else the one that the mover overlaps most across the axis: -1 if the bounds did, -2 if nothing
    did. `is_stepping` is set during a step of movement, whose motions are undone together by its own undo record.
    """

    def __init__(self, bodies: Bodies, settings: Settings, host: MotionHost, log: DisplacementLog) -> None:
        self._bodies, self._host = bodies, host
        self._access: Access = bodies.dirty_transforms.access
        self._axes = settings.axes
        self._adds_forces = settings.forces == ADD
        self._gripping_rows: set[int] = bodies.gripping_rows
        self._columns = bodies.columns
        self._dirty_rows: DirtyRows = bodies.dirty_rows
        self._swept = self._woke = self._crossed = self._is_committing = self.has_displaced = False
        self._request_before: object = None
        self.blocker, self.floor = -2, -1
        self._planner = MotionPlanner(bodies, settings)
        self._settings = settings
        self._lines: LineMotions | None = None  # made by the first motion that needs it
        self._has_respond = settings.respond is not None
        self._displacements = self._planner.displacements
        self.requests = RequestReader(bodies, settings)
        self.displacement_log = log
        self.frame = 1
        self.commits = 0
        self.is_stepping = False

    def take_counts(self) -> tuple[int, int]:
        """Return the number of displaced bodies, one a motion, and of index queries, and reset both."""
        counts = (self._displacements.committed, self._planner.graph.expansions)
        self._displacements.committed = 0
        self._planner.graph.expansions = 0
        return counts

    def check(self) -> None:
        """Raise IndexError if a motion has not been ended."""
        self._displacements.check()

    # One motion.

    def move(
        self,
        entity: object,
        dx: object,
        dy: object,
        dz: object,
        force: object,
        rule: object,
        max_chain: object,
        all_or_nothing: object,
        through: object,
        straight: object,
    ) -> MoveResult:
        """Perform the motion of a call of `CollisionWorld.move`."""
        access: Access = self._access
        access.enter()
        try:
            access.refuse_changes("move")
            request: MotionRequest = self.requests.from_arguments(
                entity, dx, dy, dz, force, rule, max_chain, all_or_nothing, through, straight
            )
            if self._host.quiet_until:
                self._host.end_quiet_frames()
            return self.perform(request)
        finally:
            access.depth -= 1

    def perform(self, request: MotionRequest) -> MoveResult:
        """Plan and commit one motion. If this raises, nothing has changed, except in a step of movement."""
        if self.is_stepping and request.remaining != 0:
            self._save_disturbed(request.row)
        result: MoveResult = self._perform(request, -1, False)
        if request.remaining != 0 and (self.has_displaced or not request.silent):
            self._bodies.dirty_rows.disturbed[request.row] = self.frame
        return result

    def _save_disturbed(self, row: cython.int) -> cython.int:
        """Save when a row was disturbed, in the undo record of a step; its motion may be stopped where it begins."""
        self._dirty_rows.reserve_undo(1)
        self._dirty_rows.save(row, self._columns)
        return 0

    def preview(self, request: MotionRequest) -> MoveResult:
        """Plan one motion without committing it."""
        try:
            self._plan(request, -1)
            result: MoveResult = self._result(request)
            self._displacements.clear()
        except BaseException:
            self._reset()
            raise
        return result

    def _perform(self, request: MotionRequest, only_axis: cython.int, in_frame: cython.bint) -> MoveResult:
        """Plan a motion, or one axis of it, and commit it. `in_frame`: store the result in the request."""
        self._swept = self._woke = self._crossed = self._is_committing = False
        try:
            self._plan(request, only_axis)
            result: MoveResult = self._result(request)
            merged: MoveResult = result if request.result is None else combined(request.result, result)
            self.displacement_log.mark(self._displacements.count, self._planner.stop_count)
            self._start_undo()
            self._request_before = None
            self._is_committing = True
            self.has_displaced = self._displacements.count > 0
            if self.has_displaced:
                self._commit(request)
            if self._planner.carries:
                self._log_crushed()
            if self._has_stops_to_log(request) and not (in_frame and self._adds_forces):
                self._planner.log_stops(self.displacement_log)
                if in_frame:
                    self._drop_remainders(self._bodies.parts[request.row].motion)
        except BaseException:
            self._reset()
            if self._is_committing:
                if self._request_before is not None:
                    self._bodies.parts[request.row].motion._set_request_state(self._request_before)
                self._host.rollback(self._swept, self._woke, self._crossed)
            raise
        if in_frame:
            request.result = merged
            request.remaining &= 0 if only_axis < 0 else ~(1 << only_axis)
        return result

    def _has_stops_to_log(self, request: MotionRequest) -> cython.bint:
        """Return whether the motion just committed was stopped, and says so."""
        return self._planner.stop_count > 0 and (self.has_displaced or not request.silent)

    def _start_undo(self) -> cython.int:
        """Make room for the former state of the displaced rows."""
        if not self.is_stepping:
            self._dirty_rows.start_undo()
        self._dirty_rows.reserve_undo(self._displacements.count)
        return 0

    def _reset(self) -> cython.int:
        """Clear the displacements and the overlay of a motion that raised."""
        self._displacements.reset()
        self._bodies.overlay.clear()
        return 0

    def _log_crushed(self) -> cython.int:
        """Log what the motion crushed, each pair once a frame (M8)."""
        for pair in self._planner.crushed:
            if pair not in self.displacement_log.crushed:
                self.displacement_log.crushed.append(pair)
        return 0

    def _drop_remainders(self, motion: object) -> cython.int:
        """Drop the rounding remainders of the axes on which the last motion was blocked (L2)."""
        axis: cython.int
        if motion is None:
            return 0
        self._request_before = motion._request_state()  # type: ignore[attr-defined]
        for axis in range(3):
            if self._planner.is_stopped(axis):
                motion._drop_remainder(axis)  # type: ignore[attr-defined]
        return 0

    def _plan(self, request: MotionRequest, only_axis: cython.int) -> cython.int:
        """Plan a motion; its displacements stay in the planner."""
        planner: MotionPlanner = self._planner
        planner.graph.through = request.through
        planner.begin(
            request.row,
            request.x,
            request.y,
            request.z,
            request.force,
            request.summing,
            request.max_chain,
            request.all_or_nothing,
            only_axis,
            self._bodies.swept_count > 0,
        )
        if self._gripping_rows:
            for row in self._bodies.gripped_by(request.row):
                planner.grip(row)
        if self._columns.count_view[request.row] == 0:
            boxes = self._bodies.forms[request.row].boxes
            planner.plan_unobstructed(
                [min([box[axis] for box in boxes]) for axis in range(3)],
                [max([box[axis + 3] for box in boxes]) for axis in range(3)],
            )
            return 0
        if self._has_respond or request.straight or request.mover is not None:
            self._plan_line(request)
        else:
            self.finish_plan(request.force)
        return 0

    def finish_plan(self, force: cython.double) -> cython.int:
        """Plan what the planner has begun, axis by axis."""
        while self._planner.plan() == _CALL_HOOK:
            self._planner.axis_planner.apply_verdict(self._call_hook(force))
        return 0

    def _plan_line(self, request: MotionRequest) -> cython.int:
        """Plan a motion that may have responses, or is straight (M9, M10)."""
        self._get_lines().plan(request.row, request.mover, request.straight, request.force, self.finish_plan)
        return 0

    def _get_lines(self) -> LineMotions:
        """Return what plans motions with responses; it is made for the first of them."""
        if self._lines is None:
            self._lines = LineMotions(self._bodies, self._settings, self._planner, self._host)
        return self._lines

    def _call_hook(self, force: cython.double) -> cython.int:
        """Return the hook's verdict on the current pair: 1 allow, 0 veto, -1 no opinion."""
        axis_planner: AxisPlanner = self._planner.axis_planner
        answer = self._host.call_hook(
            self._columns.ids_view[axis_planner.hook_pusher],
            self._columns.ids_view[axis_planner.hook_pushed],
            AXES[axis_planner.graph.axis],
            force,
        )
        return -1 if answer is None else 1 if answer else 0

    def _result(self, request: MotionRequest) -> MoveResult:
        """Return the result of the motion just planned."""
        planner: MotionPlanner = self._planner
        result: MoveResult = make_result(
            request.entity,
            request.x,
            request.y,
            request.z,
            planner.allowed,
            request.force,
            planner.packed_pushes(),
            planner.packed_links(),
            planner.packed_stops(),
        )
        if planner.has_line:
            result._hits = planner.hits
        return result

    def _commit(self, request: MotionRequest) -> cython.int:
        """Commit the plan: positions and cells first, then what depends on them."""
        displaced: Displacements = self._displacements
        planner: MotionPlanner = self._planner
        if self._bodies.swept_count > 0:
            self._host.sweep(self._planner.legs())
            self._swept = True
        is_passing: cython.bint = (
            self._columns.passing_count > 0
            or (planner.carries and len(planner.passing) > 0)
            or (planner.has_line and len(planner.crossed) > 0)
        )
        rows: Any = array_of(displaced.rows)[: displaced.count] if is_passing else None
        z_changed: cython.bint = displaced.commit(self.displacement_log, self.frame)
        displaced.clear()
        if z_changed and self._columns.count_view[request.row] == 0:
            z = self._columns.pos_view[8 * request.row + 2]
            self._bodies.set_form_and_plane(request.row, self._bodies.forms[request.row], z)
        elif z_changed:
            self._bodies.update_flat()
        if displaced.woken_count > 0:
            self._host.wake(array_of(displaced.woken)[: displaced.woken_count])
            self._woke = True
        if is_passing:
            self._host.mark_crossings()
            self._crossed = True
            crossed, begun = (planner.crossed, planner.begun) if planner.has_line else ([], [])
            self._host.cross(request.row, crossed, begun, rows)
            for row in planner.passing if planner.carries else ():
                self._pass_through(request.row, row)
        self.commits += 1
        return 0

    def _pass_through(self, row: int, other: int) -> None:
        """Let the solid members of a group pass through those of another, which they crush (M8)."""
        groups = self._bodies.groups
        passing = self._bodies.passing
        for a, b in product(groups.solid_rows(row), groups.solid_rows(other)):
            if passing.overlap(a, b):
                passing.add(a, b)

    # A walk: one motion of several legs, such as up, across and down a step, planned leg by leg and committed once.

    def begin_walk(self, request: MotionRequest, reach: cython.longlong) -> cython.int:
        """Begin a walk by a request, which has the displacement that is meant; call `leg`, then `end_walk`.

        reach: how far a leg may lead, in units.
        """
        self._planner.graph.through = request.through
        self._planner.begin(
            request.row,
            0,
            0,
            0,
            request.force,
            request.summing,
            request.max_chain,
            False,
            -1,
            self._bodies.swept_count > 0,
        )
        if self._has_respond or request.mover is not None:
            self._get_lines().begin_walk(request.row, request.mover, reach)
        return 0

    def leg(
        self,
        axis: cython.int,
        units: cython.longlong,
        force: cython.double,
        is_reported: cython.bint,
        looks: cython.bint,
    ) -> cython.longlong:
        """Go along an axis by signed units, with what it carries; returns how many units it goes.

        looks: do not go the last unit, only look what is there.
        """
        planner: MotionPlanner = self._planner
        planner.start_leg(axis, units, force)
        while planner.continue_leg() == _CALL_HOOK:
            planner.axis_planner.apply_verdict(self._call_hook(force))
        self.blocker = planner.main_blocker(self.floor)
        gone: cython.longlong = planner.end_leg(is_reported, looks)
        while planner.starts_ride():
            while planner.continue_leg() == _CALL_HOOK:
                planner.axis_planner.apply_verdict(self._call_hook(force))
            planner.end_ride()
        return gone

    def support(self, request: MotionRequest, axis: cython.int, sign: cython.int) -> cython.int:
        """Return the row that stops a body at once in a direction along an axis; -1: the bounds, -2: nothing does."""
        try:
            self.begin_walk(request, 1)
            found: cython.int = self.probe(axis, sign)
            if self._planner.has_line:
                self._get_lines().end_walk()
            self._displacements.clear()
        except BaseException:
            self._reset()
            raise
        return found

    def probe(self, axis: cython.int, sign: cython.int) -> cython.int:
        """Return the row that would stop a leg of a walk at once, without going it; as `support`."""
        planner: MotionPlanner = self._planner
        planner.start_leg(axis, sign, 0.0)
        while planner.continue_leg() == _CALL_HOOK:
            planner.axis_planner.apply_verdict(self._call_hook(0.0))
        return planner.main_blocker(-1)

    def offsets(self) -> dict[int, tuple[int, int, int]]:
        """Return by how much the motion in progress displaces each row, in units."""
        rows, units = array_of(self._displacements.rows), array_of(self._displacements.units)
        listed = rows[: self._displacements.count]
        return {row: (units[3 * row], units[3 * row + 1], units[3 * row + 2]) for row in listed}

    def end_walk(self, request: MotionRequest) -> MoveResult:
        """Commit a walk and return its result. If this raises, nothing has changed."""
        self._swept = self._woke = self._crossed = self._is_committing = False
        try:
            if self._planner.has_line:
                self._get_lines().end_walk()
            self._displacements.drop_unmoved()
            result: MoveResult = self._result(request)
            self.displacement_log.mark(self._displacements.count, self._planner.stop_count)
            self._start_undo()
            self._is_committing = True
            self.has_displaced = self._displacements.count > 0
            if self.has_displaced:
                self._commit(request)
            if self._has_stops_to_log(request):
                self._planner.log_stops(self.displacement_log)
        except BaseException:
            self.abandon_walk()
            raise
        return result

    def abandon_walk(self) -> cython.int:
        """End a walk that raised: nothing of it has happened."""
        self._reset()
        if self._is_committing:
            self._host.rollback(self._swept, self._woke, self._crossed)
        self._is_committing = False
        return 0

    # The motions of a frame.

    def perform_all(self, requests: list[MotionRequest], front_first: bool) -> None:
        """Perform the motions of a frame: each in its turn, or axis by axis from the front (P10).

        Results are stored in the requests. If anything raises, `remaining` has the axes that are not done.
        """
        request: MotionRequest
        axis: cython.int
        self.displacement_log.reserve(4 * len(requests))
        try:
            if not front_first:
                for request in requests:
                    self._perform_in_frame(request, -1)
            for axis in self._axes:
                if front_first:
                    for request in self.requests.sorted_front_first(requests, axis):
                        if not request.straight:
                            self._perform_in_frame(request, axis)
                        elif request.remaining != 0:  # done whole in its first turn
                            self._perform_in_frame(request, -1)
                if self._adds_forces:
                    push_jointly(self, requests, axis)
        finally:
            if self._adds_forces:
                self._log_all_stops(requests)

    # Movers that press the same way add their forces (M11); `joint_forces` finds them.

    def leader(self, row: int) -> int:
        """Return the leader of a row."""
        return int(self._bodies.group_links.leader[row])

    def left(self, request: MotionRequest, axis: int) -> int:
        """Return the units of a request along an axis that are not done yet."""
        result: Any = request.result
        return int(request.along(axis)) - int(result.moved[axis] * PER_UNIT)

    def blockers_at_once(self, request: MotionRequest, axis: int) -> list[int]:
        """Return the entities that stop the rest of a request where it is, if all it lacks is force; otherwise none."""
        if self._columns.count_view[request.row] == 0:
            return []
        try:
            self._plan_along([request], axis, self.left(request, axis), request.force)
            stops = self._planner.packed_stops() if self._planner.lacks_force else b""
            if self._planner.allowed[axis] != 0:
                stops = b""
            self._displacements.clear()
        except BaseException:
            self._reset()
            raise
        return memoryview(stops).cast("q").tolist()[1::STOP]

    def perform_jointly(self, requests: list[MotionRequest], axis: int) -> bool:
        """Move several bodies on by the shortest of what is left of them, with the sum of their forces.

        Returns whether they moved. If this raises, nothing has changed.
        """
        request: MotionRequest = requests[0]
        shares = {each.entity: each.force for each in sorted(requests, key=_entity)}
        force: cython.double = 0.0
        for share in shares.values():
            force += share
        by: cython.longlong = min([self.left(each, axis) for each in requests], key=abs)
        self._swept = self._woke = self._crossed = self._is_committing = False
        try:
            self._plan_along(requests, axis, by, force)
            if self._planner.allowed[axis] == 0:
                self._displacements.clear()
                return False
            results = [pushed_on(each.result, self._result(each), axis, shares) for each in requests]
            self.displacement_log.mark(self._displacements.count, 0)
            self._dirty_rows.start_undo()
            self._dirty_rows.reserve_undo(self._displacements.count)
            self._request_before = None
            self._is_committing = True
            self._commit(request)
        except BaseException:
            self._reset()
            if self._is_committing:
                self._host.rollback(self._swept, self._woke, self._crossed)
            raise
        for each, result in zip(requests, results, strict=True):
            each.result = result
        return True

    def _plan_along(self, requests: list[MotionRequest], axis: int, by: int, force: float) -> None:
        """Plan a motion of several bodies along an axis; its displacements stay in the planner."""
        request: MotionRequest = requests[0]
        planner: MotionPlanner = self._planner
        limits = [each.max_chain for each in requests if each.max_chain >= 0]
        planner.begin(
            request.row,
            by if axis == 0 else 0,
            by if axis == 1 else 0,
            by if axis == 2 else 0,
            force,
            any([each.summing for each in requests]),
            min(limits, default=-1),
            False,
            axis,
            self._bodies.swept_count > 0,
        )
        for each in requests:
            for row in self._bodies.gripped_by(each.row):
                planner.grip(row)
        for each in requests[1:]:
            planner.join(each.row)
        while planner.plan() == _CALL_HOOK:
            planner.axis_planner.apply_verdict(self._call_hook(force))

    def _log_all_stops(self, requests: list[MotionRequest]) -> None:
        """Log what stopped the motions of a frame in the end, and drop the remainders of these axes (L2)."""
        request: MotionRequest
        for request in requests:
            if request.result is None or (request.silent and not any(request.result.moved)):
                continue
            owner = self._bodies.parts[request.row].motion
            entity = self._columns.ids_view[self.leader(request.row)]
            for stop in request.result.stops:
                axis, code = AXES.index(stop.axis), CODES[stop.reason]
                direction = 1 if stop.direction[axis] > 0 else -1
                for number, blocker in enumerate(stop.blockers or (-1,)):
                    self.displacement_log.add_stop(entity, axis, 0 if number else direction, blocker, code)
                if owner is not None:
                    owner._drop_remainder(axis)

    def _perform_in_frame(self, request: MotionRequest, only_axis: cython.int) -> cython.int:
        """Perform a motion of the frame, or one axis of it. If this raises, nothing has changed."""
        self._perform(request, only_axis, True)
        return 0

    def results(self, requests: list[MotionRequest]) -> dict[int, MoveResult]:
        """Return the results of a frame by entity."""
        request: MotionRequest
        found: dict[int, MoveResult] = {}
        for request in requests:
            if request.result is None:  # front_first skips requests that rounded to 0
                self._planner.begin(request.row, 0, 0, 0, request.force, False, -1, False, -1, False)
                request.result = self._result(request)
            found[request.entity] = request.result
        return found


def _entity(request: MotionRequest) -> int:
    return request.entity


def _priority_key(request: MotionRequest) -> int:
    return -request.priority


def _front_key(keyed: tuple[Any, ...]) -> tuple[Any, ...]:
    return keyed[:4]
