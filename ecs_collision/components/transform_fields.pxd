from ecs_collision.components.bound cimport Bound
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class TransformFields(Bound):
    cdef long long _x, _y, _z
    cdef public object _rotation
    cdef void _load(self)
    cdef void _write(self, long long x, long long y, long long z)
