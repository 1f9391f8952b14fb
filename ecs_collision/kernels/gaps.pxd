from ecs_collision.kernels.columns cimport Columns
from ecs_collision.kernels.displacements cimport Displacements
from ecs_collision.kernels.frontier cimport Frontier
from ecs_collision.kernels.grid cimport Grid


cdef class Gaps:
    cdef public Columns columns
    cdef public Grid dynamic
    cdef public Grid static
    cdef public Grid overlay
    cdef readonly Displacements displacements
    cdef Frontier frontier
    # per row
    cdef object _stamp, _dist, _reach, _state, _last_edge
    cdef int[::1] last_edge
    cdef Py_ssize_t capacity
    cdef int[::1] stamp
    cdef long long[::1] dist
    cdef long long[::1] reach
    cdef int[::1] state
    # edges
    cdef readonly object edge_pushers, edge_pushed, edge_gaps, _edge_asked
    cdef int[::1] edge_from
    cdef int[::1] edge_to
    cdef long long[::1] edge_gap
    cdef int[::1] edge_asked
    cdef object _edge_before
    cdef int[::1] edge_before
    cdef readonly Py_ssize_t edge_count
    cdef Py_ssize_t edge_room
    # the question
    cdef readonly int plan, mover, axis, sign
    cdef long long request, limit, horizon
    cdef double force
    cdef bint deeper, hooked
    cdef object _low, _high
    cdef long long[::1] low
    cdef long long[::1] high
    # work done
    cdef public long long expansions

    cdef void room_for_rows(self)
    cdef void room_for_edges(self)
    cdef bint pushable(self, int row) noexcept
    cdef bint immovable(self, int row) noexcept
    cdef void expand(self, int row)
    cdef void expand_box(self, int row, Grid home, Py_ssize_t slot, long long start, long long stop)
    cdef void meet(self, int row, Grid home, Py_ssize_t slot, Grid grid, Py_ssize_t hits, long long start, long long stop)
    cdef void shade(self, int row, Grid home, Py_ssize_t slot, int other, Grid grid, Py_ssize_t ahead, long long gap) noexcept
    cdef long long gap_to(self, Grid home, Py_ssize_t slot, Grid grid, Py_ssize_t other) noexcept
    cdef void reach_bounds(self, int row)
    cdef void edge(self, int pusher, int pushed, long long gap)
