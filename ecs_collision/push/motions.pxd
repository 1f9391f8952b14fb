from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.columns cimport Columns
from ecs_collision.push.motion cimport MotionPlanner
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.push.displacement_log cimport DisplacementLog
from ecs_collision.push.request cimport MotionRequest, MotionRequests
from ecs_collision.results cimport MoveResult


cdef class Motions:
    cdef object _bodies, _host
    cdef object _left
    cdef bint _followed, _woke, _begun
    cdef tuple _axes
    cdef Columns _columns
    cdef DirtyRows _dirty_rows
    cdef MotionPlanner _planner
    cdef Displacements _displacements
    cdef public DisplacementLog displacement_log
    cdef public long long frame
    cdef readonly long long commits
    cdef readonly MotionRequests requests

    cdef int _plan(self, MotionRequest request, int only) except? -1
    cdef int _ask(self, double force) except? -2
    cdef MoveResult _result(self, MotionRequest request)
    cdef int _commit(self, MotionRequest request) except? -1
    cdef MoveResult _make(self, MotionRequest request, int only, bint framed)
    cdef int _abandon(self) except? -1
    cdef int _drop_remainders(self, object motion) except? -1
    cdef int _make_part(self, MotionRequest request, int only) except? -1
    cpdef MoveResult perform(self, MotionRequest request)
    cpdef MoveResult preview(self, MotionRequest request)
