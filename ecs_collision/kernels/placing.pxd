from ecs_collision.kernels.changed cimport Changed
from ecs_collision.kernels.columns cimport Columns
from ecs_collision.kernels.grid cimport Grid
from ecs_collision.kernels.rings cimport Rings
from ecs_collision.writes cimport Writes


cdef class Placing:
    cdef Columns columns
    cdef Rings rings
    cdef Grid dynamic, static
    cdef Changed changed
    cdef Writes writes
    cdef readonly object odd, woken
    cdef int[::1] odd_view
    cdef int[::1] woken_view
    cdef readonly Py_ssize_t odd_count, woken_count, moved_count, static_count
    cdef void room_for_rows(self)
    cpdef Py_ssize_t judge(self, long long least, long long most)
    cdef bint fits(self, int row, long long least, long long most) noexcept
    cpdef void apply(self, long long frame)
    cdef void put(self, int row)
    cdef bint leaves_the_plane(self, int row, Grid grid) noexcept
