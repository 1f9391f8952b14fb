from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.all_pairs cimport AllPairs
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.store cimport ContactStore
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class FullUpdate:
    cdef ContactStore store
    cdef Overlaps overlaps
    cdef Columns columns
    cdef Index dynamic
    cdef Index static
    cdef readonly AllPairs all_pairs
    # four numbers for each joined box: its displacement since it was last compared, and 8 * its slot + its flags
    cdef long long[::1] joined
    # pairs of which contacts may have ended
    cdef int[::1] maybe_ended
    cdef Py_ssize_t maybe_ended_count
    cdef bint touching, has_altered

    cdef void begin(self) noexcept
    cdef void end_maybe_ended(self, bint unsure)
    cdef void update_all(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void reserve_boxes(self)
    cdef void mark_changed(self, int[::1] rows, signed char[::1] altered, Py_ssize_t count)
    cdef void add_boxes(self)
    cdef Py_ssize_t filter_changes(self, Py_ssize_t found)
    cdef void update_joined(self, long long pair)
    cdef bint touch_differently(self, Py_ssize_t one, Py_ssize_t two, int dims) noexcept
    cdef int compare_parts(self, Py_ssize_t one, Py_ssize_t two, bint bounds_meet, bint bounds_met) noexcept
    cdef void test_around(self, int row, Index grid, bint asleep_only)
    cdef void update_pair(self, Index grid_a, Py_ssize_t a, Index grid_b, Py_ssize_t b)
    cdef void update_contact(self, int reporter, int other, bint meets_now, bint met_before, bint many)
    cdef void add_maybe_ended(self, int reporter, int name)
