from ecs_collision.broadphase.box_pool cimport BoxPool


cdef class MortonCells:
    cdef BoxPool boxes
    cdef readonly long long compared
    # the keys of all cells in order; codes of those, a block for each part of the list
    cdef readonly object keys
    cdef long long[::1] blocks
    cdef Py_ssize_t block_count
    # changes of cells: the code, then what is added to the state, with the level + 1
    cdef long long[::1] changes
    cdef Py_ssize_t change_count
    # the number of changes of the boxes that the keys include
    cdef long long version
    # per slot: level + 1 (0 for no box), awake flag, first and last cell of its box on x, y, z; of one box now
    cdef object spans, span
    cdef int[::1] spans_view, span_view
    # the table: code and state of a cell, or zeros; places taken; 31 - the logarithm of their number
    cdef readonly long long[::1] table
    cdef Py_ssize_t used
    cdef int shift

    cdef void forget(self)
    cdef void update(self)
    cdef int change_keys(self, list keys, bint enter) except -1
    cdef int copy_codes(self) except -1
    cdef Py_ssize_t place_of(self, long long code, Py_ssize_t first, Py_ssize_t end) noexcept
    cdef int compare(self, Py_ssize_t slot) except -1
    cdef void count(self, int* of, Py_ssize_t at, int* other, Py_ssize_t there, long long change) noexcept
    cdef bint is_crossed(self, Py_ssize_t place) noexcept
    cpdef bint is_awake(self, object key)
    cdef Py_ssize_t find(self, long long code, long long level) except -1
    cdef void rehash(self)
