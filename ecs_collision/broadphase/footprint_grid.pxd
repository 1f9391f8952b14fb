from ecs_collision.broadphase.protocol cimport Index


cdef class FootprintGridIndex(Index):
    # the grid: the size of a cell, its lowest corner, its size in cells
    cdef readonly int cell_shift
    cdef readonly long long left, bottom, columns, rows
    # per cell: the first entry of its list
    cdef readonly int[::1] heads
    cdef readonly Py_ssize_t used_cell_count
    # per entry: 4 * slot + flags, next and previous entry of the cell, next entry of the box
    cdef readonly int[::1] entries
    cdef readonly Py_ssize_t entries_made, entry_count
    cdef readonly int first_free
    # per slot
    cdef readonly int[::1] lowest_cells, footprints, first_entries
    # boxes that are in no cell
    cdef readonly int[::1] listed
    cdef readonly Py_ssize_t listed_count
    # footprints
    cdef readonly int[::1] table_rows, table, offsets
    cdef readonly Py_ssize_t offset_count
    # result of locate: the cells that a box covers
    cdef long long lowest, width, height

    cpdef void reset(self)
    cpdef void reserve(self)
    cpdef void enter(self, int slot)
    cpdef void leave(self, int slot)
    cpdef void move(self, int slot, long long dx, long long dy, long long dz)
    cpdef void search(self)
    cdef void pair_with(self, Index other)
    cdef void locate(self, Py_ssize_t slot) noexcept
    cdef void enter_located(self, int slot)
    cdef int make_footprint(self)
    cdef void search_cell(self, Py_ssize_t cell, int low) noexcept
    cdef void pair_cells(self)
    cdef void pair_listed(self)
