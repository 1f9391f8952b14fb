from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.morton_grid.grid cimport Grid


cdef class BatchQuery:
    cdef Grid source
    # queries and hits
    cdef readonly object query_slots, hit_queries, hits
    cdef int[::1] query_slots_view
    cdef int[::1] hit_queries_view
    cdef int[::1] hits_view
    cdef Py_ssize_t hit_count, hit_capacity
    # lists of cells that are followed: query, next entry, and the axes on which a box must be in its lowest cell
    cdef object list_query, list_entry, list_mask
    cdef int[::1] list_query_view
    cdef int[::1] list_entry_view
    cdef signed char[::1] list_mask_view
    cdef Py_ssize_t list_count, list_capacity

    cdef void reserve_lists(self, Py_ssize_t capacity)
    cdef void reserve_hits(self, Py_ssize_t capacity)
    cpdef bint covers_few_cells(self, Py_ssize_t slot, int levels) noexcept
    cpdef Py_ssize_t find(self, Py_ssize_t count, Grid grid)
    cdef void add_own_lists(self, Py_ssize_t at, Py_ssize_t slot, Grid grid)
    cdef void add_level_lists(self, Py_ssize_t at, Py_ssize_t slot, Grid grid, int level)
    cdef void start_lists(self, Grid grid) noexcept
    cdef void follow_lists(self, Grid grid)
    cdef Py_ssize_t compare(self, Grid grid) noexcept
