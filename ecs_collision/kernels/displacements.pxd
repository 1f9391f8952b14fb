from ecs_collision.kernels.columns cimport Columns
from ecs_collision.kernels.grid cimport Grid


cdef class Displacements:
    cdef Columns columns
    cdef Grid dynamic
    cdef Grid overlay
    cdef readonly object rows, units
    cdef object _moved, _first
    cdef int[::1] rows_view
    cdef long long[::1] units_view
    cdef int[::1] moved
    cdef int[::1] first
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t capacity
    cpdef void begin(self)
    cpdef void add(self, int row, int axis, long long by)
    cpdef void lay(self)
    cpdef void forget(self)
