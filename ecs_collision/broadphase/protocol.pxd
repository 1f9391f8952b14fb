from ecs_collision.broadphase.box_pool cimport BoxPool


cdef class Index:
    cdef readonly BoxPool boxes
    cdef public long long cell_changes
    cdef public long long cells_visited
    cdef readonly long long cells_skipped
    cdef readonly bint may_copy, is_stale
    # result of a query
    cdef readonly object hits
    cdef readonly int[::1] hits_view
    cdef readonly Py_ssize_t hit_count
    cdef Py_ssize_t hit_capacity
    # prepared queries, ten numbers for each; boxes that were gathered
    cdef long long[::1] kept
    cdef readonly int[::1] gathered
    # result of find_pairs
    cdef readonly object pairs
    cdef int[::1] pairs_view
    cdef readonly Py_ssize_t pair_count
    cdef Py_ssize_t pair_capacity
    # the query: a closed region, size levels (bits), and whether only sleeping boxes are hits
    cdef long long lox, loy, loz, hix, hiy, hiz
    cdef int levels
    cdef bint asleep_only
    # whether find_pairs leaves out pairs of two sleeping boxes
    cdef bint awake_only

    cpdef void clear(self)
    cpdef int allocate(self, int count)
    cpdef void place(self, int slot, int owner, bint awake, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef void remove(self, int first, int count)
    cpdef void shift(self, int first, int count, long long dx, long long dy, long long dz)
    cpdef void set_awake(self, int first, int count, bint awake)
    cpdef void set_flat(self, bint flat)
    cpdef void defer(self)
    cpdef void begin_pass(self)
    cpdef void end_pass(self)
    cpdef Py_ssize_t collect(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef void touch_home(self, Py_ssize_t slot) noexcept
    cpdef void prepare(self, Py_ssize_t number)
    cpdef Py_ssize_t gather(self, Py_ssize_t number, Py_ssize_t first) except -1
    cpdef Py_ssize_t collect_levels(self, int levels, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_asleep(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_inset(self, int levels, long long inset, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef Py_ssize_t query(self, int levels, bint asleep_only, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef Py_ssize_t collect_box(self, BoxPool boxes, Py_ssize_t slot)
    cdef void aim_at(self, BoxPool boxes, Py_ssize_t slot)
    cdef void reserve_hits(self)
    cdef void reserve_gathered(self, Py_ssize_t count)
    cpdef void begin_query(self, int levels, bint asleep_only, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef void offer(self, Py_ssize_t slot) noexcept
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
    cdef void offer_pair(self, Py_ssize_t slot, Index other, Py_ssize_t other_slot)
    cdef void reserve_pairs(self)
    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void set_awake_of(self, int slot, bint awake)
    cpdef void search(self)
    cdef void pair_with(self, Index other)
