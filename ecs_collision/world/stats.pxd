cdef class Stats:
    cdef public long long frame, bodies, awake, moved, bin_changes, cells, pairs_tested, static_searches, cells_visited
    cdef public long long cells_skipped, static_changes, expansions, simulated, impulses, resting
    cdef public bint timing
    cdef public dict phases

    cdef bint _has_work(self)
    cdef void _take(self, Stats running)
