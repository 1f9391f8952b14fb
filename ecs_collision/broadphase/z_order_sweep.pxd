from ecs_collision.broadphase.protocol cimport Index


cdef long long low_bits(int dimensions, int level) noexcept


cdef class EntryList:
    # sorted entries, dead ones included, and as much room for sorting
    cdef readonly long long[::1] codes, tags, spare_codes, spare_tags
    cdef readonly int[::1] contained_by
    cdef readonly Py_ssize_t count, dead_count
    # entries that are not merged yet, and how many of them each slot has
    cdef readonly long long[::1] tail_codes, tail_tags
    cdef readonly signed char[::1] tail_counts
    cdef readonly Py_ssize_t tail_count
    # since the last merge: entries added and removed, and entries of the tail scanned
    cdef long long changes, tail_work
    cdef readonly bint is_stale
    # the place where the last search ended
    cdef readonly Py_ssize_t place
    cdef readonly int dimensions
    # for sorting: where the entries of each digit begin
    cdef readonly int[::1] buckets

    cdef int clear(self, int dimensions)
    cdef void forget_tail(self) noexcept
    cdef int reserve_slots(self, Py_ssize_t capacity)
    cdef int reserve(self, Py_ssize_t count)
    cdef int reserve_tail(self, Py_ssize_t count)
    cdef int add(self, Py_ssize_t slot, long long code, long long tag)
    cdef void remove_from_tail(self, Py_ssize_t slot) noexcept
    cdef void remove(self, long long code, long long tag) noexcept
    cdef bint count_changes(self, long long cells) noexcept
    cdef void drop(self) noexcept
    cdef int limit_tail(self, Py_ssize_t slot)
    cdef int update(self)
    cdef void sort_all(self, Py_ssize_t count) noexcept
    cdef int merge(self)
    cdef void link(self) noexcept
    cdef void sort(self, long long* codes, long long* tags, Py_ssize_t count) noexcept
    cdef void sort_by(self, bint by_tag, long long differing, long long* codes, long long* tags, Py_ssize_t count) noexcept
    cdef void scatter(self, long long* codes, long long* tags, long long* keys, long long* to_codes, long long* to_tags, Py_ssize_t count, int shift) noexcept
    cdef Py_ssize_t first_from(self, long long code, long long tag, Py_ssize_t place) noexcept
    cdef Py_ssize_t end_of(self, long long last, Py_ssize_t place, Py_ssize_t end) noexcept
    cdef Py_ssize_t find(self, long long code, long long tag) noexcept
    cdef Py_ssize_t end_of_cell(self, Py_ssize_t place) noexcept
    cdef bint is_same_cell(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef long long last_code(self, Py_ssize_t at) noexcept


cdef class ZOrderSweepIndex(Index):
    cdef readonly EntryList entries
    # the cells of all boxes
    cdef readonly long long live_count
    # result of cover: the first cell on each axis, then the last one
    cdef readonly long long[::1] span
    # axes that are divided, and the bits of each in a code
    cdef readonly int dimensions
    cdef readonly long long x_bits, y_bits, z_bits
    # the bins that a query covers, and their spread bits
    cdef long long bin_x0, bin_y0, bin_z0, bin_x1, bin_y1, bin_z1
    cdef long long first_x, first_y, first_z, last_x, last_y, last_z

    cpdef void reset(self)
    cpdef void reserve(self)
    cdef long long cover(self, Py_ssize_t slot, long long dx, long long dy, long long dz) noexcept
    cdef long long code_of(self, long long x, long long y, long long z, int level) noexcept
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cdef int add_entries(self, Py_ssize_t slot, long long cells)
    cdef void remove_entries(self, Py_ssize_t slot, long long cells) noexcept
    cdef long long begins_before(self, long long x, long long y, long long z) noexcept
    cdef int sync(self)
    cdef int rebuild(self)
    cpdef void search(self)
    cdef void aim(self) noexcept
    cdef void search_cells(self) noexcept
    cdef void search_enclosing(self, long long code, Py_ssize_t at, long long offset_bits) noexcept
    cdef void search_run(self, long long code, int level, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef void scan_sorted(self, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef void scan(self, long long* codes, long long* tags, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef void pair_with(self, Index other)
    cdef bint has_same_cells(self, Index other) noexcept
    cdef int pair_own(self)
    cdef int pair_lists(self, ZOrderSweepIndex other)
    cdef int pair_with_contained(self, ZOrderSweepIndex few, Py_ssize_t entry, ZOrderSweepIndex many, Py_ssize_t at, Py_ssize_t end, bint swapped)
    cdef int pair_with_enclosing(self, ZOrderSweepIndex few, Py_ssize_t first, Py_ssize_t stop, ZOrderSweepIndex many, Py_ssize_t at, bint swapped)
    cdef long long axes_of(self, long long inside) noexcept
    cdef int try_pair(self, ZOrderSweepIndex few, Py_ssize_t slot, ZOrderSweepIndex many, Py_ssize_t near, bint swapped)
