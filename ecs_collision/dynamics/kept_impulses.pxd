cdef class KeptImpulses:
    cdef readonly Py_ssize_t count
    cdef public long long[::1] ids
    cdef public double[::1] values

    cpdef bint has(self, long long first, long long second) noexcept
    cdef void allocate(self, Py_ssize_t capacity)
    cdef void take(self, KeptImpulses other)
    cdef int order(self, Py_ssize_t at, const long long[::1] ids, Py_ssize_t begin, int width) noexcept
    cdef void add_of(self, KeptImpulses other, Py_ssize_t at) noexcept
    cdef void merge(self, KeptImpulses one, KeptImpulses other)
