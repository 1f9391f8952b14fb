from ecs_collision.broadphase.protocol cimport Index


cdef class Tree(Index):
    cdef readonly Py_ssize_t node_count, occupied_count
    # per slot
    cdef readonly int[::1] next_slots, previous_slots

    cpdef void reserve(self)
    cdef int link(self, int slot, int head) noexcept
    cdef int unlink(self, int slot, int head) noexcept
    cdef int pair_list(self, Py_ssize_t slot, Py_ssize_t first)
