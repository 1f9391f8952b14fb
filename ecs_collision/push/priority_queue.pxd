from ecs_collision.bodies.columns cimport Columns


cdef class PriorityQueue:
    cdef Columns columns
    cdef object keys, kinds, rows
    cdef long long[::1] keys_view
    cdef int[::1] kinds_view
    cdef int[::1] rows_view
    cdef Py_ssize_t size, capacity
    cdef void grow(self)
    cdef void clear(self) noexcept
    cdef bint before(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void swap(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void push(self, long long key, int kind, int row)
    cdef void pop(self) noexcept
