cdef class PairLog:
    # per entry: two ids and a code
    cdef readonly object firsts, seconds, codes
    cdef long long[::1] first
    cdef long long[::1] second
    cdef signed char[::1] code
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t room
    # scratch of a sort
    cdef object _order, _spare, _counts
    cdef int[::1] order
    cdef int[::1] spare
    cdef int[::1] counts

    cpdef void add(self, long long first, long long second, int code)
    cpdef void rollback(self, Py_ssize_t count)
    cpdef void sort(self)
    cdef bint is_sorted(self) noexcept
    cdef void insert_each(self)
    cdef void order_by(self, long long[::1] column)
    cdef void arrange(self)
