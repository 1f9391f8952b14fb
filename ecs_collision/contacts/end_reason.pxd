from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.group_links cimport GroupLinks


cdef bint is_named(Columns columns, GroupLinks links, int name, int row) noexcept
cpdef int end_reason(Columns columns, GroupLinks links, int trigger, int name, bint gone=*) noexcept
