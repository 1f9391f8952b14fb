from ecs_collision.push.graph cimport PushGraph


cdef class AxisPlanner(PushGraph):
    # rows reached at the current distance, and rows pushed
    cdef object _batch, _pushed
    cdef int[::1] batch
    cdef int[::1] pushed
    cdef Py_ssize_t batch_size, pushed_count, spread_rows, asked_rows
    # the question
    cdef long long now, max_chain
    cdef double total
    cdef bint summing, at_bounds
    # the answer
    cdef long long allowed
    cdef int blocker, reason
    cdef readonly int asked_pusher, asked_pushed

    cdef void embark(self, int mover)
    cdef void start(self, int axis, long long request, long long low, long long high)
    cdef int search(self)
    cpdef void answer(self, int verdict)
    cdef void gather(self)
    cdef bint spread(self)
    cdef bint next_question(self)
    cdef bint attains(self, int edge) noexcept
    cdef bint any_unpushable(self) noexcept
    cdef void retrace(self)
    cdef void sort_batch(self)
    cdef bint settle(self)
    cdef void block(self, int row, int reason) noexcept
    cdef void advance(self, bint keep)
