from ecs_collision.kernels.search cimport Search


cdef class Grid(Search):
    cdef readonly long long pairs_tested
    cdef readonly long long cells_skipped
    cdef object _pair_a, _pair_b, _members
    cdef readonly int[::1] pair_a
    cdef readonly int[::1] pair_b
    cdef readonly Py_ssize_t pair_count
    cdef Py_ssize_t pair_room
    cdef int[::1] members

    cpdef Py_ssize_t collect_pairs(self, bint awake_only)
    cdef int pairs_of_all(self)
    cdef int pairs_of_awake(self)
    cdef int next_mark(self)
    cdef int pairs_within(self, int cell, bint awake_only)
    cdef int pairs_across(self, Py_ssize_t slot, int levels)
    cdef int add_pair(self, int a, int b)
