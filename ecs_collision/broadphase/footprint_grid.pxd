from ecs_collision.broadphase.protocol cimport Index


cdef class FootprintGridIndex(Index):
    # the grid: the size of a cell, its lowest corner, its size in cells
    cdef readonly int cell_shift
    cdef readonly long long left, bottom, columns, rows
    # per cell: the first entry of its list
    cdef readonly object heads
    cdef int[::1] heads_view
    cdef readonly Py_ssize_t used_cell_count
    # per entry: 4 * slot + flags, next and previous entry of the cell, next entry of the box
    cdef readonly object entries
    cdef int[::1] entries_view
    cdef Py_ssize_t entry_capacity, entries_made
    cdef readonly Py_ssize_t entry_count
    cdef int first_free
    # per slot
    cdef readonly object lowest_cells, footprints, first_entries
    cdef int[::1] lowest_cells_view
    cdef int[::1] footprints_view
    cdef int[::1] first_entries_view
    cdef Py_ssize_t capacity
    # boxes that are in no cell
    cdef readonly object listed
    cdef int[::1] listed_view
    cdef readonly Py_ssize_t listed_count
    # footprints
    cdef readonly object table_rows, table, offsets
    cdef int[::1] table_rows_view
    cdef int[::1] table_view
    cdef int[::1] offsets_view
    cdef readonly Py_ssize_t offset_count
    cdef Py_ssize_t offset_capacity
    # result of locate: the cells that a box covers
    cdef long long lowest, width, height

    cpdef void set_flat(self, bint flat)
    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void enter_all(self)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void search(self)
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
    cdef void locate(self, Py_ssize_t slot) noexcept
    cdef void enter_located(self, int slot)
    cdef int make_footprint(self)
    cdef void reserve_entries(self, Py_ssize_t count)
    cdef void search_cell(self, Py_ssize_t cell, int low) noexcept
    cdef void pair_cells(self, bint awake_only)
    cdef void pair_listed(self, bint awake_only)
