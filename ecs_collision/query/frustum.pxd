from ecs_collision.broadphase.frozen_grid cimport FrozenGrid
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class FrustumQuery:
    cdef OverlapQuery query
    # the planes, and the same in whole numbers
    cdef object planes
    cdef double[::1] planes_view
    cdef list whole_planes
    cdef Py_ssize_t plane_count
    cdef PlacedPart part

    cdef int set_planes(self, list planes)
    cdef Py_ssize_t add_inside(self, FrozenGrid grid, Py_ssize_t hits, Py_ssize_t count) except -1
    cdef bint is_inside(self, Index index, Py_ssize_t slot) except -1
    cdef bint part_is_inside(self) except -1
    cdef bint has_inside(self, Py_ssize_t number, long long x, long long y, long long z) except -1
