from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.all_pairs cimport AllPairs
from ecs_collision.broadphase.morton_grid.grid cimport Grid
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.store cimport ContactStore


cdef class FullUpdate:
    cdef ContactStore store
    cdef Overlaps overlaps
    cdef Columns columns
    cdef Grid dynamic
    cdef Grid static
    cdef readonly AllPairs join
    cdef int now
    # per joined box: its slot, its way since it was last compared, and what is known of it
    cdef object slots, displacements, kinds
    cdef int[::1] slots_view
    cdef long long[::1] displacements_view
    cdef signed char[::1] kinds_view
    cdef Py_ssize_t joined_room
    # contacts that may have ended
    cdef object doubtful
    cdef int[::1] doubtful_view
    cdef Py_ssize_t doubtful_count, doubtful_room
    cdef bint touching

    cdef void compare_all(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void room_to_join(self)
    cdef void note_ways(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef bint jumped(self, int row) noexcept
    cdef void join_boxes(self)
    cdef Py_ssize_t keep_changes(self, Py_ssize_t found)
    cdef void judge_around(self, int row, Grid grid, bint asleep_only)
    cdef void settle(self, Grid grid_a, Py_ssize_t a, Grid grid_b, Py_ssize_t b)
    cdef void settle_one(self, int trigger, int other, bint now, bint before, bint many)
    cdef void doubt(self, int pair)
