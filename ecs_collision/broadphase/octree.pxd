from ecs_collision.broadphase.capacity_tree cimport CapacityTree


cdef class OctreeIndex(CapacityTree):
    pass
