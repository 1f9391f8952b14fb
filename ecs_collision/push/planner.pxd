from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.push.displacements cimport DisplacementLog, Displacements
from ecs_collision.push.graph cimport PriorityQueue, PushGraph


cdef class AxisPlanner:
    cdef PushGraph graph
    cdef PriorityQueue queue
    cdef Columns columns
    # rows reached at the current distance
    cdef int[::1] batch
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


cdef class MotionPlanner:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef readonly Displacements displacements
    cdef readonly PushGraph graph
    cdef readonly AxisPlanner axis_planner
    # settings of the world: order of the axes, bounds by axis
    cdef int[::1] axes
    cdef long long[::1] lows, highs
    # requested and allowed displacement by axis
    cdef long long[::1] requested, allowed
    cdef bint all_or_nothing, record_legs, searching
    cdef int axis_number
    # displacement of each row on each axis
    cdef int[::1] leg_rows, leg_ends, leg_axes
    cdef long long[::1] leg_units
    cdef Py_ssize_t leg_count, leg_number
    # as they were at `mark`
    cdef long long[::1] marked_allowed
    cdef Py_ssize_t marked_legs, marked_leg_number, marked_links, marked_stops
    # packed links of pusher and pushed
    cdef long long[::1] links
    cdef Py_ssize_t link_count
    # packed pushes, and packed stops with their blockers
    cdef long long[::1] pushes, stops
    cdef readonly Py_ssize_t stop_count

    cpdef void begin(
        self, int row, long long x, long long y, long long z, double force, bint summing, long long max_chain, bint all_or_nothing,
        int only_axis, bint record_legs
    )
    cpdef int plan(self)
    cpdef void start_leg(self, int axis, long long units, double force)
    cpdef int continue_leg(self)
    cpdef long long end_leg(self, bint is_reported, bint looks)
    cpdef int blocker(self) noexcept
    cpdef void mark(self)
    cpdef void retract(self)
    cdef void close_leg(self, int axis)
    cdef void apply_axis(self)
    cdef void add_stop(self, int axis, int reason, long long distance, Py_ssize_t blocker_count)
    cpdef bint is_stopped(self, int axis) noexcept
    cdef void cancel(self, int failed, int reason, long long distance, Py_ssize_t blocker_count)
    cdef bint has_further_axis(self) noexcept
    cdef void displace(self, int row, int axis, long long by)
    cdef void reserve_legs(self)
    cdef void add_leg(self, int row, long long by) noexcept
    cdef void add_links(self)
    cdef void pack_inertia(self, int row, long long[::1] records_view, Py_ssize_t at) noexcept
    cpdef void log_stops(self, DisplacementLog log)
    cpdef object packed_pushes(self)
    cpdef object packed_links(self)
    cpdef object packed_stops(self)


cdef object packed(long long[::1] records_view, Py_ssize_t count)
