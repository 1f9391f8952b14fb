from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class PriorityQueue:
    cdef Columns columns
    cdef long long[::1] keys
    cdef int[::1] kinds, rows
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
    cdef int[::1] stamps, states, last_edge, pushed, responses
    # what else a motion takes along: gripped bodies, movers of a joint push; riders, and what is crushed
    cdef int[::1] gripped, sources, crushed, rides
    cdef Py_ssize_t gripped_count, source_count, crushed_count, ride_count
    cdef long long[::1] distances, search_ends
    cdef Py_ssize_t capacity, pushed_count, chain_count
    # edges
    cdef int[::1] edge_from, edge_to, edge_judged, previous_edge
    cdef long long[::1] edge_gap
    cdef Py_ssize_t edge_count, edge_capacity
    # the current axis
    cdef int plan, mover, axis, sign, lift, platform
    cdef bint lifting, late_lift, finding_riders, passes_some
    cdef long long request, limit, horizon, low, high, max_chain
    # the range of the index
    cdef long long range_low, range_high
    cdef double force, total
    cdef bint summing, block_deeper, has_hook, has_shapes, has_responses, is_refused
    # whether the mover passes through one-way bodies
    cdef bint through
    # the parts that are compared
    cdef PlacedPart part, other_part
    cdef readonly list crossed
    # statistics
    cdef public long long expansions

    cdef void reserve_rows(self)
    cdef void reserve_edges(self)
    cdef void begin(self, int mover, double force, bint summing, long long max_chain)
    cdef void add_gripped(self, int row) noexcept
    cdef void add_source(self, int row) noexcept
    cpdef void set_response(self, int row, int response)
    cdef void start(self, int axis, long long request, long long low, long long high)
    cdef void start_source(self, int row) noexcept
    cdef int stop_reason(self, int row) noexcept
    cdef int add_pushed(self, int row) noexcept
    cdef void apply_verdict(self, int row, int verdict) noexcept
    cdef bint leads_to(self, int edge, long long distance) noexcept
    cdef void expand(self, int row)
    cdef void expand_row(self, int row, long long start, long long stop)
    cdef void expand_boxes(self, int row, BoxPool own_boxes, Py_ssize_t first, Py_ssize_t end, long long start, long long stop)
    cdef void add_edges(self, int row, BoxPool own_boxes, Py_ssize_t first, Py_ssize_t end, Index index, Py_ssize_t hits, long long start, long long stop)
    cdef void cross(self, int row, BoxPool own_boxes, Py_ssize_t first, Py_ssize_t end, int other, BoxPool boxes, Py_ssize_t other_slot, long long start, long long stop)
    cdef void add_one_way_edges(self, int row, BoxPool own_boxes, Py_ssize_t first, Py_ssize_t end, int other, BoxPool boxes, Py_ssize_t other_slot, long long start, long long stop)
    cdef bint meets_one_way(self, int row, int other) noexcept
    cdef bint overlaps_body(self, int row, BoxPool boxes, Py_ssize_t slot, int other) noexcept
    cdef double width_on(self, int other, long long distance) noexcept
    cdef double width_between(self, int row, int other, long long distance) noexcept
    cdef BoxPool boxes_of(self, int row)
    cdef Py_ssize_t first_box(self, int row) noexcept
    cdef bint overlaps_part(self, int row, BoxPool boxes, Py_ssize_t slot, int other, BoxPool other_boxes, Py_ssize_t other_slot) noexcept
    cdef long long gap_in_stretch(self, int row, BoxPool own_boxes, Py_ssize_t slot, int other, BoxPool boxes, Py_ssize_t other_slot, long long start, long long stop)
    cdef void limit_horizon(self, int row, BoxPool own_boxes, Py_ssize_t slot, int other, BoxPool boxes, Py_ssize_t other_slot, long long gap) noexcept
    cdef long long gap_to(self, BoxPool own_boxes, Py_ssize_t slot, BoxPool boxes, Py_ssize_t other) noexcept
    cdef long long bounds_gap_to(self, BoxPool own_boxes, Py_ssize_t slot, BoxPool boxes, Py_ssize_t other) noexcept
    cdef long long gap_of_parts(self, int row, BoxPool own_boxes, Py_ssize_t slot, int other, BoxPool boxes, Py_ssize_t other_slot)
    cdef void place_part(self, PlacedPart part, int row, BoxPool boxes, Py_ssize_t slot) noexcept
    cdef bint goes_deeper(self, int row, int other)
    cdef bint is_off_plane(self, int row) noexcept
    cdef void add_bounds(self, int row)
    cdef long long nearest_bounds(self, int row) noexcept
    cdef long long bounds_gap(self, int row) noexcept
    cdef void find_riders(self, int row, int axis, int sign)
    cdef void add_ride(self, int support, int rider)
    cdef bint find_crushed(self, int[::1] blockers, Py_ssize_t blocker_count, long long distance) noexcept
    cdef bint pushes_on(self, int row) noexcept
    cdef bint is_at_blocker(self, int[::1] blockers, Py_ssize_t blocker_count, long long distance) noexcept
    cdef bint is_crushed(self, int row) noexcept
    cdef void add_crushed(self, int row) noexcept
    cdef void add_edge(self, int pusher, int pushed, long long gap)
