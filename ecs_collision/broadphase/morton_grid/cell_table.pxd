from ecs_collision.broadphase.morton_grid.directory cimport Directory


cdef class CellTable:
    cdef readonly Directory directory
    cdef readonly Py_ssize_t cell_count
    # hash table
    cdef object _table_keys, _table_cells
    cdef long long[::1] table_keys
    cdef int[::1] table_cells
    cdef readonly Py_ssize_t mask
    cdef int shift
    # per cell
    cdef object _codes, _levels, _heads, _box_counts, _awake_counts, _spots, _marks
    cdef readonly long long[::1] codes
    cdef readonly int[::1] levels
    cdef readonly int[::1] heads
    cdef readonly int[::1] box_counts
    cdef readonly int[::1] awake_counts
    cdef int[::1] spots
    cdef int[::1] marks
    cdef readonly Py_ssize_t used
    cdef Py_ssize_t room
    cdef int free
    # cells with an awake box
    cdef object _awake_cells
    cdef readonly int[::1] awake_cells
    cdef readonly Py_ssize_t awake_cell_count

    cpdef int find(self, long long local, int level) noexcept
    cdef int enter(self, long long local, int level)
    cdef void forget(self, int cell)
    cdef void rouse(self, int cell) noexcept
    cdef void settle(self, int cell) noexcept
    cpdef void sync(self)
    cdef void clear(self)
    cdef void room_for_cells(self)
    cdef void enlarge_table(self)
    cdef void put(self, long long key, int cell) noexcept
