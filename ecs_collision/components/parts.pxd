from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport Bound


cdef class Parts:
    cdef readonly object transform, collider
    cdef readonly tuple rest
    cdef readonly int kinds
