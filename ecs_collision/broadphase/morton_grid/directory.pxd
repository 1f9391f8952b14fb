cdef class Directory:
    cdef readonly object keys
    cdef public long long list_operations
    cdef readonly bint is_stale
    # cells created and removed since the keys were updated
    cdef object log_codes, log_levels
    cdef long long[::1] log_codes_view
    cdef int[::1] log_levels_view
    cdef Py_ssize_t log_count, log_capacity

    cdef void mark_stale(self) noexcept
    cdef int log(self, long long code, int level, Py_ssize_t cell_count)
