from ecs_collision.access cimport Access
from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport MotionFields
from ecs_collision.push.displacements cimport DisplacementLog, Displacements
from ecs_collision.push.planner cimport AxisPlanner, MotionPlanner
from ecs_collision.results cimport MoveResult


cdef class MotionRequest:
    cdef readonly int row
    cdef readonly long long entity, priority, x, y, z, max_chain
    cdef readonly double force
    cdef readonly bint summing, all_or_nothing, through
    cdef public int remaining
    cdef public object result
    cdef readonly object mover
    cdef readonly bint straight
    cdef public bint silent
    cdef int begin(
        self, int row, long long entity, long long x, long long y, long long z, bint summing, long long max_chain, bint all_or_nothing
    ) except? -1
    cdef void set_along(self, int axis, long long units) noexcept
    cpdef long long along(self, int axis) noexcept


cdef class RequestReader:
    cdef object _bodies, _displacement
    cdef DirtyRows _dirty_rows
    cdef DirtyTransforms _dirty_transforms
    cdef Columns _columns
    cdef bint _summing, _all_or_nothing
    cdef long long _max_chain
    cdef bint _take_each(self, list requests, long long frame) except? -1
    cdef long long _units(self, value, name, entity) except? -1
    cpdef MotionRequest from_motion(self, int row, MotionFields motion, long long x, long long y, long long z)
    cpdef MotionRequest from_arguments(self, entity, dx, dy, dz, force, rule, max_chain, all_or_nothing, through, straight)


cdef class Motions:
    cdef Access _access
    cdef object _bodies, _host
    cdef object _request_before
    cdef object _settings, _lines
    cdef set _gripping_rows
    cdef bint _swept, _woke, _crossed, _is_committing, _adds_forces, _has_respond
    cdef readonly bint has_displaced
    cdef int blocker, floor
    cdef tuple _axes
    cdef Columns _columns
    cdef DirtyRows _dirty_rows
    cdef MotionPlanner _planner
    cdef Displacements _displacements
    cdef public DisplacementLog displacement_log
    cdef public long long frame
    cdef readonly long long commits
    cdef public bint is_stepping
    cdef readonly RequestReader requests

    cdef int _plan(self, MotionRequest request, int only_axis) except? -1
    cpdef tuple take_counts(self)
    cpdef int finish_plan(self, double force) except? -1
    cdef int _plan_line(self, MotionRequest request) except? -1
    cdef int _call_hook(self, double force) except? -2
    cdef MoveResult _result(self, MotionRequest request)
    cdef int _commit(self, MotionRequest request) except? -1
    cdef MoveResult _perform(self, MotionRequest request, int only_axis, bint in_frame)
    cdef int _reset(self) except? -1
    cdef bint _has_stops_to_log(self, MotionRequest request) noexcept
    cdef int _start_undo(self) except? -1
    cdef int _save_disturbed(self, int row) except? -1
    cdef int _log_crushed(self) except? -1
    cdef int _drop_remainders(self, object motion) except? -1
    cdef int begin_walk(self, MotionRequest request, long long reach) except -1
    cdef long long leg(self, int axis, long long units, double force, bint is_reported, bint looks) except *
    cdef int probe(self, int axis, int sign) except? -3
    cdef int support(self, MotionRequest request, int axis, int sign) except? -3
    cdef MoveResult end_walk(self, MotionRequest request)
    cdef int abandon_walk(self) except -1
    cdef int _perform_in_frame(self, MotionRequest request, int only_axis) except? -1
    cpdef MoveResult perform(self, MotionRequest request)
    cpdef MoveResult preview(self, MotionRequest request)
