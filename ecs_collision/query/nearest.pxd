from ecs_collision.broadphase.frozen_grid cimport FrozenGrid
from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class NearQuery:
    cdef OverlapQuery query
    cdef long long x, y, z
    cdef double limit
    cdef bint only_nearest
    cdef PlacedPart part
    cdef readonly list parts

    cpdef list within(self, long long x, long long y, long long z, long long radius, bint only_nearest)
    cdef int add_near(self, FrozenGrid grid, list found) except -1
    cdef object distance_to_part(self)
