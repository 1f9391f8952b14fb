from ecs_collision.bodies.columns cimport Columns


cdef class PriorityQueue:
    cdef Columns columns
    cdef object _key, _kind, _row
    cdef long long[::1] key
    cdef int[::1] kind
    cdef int[::1] row
    cdef Py_ssize_t size, room
    cdef void grow(self)
    cdef void clear(self) noexcept
    cdef bint before(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void swap(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void push(self, long long key, int kind, int row)
    cdef void drop(self) noexcept
