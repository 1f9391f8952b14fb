cdef class GroupLinks:
    cdef readonly object leader, following
    cdef readonly Py_ssize_t count, capacity
    cdef int[::1] leader_view
    cdef int[::1] following_view
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef bint is_fused(self, Py_ssize_t row) noexcept
    cpdef bint are_one(self, Py_ssize_t row, Py_ssize_t other) noexcept
