cdef class KeptImpulses:
    cdef readonly Py_ssize_t count
    cdef public long long[::1] first, second
    cdef public int[::1] first_part, second_part, point
    cdef public double[::1] values

    cpdef bint has(self, long long first, long long second) noexcept
    cdef void allocate(self, Py_ssize_t capacity)
    cdef void take(self, KeptImpulses other)
    cdef int order(self, Py_ssize_t at, long long first, long long second, int first_part, int second_part) noexcept
    cdef void add_of(self, KeptImpulses other, Py_ssize_t at) noexcept
    cdef void merge(self, KeptImpulses one, KeptImpulses other)
