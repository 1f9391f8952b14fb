from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.broadphase.tree cimport Tree


cdef class Node:
    cdef readonly Node parent
    cdef readonly list children
    cdef readonly int level, octant, child_count
    cdef readonly long long x, y, z
    cdef readonly int first, box_count, total, asleep


cdef class PointerOctreeIndex(Tree):
    cdef readonly Node root
    # level of the smallest nodes, and lowest face of the largest root
    cdef readonly int lowest_level
    cdef readonly long long base
    # per slot
    cdef readonly list slot_nodes
    # the region of a query, ends in order
    cdef long long low_x, low_y, low_z, high_x, high_y, high_z

    cdef long long side(self, int level) noexcept
    cdef long long corner(self, long long face, int level) noexcept
    cdef Node make_node(self, int level, long long x, long long y, long long z)
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
    cdef void take(self, Node node, int slot)
    cdef void prune(self, Node leaf)
    cdef void shorten(self)
    cpdef void search(self)
    cdef void set_region(self) noexcept
    cdef bint meets(self, Node node) noexcept
    cdef void visit(self, Node node) noexcept
    cdef void visit_below(self, Node node) noexcept
    cdef void pair_with(self, Index other)
    cdef int pair_below(self, Node node)
