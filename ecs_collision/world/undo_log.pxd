from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.dynamics.dynamics cimport Dynamics


cdef class UndoLog:
    cdef object _bodies, _sleep
    cdef Dynamics _dynamics
    cdef DirtyRows _dirty_rows
    cdef public object marks
    cpdef void mark(self, tuple parts)
    cpdef void release(self)
