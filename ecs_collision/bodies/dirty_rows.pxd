cdef class DirtyRows:
    cdef readonly object rows, indices, altered, disturbed, saved_rows, saved
    cdef readonly Py_ssize_t count, capacity, saved_count
    cdef int[::1] rows_view
    cdef int[::1] indices_view
    cdef signed char[::1] altered_view
    cdef long long[::1] disturbed_view
    cdef int[::1] saved_rows_view
    cdef long long[::1] saved_view
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef void add(self, int row, bint altered)
    cpdef void remove(self, int row)
    cpdef void clear(self)
    cpdef void reset(self)
    cpdef void start_undo(self)
    cdef void save(self, int row, long long x, long long y, long long z, int flags) noexcept
