from ecs_collision.bodies.columns cimport Columns
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.push.priority_queue cimport PriorityQueue
from ecs_collision.broadphase.morton_grid.grid cimport Grid
from ecs_collision.bodies.group_links cimport GroupLinks


cdef class PushGraph:
    cdef Columns columns
    cdef GroupLinks rings
    cdef Grid dynamic
    cdef Grid static
    cdef Grid overlay
    cdef readonly Displacements displacements
    cdef PriorityQueue frontier
    # per row
    cdef object _stamp, _dist, _reach, _state, _last_edge
    cdef int[::1] last_edge
    cdef Py_ssize_t capacity
    cdef int[::1] stamp
    cdef long long[::1] dist
    cdef long long[::1] reach
    cdef int[::1] state
    # edges
    cdef object _edge_from, _edge_to, _edge_gap, _edge_asked
    cdef int[::1] edge_from
    cdef int[::1] edge_to
    cdef long long[::1] edge_gap
    cdef int[::1] edge_asked
    cdef object _edge_before
    cdef int[::1] edge_before
    cdef Py_ssize_t edge_count
    cdef Py_ssize_t edge_room
    # the question
    cdef int plan, mover, axis, sign
    cdef long long request, limit, horizon, low, high
    # the range of the index
    cdef long long least, most
    cdef double force
    cdef bint deeper, hooked
    # work done
    cdef public long long expansions

    cdef void room_for_rows(self)
    cdef void room_for_edges(self)
    cdef bint pushable(self, int row) noexcept
    cdef bint immovable(self, int row) noexcept
    cdef void expand(self, int row)
    cdef void expand_row(self, int row, long long start, long long stop)
    cdef void expand_boxes(self, int row, Grid home, Py_ssize_t first, Py_ssize_t end, long long start, long long stop)
    cdef void meet(self, int row, Grid home, Py_ssize_t first, Py_ssize_t end, Grid grid, Py_ssize_t hits, long long start, long long stop)
    cdef void shade(self, int row, Grid home, Py_ssize_t slot, int other, Grid grid, Py_ssize_t ahead, long long gap) noexcept
    cdef long long gap_to(self, Grid home, Py_ssize_t slot, Grid grid, Py_ssize_t other) noexcept
    cdef void reach_bounds(self, int row)
    cdef long long room_of(self, int row) noexcept
    cdef void edge(self, int pusher, int pushed, long long gap)
