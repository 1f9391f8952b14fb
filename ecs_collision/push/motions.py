# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Motions, one now or all of a frame: each planned axis by axis, committed once (rules P1, P5, P10, P16).

Between plan and commit nothing observable has changed, so whatever interrupts a plan leaves nothing behind. What
interrupts a commit is rolled back by the `MotionHost`: `dirty_rows.saved` is what the displaced rows were.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.dirty_rows import DirtyRows
    from cython.cimports.ecs_collision.push.axis_planner import AxisPlanner
    from cython.cimports.ecs_collision.push.displacement_log import DisplacementLog
    from cython.cimports.ecs_collision.push.displacements import Displacements
    from cython.cimports.ecs_collision.push.motion import MotionPlanner
    from cython.cimports.ecs_collision.push.request import MotionRequest, MotionRequests
    from cython.cimports.ecs_collision.results import MoveResult, combined, make_result
else:
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.push.axis_planner import AxisPlanner
    from ecs_collision.push.displacement_log import DisplacementLog
    from ecs_collision.push.displacements import Displacements
    from ecs_collision.push.motion import MotionPlanner
    from ecs_collision.push.request import MotionRequest, MotionRequests
    from ecs_collision.results import MoveResult, combined, make_result

from ecs_collision.bodies import Bodies
from ecs_collision.fixed_point import AXES
from ecs_collision.push.axis_planner import ASK
from ecs_collision.push.host import MotionHost
from ecs_collision.sealing import seal
from ecs_collision.settings import Settings

_ASK = cython.declare(cython.int, ASK)


@cython.final
@cython.cclass
class Motions:
    """Plans and commits the motions of a world.

    `frame` is the number of the coming frame and `displacement_log` what is written down of it. `commits` counts the
    motions that displaced anything.
    """

    __slots__ = (
        "_axes",
        "_begun",
        "_bodies",
        "_columns",
        "_dirty_rows",
        "_displacements",
        "_followed",
        "_host",
        "_left",
        "_planner",
        "_woke",
        "commits",
        "displacement_log",
        "frame",
        "requests",
    )

    def __init__(self, bodies: Bodies, settings: Settings, host: MotionHost, log: DisplacementLog) -> None:
        self._bodies, self._host = bodies, host
        self._axes = settings.axes
        self._columns = bodies.columns
        self._dirty_rows: DirtyRows = bodies.dirty_rows
        self._followed = self._woke = self._begun = False
        self._left: object = None
        self._planner = MotionPlanner(bodies, settings)
        self._displacements = self._planner.displacements
        self.requests = MotionRequests(bodies, settings)
        self.displacement_log = log
        self.frame = 1
        self.commits = 0

    def take_counts(self) -> tuple[int, int]:
        """Return how many bodies were displaced, one a motion, and how often the index was asked; count anew."""
        counts = (self._displacements.committed, self._planner.graph.expansions)
        self._displacements.committed = 0
        self._planner.graph.expansions = 0
        return counts

    def check(self) -> None:
        """Verify that no motion is under way; raises IndexError otherwise."""
        self._displacements.check()

    # One motion.

    @cython.ccall
    def perform(self, request: MotionRequest) -> MoveResult:
        """Make one motion now, or nothing at all."""
        result: MoveResult = self._make(request, -1, False)
        if request.remaining != 0:
            self._bodies.dirty_rows.disturbed[request.row] = self.frame
        return result

    @cython.ccall
    def preview(self, request: MotionRequest) -> MoveResult:
        """Plan one motion and forget it."""
        try:
            self._plan(request, -1)
            result: MoveResult = self._result(request)
            self._displacements.forget()
        except BaseException:
            self._abandon()
            raise
        return result

    @cython.cfunc
    def _make(self, request: MotionRequest, only: cython.int, framed: cython.bint) -> MoveResult:
        """Plan a motion, or one axis of it, and commit it; `framed`: the request keeps what became of it."""
        self._followed = self._woke = self._begun = False
        try:
            self._plan(request, only)
            result: MoveResult = self._result(request)
            whole: MoveResult = result if request.result is None else combined(request.result, result)
            self.displacement_log.mark(self._displacements.count, self._planner.stop_count)
            self._dirty_rows.start_undo()
            self._left = None
            self._begun = True
            if self._displacements.count > 0:
                self._commit(request)
            if self._planner.stop_count > 0:
                self._planner.note_halts(self.displacement_log)
                if framed:
                    self._drop_remainders(self._bodies.parts[request.row].motion)
        except BaseException:
            self._abandon()
            if self._begun:
                if self._left is not None:
                    self._bodies.parts[request.row].motion._set_request_state(self._left)
                self._host.rollback(self._followed, self._woke)
            raise
        if framed:
            request.result = whole
            request.remaining &= 0 if only < 0 else ~(1 << only)
        return result

    @cython.cfunc
    @cython.exceptval(-1)
    def _abandon(self) -> cython.int:
        """End a motion that was broken off before anything was displaced."""
        self._displacements.abandon()
        self._bodies.overlay.clear()
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _drop_remainders(self, motion: object) -> cython.int:
        """Drop what rounding left over on the axes on which the motion just made was blocked (L2)."""
        axis: cython.int
        if motion is None:
            return 0
        self._left = motion.request_state()  # type: ignore[attr-defined]
        for axis in range(3):
            if self._planner.stopped(axis):
                motion.drop_remainder(axis)  # type: ignore[attr-defined]
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _plan(self, request: MotionRequest, only: cython.int) -> cython.int:
        """Leave the displacements of a motion with the planner."""
        planner: MotionPlanner = self._planner
        planner.begin(
            request.row,
            request.x,
            request.y,
            request.z,
            request.force,
            request.summing,
            request.max_chain,
            request.whole,
            only,
            self._bodies.swept_count > 0,
        )
        if self._columns.count_view[request.row] == 0:
            boxes = self._bodies.shapes[request.row]
            planner.drift(
                [min([box[axis] for box in boxes]) for axis in range(3)],
                [max([box[axis + 3] for box in boxes]) for axis in range(3)],
            )
            return 0
        while planner.go() == _ASK:
            planner.axis_planner.answer(self._ask(request.force))
        return 0

    @cython.cfunc
    @cython.exceptval(-2)
    def _ask(self, force: cython.double) -> cython.int:
        """Return the hook's verdict on the pair in question: 1 allow, 0 veto, -1 no opinion."""
        axis_planner: AxisPlanner = self._planner.axis_planner
        answer = self._host.ask(
            self._columns.ids_view[axis_planner.asked_pusher],
            self._columns.ids_view[axis_planner.asked_pushed],
            AXES[axis_planner.graph.axis],
            force,
        )
        return -1 if answer is None else 1 if answer else 0

    @cython.cfunc
    def _result(self, request: MotionRequest) -> MoveResult:
        """Return what became of the motion just planned."""
        planner: MotionPlanner = self._planner
        return make_result(
            request.entity,
            request.x,
            request.y,
            request.z,
            planner.allowed_view,
            request.force,
            planner.pushes(),
            planner.meetings(),
            planner.obstacles(),
        )

    @cython.cfunc
    @cython.exceptval(-1)
    def _commit(self, request: MotionRequest) -> cython.int:
        """Make the plan true: positions and cells first, then everything that follows from them."""
        displaced: Displacements = self._displacements
        if self._bodies.swept_count > 0:
            self._host.follow(self._planner.legs())
            self._followed = True
        rose: cython.bint = displaced.commit(self.displacement_log, self.frame)
        displaced.forget()
        if rose and self._columns.count_view[request.row] == 0:
            z = self._columns.pos_view[3 * request.row + 2]
            self._bodies.set_shape_and_plane(request.row, self._bodies.shapes[request.row], z)
        elif rose:
            self._bodies.update_flat()
        if displaced.woken_count > 0:
            self._host.wake(displaced.woken[: displaced.woken_count])
            self._woke = True
        self.commits += 1
        return 0

    # The motions of a frame.

    def make_all(self, orders: list[MotionRequest], front_first: bool) -> None:
        """Make the motions of a frame: each in its turn, or axis by axis from the front (P10).

        Results are left with the orders; if the hook raises, or anything fails, so is what is not done yet.
        """
        request: MotionRequest
        axis: cython.int
        self.displacement_log.reserve(4 * len(orders))
        if not front_first:
            for request in orders:
                self._make_part(request, -1)
            return
        for axis in self._axes:
            for request in self.requests.in_front(orders, axis):
                self._make_part(request, axis)

    @cython.cfunc
    @cython.exceptval(-1)
    def _make_part(self, request: MotionRequest, only: cython.int) -> cython.int:
        """Make a motion of the frame, or one axis of it, or nothing at all."""
        self._make(request, only, True)
        return 0

    def results(self, orders: list[MotionRequest]) -> dict[int, MoveResult]:
        """Return the results of a frame by entity."""
        request: MotionRequest
        found: dict[int, MoveResult] = {}
        for request in orders:
            if request.result is None:  # front_first does nothing for what rounded to nothing
                self._planner.begin(request.row, 0, 0, 0, request.force, False, -1, False, -1, False)
                request.result = self._result(request)
            found[request.entity] = request.result
        return found


seal(Motions)
