from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.push.axis_planner cimport AxisPlanner
from ecs_collision.push.displacement_log cimport DisplacementLog
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.push.graph cimport PushGraph


cdef class MotionPlanner:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef readonly Displacements displacements
    cdef readonly PushGraph graph
    cdef readonly AxisPlanner axis_planner
    # the world's settings: axes in their order, bounds by axis
    cdef object _axes, _lows, _highs
    cdef int[::1] axes
    cdef long long[::1] lows
    cdef long long[::1] highs
    # by axis: what is asked, done, and what stopped it
    cdef readonly object way, made
    cdef object _reasons, _blockers, _rooms
    cdef long long[::1] way_view
    cdef long long[::1] made_view
    cdef int[::1] reasons
    cdef int[::1] blockers
    cdef long long[::1] rooms
    cdef bint whole, tracing, searching
    cdef int turn
    cdef readonly int stop_count
    # how far each row went on each axis
    cdef object _leg_rows, _leg_units, _leg_ends
    cdef int[::1] leg_rows
    cdef long long[::1] leg_units
    cdef int[::1] leg_ends
    cdef Py_ssize_t leg_count
    # who pushed whom, packed
    cdef object _links
    cdef long long[::1] links
    cdef Py_ssize_t link_count
    # what is being packed
    cdef object _told
    cdef long long[::1] told

    cpdef void begin(
        self, int row, long long x, long long y, long long z, double force, bint summing, long long max_chain, bint whole,
        int only, bint tracing
    )
    cpdef int go(self)
    cdef void conclude(self)
    cdef void stop(self, int axis, int blocker, int reason, long long room) noexcept
    cpdef bint stopped(self, int axis) noexcept
    cdef void refuse(self, int failed)
    cdef bint way_ahead(self) noexcept
    cdef void displace(self, int row, int axis, long long by)
    cdef void room_for_legs(self)
    cdef void trace(self, int row, long long by) noexcept
    cdef void note_links(self)
    cdef void weigh(self, int row, Py_ssize_t at) noexcept
    cdef object packed(self, Py_ssize_t count)
    cpdef void note_halts(self, DisplacementLog log)
    cpdef object pushes(self)
    cpdef object meetings(self)
    cpdef object obstacles(self)
