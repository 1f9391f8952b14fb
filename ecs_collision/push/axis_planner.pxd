from ecs_collision.bodies.columns cimport Columns
from ecs_collision.push.graph cimport PushGraph
from ecs_collision.push.priority_queue cimport PriorityQueue


cdef class AxisPlanner:
    cdef PushGraph graph
    cdef PriorityQueue queue
    cdef Columns columns
    # rows reached at the current distance
    cdef object batch
    cdef int[::1] batch_view
    cdef Py_ssize_t batch_size, spread_rows, asked_rows
    cdef long long now
    cdef bint at_bounds
    # the answer
    cdef long long allowed
    cdef int blocker, reason
    # the question
    cdef readonly int asked_pusher, asked_pushed

    cdef void start(self, int axis, long long request, long long low, long long high)
    cdef int search(self)
    cpdef void answer(self, int verdict)
    cdef void gather(self)
    cdef bint spread(self)
    cdef bint next_question(self)
    cdef bint is_lower(self, int row, int other) noexcept
    cdef bint any_stops(self) noexcept
    cdef void retrace(self)
    cdef void sort_batch(self)
    cdef bint settle(self)
    cdef void push_batch(self)
    cdef void block(self, int row, int reason) noexcept
