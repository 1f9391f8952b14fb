from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.broadphase.morton_grid.batch_query cimport BatchQuery
from ecs_collision.broadphase.morton_grid.grid cimport Grid
from ecs_collision.contacts.full_update cimport FullUpdate
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.store cimport ContactStore


cdef class ContactUpdate:
    cdef ContactStore store
    cdef Overlaps overlaps
    cdef readonly FullUpdate full
    cdef Columns columns
    cdef GroupLinks links
    cdef Grid dynamic
    cdef Grid static
    cdef int now
    # rows that look together
    cdef readonly BatchQuery batch
    cdef object batched_in, batch_rows
    cdef int[::1] batched_in_view
    cdef int[::1] batch_rows_view
    # three strips and the former box; changed rows by level
    cdef object strips, level_counts
    cdef long long[::1] strips_view
    cdef int[::1] level_counts_view

    cpdef void compare_changed(self, DirtyRows changed, bint everything)
    cdef int room_for_rows(self)
    cdef void keep_held(self)
    cdef void test(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b)
    cdef void look(self, int row, Grid grid, int levels)
    cdef void see_together(self, int[::1] rows, Py_ssize_t count)
    cdef bint is_single(self, int row) noexcept
    cdef bint looks_with_others(self, int row, int levels) noexcept
    cdef void see_batch(self, Py_ssize_t count)
    cdef void see_new(self, int row, Grid grid, Py_ssize_t other)
    cdef void see_if_new(self, int trigger, int other, int apart, int before)
    cdef void end_apart(self, int row)
    cdef int whole_levels(self, int row) noexcept
    cdef int cut(self, int row, bint entered) noexcept
    cdef Py_ssize_t hits_of_strip(self, Grid grid, int levels, Py_ssize_t strip)
    cdef void look_down(self, int row, int levels, Grid grid)
    cdef void end_left(self, int row, int whole, Grid grid)
    cdef void judge(self, int a, int b)
    cdef void judge_one(self, int trigger, int name)
    cdef void end_with_changed(self, int row)
    cdef bint others_changed(self, int row, int whole) noexcept
    cdef void compare_each(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void note_changed(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void see_changed(self, int row, bint altered)
    cdef void end_changed(self, int row, bint altered)
