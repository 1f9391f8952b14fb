# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Motions, a single one or those of a frame: each is planned axis by axis and committed once (rules P1, P5, P10, P16).

A plan changes nothing observable, so an interrupted plan leaves nothing behind. An interrupted commit is rolled back
by the `MotionHost`, from the former state of the displaced rows in `dirty_rows.kept`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.access import Access
    from cython.cimports.ecs_collision.bodies.dirty_rows import DirtyRows
    from cython.cimports.ecs_collision.push.axis_planner import AxisPlanner
    from cython.cimports.ecs_collision.push.displacements import DisplacementLog, Displacements
    from cython.cimports.ecs_collision.push.motion import MotionPlanner
    from cython.cimports.ecs_collision.push.request import MotionRequest, MotionRequests
    from cython.cimports.ecs_collision.results import MoveResult, combined, make_result
else:
    from ecs_collision.access import Access
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.push.axis_planner import AxisPlanner
    from ecs_collision.push.displacements import DisplacementLog, Displacements
    from ecs_collision.push.motion import MotionPlanner
    from ecs_collision.push.request import MotionRequest, MotionRequests
    from ecs_collision.results import MoveResult, combined, make_result

from ecs_collision.bodies import Bodies
from ecs_collision.fixed_point import AXES
from ecs_collision.push.axis_planner import CALL_HOOK
from ecs_collision.push.host import MotionHost
from ecs_collision.settings import Settings

_CALL_HOOK = cython.declare(cython.int, CALL_HOOK)


@cython.final
@cython.cclass
class Motions:
    """Plans and commits the motions of a world.

    `frame` is the number of the next frame and `displacement_log` its log. `commits` counts the motions that displaced
    anything.
    """

    __slots__ = (
        "_access",
        "_axes",
        "_bodies",
        "_columns",
        "_dirty_rows",
        "_displacements",
        "_host",
        "_is_committing",
        "_planner",
        "_request_before",
        "_swept",
        "_woke",
        "commits",
        "displacement_log",
        "frame",
        "requests",
    )

    def __init__(self, bodies: Bodies, settings: Settings, host: MotionHost, log: DisplacementLog) -> None:
        self._bodies, self._host = bodies, host
        self._access: Access = bodies.dirty_transforms.access
        self._axes = settings.axes
        self._columns = bodies.columns
        self._dirty_rows: DirtyRows = bodies.dirty_rows
        self._swept = self._woke = self._is_committing = False
        self._request_before: object = None
        self._planner = MotionPlanner(bodies, settings)
        self._displacements = self._planner.displacements
        self.requests = MotionRequests(bodies, settings)
        self.displacement_log = log
        self.frame = 1
        self.commits = 0

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
    ) -> MoveResult:
        """Perform the motion of a call of `CollisionWorld.move`."""
        access: Access = self._access
        access.enter()
        try:
            access.refuse_changes("move")
            request: MotionRequest = self.requests.from_arguments(
                entity, dx, dy, dz, force, rule, max_chain, all_or_nothing
            )
            if self._host.quiet_until:
                self._host.end_quiet_frames()
            return self.perform(request)
        finally:
            access.depth -= 1

    @cython.ccall
    def perform(self, request: MotionRequest) -> MoveResult:
        """Plan and commit one motion. If this raises, nothing has changed."""
        result: MoveResult = self._perform(request, -1, False)
        if request.remaining != 0:
            self._bodies.dirty_rows.disturbed[request.row] = self.frame
        return result

    @cython.ccall
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

    @cython.cfunc
    def _perform(self, request: MotionRequest, only_axis: cython.int, in_frame: cython.bint) -> MoveResult:
        """Plan a motion, or one axis of it, and commit it. `in_frame`: store the result in the request."""
        self._swept = self._woke = self._is_committing = False
        try:
            self._plan(request, only_axis)
            result: MoveResult = self._result(request)
            merged: MoveResult = result if request.result is None else combined(request.result, result)
            self.displacement_log.mark(self._displacements.count, self._planner.stop_count)
            self._dirty_rows.start_undo()
            self._request_before = None
            self._is_committing = True
            if self._displacements.count > 0:
                self._commit(request)
            if self._planner.stop_count > 0:
                self._planner.log_stops(self.displacement_log)
                if in_frame:
                    self._drop_remainders(self._bodies.parts[request.row].motion)
        except BaseException:
            self._reset()
            if self._is_committing:
                if self._request_before is not None:
                    self._bodies.parts[request.row].motion._set_request_state(self._request_before)
                self._host.rollback(self._swept, self._woke)
            raise
        if in_frame:
            request.result = merged
            request.remaining &= 0 if only_axis < 0 else ~(1 << only_axis)
        return result

    @cython.cfunc
    @cython.exceptval(-1)
    def _reset(self) -> cython.int:
        """Clear the displacements and the overlay of a motion that raised."""
        self._displacements.reset()
        self._bodies.overlay.clear()
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
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

    @cython.cfunc
    @cython.exceptval(-1)
    def _plan(self, request: MotionRequest, only_axis: cython.int) -> cython.int:
        """Plan a motion; its displacements stay in the planner."""
        planner: MotionPlanner = self._planner
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
        if self._columns.count_view[request.row] == 0:
            boxes = self._bodies.forms[request.row].boxes
            planner.plan_unobstructed(
                [min([box[axis] for box in boxes]) for axis in range(3)],
                [max([box[axis + 3] for box in boxes]) for axis in range(3)],
            )
            return 0
        while planner.plan() == _CALL_HOOK:
            planner.axis_planner.apply_verdict(self._call_hook(request.force))
        return 0

    @cython.cfunc
    @cython.exceptval(-2)
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

    @cython.cfunc
    def _result(self, request: MotionRequest) -> MoveResult:
        """Return the result of the motion just planned."""
        planner: MotionPlanner = self._planner
        return make_result(
            request.entity,
            request.x,
            request.y,
            request.z,
            planner.allowed_view,
            request.force,
            planner.packed_pushes(),
            planner.packed_links(),
            planner.packed_stops(),
        )

    @cython.cfunc
    @cython.exceptval(-1)
    def _commit(self, request: MotionRequest) -> cython.int:
        """Commit the plan: positions and cells first, then what depends on them."""
        displaced: Displacements = self._displacements
        if self._bodies.swept_count > 0:
            self._host.sweep(self._planner.legs())
            self._swept = True
        z_changed: cython.bint = displaced.commit(self.displacement_log, self.frame)
        displaced.clear()
        if z_changed and self._columns.count_view[request.row] == 0:
            z = self._columns.pos_view[3 * request.row + 2]
            self._bodies.set_form_and_plane(request.row, self._bodies.forms[request.row], z)
        elif z_changed:
            self._bodies.update_flat()
        if displaced.woken_count > 0:
            self._host.wake(displaced.woken[: displaced.woken_count])
            self._woke = True
        self.commits += 1
        return 0

    # The motions of a frame.

    def perform_all(self, requests: list[MotionRequest], front_first: bool) -> None:
        """Perform the motions of a frame: each in its turn, or axis by axis from the front (P10).

        Results are stored in the requests. If anything raises, `remaining` has the axes that are not done.
        """
        request: MotionRequest
        axis: cython.int
        self.displacement_log.reserve(4 * len(requests))
        if not front_first:
            for request in requests:
                self._perform_in_frame(request, -1)
            return
        for axis in self._axes:
            for request in self.requests.sorted_front_first(requests, axis):
                self._perform_in_frame(request, axis)

    @cython.cfunc
    @cython.exceptval(-1)
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
