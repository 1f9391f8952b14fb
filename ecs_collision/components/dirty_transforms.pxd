cdef long long rounded(double value) noexcept


cdef class DirtyTransforms:
    cdef object _world
    cdef readonly object rows, indices, kinds, wanted
    cdef readonly Py_ssize_t count, capacity
    cdef public bint staged
    cdef public bint watched
    cdef int[::1] rows_view
    cdef int[::1] indices_view
    cdef signed char[::1] kinds_view
    cdef long long[::1] wanted_view
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef void note(self, int row, int kind)
    cpdef void forget(self, int row)
    cpdef void sort(self)
    cpdef void clear(self)
    cdef void place(self, int row, long long x, long long y, long long z) noexcept
