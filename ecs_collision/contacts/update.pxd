from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.morton_grid.grid cimport Grid
from ecs_collision.broadphase.morton_grid.batch_query cimport BatchQuery
from ecs_collision.contacts.store cimport ContactStore


cdef class ContactUpdate(ContactStore):
    cdef Grid dynamic
    cdef Grid static
    # records that ended in this pass
    cdef readonly object finished
    cdef int[::1] ended
    cdef readonly Py_ssize_t ended_count
    cdef Py_ssize_t ended_room
    cdef readonly long long pairs_tested
    # per row: where it was when it looked, and in which pass it changed
    cdef object _looked_at, _changed_in
    cdef long long[::1] looked_at
    cdef int[::1] changed_in
    # rows that look together
    cdef BatchQuery nearby
    cdef object _altered_in, _asking_in, _asking_rows
    cdef int[::1] altered_in
    cdef int[::1] asking_in
    cdef int[::1] asking_rows
    # three strips and the former box; changed rows by level
    cdef object _strips, level_counts
    cdef long long[::1] strips
    cdef int[::1] changed_levels

    cdef void room_to_compare(self)
    cpdef bint touch(self, int trigger, int other)
    cdef int faces_meet(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b) noexcept
    cdef void test(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b)
    cdef Grid home_of(self, int row)
    cdef void look(self, int row, Grid grid, int levels)
    cdef void note_ended(self, int pair)
    cdef void end_unseen(self, int row)
    cdef void see_together(self, int[::1] rows, Py_ssize_t count)
    cdef bint looks_with_others(self, int row, int levels) noexcept
    cdef void see_batch(self, Py_ssize_t count)
    cdef void see_new(self, int row, Grid grid, Py_ssize_t other)
    cdef void see_if_new(self, int trigger, int other, int apart, int before)
    cdef int faces_met(self, int row, int near, Grid grid, Py_ssize_t other) noexcept
    cdef void end_apart(self, int row)
    cdef int whole_levels(self, int row) noexcept
    cdef int cut(self, int row, bint entered) noexcept
    cdef Py_ssize_t hits_of_strip(self, Grid grid, int levels, Py_ssize_t strip)
    cdef void look_down(self, int row, int levels, Grid grid)
    cdef void end_left(self, int row, int whole, Grid grid)
    cdef void judge(self, int a, int b)
    cdef void end_with_changed(self, int row)
    cdef bint others_changed(self, int row, int whole) noexcept
    cdef void compare_each(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void note_changed(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void see_changed(self, int row, bint altered)
    cdef void end_changed(self, int row, bint altered)
    cpdef void remember_all(self, object rows)
    cdef void remember(self, int row) noexcept
