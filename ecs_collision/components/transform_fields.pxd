from ecs_collision.components.bound cimport Bound
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Place(Bound):
    cdef long long _x, _y, _z
    cdef void _fetch(self)
    cdef void _put(self, long long x, long long y, long long z)
