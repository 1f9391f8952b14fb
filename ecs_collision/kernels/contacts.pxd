from ecs_collision.kernels.columns cimport Columns
from ecs_collision.kernels.grid cimport Grid


cdef class Contacts:
    cdef public Columns columns
    cdef public Grid dynamic
    cdef public Grid static
    # per pair
    cdef readonly object triggers, others, _seen, lingers, _next, _prev
    cdef int[::1] trigger
    cdef int[::1] other
    cdef int[::1] seen
    cdef int[::1] lingering
    cdef int[::1] next
    cdef int[::1] prev
    cdef Py_ssize_t room, used
    cdef int free
    cdef readonly Py_ssize_t pair_count
    # per row
    cdef object _head
    cdef int[::1] head
    # hash table of pairs
    cdef object _slots
    cdef int[::1] slots
    cdef Py_ssize_t slot_count
    # what the last comparison found
    cdef readonly object begun, finished
    cdef int[::1] began
    cdef int[::1] ended
    cdef readonly Py_ssize_t began_count, ended_count
    cdef Py_ssize_t began_room, ended_room
    cdef int now
    cdef readonly long long pairs_tested

    cdef void room_for_rows(self)
    cdef void room_for_pairs(self)
    cdef void rehash(self)
    cdef Py_ssize_t slot_of(self, int trigger, int other) noexcept
    cdef void insert(self, int pair) noexcept
    cdef void link(self, int side, int row) noexcept
    cdef void unlink(self, int side, int row) noexcept
    cdef void see(self, int trigger, int other)
    cdef int faces_meet(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b) noexcept
    cdef void test(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b)
    cdef void look(self, int row, Grid grid)
    cdef void end_unseen(self, int row)
    cdef void note_ended(self, int pair)
