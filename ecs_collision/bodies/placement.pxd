from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Placement:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef Index dynamic, static
    cdef DirtyRows dirty_rows
    cdef DirtyTransforms dirty_transforms
    cdef readonly object deferred, woken
    cdef int[::1] deferred_view
    cdef int[::1] woken_view
    cdef readonly Py_ssize_t deferred_count, woken_count, moved_count, static_count
    cdef void room_for_rows(self)
    cpdef Py_ssize_t find_deferred(self, long long low, long long high)
    cdef int kind_of(self, int row) noexcept
    cdef bint fits(self, int row, long long low, long long high) noexcept
    cpdef void apply(self, long long frame)
    cdef void place(self, int row)
