from ecs_collision.kernels.cells cimport Cells


cdef class Boxes:
    cdef readonly Cells cells
    cdef readonly int bin_shift
    cdef readonly bint flat
    cdef readonly long long reach
    cdef readonly Py_ssize_t box_count
    cdef readonly Py_ssize_t slot_count
    cdef readonly Py_ssize_t capacity
    cdef public long long cell_changes
    # per slot
    cdef object _faces, _owner, _awake, _levels, _corners, _run_next
    cdef public long long[::1] faces
    cdef public int[::1] owner
    cdef readonly signed char[::1] awake
    cdef readonly signed char[::1] levels
    cdef readonly signed char[::1] corners
    cdef int[::1] run_next
    # per entry: slot * 8 + parity of the cell
    cdef object _entry_cell, _entry_next, _entry_prev
    cdef readonly int[::1] entry_cell
    cdef readonly int[::1] entry_next
    cdef readonly int[::1] entry_prev
    # per run length
    cdef object _run_heads
    cdef int[::1] run_heads
    # per level: sleeping boxes
    cdef object _asleep_counts
    cdef readonly int[::1] asleep_counts
    cdef readonly int asleep_bits

    cpdef int allot(self, int count)
    cpdef void place(self, int slot, int owner, bint awake, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef void lift(self, int first, int count)
    cpdef Py_ssize_t shift(self, int first, int count, long long dx, long long dy, long long dz)
    cpdef void set_awake(self, int first, int count, bint awake)
    cpdef void set_flat(self, bint flat)
    cpdef void sync(self)
    cdef void room_for_slots(self, Py_ssize_t count)
    cdef int level_for(self, Py_ssize_t slot) noexcept
    cdef Py_ssize_t enter(self, Py_ssize_t slot)
    cdef Py_ssize_t leave(self, Py_ssize_t slot)
    cdef int link(self, Py_ssize_t slot, long long x, long long y, long long z)
    cdef int unlink(self, Py_ssize_t entry)
    cdef int shift_box(self, Py_ssize_t slot, long long dx, long long dy, long long dz)
    cdef void count_asleep(self, int level, int change) noexcept
