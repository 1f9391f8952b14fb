from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Bound:
    cdef public object _entity
    cdef public int _row
    cdef public DirtyTransforms _dirty_transforms
    cpdef void _clear_binding(self)
    cpdef void _unbind(self)
    cpdef void _note_write(self)
    cpdef void _bind(self, entity, int row, DirtyTransforms dirty_transforms)
