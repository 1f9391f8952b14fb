from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.entry_list cimport EntryList
from ecs_collision.broadphase.protocol cimport Index


cdef class ZOrderSweepIndex(Index):
    cdef readonly EntryList entries
    # the cells of all boxes
    cdef long long live_count
    # for sorting pairs
    cdef object slot_starts, spare_pairs
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
    cdef int divide(self, bint flat)
    cpdef void set_flat(self, bint flat)
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
