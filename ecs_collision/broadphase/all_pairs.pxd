cdef class Band:
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

    cdef double rows_searched(self, Band source) noexcept


cdef class AllPairs:
    cdef readonly Py_ssize_t count, dims
    # boxes: the face of box i on an axis at dims * i + axis; buffers of the caller may take their place
    cdef readonly object lows, highs
    cdef double[::1] lows_view
    cdef double[::1] highs_view
    # pairs found
    cdef readonly int[::1] pair_a, pair_b
    cdef readonly Py_ssize_t pair_count
    # candidates: pairs of places, the first in the upper half
    cdef long long[::1] candidates
    cdef readonly Py_ssize_t candidate_count, compared
    cdef bint strict
    # per box: size; in order of bands: box, cell and word
    cdef double[::1] sizes
    cdef int[::1] order, cells
    cdef long long[::1] words
    # per place, in order of cells: box, cell and word
    cdef int[::1] members, member_cells
    cdef long long[::1] member_words
    # per cell: its first place
    cdef int[::1] starts
    cdef Py_ssize_t cell_count
    cdef list bands
    # the runs of a box after its own row
    cdef long long[::1] runs
    # extents of the last measurement, by axis and over all
    cdef double[::1] extents
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
    cdef void reserve_pairs(self, Py_ssize_t count)
    cdef void reserve_more(self, Py_ssize_t count)
    cdef void compare_candidates(self)
    cdef void measure(self, Py_ssize_t first, Py_ssize_t last)
    cdef void measure_sizes(self)
    cdef void split_into_bands(self)
    cdef void set_up_band(self, Band band, Band finer)
    cdef void allocate_cells(self, Band band)
    cdef Py_ssize_t compute_cells(self, Band band)
    cdef void number_places(self)
    cdef void sort_into_cells(self, Band band)
    cdef void tabulate_runs(self, Band band)
    cdef void pair_within(self, Band band)
    cdef void pair_across(self, Band source, Band target)
