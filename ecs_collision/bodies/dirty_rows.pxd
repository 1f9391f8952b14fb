cdef class DirtyRows:
    cdef readonly object rows, indices, altered, disturbed, kept_rows, kept
    cdef readonly Py_ssize_t count, capacity, kept_count
    cdef int[::1] rows_view
    cdef int[::1] indices_view
    cdef signed char[::1] altered_view
    cdef long long[::1] disturbed_view
    cdef int[::1] kept_rows_view
    cdef long long[::1] kept_view
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef void note(self, int row, bint altered)
    cpdef void forget(self, int row)
    cpdef void clear(self)
    cpdef void distrust(self)
    cpdef void open(self)
    cdef void keep(self, int row, long long x, long long y, long long z, int flags) noexcept
