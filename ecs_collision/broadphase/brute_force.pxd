from ecs_collision.broadphase.protocol cimport Index


cdef class BruteForceIndex(Index):
    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void search(self)
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
