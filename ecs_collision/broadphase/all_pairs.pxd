cdef class Level:
    # its boxes in `order`, its places, its part of the table
    cdef Py_ssize_t first, last, place, place_end, base, cell_count
    # cells lie row by row, plane by plane; hashed: modulo the length of the table
    cdef long long row, plane, mask
    cdef bint hashed
    # the extent in cells, the least lower corner, steps a unit, the widest box
    cdef long long wide, high, deep
    cdef double x, y, z
    cdef double by_x, by_y, by_z
    cdef double width, height, depth

    cdef double rows_for(self, Level asking) noexcept


cdef class AllPairs:
    cdef readonly Py_ssize_t count, dims
    # the boxes: the face of box i on an axis at dims * i + axis
    cdef readonly object lows, highs
    cdef double[::1] lows_view
    cdef double[::1] highs_view
    # the answer
    cdef readonly object pair_a, pair_b
    cdef int[::1] pair_a_view
    cdef int[::1] pair_b_view
    cdef readonly Py_ssize_t pair_count
    cdef Py_ssize_t pair_room
    # candidates: pairs of places, the first in the upper half
    cdef object found
    cdef long long[::1] found_view
    cdef readonly Py_ssize_t found_count, compared
    cdef bint strict
    cdef Py_ssize_t found_room
    # per box: size; by level: which box, its cell and its word
    cdef object sizes, order, cells, words
    cdef double[::1] sizes_view
    cdef int[::1] order_view
    cdef int[::1] cells_view
    cdef long long[::1] words_view
    cdef Py_ssize_t room
    # per place, in the order of cells: which box, its cell and its word
    cdef object members, member_cells, member_words
    cdef int[::1] members_view
    cdef int[::1] member_cells_view
    cdef long long[::1] member_words_view
    cdef Py_ssize_t place_room
    # per cell: its first place
    cdef object starts
    cdef int[::1] starts_view
    cdef Py_ssize_t start_room, cell_count
    cdef list levels
    # the runs of one box behind its own row
    cdef object runs
    cdef long long[::1] runs_view
    # what the last survey measured, per axis and over all
    cdef object extents
    cdef double[::1] extents_view
    cdef double least, greatest
    cdef bint odd

    cpdef void room_for(self, Py_ssize_t count, Py_ssize_t dims)
    cpdef void borrow(self, object low, object high, Py_ssize_t dims)
    cpdef void give_back(self)
    cpdef Py_ssize_t first_fault(self)
    cpdef Py_ssize_t all_pairs(self)
    cpdef void write_sorted(self, long long[::1] pairs)
    cdef Py_ssize_t candidates(self)
    cdef void room_for_scratch(self)
    cdef void room_for_places(self, Py_ssize_t count)
    cdef void room_for_cells(self)
    cdef void room_for_found(self, Py_ssize_t count)
    cdef void room_for_pairs(self, Py_ssize_t count)
    cdef void make_way(self, Py_ssize_t count)
    cdef void keep_overlapping(self)
    cdef void survey(self, Py_ssize_t first, Py_ssize_t last)
    cdef void measure_sizes(self)
    cdef void divide(self)
    cdef void lay_out(self, Level level, Level finer)
    cdef void lay_cells(self, Level level)
    cdef Py_ssize_t assign(self, Level level)
    cdef void number_places(self)
    cdef void enter(self, Level level)
    cdef void plan_runs(self, Level level)
    cdef void pair_within(self, Level level)
    cdef void pair_across(self, Level asking, Level asked)
