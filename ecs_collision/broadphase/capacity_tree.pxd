from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.broadphase.tree cimport Tree


cdef class CapacityTree(Tree):
    cdef readonly int capacity, fewest, max_depth, ignored_axis
    # the divided axes, children per node in use and in the arrays
    cdef readonly int axis_u, axis_v, axis_w
    cdef readonly int fan, stride
    # the root: its node, the lowest corner and the exponent of the side of its cell; the exponent of the smallest nodes
    cdef readonly int root
    cdef readonly long long root_u, root_v, root_w
    cdef readonly int root_exponent, floor
    # per node
    cdef readonly long long[::1] corners
    cdef readonly int[::1] children, parents, heads, box_counts, asleep_counts
    cdef readonly signed char[::1] places, exponents, is_divided
    cdef readonly Py_ssize_t used
    cdef readonly int first_free
    # per slot
    cdef readonly int[::1] slot_nodes
    # the box located last: centre and longest side
    cdef long long u, v, w, side
    # the region of the query on the divided axes
    cdef long long lo_u, lo_v, lo_w, hi_u, hi_v, hi_w
    # per exponent of the side of a node: how far boxes reach out; the size levels for which this holds
    cdef readonly long long[::1] margins
    cdef readonly int margin_bits

    cdef void reserve_nodes(self)
    cdef int make_node(self, int parent, int place, int exponent)
    cdef void free_node(self, int node) noexcept
    cdef void put(self, int slot, int node) noexcept
    cdef void take(self, int slot) noexcept
    cdef void locate(self, int slot) noexcept
    cdef bint fits(self, int exponent) noexcept
    cdef bint root_contains(self) noexcept
    cdef int place_at(self, int exponent) noexcept
    cdef void begin(self, int slot)
    cdef void grow(self)
    cdef void limit_depth(self, int node) noexcept
    cdef void add_below(self, int slot, int node)
    cdef void divide(self, int node)
    cdef void merge(self, int node) noexcept
    cdef void take_boxes(self, int node, int below) noexcept
    cdef void remove_below(self, int slot, int top) noexcept
    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void set_awake_of(self, int slot, bint awake)
    cdef void update_margins(self) noexcept
    cpdef void search(self)
    cdef void set_region(self) noexcept
    cdef long long region_lo(self, int axis) noexcept
    cdef long long region_hi(self, int axis) noexcept
    cdef bint is_met(self, Py_ssize_t slot) noexcept
    cdef bint meets(self, int node) noexcept
    cdef void visit(self, int node) noexcept
    cdef void visit_children(self, int node) noexcept
    cdef void pair_with(self, Index other)
    cdef bint has_awake(self, int node) noexcept
    cdef void pair_within(self, int node)
    cdef void pair_between(self, int a, int b)
    cdef bint are_near(self, int a, int b) noexcept
