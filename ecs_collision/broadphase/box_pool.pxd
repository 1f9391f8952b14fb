cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
        #define ecs_prefetch(address) __builtin_prefetch(address)
    #else
        #define ecs_prefetch(address) ((void)(address))
    #endif
    """
    void prefetch "ecs_prefetch"(const void* address) noexcept


cdef class BoxPool:
    cdef readonly int bin_shift
    cdef readonly long long limit
    cdef readonly bint flat
    cdef readonly Py_ssize_t box_count
    cdef readonly Py_ssize_t slot_count
    cdef readonly Py_ssize_t capacity
    cdef readonly long long changes
    cdef readonly Py_ssize_t log_size
    cdef int[::1] log_view
    # per slot, all in one record: eight items of `faces`
    cdef readonly object faces, owner, places, levels, awake, marks
    cdef long long[::1] faces_view
    cdef int[:] owner_view
    cdef int[:] places_view
    cdef int[:] run_next_view
    cdef signed char[:] levels_view
    cdef signed char[:] awake_view
    cdef signed char[:] marks_view
    # per run length
    cdef object run_heads
    cdef int[::1] run_heads_view
    # per level: boxes, sleeping boxes
    cdef readonly object level_counts, asleep_counts
    cdef int[::1] level_counts_view
    cdef int[::1] asleep_counts_view
    cdef readonly int level_bits
    cdef readonly int asleep_bits
    # result of next_hull, then the longest side of one of its boxes on each axis
    cdef object hull
    cdef long long[::1] hull_view

    cdef int reserve_slots(self, Py_ssize_t count)
    cpdef int clear(self)
    cdef int watch(self)
    cdef void note(self, Py_ssize_t slot) noexcept
    cpdef int allocate(self, int count)
    cpdef int release(self, int first, int count)
    cdef int level_for(self, Py_ssize_t slot) noexcept
    cdef void count_box(self, Py_ssize_t slot, int change) noexcept
    cdef void count_asleep(self, int level, int change) noexcept
    cpdef int validate(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef int put(self, int slot, int owner, bint awake, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef int remove(self, int slot)
    cpdef int shift(self, int slot, long long dx, long long dy, long long dz)
    cdef void displace(self, int slot, long long dx, long long dy, long long dz) noexcept
    cpdef int set_awake(self, int slot, bint awake)
    cpdef int set_flat(self, bint flat)
    cdef Py_ssize_t next_hull(self, Py_ssize_t first, Py_ssize_t end) noexcept
