from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport Bound


cdef class Parts:
    cdef readonly object transform, collider, inertia, motion, sleeping, static, trigger
    cdef readonly tuple others
    cpdef void bind(self, long long entity, int row, DirtyTransforms dirty_transforms)
