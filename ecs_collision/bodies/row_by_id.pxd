cdef class RowById:
    cdef readonly object rows
    cdef readonly Py_ssize_t length, count
    cdef int[::1] rows_view
    cpdef void add(self, long long entity, int row)
    cpdef void clear(self)
    cpdef void remove(self, long long entity)
