from ecs_collision.broadphase.capacity_tree cimport CapacityTree


cdef class QuadtreeIndex(CapacityTree):
    pass
