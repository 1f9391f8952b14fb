from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.push.displacements cimport Displacements


cdef class PriorityQueue:
    cdef Columns columns
    cdef object keys, kinds, rows
    cdef long long[::1] keys_view
    cdef int[::1] kinds_view
    cdef int[::1] rows_view
    cdef Py_ssize_t size, capacity
    cdef void grow(self)
    cdef void clear(self) noexcept
    cdef bint before(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void swap(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void push(self, long long key, int kind, int row)
    cdef void pop(self) noexcept


cdef class PushGraph:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef Index dynamic
    cdef Index static
    cdef Index overlay
    cdef readonly Displacements displacements
    cdef PriorityQueue queue
    # per row
    cdef object stamps, distances, search_ends, states, last_edge, pushed
    cdef int[::1] last_edge_view
    cdef Py_ssize_t capacity
    cdef int[::1] stamps_view
    cdef long long[::1] distances_view
    cdef long long[::1] search_ends_view
    cdef int[::1] states_view
    cdef int[::1] pushed_view
    cdef Py_ssize_t pushed_count
    # edges
    cdef object edge_from, edge_to, edge_gap, edge_judged
    cdef int[::1] edge_from_view
    cdef int[::1] edge_to_view
    cdef long long[::1] edge_gap_view
    cdef int[::1] edge_judged_view
    cdef object previous_edge
    cdef int[::1] previous_edge_view
    cdef Py_ssize_t edge_count
    cdef Py_ssize_t edge_capacity
    # the current axis
    cdef int plan, mover, axis, sign
    cdef long long request, limit, horizon, low, high, max_chain
    # the range of the index
    cdef long long range_low, range_high
    cdef double force, total
    cdef bint summing, block_deeper, has_hook
    # statistics
    cdef public long long expansions

    cdef void reserve_rows(self)
    cdef void reserve_edges(self)
    cdef void begin(self, int mover, double force, bint summing, long long max_chain)
    cdef void start(self, int axis, long long request, long long low, long long high)
    cdef int stop_reason(self, int row) noexcept
    cdef int add_pushed(self, int row) noexcept
    cdef void apply_verdict(self, int row, int verdict) noexcept
    cdef bint leads_to(self, int edge, long long distance) noexcept
    cdef void expand(self, int row)
    cdef void expand_row(self, int row, long long start, long long stop)
    cdef void expand_boxes(self, int row, BoxPool own_boxes, Py_ssize_t first, Py_ssize_t end, long long start, long long stop)
    cdef void add_edges(self, int row, BoxPool own_boxes, Py_ssize_t first, Py_ssize_t end, Index grid, Py_ssize_t hits, long long start, long long stop)
    cdef void limit_horizon(self, int row, BoxPool own_boxes, Py_ssize_t slot, int other, BoxPool boxes, Py_ssize_t other_slot, long long gap) noexcept
    cdef long long gap_to(self, BoxPool own_boxes, Py_ssize_t slot, BoxPool boxes, Py_ssize_t other) noexcept
    cdef void add_bounds(self, int row)
    cdef long long bounds_gap(self, int row) noexcept
    cdef void add_edge(self, int pusher, int pushed, long long gap)
