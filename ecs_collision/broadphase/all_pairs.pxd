cdef class Level:
    # range of its boxes in `order`, of its places and of its part of the table
    cdef Py_ssize_t first, last, place, place_end, base, cell_count
    # cells are stored row by row, plane by plane; hashed: modulo the length of the table
    cdef long long row, plane, mask
    cdef bint hashed
    # the extent in cells, the smallest lower corner, steps per unit, the widest box
    cdef long long wide, high, deep
    cdef double x, y, z
    cdef double by_x, by_y, by_z
    cdef double width, height, depth

    cdef double rows_searched(self, Level source) noexcept


cdef class AllPairs:
    cdef readonly Py_ssize_t count, dims
    # boxes: the face of box i on an axis at dims * i + axis
    cdef readonly object lows, highs
    cdef double[::1] lows_view
    cdef double[::1] highs_view
    # pairs found
    cdef readonly object pair_a, pair_b
    cdef int[::1] pair_a_view
    cdef int[::1] pair_b_view
    cdef readonly Py_ssize_t pair_count
    cdef Py_ssize_t pair_capacity
    # candidates: pairs of places, the first in the upper half
    cdef object candidates
    cdef long long[::1] candidates_view
    cdef readonly Py_ssize_t candidate_count, compared
    cdef bint strict
    cdef Py_ssize_t candidate_capacity
    # per box: size; in order of levels: box, cell and word
    cdef object sizes, order, cells, words
    cdef double[::1] sizes_view
    cdef int[::1] order_view
    cdef int[::1] cells_view
    cdef long long[::1] words_view
    cdef Py_ssize_t capacity
    # per place, in order of cells: box, cell and word
    cdef object members, member_cells, member_words
    cdef int[::1] members_view
    cdef int[::1] member_cells_view
    cdef long long[::1] member_words_view
    cdef Py_ssize_t place_capacity
    # per cell: its first place
    cdef object starts
    cdef int[::1] starts_view
    cdef Py_ssize_t start_capacity, cell_count
    cdef list levels
    # the runs of a box after its own row
    cdef object runs
    cdef long long[::1] runs_view
    # extents of the last measurement, by axis and over all
    cdef object extents
    cdef double[::1] extents_view
    cdef double smallest, largest
    cdef bint has_invalid

    cpdef void reserve(self, Py_ssize_t count, Py_ssize_t dims)
    cpdef void use_buffers(self, object low, object high, Py_ssize_t dims)
    cpdef void release_buffers(self)
    cpdef Py_ssize_t first_invalid(self)
    cpdef Py_ssize_t find_pairs(self)
    cpdef void write_sorted(self, long long[::1] pairs)
    cdef Py_ssize_t find_candidates(self)
    cdef void reserve_scratch(self)
    cdef void reserve_places(self, Py_ssize_t count)
    cdef void reserve_cells(self)
    cdef void reserve_candidates(self, Py_ssize_t count)
    cdef void reserve_pairs(self, Py_ssize_t count)
    cdef void reserve_more(self, Py_ssize_t count)
    cdef void compare_candidates(self)
    cdef void measure(self, Py_ssize_t first, Py_ssize_t last)
    cdef void measure_sizes(self)
    cdef void split_into_levels(self)
    cdef void set_up_level(self, Level level, Level finer)
    cdef void allocate_cells(self, Level level)
    cdef Py_ssize_t compute_cells(self, Level level)
    cdef void number_places(self)
    cdef void sort_into_cells(self, Level level)
    cdef void tabulate_runs(self, Level level)
    cdef void pair_within(self, Level level)
    cdef void pair_across(self, Level source, Level target)
