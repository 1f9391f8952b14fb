from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.broadphase.tree cimport Tree


cpdef long long code_of(long long x, long long y, long long z, int depth) noexcept
cpdef int depth_of(long long code) noexcept
cpdef long long parent_of(long long code) noexcept


cdef class LinearOctreeIndex(Tree):
    # level of the smallest nodes
    cdef readonly int lowest_level
    # hash table
    cdef readonly long long[::1] table_codes
    cdef readonly int[::1] table_nodes
    cdef readonly Py_ssize_t table_mask
    cdef readonly int table_shift
    # per node
    cdef readonly long long[::1] codes
    cdef readonly int[::1] masks, heads, box_counts, asleep_counts
    cdef readonly Py_ssize_t used
    cdef readonly int first_free
    # per slot
    cdef readonly int[::1] slot_nodes
    # the region of a query in bins, ends in order; the longest side of a box in bins, and the levels of nodes with hits
    cdef long long low_x, low_y, low_z, high_x, high_y, high_z, reach
    cdef int wanted_levels

    cpdef int find(self, long long code) noexcept
    cdef void write(self, long long code, int node) noexcept
    cdef void erase(self, long long code) noexcept
    cdef void enlarge_table(self)
    cdef void reserve_nodes(self)
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
    cdef void put(self, int node, int slot) noexcept
    cdef void take(self, int node, int slot) noexcept
    cdef int node_levels(self, int levels) noexcept
    cpdef void search(self)
    cdef void visit(self, int node, int level, long long x, long long y, long long z) noexcept
    cdef void pair_with(self, Index other)
    cdef bint is_asleep(self, int node) noexcept
    cdef int pair_neighbours(self, int node, long long code, bint is_own)
