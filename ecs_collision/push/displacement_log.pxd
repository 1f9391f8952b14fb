cdef class DisplacementLog:
    cdef object entries, spare, order, stops
    cdef long long[::1] entries_view
    cdef long long[::1] spare_view
    cdef int[::1] order_view
    cdef long long[::1] stops_view
    cdef readonly Py_ssize_t entry_count, stop_count
    cdef Py_ssize_t entry_capacity, stop_capacity, marked_entries, marked_stops
    cdef long long last_x, last_y, last_z
    cdef bint merged
    cpdef void add(self, long long entity, long long by, long long x, long long y, long long z)
    cpdef void add_stop(self, long long entity, long long axis, long long direction, long long blocker, long long reason)
    cpdef void mark(self, Py_ssize_t entries, Py_ssize_t stops)
    cpdef void rollback(self)
    cdef void grow_stops(self)
    cpdef void reserve(self, Py_ssize_t count)
    cdef void merge_or_grow(self)
    cdef bint is_after(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void sort(self)
    cdef void merge(self)
