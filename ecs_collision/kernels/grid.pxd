from ecs_collision.kernels.boxes cimport Boxes


cdef class Grid(Boxes):
    cdef public long long cells_visited
    cdef readonly long long pairs_tested
    cdef readonly long long cells_skipped
    # answers
    cdef object _hits, _pair_a, _pair_b, _members
    cdef readonly int[::1] hits
    cdef readonly int[::1] pair_a
    cdef readonly int[::1] pair_b
    cdef readonly Py_ssize_t hit_count
    cdef readonly Py_ssize_t pair_count
    cdef Py_ssize_t pair_room
    cdef int[::1] members
    # the question: a closed region, and the bins it covers
    cdef long long lox, loy, loz, hix, hiy, hiz
    cdef long long x0, y0, z0, x1, y1, z1
    cdef bint sleepers_only, marking
    cdef Py_ssize_t answer_room
    cdef int mark
    cdef Py_ssize_t marked
    cdef long long boxes_tested

    cpdef Py_ssize_t collect(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_pairs(self, bint awake_only)
    cdef void aim(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) noexcept
    cdef int gather(self, int levels)
    cdef void walk_level(self, int level) noexcept
    cdef void walk(self, int cell, int low) noexcept
    cdef int pairs_of_all(self)
    cdef int pairs_of_awake(self)
    cdef int next_mark(self)
    cdef int pairs_within(self, int cell, bint awake_only)
    cdef int pairs_across(self, Py_ssize_t slot, int levels)
    cdef int add_pair(self, int a, int b)
    cdef void room_for_answers(self)
