cdef class Changed:
    cdef readonly object rows, altered, disturbed
    cdef object _places
    cdef readonly Py_ssize_t count, capacity
    cdef int[::1] rows_view
    cdef int[::1] places
    cdef signed char[::1] altered_view
    cdef long long[::1] disturbed_view
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef void note(self, int row, bint altered)
    cpdef void forget(self, int row)
    cpdef void clear(self)
