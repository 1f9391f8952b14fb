from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index


cdef long long packed(long long x, long long y, long long z, long long not_x, long long not_y, long long not_z, int step) noexcept
cdef int matches_of(long long* items, Py_ssize_t bucket, long long own, long long signs, int head) noexcept
cdef long long signs_of(long long low, long long high, int step) noexcept


cdef class BucketIndex(Index):
    # per bucket: five words, then as halves five slots and 8 * the next bucket of its chain + its number of entries
    cdef readonly long long[::1] items
    # the table: its length - 1, and how far apart in it neighbours on y and z are
    cdef readonly long long mask, row, plane
    # slots there is room for
    cdef Py_ssize_t capacity
    # buckets of the table and of chains; those with boxes; the first free one of chains, 0 for none
    cdef readonly Py_ssize_t bucket_count, used_count, first_free
    # during a full pass with sleepers, per bucket: whether it was visited
    cdef signed char[::1] marks
    cdef bint marking
    # per band: the longest side of a box since the buckets were emptied
    cdef long long[::1] longest
    # searches since the buckets are stale
    cdef int scans
    # what a region covers of a band: its first and last cells; the word that others agree with, and the signs that tell
    cdef long long x0, y0, z0, x1, y1, z1, own, signs
    # whether the cells of a region that may be gathered are at different places
    cdef bint is_distinct

    cpdef void defer(self)
    cdef void rebuild(self)
    cpdef void begin_pass(self)
    cpdef void end_pass(self)
    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void search(self)
    cdef void scan(self) noexcept
    cpdef Py_ssize_t bucket_of(self, Py_ssize_t slot) noexcept
    cdef long long word_of(self, Py_ssize_t slot) noexcept
    cdef int head_of(self, Py_ssize_t bucket) noexcept
    cdef void set_head(self, Py_ssize_t bucket, long long head) noexcept
    cdef Py_ssize_t slot_at(self, Py_ssize_t place) noexcept
    cdef void write(self, Py_ssize_t place, long long word, long long slot) noexcept
    cdef void put(self, Py_ssize_t slot, Py_ssize_t first) noexcept
    cdef void take(self, Py_ssize_t slot, Py_ssize_t first) noexcept
    cpdef void prepare(self, Py_ssize_t number)
    cdef void keep_cells(self, Py_ssize_t at, int band) noexcept
    cpdef Py_ssize_t gather(self, Py_ssize_t number, Py_ssize_t first) except -1
    cpdef void touch_home(self, Py_ssize_t slot) noexcept
    cdef bint has_distinct_neighbours(self) noexcept
    cdef long long cover(self, int band, int levels) noexcept
    cdef bint search_band(self, int band) noexcept
