cdef class PairLog:
    # per entry: two ids and a code
    cdef readonly object firsts, seconds, codes
    cdef long long[::1] firsts_view
    cdef long long[::1] seconds_view
    cdef signed char[::1] codes_view
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t capacity
    # buffers for sorting
    cdef object order, spare, counts
    cdef int[::1] order_view
    cdef int[::1] spare_view
    cdef int[::1] counts_view

    cpdef void add(self, long long first, long long second, int code)
    cpdef void rollback(self, Py_ssize_t count)
    cpdef void sort(self)
    cdef bint is_sorted(self) noexcept
    cdef void insert_each(self)
    cdef void order_by(self, long long[::1] column)
    cdef void arrange(self)
