cdef class DisplacementLog:
    cdef object entries, spare, order, stops
    cdef long long[::1] entries_view
    cdef long long[::1] spare_view
    cdef int[::1] order_view
    cdef long long[::1] stops_view
    cdef readonly Py_ssize_t step_count, halt_count
    cdef Py_ssize_t step_room, halt_room, marked_steps, marked_halts
    cdef long long last_x, last_y, last_z
    cdef bint merged
    cpdef void note(self, long long entity, long long by, long long x, long long y, long long z)
    cpdef void halt(self, long long entity, long long axis, long long blocker, long long reason)
    cpdef void mark(self, Py_ssize_t steps, Py_ssize_t halts)
    cpdef void rollback(self)
    cdef void room_for_halts(self)
    cpdef void reserve(self, Py_ssize_t count)
    cdef void make_room(self)
    cdef bint follows(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void sort(self)
    cdef void merge(self)
