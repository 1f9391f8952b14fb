from ecs_collision.broadphase.protocol cimport Index


cdef class BruteForceIndex(Index):
    cpdef void search(self)
    cdef void pair_with(self, Index other)
