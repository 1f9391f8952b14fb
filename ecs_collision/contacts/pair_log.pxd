cdef class PairLog:
    cdef long long[::1] entries
    cdef public Py_ssize_t count

    cpdef void add(self, long long first, long long second, int code)
    cdef void reserve(self, Py_ssize_t count)
    cpdef void rollback(self, Py_ssize_t count)
    cpdef void sort(self)
    cdef void sort_few(self) noexcept
    cdef bint is_sorted(self) noexcept
    cdef void sort_rows(self)
    cdef long long[::1] sorted_keys(self, long long[::1] keys, long long last)
