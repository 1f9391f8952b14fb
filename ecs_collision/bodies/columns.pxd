from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.shapes.bounds cimport Form
from ecs_collision.shapes.overlap cimport PlacedPart


cpdef int plane_of(bint is_shaped, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) noexcept


cpdef int plane_of_form(Form form, long long z)


cdef class Columns:
    cdef readonly object ids, flags, first, count, outer, pos, inertia, classes, planes, relation, one_way, carries
    cdef readonly Py_ssize_t capacity
    cdef readonly Py_ssize_t width
    cdef readonly Py_ssize_t uneven_count
    cdef public Py_ssize_t static_reporter_count, shaped_count, one_way_count
    cdef readonly list forms, velocities
    cdef readonly set passing
    cdef public Py_ssize_t passing_count, carrying_count
    cdef public long long z_reach
    cdef int[:] flags_view, first_view, count_view, outer_view, classes_view
    cdef long long[::1] ids_view, pos_view
    cdef double[::1] inertia_view
    cdef signed char[::1] planes_view, one_way_view, carries_view
    cdef unsigned char[::1] relation_view
    cpdef void grow(self, object records)
    cpdef void reserve_inertia(self)
    cdef void update_plane(self, Py_ssize_t row, BoxPool boxes) noexcept
    cpdef void set_plane(self, Py_ssize_t row, int plane)
    cpdef bint are_flat(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cpdef void place_part(self, PlacedPart part, BoxPool boxes, Py_ssize_t slot, long long x, long long y, long long z) noexcept
    cpdef void widen(self, Py_ssize_t width)
    cpdef bint may_meet(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cpdef bint is_passing(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cpdef bint passes(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef bint comes_against(self, Py_ssize_t row, int axis, bint upward) noexcept
    cdef bint reports(self, Py_ssize_t reporter, Py_ssize_t other) noexcept


cdef class GroupLinks:
    cdef readonly object leader, next_row
    cdef readonly Py_ssize_t count, capacity
    cdef int[:] leader_view, next_row_view
    cpdef void grow(self, object records)
    cpdef bint is_fused(self, Py_ssize_t row) noexcept
    cpdef bint is_same_body(self, Py_ssize_t row, Py_ssize_t other) noexcept


cdef class RowById:
    cdef readonly int[::1] rows
    cdef readonly Py_ssize_t length, count
    cdef readonly dict sparse
