from ecs_collision.broadphase.frozen_grid cimport FrozenGrid
from ecs_collision.query.overlap cimport OverlapQuery


cdef class NearQuery:
    cdef OverlapQuery query
    cdef long long x, y, z

    cpdef list within(self, long long x, long long y, long long z, long long radius)
    cdef int add_near(self, FrozenGrid grid, double limit, list found) except -1


cdef long long gap(long long at, long long low, long long high) noexcept
