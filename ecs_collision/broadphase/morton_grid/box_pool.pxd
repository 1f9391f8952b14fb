cdef class BoxPool:
    cdef readonly Py_ssize_t box_count
    cdef readonly Py_ssize_t slot_count
    cdef readonly Py_ssize_t capacity
    # per slot
    cdef object _faces, _owner, _awake, _levels, _corners, _run_next
    cdef readonly long long[::1] faces
    cdef readonly int[::1] owner
    cdef readonly signed char[::1] awake
    cdef readonly signed char[::1] levels
    cdef readonly signed char[::1] corners
    cdef int[::1] run_next
    # per entry: slot * 8 + parities of the cell
    cdef object _entry_cell, _entry_next, _entry_prev
    cdef readonly int[::1] entry_cell
    cdef readonly int[::1] entry_next
    cdef readonly int[::1] entry_prev
    # per run length
    cdef object _run_heads
    cdef int[::1] run_heads
    # the hull of the boxes last taken together, and the longest side of one of them on each axis
    cdef object _span
    cdef long long[::1] span

    cdef Py_ssize_t together(self, Py_ssize_t first, Py_ssize_t end) noexcept
    cdef void empty(self)
    cpdef int allot(self, int count)
    cdef void room_for_slots(self, Py_ssize_t count)
    cdef int release(self, int first, int count)
