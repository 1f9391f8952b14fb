from ecs_collision.bodies.columns cimport Columns
from ecs_collision.push.graph cimport PushGraph
from ecs_collision.push.graph cimport PriorityQueue


cdef class AxisPlanner:
    cdef PushGraph graph
    cdef PriorityQueue queue
    cdef Columns columns
    # rows reached at the current distance
    cdef object batch
    cdef int[::1] batch_view
    cdef Py_ssize_t batch_count, expanded_count, judged_count
    cdef long long distance
    cdef bint at_bounds
    # result
    cdef long long allowed
    cdef int reason
    # the pair for the hook
    cdef readonly int hook_pusher, hook_pushed

    cdef void start(self, int axis, long long request, long long low, long long high)
    cdef int search(self)
    cpdef void apply_verdict(self, int verdict)
    cdef void collect_batch(self)
    cdef bint expand_batch(self)
    cdef bint find_hook_pair(self)
    cdef bint is_lower(self, int row, int other) noexcept
    cdef bint has_stop(self) noexcept
    cdef void mark_reached(self)
    cdef void sort_batch(self)
    cdef bint resolve_batch(self)
    cdef bint keep_blockers(self)
    cdef void push_batch(self)
