from ecs_collision.kernels.questions cimport Questions
from ecs_collision.kernels.rings cimport Rings
from ecs_collision.writes cimport Writes


cdef class Space:
    cdef object _bodies
    cdef Questions _questions
    cdef Writes _writes
    cdef Rings _rings

    cdef object _related(self, object relation, object box, object layers, object ignore, object triggers)
    cdef object _leave_out(self, object names, object ids, object triggers, object entity)
    cdef object _take_in(self, object names, object ids, object triggers)


cdef object _names(object layers)
cdef object _ids(object ignore)
