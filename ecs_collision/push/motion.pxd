from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.push.axis_planner cimport AxisPlanner
from ecs_collision.push.displacements cimport DisplacementLog
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.push.graph cimport PushGraph


cdef class MotionPlanner:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef readonly Displacements displacements
    cdef readonly PushGraph graph
    cdef readonly AxisPlanner axis_planner
    # settings of the world: order of the axes, bounds by axis
    cdef object axes, lows, highs
    cdef int[::1] axes_view
    cdef long long[::1] lows_view
    cdef long long[::1] highs_view
    # requested and allowed displacement by axis
    cdef readonly object requested, allowed
    cdef long long[::1] requested_view
    cdef long long[::1] allowed_view
    cdef bint all_or_nothing, record_legs, searching
    cdef int axis_number
    # displacement of each row on each axis
    cdef object leg_rows, leg_units, leg_ends
    cdef int[::1] leg_rows_view
    cdef long long[::1] leg_units_view
    cdef int[::1] leg_ends_view
    cdef Py_ssize_t leg_count
    # packed links of pusher and pushed
    cdef object links
    cdef long long[::1] links_view
    cdef Py_ssize_t link_count
    # packed pushes, and packed stops with their blockers
    cdef object pushes, stops
    cdef long long[::1] pushes_view
    cdef long long[::1] stops_view
    cdef readonly Py_ssize_t stop_count

    cpdef void begin(
        self, int row, long long x, long long y, long long z, double force, bint summing, long long max_chain, bint all_or_nothing,
        int only_axis, bint record_legs
    )
    cpdef int plan(self)
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
