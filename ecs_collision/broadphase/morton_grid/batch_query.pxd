from ecs_collision.broadphase.morton_grid.grid cimport Grid


cdef class BatchQuery:
    cdef Grid asker
    # who asks, and the answer
    cdef readonly object asking, who, near
    cdef int[::1] asking_view
    cdef int[::1] who_view
    cdef int[::1] near_view
    cdef Py_ssize_t found, found_room
    # lists of cells that are being walked: who asks, the next entry, and the axes on which a box must be in its lowest cell
    cdef object chain_who, chain_entry, chain_high
    cdef int[::1] chain_who_view
    cdef int[::1] chain_entry_view
    cdef signed char[::1] chain_high_view
    cdef Py_ssize_t chain_count, chain_room

    cdef void room_for_chains(self, Py_ssize_t room)
    cdef void room_for_found(self, Py_ssize_t room)
    cpdef bint few_cells(self, Py_ssize_t slot, int levels) noexcept
    cpdef Py_ssize_t find(self, Py_ssize_t count, Grid grid)
    cdef void chain_own(self, Py_ssize_t at, Py_ssize_t slot, Grid grid)
    cdef void chain_level(self, Py_ssize_t at, Py_ssize_t slot, Grid grid, int level)
    cdef void head_chains(self, Grid grid) noexcept
    cdef void walk_chains(self, Grid grid)
    cdef Py_ssize_t compare(self, Grid grid) noexcept
