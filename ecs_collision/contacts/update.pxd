from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.contacts.full_update cimport FullUpdate
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.store cimport ContactStore


cdef int touches(long long ahead, long long behind) noexcept


cdef class ContactUpdate:
    cdef ContactStore store
    cdef Overlaps overlaps
    cdef readonly FullUpdate full
    cdef Columns columns
    cdef GroupLinks links
    cdef Index dynamic
    cdef Index static
    # the changed rows, and whether they were not only displaced
    cdef int[::1] rows
    cdef signed char[::1] altered
    # how far rows that search by their hull moved at most, by low and high axis
    cdef long long[::1] reach_view
    # where the boxes gathered for each of several rows end
    cdef Py_ssize_t[::1] ends_view
    cdef bint has_giants, has_others
    # three strips and the former box; changed rows by level
    cdef object strips, level_counts
    cdef long long[::1] strips_view
    cdef int[::1] level_counts_view

    cpdef void update_changed(self, DirtyRows changed, bint everything)
    cdef void keep_group_contacts(self)
    cdef void test_boxes(self, Index grid_a, Py_ssize_t a, Index grid_b, Py_ssize_t b)
    cdef void find_around(self, int row, Index grid, int levels)
    cdef bint is_single_box(self, int row) noexcept
    cdef long long hull_bits(self, int row, long long most) noexcept
    cdef bint is_hulled(self, int row) noexcept
    cdef void search_hulls(self, int[::1] rows, Py_ssize_t count)
    cdef void aim(self, int row, Index grid)
    cdef void test_gathered(self, int row, Index grid, Py_ssize_t first, Py_ssize_t last)
    cdef void end_separated(self, int row)
    cdef int full_levels(self, int row) noexcept
    cdef int compute_strips(self, int row, bint entered) noexcept
    cdef Py_ssize_t collect_strip(self, Index grid, int levels, Py_ssize_t strip)
    cdef void find_in_strips(self, int row, int levels, Index grid)
    cdef void end_in_strips(self, int row, int full, Index grid)
    cdef void end_if_separated(self, int a, int b)
    cdef void end_pair_if_separated(self, int reporter, int name)
    cdef void end_with_changed(self, int row)
    cdef bint others_changed(self, int row, int full) noexcept
    cdef void update_each(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void mark_slots(self, int[::1] rows, Py_ssize_t count, bint changed) noexcept
    cdef void mark_changed(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void find_changed(self, int row, bint altered)
    cdef void find_in_grid(self, int row, Index grid, int full)
    cdef void end_changed(self, int row, bint altered)
