from ecs_collision.components.request cimport Request
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.columns cimport Columns


cdef class MotionRequest:
    cdef readonly int row
    cdef readonly long long entity, priority, x, y, z, max_chain
    cdef readonly double force
    cdef readonly bint summing, all_or_nothing
    cdef public int remaining
    cdef public object result
    cdef int begin(
        self, int row, long long entity, long long x, long long y, long long z, bint summing, long long max_chain, bint all_or_nothing
    ) except? -1
    cdef long long along(self, int axis) noexcept


cdef class MotionRequests:
    cdef object _bodies, _displacement
    cdef DirtyRows _dirty_rows
    cdef DirtyTransforms _dirty_transforms
    cdef Columns _columns
    cdef bint _summing, _all_or_nothing
    cdef long long _max_chain
    cdef bint _take_each(self, list requests, long long frame) except? -1
    cdef long long _units(self, value, name, entity) except? -1
    cdef MotionRequest from_motion(self, int row, Request motion, long long x, long long y, long long z)
    cpdef MotionRequest from_arguments(self, entity, dx, dy, dz, force, rule, max_chain, all_or_nothing)
