from ecs_collision.broadphase.protocol cimport Index


cdef class Node:
    cdef readonly Node parent
    cdef readonly list children
    cdef readonly int level, octant, child_count
    cdef readonly long long x, y, z
    cdef readonly int first, box_count, total, asleep


cdef class PointerOctreeIndex(Index):
    cdef readonly Node root
    cdef readonly list pool
    cdef readonly Py_ssize_t node_count
    cdef readonly Py_ssize_t occupied_count
    # level of the smallest nodes, and lowest face of the largest root
    cdef readonly int lowest_level
    cdef long long base
    # per slot
    cdef readonly list slot_nodes
    cdef object next_slots, previous_slots
    cdef int[::1] next_view
    cdef int[::1] previous_view
    cdef Py_ssize_t slot_capacity
    # the region of a query, ends in order
    cdef long long low_x, low_y, low_z, high_x, high_y, high_z
    # boxes of ancestors in a walk over pairs
    cdef object nearby
    cdef int[::1] nearby_view
    cdef Py_ssize_t nearby_capacity

    cdef long long side(self, int level) noexcept
    cdef long long corner(self, long long face, int level) noexcept
    cdef Node make_node(self, int level, long long x, long long y, long long z)
    cdef void drop_node(self, Node node)
    cdef void adopt(self, Node parent, int octant, Node child)
    cdef int octant_of(self, Node node, Py_ssize_t slot) noexcept
    cdef bint contains(self, Node node, Py_ssize_t slot) noexcept
    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void set_awake_of(self, int slot, bint awake)
    cdef Node make_root(self, Py_ssize_t slot)
    cdef void grow(self, Py_ssize_t slot)
    cdef void descend(self, Node node, int slot)
    cdef void unlink(self, Node node, int slot)
    cdef void prune(self, Node leaf)
    cdef void shorten(self)
    cpdef void search(self)
    cdef void visit(self, Node node) noexcept
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
    cdef void reserve_nearby(self)
    cdef Py_ssize_t push_own(self, Node node, Py_ssize_t end)
    cdef Py_ssize_t push_meeting(
        self, Py_ssize_t begin, Py_ssize_t end, int level, long long x, long long y, long long z, bint only_awake
    )
    cdef int offer_pairs(
        self, Py_ssize_t slot, PointerOctreeIndex other, Py_ssize_t begin, Py_ssize_t end, bint awake_only
    )
    cdef int pair_below(self, Node node, Py_ssize_t begin, Py_ssize_t end, bint awake_only)
    cdef Node below(self, Node node, int octant, int level, long long x, long long y, long long z)
    cdef int join(
        self, PointerOctreeIndex other, Node node, Node node_b, int level, long long x, long long y, long long z,
        Py_ssize_t begin, Py_ssize_t end, Py_ssize_t begin_b, Py_ssize_t end_b, bint awake_only
    )
