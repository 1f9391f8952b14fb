from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.shapes.overlap cimport PlacedPart


cpdef int reported_row(Columns columns, GroupLinks links, int row) noexcept


cdef class Overlaps:
    cdef Columns columns
    cdef GroupLinks links
    cdef Index dynamic
    cdef Index static
    cdef readonly long long pairs_tested, static_searches
    cdef long long pass_number
    # the two parts that are compared
    cdef PlacedPart part, other_part
    # per row: x, y, z when last compared, and the mark
    cdef long long[::1] compared

    cdef int reserve_rows(self)
    cdef void mark(self, int row, long long bits) noexcept
    cdef bint has_changed(self, int row) noexcept
    cdef bint is_altered(self, int row) noexcept
    cdef int store_positions(self, int[::1] rows, Py_ssize_t count)
    cdef Index grid_of(self, int row)
    cpdef bint may_meet_static(self, int row) noexcept
    cpdef bint is_contact(self, int reporter, int name)
    cdef int normal_code(self, int reporter, int name) noexcept
    cdef bint any_boxes_meet(self, int reporter, int other)
    cdef int separation(self, Index grid_a, Py_ssize_t a, Index grid_b, Py_ssize_t b) noexcept
    cdef int former_separation(self, Index grid_a, Py_ssize_t a, Index grid_b, Py_ssize_t b) noexcept
    cdef int separation_of_parts(self, int row, int other) noexcept
    cdef int one_way_separation(self, Index grid_a, Py_ssize_t a, Index grid_b, Py_ssize_t b) noexcept
    cdef bint is_in_front(self, Index grid, Py_ssize_t one_way, Index other_grid, Py_ssize_t other) noexcept
    cpdef bint are_one_way(self, int row, int other) noexcept
    cpdef object first_in_front(self, int row, int other)
    cdef bint are_shaped(self, BoxPool boxes_a, Py_ssize_t a, BoxPool boxes_b, Py_ssize_t b) noexcept
    cdef void place_former(self, PlacedPart part, BoxPool boxes, Py_ssize_t slot) noexcept
    cdef long long displacement_of(self, int row, int axis) noexcept
