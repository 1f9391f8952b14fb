from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Bound:
    cdef public object _entity
    cdef public int _row
    cdef public DirtyTransforms _dirty_transforms
    cpdef void _unbound(self)
    cpdef void _release(self)
    cpdef void _mark(self)
    cpdef void _bind(self, entity, int row, DirtyTransforms dirty_transforms)
