from ecs_collision.writes cimport Writes


cdef class Bound:
    cdef public object _entity
    cdef public int _row
    cdef public Writes _writes
    cpdef void _unbound(self)
    cpdef void _release(self)
    cpdef void _mark(self)
    cpdef void _bind(self, entity, int row, Writes writes)
