from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index


cdef class ZOrderSweepIndex(Index):
    # sorted entries, dead ones included, and as much room for sorting
    cdef readonly object codes, tags, contained_by
    cdef object spare_codes, spare_tags
    cdef long long[::1] codes_view
    cdef long long[::1] tags_view
    cdef int[::1] contained_by_view
    cdef long long[::1] spare_codes_view
    cdef long long[::1] spare_tags_view
    cdef Py_ssize_t capacity
    cdef readonly Py_ssize_t entry_count
    cdef readonly Py_ssize_t dead_count
    # entries that are not merged yet, and how many of them each slot has
    cdef readonly object tail_codes, tail_tags, tail_counts
    cdef long long[::1] tail_codes_view
    cdef long long[::1] tail_tags_view
    cdef signed char[::1] tail_counts_view
    cdef Py_ssize_t tail_capacity
    cdef Py_ssize_t slot_capacity
    cdef readonly Py_ssize_t tail_count
    # all live entries; those added and removed since the last merge, and those of the tail scanned since
    cdef long long live_count
    cdef long long changes
    cdef long long tail_work
    cdef readonly bint is_stale
    # the place where the last search ended
    cdef Py_ssize_t place_of_last
    # for sorting
    cdef object buckets, slot_starts, spare_pairs
    cdef int[::1] buckets_view
    cdef int[::1] slot_starts_view
    cdef int[::1] spare_pairs_view
    # result of cover: the first cell on each axis, then the last one
    cdef object span
    cdef long long[::1] span_view
    # axes that are divided, and the bits of each in a code
    cdef int dimensions
    cdef long long x_bits, y_bits, z_bits
    # the bins that a query covers, and their spread bits
    cdef long long bin_x0, bin_y0, bin_z0, bin_x1, bin_y1, bin_z1
    cdef long long first_x, first_y, first_z, last_x, last_y, last_z

    cpdef void reset(self)
    cdef void divide(self, bint flat) noexcept
    cpdef void set_flat(self, bint flat)
    cpdef void reserve(self)
    cdef int reserve_entries(self, Py_ssize_t count)
    cdef int reserve_tail(self, Py_ssize_t count)
    cdef long long cover(self, Py_ssize_t slot, long long dx, long long dy, long long dz) noexcept
    cdef long long code_of(self, long long x, long long y, long long z, int level) noexcept
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cdef int limit_tail(self, Py_ssize_t slot)
    cdef bint count_changes(self, long long cells) noexcept
    cdef void drop(self) noexcept
    cdef int add_entries(self, Py_ssize_t slot, long long cells)
    cdef void remove_entries(self, Py_ssize_t slot, long long cells) noexcept
    cdef Py_ssize_t first_from(self, long long code, long long tag, Py_ssize_t place) noexcept
    cdef Py_ssize_t end_of(self, long long last, Py_ssize_t place, Py_ssize_t end) noexcept
    cdef bint is_same_cell(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef long long last_code(self, Py_ssize_t at) noexcept
    cdef Py_ssize_t end_of_cell(self, Py_ssize_t place) noexcept
    cdef Py_ssize_t find(self, long long code, long long tag) noexcept
    cdef int update(self, Py_ssize_t scanned)
    cdef int sync(self)
    cdef int rebuild(self)
    cdef int merge(self)
    cdef void finish(self) noexcept
    cdef void sort(self, long long* codes, long long* tags, Py_ssize_t count) noexcept
    cdef void sort_by(self, bint by_tag, long long differing, long long* codes, long long* tags, Py_ssize_t count) noexcept
    cdef void scatter(self, long long* codes, long long* tags, long long* keys, long long* to_codes, long long* to_tags, Py_ssize_t count, int shift) noexcept
    cpdef void search(self)
    cdef void aim(self) noexcept
    cdef void search_cells(self) noexcept
    cdef void search_enclosing(self, long long code, Py_ssize_t at, long long offset_bits) noexcept
    cdef void search_run(self, long long code, int level, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef void scan_sorted(self, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef void scan(self, long long* codes, long long* tags, Py_ssize_t at, Py_ssize_t end) noexcept
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
    cdef bint has_same_cells(self, Index other) noexcept
    cdef int find_own_pairs(self, bint awake_only)
    cdef int find_pairs_with(self, ZOrderSweepIndex other, bint awake_only)
    cdef int pair_with_contained(self, ZOrderSweepIndex few, Py_ssize_t entry, ZOrderSweepIndex many, Py_ssize_t at, Py_ssize_t end, bint awake_only, bint swapped)
    cdef int pair_with_enclosing(self, ZOrderSweepIndex few, Py_ssize_t first, Py_ssize_t stop, ZOrderSweepIndex many, Py_ssize_t at, bint awake_only, bint swapped)
    cdef long long axes_of(self, long long inside) noexcept
    cdef int aim_at(self, BoxPool boxes, Py_ssize_t slot)
    cdef int try_pair(self, ZOrderSweepIndex few, Py_ssize_t slot, ZOrderSweepIndex many, Py_ssize_t near, bint awake_only, bint swapped)
    cdef int sort_pairs(self, Py_ssize_t slots)
    cdef void order_pairs(self, int* pairs, int* ordered, int side, Py_ssize_t slots) noexcept
