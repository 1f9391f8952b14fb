from ecs_collision.broadphase.morton_grid.cell_membership cimport CellMembership


cdef class Grid(CellMembership):
    cdef public long long cells_visited
    cdef readonly long long cells_skipped
    # the answer
    cdef object _hits
    cdef readonly int[::1] hits
    cdef readonly Py_ssize_t hit_count
    cdef Py_ssize_t answer_room
    # the question: a closed region, and the bins it covers
    cdef long long lox, loy, loz, hix, hiy, hiz
    cdef long long x0, y0, z0, x1, y1, z1
    cdef bint sleepers_only, marking
    cdef int mark
    cdef Py_ssize_t marked

    cpdef Py_ssize_t collect(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_levels(self, int levels, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef Py_ssize_t collect_inset(self, int levels, long long inset, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef void aim(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) noexcept
    cdef int gather(self, int levels)
    cdef void walk_level(self, int level) noexcept
    cdef void walk(self, int cell, int low) noexcept
    cdef void room_for_answers(self)
    cdef int next_mark(self)
