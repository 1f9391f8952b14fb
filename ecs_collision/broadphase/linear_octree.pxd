from ecs_collision.broadphase.protocol cimport Index


cpdef long long code_of(long long x, long long y, long long z, int depth) noexcept
cpdef int depth_of(long long code) noexcept
cpdef long long parent_of(long long code) noexcept
cpdef long long neighbour_of(long long code, int dx, int dy, int dz) noexcept


cdef class LinearOctreeIndex(Index):
    cdef readonly Py_ssize_t node_count
    cdef readonly Py_ssize_t occupied_count
    # level of the smallest nodes
    cdef readonly int lowest_level
    # hash table
    cdef object table_codes, table_nodes
    cdef long long[::1] table_codes_view
    cdef int[::1] table_nodes_view
    cdef Py_ssize_t table_mask
    cdef int table_shift
    # per node
    cdef readonly object codes, masks, heads, box_counts, asleep_counts
    cdef long long[::1] codes_view
    cdef int[::1] masks_view
    cdef int[::1] heads_view
    cdef int[::1] box_counts_view
    cdef int[::1] asleep_counts_view
    cdef readonly Py_ssize_t used
    cdef Py_ssize_t capacity
    cdef int first_free
    # per slot
    cdef readonly object slot_nodes
    cdef object next_slots, previous_slots
    cdef int[::1] next_view
    cdef int[::1] previous_view
    cdef int[::1] slot_nodes_view
    cdef Py_ssize_t slot_capacity
    # the region of a query in bins, ends in order; the longest side of a box in bins, and the levels of nodes with hits
    cdef long long low_x, low_y, low_z, high_x, high_y, high_z, reach
    cdef int wanted_levels
    # a walk over pairs: larger boxes near the path, and the levels of the nodes that have such boxes
    cdef object nearby
    cdef int[::1] nearby_view
    cdef Py_ssize_t nearby_capacity
    cdef int larger_levels

    cpdef long long neighbour(self, long long code, int dx, int dy, int dz) noexcept
    cpdef int find(self, long long code) noexcept
    cdef void write(self, long long code, int node) noexcept
    cdef void erase(self, long long code) noexcept
    cdef void enlarge_table(self)
    cdef void reserve_nodes(self)
    cdef void view_nodes(self)
    cdef int add(self, long long code)
    cdef int find_or_add(self, long long code)
    cdef void prune(self, int node) noexcept
    cpdef void reset(self)
    cpdef void reserve(self)
    cdef long long code_for(self, Py_ssize_t slot) noexcept
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void set_awake_of(self, int slot, bint awake)
    cdef void link(self, int node, int slot) noexcept
    cdef void unlink(self, int node, int slot) noexcept
    cdef int node_levels(self, int levels) noexcept
    cpdef void search(self)
    cdef void visit(self, int node, int level, long long x, long long y, long long z) noexcept
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
    cdef bint is_asleep(self, int node) noexcept
    cdef int pair_equal(self, LinearOctreeIndex target, bint awake_only)
    cdef int pair_neighbours(self, int node, long long code, LinearOctreeIndex target, bint awake_only)
    cdef int pair_within(self, int node, bint awake_only)
    cdef int pair_lists(self, int node, LinearOctreeIndex target, int found, bint awake_only)
    cdef int pair_list(self, Py_ssize_t slot, LinearOctreeIndex target, Py_ssize_t first, bint awake_only)
    cdef int pair_larger(self, LinearOctreeIndex source, LinearOctreeIndex target, bint awake_only)
    cdef int pair_below(
        self, LinearOctreeIndex source, int node, int level, long long x, long long y, long long z,
        LinearOctreeIndex target, Py_ssize_t begin, Py_ssize_t end, bint awake_only
    )
    cdef void reserve_nearby(self, Py_ssize_t count)
    cdef Py_ssize_t push_neighbours(self, LinearOctreeIndex target, long long code, Py_ssize_t end)
    cdef Py_ssize_t push_near(
        self, LinearOctreeIndex target, Py_ssize_t begin, Py_ssize_t end, long long x, long long y, long long z,
        long long length
    )
    cdef int pair_nearby(
        self, LinearOctreeIndex source, Py_ssize_t slot, LinearOctreeIndex target, Py_ssize_t begin, Py_ssize_t end,
        bint awake_only
    )
