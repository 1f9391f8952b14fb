from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.morton_grid.grid cimport Grid
from ecs_collision.broadphase.frozen_grid cimport FrozenGrid


cdef double number(object value) except? -1
cdef long long floor(double value) noexcept


cdef class OverlapQuery:
    cdef Columns columns
    cdef readonly FrozenGrid dynamic
    cdef readonly FrozenGrid static
    # the question: lo x, y, z, hi x, y, z, or many of them
    cdef object region
    cdef long long[::1] region_view
    cdef const double[::1] lows_view
    cdef const double[::1] highs_view
    # who counts
    cdef bint triggers, is_picky
    cdef const signed char[::1] allowed_view
    cdef object ignored, is_ignored
    cdef int[::1] ignored_view
    cdef signed char[::1] is_ignored_view
    cdef Py_ssize_t ignored_count
    # all boxes: slots, those of statics inverted
    cdef object boxes
    cdef int[::1] boxes_view
    # the answer
    cdef object ids, spare
    cdef long long[::1] ids_view
    cdef long long[::1] spare_view
    cdef Py_ssize_t room, answer_count

    cpdef bint read(self, object box)
    cpdef void take(self, tuple faces)
    cdef bint round_inward(self, int axis, double low, double high) noexcept
    cpdef void filter(self, bint triggers, object allowed, list ignored)
    cdef int ignore(self, list rows)
    cpdef list about_region(self, int relation)
    cpdef list about_row(self, int relation, Py_ssize_t row)
    cpdef Py_ssize_t about_many(self, int relation, int dims, object lows, object highs, object offsets)
    cdef Py_ssize_t gather(self, int relation, Py_ssize_t count) except -1
    cdef Py_ssize_t gather_from(self, FrozenGrid still, int relation, Py_ssize_t count) except -1
    cdef Py_ssize_t hits_of(self, FrozenGrid still, int relation) except -1
    cdef bint is_outer(self, Py_ssize_t row, Py_ssize_t slot) noexcept
    cdef bint counts(self, Py_ssize_t row) noexcept
    cdef bint touches(self, Grid index, Py_ssize_t slot) noexcept
    cdef int room_for_ids(self, Py_ssize_t count)
    cdef list named(self, Py_ssize_t count)
    cdef Py_ssize_t put_in_order(self, Py_ssize_t first, Py_ssize_t count) except -1
    cdef void insert(self, Py_ssize_t begin, Py_ssize_t end) noexcept
    cdef void merge(self, Py_ssize_t begin, Py_ssize_t middle, Py_ssize_t end) noexcept
