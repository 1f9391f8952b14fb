from ecs_collision.kernels.changed cimport Changed
from ecs_collision.kernels.columns cimport Columns
from ecs_collision.kernels.grid cimport Grid
from ecs_collision.kernels.rings cimport Rings
from ecs_collision.kernels.trail cimport Trail
from ecs_collision.writes cimport Writes


cdef class Displacements:
    cdef Columns columns
    cdef Rings rings
    cdef Grid dynamic
    cdef Grid overlay
    cdef Changed changed
    cdef Writes writes
    cdef readonly object rows, units, woken
    cdef object _moved, _first
    cdef int[::1] rows_view
    cdef long long[::1] units_view
    cdef int[::1] moved
    cdef int[::1] first
    cdef int[::1] woken_view
    cdef readonly Py_ssize_t count, woken_count
    cdef public Py_ssize_t committed
    cdef Py_ssize_t capacity
    cpdef void begin(self)
    cpdef void add(self, int row, int axis, long long by)
    cpdef void add_all(self, int row, int axis, long long by)
    cpdef void lay(self)
    cpdef bint commit(self, Trail trail, long long frame)
    cdef bint leaves_the_plane(self, int row) noexcept
    cpdef void forget(self)
    cpdef void abandon(self)
