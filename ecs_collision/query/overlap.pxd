from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.all_pairs cimport AllPairs
from ecs_collision.broadphase.frozen_grid cimport FrozenGrid
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.shapes.bounds cimport Shape
from ecs_collision.shapes.overlap cimport PlacedPart


cdef double number(object value) noexcept
cdef tuple items_of_point(object point)
cdef long long floor(double value) noexcept


cdef class OverlapQuery:
    cdef Columns columns
    cdef readonly FrozenGrid dynamic
    cdef readonly FrozenGrid static
    # the region: lo x, y, z, hi x, y, z; corners of many regions
    cdef object region
    cdef long long[::1] region_view
    cdef const double[::1] lows_view
    cdef const double[::1] highs_view
    # the part whose bounds are the region, if it is no box; the part that it is compared with
    cdef PlacedPart probe, part
    cdef bint has_probe
    # the filter
    cdef bint triggers, is_filtered
    cdef const signed char[::1] allowed_view
    cdef object ignored, is_ignored
    cdef int[::1] ignored_view
    cdef signed char[::1] is_ignored_view
    cdef Py_ssize_t ignored_count
    # all boxes: slots, those of statics inverted
    cdef readonly object boxes
    cdef int[::1] boxes_view
    # result
    cdef object ids, spare
    cdef long long[::1] ids_view
    cdef long long[::1] spare_view
    cdef Py_ssize_t capacity, result_count

    cpdef bint read_box(self, object box)
    cpdef bint read_part(self, object given)
    cpdef void set_region(self, tuple faces)
    cdef bint round_inward(self, int axis, double low, double high) noexcept
    cpdef void filter(self, bint triggers, object allowed, list ignored)
    cdef int ignore(self, list rows)
    cpdef list find_in_region(self, int relation)
    cpdef list find_around_row(self, int relation, Py_ssize_t row)
    cpdef list find_around_part(self, int relation, PlacedPart part, tuple bounds)
    cpdef list find_around_probe(self, int relation)
    cpdef Py_ssize_t find_in_regions(self, int relation, int dims, object lows, object highs, object offsets)
    cdef void place_listed(self, PlacedPart part, Py_ssize_t slot) noexcept
    cdef Py_ssize_t collect(self, int relation, Py_ssize_t count) except -1
    cdef Py_ssize_t collect_from(self, FrozenGrid grid, int relation, Py_ssize_t count) except -1
    cdef Py_ssize_t add_boxes(self, FrozenGrid grid, Py_ssize_t hits, Py_ssize_t count) noexcept
    cdef bint is_related(self, int relation, Py_ssize_t row, Index index, Py_ssize_t slot) noexcept
    cdef bint part_is_related(self, int relation, Index index, Py_ssize_t slot) noexcept
    cdef bint is_on_normal(self, int axis, bint upward)
    cdef Py_ssize_t find_hits(self, FrozenGrid grid, int relation) except -1
    cdef bint is_outer(self, Py_ssize_t row, Py_ssize_t slot) noexcept
    cdef bint is_counted(self, Py_ssize_t row) noexcept
    cdef bint shares_face(self, int relation, Index index, Py_ssize_t slot) noexcept
    cdef int reserve_ids(self, Py_ssize_t count)
    cdef list sorted_ids(self, Py_ssize_t count)
    cdef Py_ssize_t sort_unique(self, Py_ssize_t first, Py_ssize_t count) except -1
    cdef void sort_run(self, Py_ssize_t begin, Py_ssize_t end) noexcept
    cdef void merge_runs(self, Py_ssize_t begin, Py_ssize_t middle, Py_ssize_t end) noexcept
