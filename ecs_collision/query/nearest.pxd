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
    # the nearest boxes so far: how many are wanted and kept; the radius, and the largest square that is kept
    cdef long long[::1] squares_view
    cdef long long[::1] ids_view
    cdef Py_ssize_t wanted, count
    cdef long long radius, farthest
    cdef bint has_parts

    cpdef list nearest_boxes(self, long long x, long long y, long long z, Py_ssize_t k, double limit)
    cdef void surround(self) noexcept
    cdef Py_ssize_t keep_nearest(self, FrozenGrid grid) except -1
    cdef void keep(self, long long square, long long id, bint is_repeated) noexcept
    cdef void drop(self, Py_ssize_t at) noexcept
    cdef list nearest_kept(self, double limit)
    cpdef list within(self, long long x, long long y, long long z, long long radius, bint only_nearest)
    cdef int add_near(self, FrozenGrid grid, list found) except -1
    cdef object distance_to_part(self)
