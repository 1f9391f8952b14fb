from ecs_collision.broadphase.morton_grid.directory cimport Directory


cdef class CellTable:
    cdef readonly Directory directory
    cdef readonly Py_ssize_t cell_count
    # hash table
    cdef object table_keys, table_cells
    cdef long long[::1] table_keys_view
    cdef int[::1] table_cells_view
    cdef readonly Py_ssize_t mask
    cdef int shift
    # per cell
    cdef readonly object codes, levels, heads, box_counts, awake_counts
    cdef object awake_places, marks
    cdef long long[::1] codes_view
    cdef int[::1] levels_view
    cdef int[::1] heads_view
    cdef int[::1] box_counts_view
    cdef int[::1] awake_counts_view
    cdef int[::1] awake_places_view
    cdef int[::1] marks_view
    cdef readonly Py_ssize_t used
    cdef Py_ssize_t capacity
    cdef int first_free
    # cells with an awake box
    cdef readonly object awake_cells
    cdef int[::1] awake_cells_view
    cdef readonly Py_ssize_t awake_cell_count

    cpdef int find(self, long long local, int level) noexcept
    cdef int find_or_add(self, long long local, int level)
    cdef void remove(self, int cell)
    cdef void note_awake(self, int cell) noexcept
    cdef void note_asleep(self, int cell) noexcept
    cpdef void sync(self)
    cdef void clear(self)
    cdef void reserve_cells(self)
    cdef void enlarge_table(self)
    cdef void put(self, long long key, int cell) noexcept
