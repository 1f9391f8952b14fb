cimport cython
from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.frozen_grid cimport FrozenGrid
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.shapes.overlap cimport PlacedPart


cdef int compare_products(long long a, long long b, long long c, long long d) noexcept


cdef class WayQuery:
    cdef OverlapQuery query
    cdef bint by_part
    # whether one-way bodies are met only against their direction and from outside
    cdef bint one_way
    # origin and size in lattice units, direction in whole numbers, its longest axis, and how far to go along that
    cdef long long ox, oy, oz, wx, wy, wz, dx, dy, dz
    cdef int major
    cdef long long longest, reach
    # the way in floats (near, far and inverse on each axis), and when it enters hits
    cdef double[::1] slabs_view
    cdef double[::1] times_view
    # the part that moves, the part that it is compared with, and the box that was compared last
    cdef PlacedPart mover, part
    cdef long long entry, entry_step
    cdef int entry_axis
    cdef bint is_thin
    # result
    cdef readonly long long entity, when, step
    cdef readonly int axis, row

    @cython.final
    cdef double length(self) noexcept
    @cython.final
    cdef void set_major(self) noexcept
    @cython.final
    cdef int scan(self, list found) except -1
    @cython.final
    cdef Py_ssize_t scan_section(self, FrozenGrid grid, list found) except -1
    @cython.final
    cdef void set_slab(self, int axis, long long origin, long long width, long long step) noexcept
    @cython.final
    cdef Py_ssize_t keep_entered(self, FrozenGrid grid, Py_ssize_t hits, double latest) except -1
    cdef bint is_before(self, Py_ssize_t row, Py_ssize_t slot) except -1
    cdef int keep(self, Py_ssize_t row, Py_ssize_t slot)
    @cython.final
    cdef void set_section(self, long long begin, long long end) noexcept
    @cython.final
    cdef void set_side(self, int axis, long long origin, long long width, long long begin, long long end) noexcept
    @cython.final
    cdef bint enters(self, FrozenGrid grid, Py_ssize_t slot) noexcept
    @cython.final
    cdef double latest(self) noexcept
    @cython.final
    cdef int place(self, Py_ssize_t row, Py_ssize_t number)
    cdef bint enters_part(self, Py_ssize_t row, Py_ssize_t slot) except -1
    @cython.final
    cdef bint comes_against(self, Py_ssize_t row, int sign) noexcept
    cdef bint passes(self, Py_ssize_t row, Py_ssize_t slot) except -1


cdef class RayQuery(WayQuery):
    cdef const double[::1] origins_view
    cdef const double[::1] directions_view
    cdef const double[::1] limits_view

    cpdef bint read(self, object origin, object direction)
    cpdef bint read_origin(self, object origin)
    cpdef int set_one_way(self, bint one_way)
    cdef bint set_origin(self, double x, double y, double z) noexcept
    cdef bint set_direction(self, double x, double y, double z) noexcept
    cpdef int set_units(self, tuple origin, tuple direction)
    cpdef double distance_of(self, long long when, long long step) noexcept
    cpdef object hit_of(self, long long when, long long step, int axis, int row, double distance)
    cpdef double find_first(self, double max_distance)
    cpdef list find_all(self, double max_distance)
    cpdef Py_ssize_t find_many(self, int dims, object origins, object directions, object limits, object entities, object distances)
    cdef void set_reach(self, double max_distance) noexcept
