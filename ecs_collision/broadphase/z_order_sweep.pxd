from ecs_collision.broadphase.protocol cimport Index


cdef class ZOrderSweepIndex(Index):
    # entries, and as much room for sorting
    cdef readonly long long[::1] codes, tags, spare_codes, spare_tags
    cdef readonly Py_ssize_t count, dead_count
    # per slot
    cdef readonly signed char[::1] is_sorted
    # boxes without entries
    cdef readonly int[::1] new
    cdef readonly Py_ssize_t new_count
    # the cells of all boxes; the tests of new boxes since the last sort
    cdef readonly long long live_count
    cdef long long work
    # where the last search for an entry ended
    cdef Py_ssize_t last_place
    # axes that are divided
    cdef readonly int dimensions
    # the cells of a box, or the bins of a query: the first and the last one on each axis; the lowest corner of a query
    cdef long long x0, y0, z0, x1, y1, z1
    cdef long long low_x, low_y, low_z

    cpdef void reset(self)
    cpdef void reserve(self)
    cdef long long cover(self, Py_ssize_t slot) noexcept
    cpdef void enter(self, int slot)
    cdef void add_new(self, int slot) noexcept
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cdef int update(self) except -1
    cdef int merge(self) except -1
    cdef void write_new(self, long long[::1] codes, long long[::1] tags) noexcept
    cdef long long code_of(self, long long x, long long y, long long z, int level) noexcept
    cdef long long code_at(self, long long x, long long y, long long z, int level) noexcept
    cdef long long last_code(self, long long code, int level) noexcept
    cdef bint is_before(self, Py_ssize_t at, long long code, long long tag) noexcept
    cdef Py_ssize_t first_from(self, long long code, long long tag) noexcept
    cpdef void search(self)
    cdef void search_level(self, int level, bint with_contained) noexcept
    cdef void search_run(self, long long x, long long y, long long z, int level) noexcept
    cdef bint covers(self, long long x, long long y, long long z, int level) noexcept
    cdef bint meets(self, long long x, long long y, long long z, int level) noexcept
    cdef void try_entry(self, Py_ssize_t at) noexcept
    cdef void pair_with(self, Index other)
    cdef int pair_own(self) except -1
