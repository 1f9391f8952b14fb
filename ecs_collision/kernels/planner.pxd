from ecs_collision.kernels.gaps cimport Gaps


cdef class Planner(Gaps):
    # rows reached at the current distance, and rows pushed
    cdef readonly object _batch, pushed_rows
    cdef int[::1] batch
    cdef int[::1] pushed
    cdef readonly Py_ssize_t batch_size, pushed_count, asked_rows
    # the question
    cdef long long now, max_chain
    cdef double total
    cdef bint summing, at_bounds
    # the answer
    cdef readonly long long allowed
    cdef readonly int blocker, reason, asked_pusher, asked_pushed

    cdef void gather(self)
    cdef bint spread(self)
    cdef bint next_question(self)
    cdef bint attains(self, int edge) noexcept
    cdef bint any_unpushable(self) noexcept
    cdef void retrace(self)
    cdef void sort_batch(self)
    cdef bint settle(self)
    cdef void block(self, int row, int reason)
