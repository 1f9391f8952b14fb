from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.push.displacements cimport DisplacementLog, Displacements
from ecs_collision.push.graph cimport PriorityQueue, PushGraph
from ecs_collision.push.riders cimport Riders


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
    cdef bint lacks_force(self) noexcept
    cdef bint keep_blockers(self)
    cdef void push_batch(self)


cdef class MotionPlanner:
    cdef object bodies
    cdef Columns columns
    cdef GroupLinks group_links
    cdef readonly Displacements displacements
    cdef readonly PushGraph graph
    cdef readonly AxisPlanner axis_planner
    # settings of the world: order of the axes, bounds by axis
    cdef int[::1] axes
    cdef long long[::1] lows, highs
    # requested and allowed displacement by axis
    cdef readonly long long[::1] requested, allowed, asked
    cdef readonly bint all_or_nothing
    cdef bint record_legs, searching
    # what stands on what, and what is crushed: the mover of the axis, the rider that is planned, kept counts of the graph
    cdef Riders riders
    cdef readonly list crushed, passing
    cdef bint carries, crushes, had_responses
    cdef readonly bint lacks_force
    cdef int mover, rider
    cdef Py_ssize_t ride_count, gripped_count, source_count, crushed_count
    cdef int axis_number
    # displacement of each row on each axis
    cdef int[::1] leg_rows, leg_ends, leg_axes
    cdef long long[::1] leg_units
    cdef Py_ssize_t leg_count, leg_number
    # as they were at `mark`
    cdef long long[::1] marked_allowed
    cdef Py_ssize_t marked_crossed, marked_legs, marked_leg_number, marked_links, marked_stops
    # packed links of pusher and pushed
    cdef long long[::1] links
    cdef Py_ssize_t link_count
    # packed pushes, and packed stops with their blockers
    cdef long long[::1] pushes, stops
    cdef readonly Py_ssize_t stop_count
    # a motion with a line: what was asked for, what it met and crossed, its legs so far
    cdef readonly bint has_line
    cdef public list crossed, begun, former_legs
    cdef public tuple hits

    cpdef void begin(
        self, int row, long long x, long long y, long long z, double force, bint summing, long long max_chain, bint all_or_nothing,
        int only_axis, bint record_legs
    )
    cpdef void grip(self, int row)
    cpdef void join(self, int row)
    cpdef void begin_line(self)
    cpdef void end_line(self)
    cpdef void go_on(self, long long x, long long y, long long z)
    cpdef void add_straight(self, long long x, long long y, long long z)
    cpdef void stop_line(self, int axis, int reason, long long distance, int row)
    cdef void add_crossed(self, long long allowed)
    cpdef int plan(self)
    cpdef void start_leg(self, int axis, long long units, double force)
    cpdef int continue_leg(self)
    cpdef long long end_leg(self, bint is_reported, bint looks)
    cpdef int blocker(self) noexcept
    cdef int main_blocker(self, int former) noexcept
    cpdef bint starts_ride(self)
    cpdef void end_ride(self)
    cpdef void mark(self)
    cpdef void retract(self)
    cdef void close_leg(self, int axis)
    cdef void apply_axis(self)
    cdef void add_stop(self, int axis, int reason, long long distance, Py_ssize_t blocker_count)
    cpdef bint is_stopped(self, int axis) noexcept
    cdef void cancel(self, int failed, int reason, long long distance, Py_ssize_t blocker_count)
    cdef void begin_carrying(self)
    cdef void note_displaced(self)
    cdef bint start_rider(self)
    cdef void apply_rider(self)
    cdef void add_ride_links(self, int axis)
    cdef bint passes_crushed(self)
    cdef bint has_further_axis(self) noexcept
    cdef void displace(self, int row, int axis, long long by)
    cdef void displace_pushed(self)
    cdef void reserve_legs(self)
    cdef void add_leg(self, int row, long long by) noexcept
    cdef void add_links(self)
    cdef void pack_inertia(self, int row, long long[::1] records_view, Py_ssize_t at) noexcept
    cpdef void log_stops(self, DisplacementLog log)
    cpdef object packed_pushes(self)
    cpdef object packed_links(self)
    cpdef object packed_stops(self)


cdef object packed(long long[::1] records_view, Py_ssize_t count)
