from ecs_collision.access cimport Access
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.columns cimport Columns
from ecs_collision.push.motion cimport MotionPlanner
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.push.displacements cimport DisplacementLog
from ecs_collision.push.request cimport MotionRequest, MotionRequests
from ecs_collision.results cimport MoveResult


cdef class Motions:
    cdef Access _access
    cdef object _bodies, _host
    cdef object _request_before
    cdef bint _swept, _woke, _is_committing
    cdef tuple _axes
    cdef Columns _columns
    cdef DirtyRows _dirty_rows
    cdef MotionPlanner _planner
    cdef Displacements _displacements
    cdef public DisplacementLog displacement_log
    cdef public long long frame
    cdef readonly long long commits
    cdef readonly MotionRequests requests

    cdef int _plan(self, MotionRequest request, int only_axis) except? -1
    cdef int _call_hook(self, double force) except? -2
    cdef MoveResult _result(self, MotionRequest request)
    cdef int _commit(self, MotionRequest request) except? -1
    cdef MoveResult _perform(self, MotionRequest request, int only_axis, bint in_frame)
    cdef int _reset(self) except? -1
    cdef int _drop_remainders(self, object motion) except? -1
    cdef int _perform_in_frame(self, MotionRequest request, int only_axis) except? -1
    cpdef MoveResult perform(self, MotionRequest request)
    cpdef MoveResult preview(self, MotionRequest request)
