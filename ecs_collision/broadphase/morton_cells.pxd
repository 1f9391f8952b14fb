from ecs_collision.broadphase.box_pool cimport BoxPool


cdef class MortonCells:
    cdef BoxPool boxes
    # the keys of all cells in order; how many boxes each has
    cdef readonly object keys
    cdef dict counts
    # the number of changes of the boxes that the keys include
    cdef long long version
    # per slot: the level + 1 (0 for no box), and the first and the last cell of its box on x, y, z; of one box now
    cdef object spans, span
    cdef long long[::1] spans_view, span_view

    cdef void forget(self)
    cdef void update(self)
    cdef void measure(self, Py_ssize_t slot) noexcept
    cdef bint is_as_before(self, Py_ssize_t slot) noexcept
    cdef list keys_of(self, long long[::1] spans, Py_ssize_t at)
