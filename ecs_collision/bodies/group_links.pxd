cdef class GroupLinks:
    cdef readonly object leader, next_row
    cdef readonly Py_ssize_t count, capacity
    cdef int[::1] leader_view
    cdef int[::1] next_row_view
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef bint is_fused(self, Py_ssize_t row) noexcept
    cpdef bint is_same_body(self, Py_ssize_t row, Py_ssize_t other) noexcept
