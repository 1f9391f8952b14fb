from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.morton_grid.cell_table cimport CellTable


cdef class CellMembership:
    cdef BoxPool boxes
    cdef readonly CellTable cells
    cdef Py_ssize_t capacity
    # per slot
    cdef readonly object parities
    cdef signed char[::1] parities_view
    # per entry: slot * 8 + parities of the cell
    cdef readonly object entry_cell, entry_next, entry_prev
    cdef int[::1] entry_cell_view
    cdef int[::1] entry_next_view
    cdef int[::1] entry_prev_view

    cdef int reserve_slots(self)
    cdef int clear(self)
    cdef Py_ssize_t enter(self, Py_ssize_t slot)
    cdef Py_ssize_t leave(self, Py_ssize_t slot)
    cdef Py_ssize_t move(self, Py_ssize_t slot, long long dx, long long dy, long long dz)
    cdef int set_awake(self, Py_ssize_t slot, bint awake)
    cdef int link(self, Py_ssize_t slot, long long x, long long y, long long z)
    cdef int unlink(self, Py_ssize_t entry)
