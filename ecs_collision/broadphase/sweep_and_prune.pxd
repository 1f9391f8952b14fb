from ecs_collision.broadphase.protocol cimport Index


cdef class SweepAndPruneIndex(Index):
    # the axis of the options, the one in use, and another one
    cdef readonly int axis
    cdef readonly int sweep_axis, cross_axis
    # per record: low and high on the axis of the sweep, low and high on the other, slot; sorted by low and slot
    cdef readonly long long[::1] records
    cdef readonly Py_ssize_t record_count, gap_count
    # per block of records, level by level: the greatest high; per level: its first block
    cdef readonly long long[::1] greatest, starts
    cdef readonly int block_levels
    # per slot: what the index knows of it
    cdef readonly signed char[::1] states
    # slots: boxes without a record, boxes whose record is out of date
    cdef readonly int[::1] new, moved
    cdef readonly Py_ssize_t new_count, moved_count
    # records that others may still pass before all boxes are sorted again
    cdef Py_ssize_t passes_left
    cdef readonly long long records_tested

    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void search(self)
    cdef void pair_with(self, Index other)
    cdef void choose_axes(self) noexcept
    cdef void add_new(self, Py_ssize_t slot) noexcept
    cdef void make_gap(self, Py_ssize_t at) noexcept
    cdef int update(self) except -1
    cdef int rebuild(self) except -1
    cdef void write(self, Py_ssize_t at, Py_ssize_t slot) noexcept
    cdef void copy(self, Py_ssize_t source, Py_ssize_t target) noexcept
    cdef bint is_before(self, long long low, long long slot, Py_ssize_t at) noexcept
    cdef void settle(self, Py_ssize_t at, Py_ssize_t slot) noexcept
    cdef void measure_blocks(self, Py_ssize_t first, Py_ssize_t last) noexcept
    cdef Py_ssize_t count_to(self, long long face) noexcept
    cdef void pair_own(self)
