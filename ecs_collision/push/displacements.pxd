from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.push.displacement_log cimport DisplacementLog
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Displacements:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef Index dynamic
    cdef Index overlay
    cdef DirtyRows dirty_rows
    cdef DirtyTransforms dirty_transforms
    cdef readonly object rows, units, woken
    cdef object moved, first
    cdef int[::1] rows_view
    cdef long long[::1] units_view
    cdef int[::1] moved_view
    cdef int[::1] first_view
    cdef int[::1] woken_view
    cdef readonly Py_ssize_t count, woken_count
    cdef public Py_ssize_t committed
    cdef Py_ssize_t capacity
    cpdef void begin(self)
    cpdef void add(self, int row, int axis, long long by)
    cpdef void add_group(self, int row, int axis, long long by)
    cpdef void update_overlay(self)
    cpdef bint commit(self, DisplacementLog log, long long frame)
    cpdef void clear(self)
    cpdef void reset(self)
