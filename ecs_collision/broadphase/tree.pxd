from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index


cdef class Tree(Index):
    cdef readonly Py_ssize_t node_count, occupied_count
    # per slot
    cdef readonly int[::1] next_slots, previous_slots
    # boxes of larger nodes, in a walk over pairs
    cdef readonly int[::1] stack

    cdef int link(self, int slot, int head) noexcept
    cdef int unlink(self, int slot, int head) noexcept
    cdef void reserve_stack(self, Py_ssize_t count)
    cdef Py_ssize_t push_list(self, int slot, Py_ssize_t end)
    cdef Py_ssize_t push_meeting(
        self, Py_ssize_t begin, Py_ssize_t end, long long x, long long y, long long z, long long side, bint only_awake
    )
    cdef int pair_stack(self, Tree source, Py_ssize_t slot, Tree target, Py_ssize_t begin, Py_ssize_t end)
