from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.group_links cimport GroupLinks


cpdef int name_of(Columns columns, GroupLinks links, int row) noexcept
cpdef int end_reason(Columns columns, GroupLinks links, int kind, int reporter, int name, bint removed=*) noexcept
