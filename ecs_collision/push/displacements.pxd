from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class DisplacementLog:
    cdef long long[::1] entries, spare, stops
    cdef int[::1] order
    cdef readonly Py_ssize_t entry_count, stop_count
    cdef Py_ssize_t entry_capacity, stop_capacity, sorted_capacity, marked_entries, marked_stops, marked_crushed
    cdef readonly list crushed
    cdef long long last_x, last_y, last_z
    cdef bint merged
    cpdef void add(self, long long entity, long long by, long long x, long long y, long long z)
    cpdef void add_stop(self, long long entity, long long axis, long long direction, long long blocker, long long reason)
    cpdef void mark(self, Py_ssize_t entries, Py_ssize_t stops)
    cpdef void rollback(self)
    cpdef DisplacementLog copy(self)
    cdef void grow_stops(self)
    cpdef void reserve(self, Py_ssize_t count)
    cdef void merge_or_grow(self)
    cdef bint is_after(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef void sort(self)
    cdef void merge(self)


cdef class Displacements:
    cdef Columns columns
    cdef GroupLinks group_links
    cdef Index dynamic, overlay
    cdef DirtyRows dirty_rows
    cdef DirtyTransforms dirty_transforms
    cdef long long[::1] units, marked_units
    cdef Py_ssize_t marked_count
    cdef int[::1] rows, woken, moved, overlay_slots
    cdef readonly Py_ssize_t count, woken_count
    cdef Py_ssize_t own_count
    cdef public Py_ssize_t committed
    cdef Py_ssize_t capacity
    cpdef void begin(self)
    cpdef void add(self, int row, int axis, long long by)
    cpdef bint is_displaced(self, int row) noexcept
    cpdef void add_group(self, int row, int axis, long long by)
    cpdef void mark(self)
    cpdef void retract(self)
    cpdef void drop_unmoved(self)
    cdef bint has_come_away(self, int row) noexcept
    cdef void drop(self, int row)
    cpdef void update_overlay(self)
    cdef void place(self, int row)
    cpdef bint commit(self, DisplacementLog log, long long frame)
    cpdef void clear(self)
    cpdef void reset(self)
