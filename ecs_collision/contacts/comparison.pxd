from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.contacts.update cimport ContactUpdate
from ecs_collision.broadphase.morton_grid.grid cimport Grid
from ecs_collision.broadphase.all_pairs cimport AllPairs
from ecs_collision.contacts.pair_log cimport PairLog


cdef class ContactComparison(ContactUpdate):
    cdef readonly AllPairs join
    # per row: the pass in which it changed so that its former box does not count
    cdef object _renewed_in
    cdef int[::1] renewed_in
    # per joined box: its slot, its way since it was last compared, and what is known of it
    cdef object _slot, _way, _kind
    cdef int[::1] slot
    cdef long long[::1] way
    cdef signed char[::1] kind
    cdef Py_ssize_t joined_room
    # candidates that are looked at twice, and contacts that may have ended
    cdef object _doubtful
    cdef int[::1] doubtful
    cdef Py_ssize_t doubtful_count, doubtful_room
    cdef bint touching

    cpdef void compare_changed(self, DirtyRows changed, bint everything)
    cpdef void tell_began(self, PairLog entered)
    cpdef void tell_moved(self, PairLog left)
    cdef bint merely_moved(self, int pair) noexcept
    cdef void compare_all(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void room_to_join(self)
    cdef void note_ways(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef bint jumped(self, int row) noexcept
    cdef long long way_of(self, int row, int axis) noexcept
    cdef void join_boxes(self)
    cdef Py_ssize_t keep_changes(self, Py_ssize_t found)
    cdef void judge_around(self, int row, Grid grid, bint asleep_only)
    cdef void settle(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b)
    cdef void settle_one(self, int trigger, int other, bint now, bint before, bint many)
    cdef int former_meet(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b) noexcept
    cdef void doubt(self, int pair)
