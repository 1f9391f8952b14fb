cdef class RowById:
    cdef readonly object rows
    cdef readonly Py_ssize_t length, listed
    cdef int[::1] rows_view
    cpdef void enter(self, long long entity, int row)
    cpdef void clear(self)
    cpdef void leave(self, long long entity)
