from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.morton_grid.cell_table cimport CellTable


cdef class CellMembership:
    cdef BoxPool boxes
    cdef readonly CellTable cells
    cdef Py_ssize_t room
    # per slot
    cdef object _corners
    cdef readonly signed char[::1] corners
    # per entry: slot * 8 + parities of the cell
    cdef object _entry_cell, _entry_next, _entry_prev
    cdef readonly int[::1] entry_cell
    cdef readonly int[::1] entry_next
    cdef readonly int[::1] entry_prev

    cdef int room_for_slots(self)
    cdef int clear(self)
    cdef Py_ssize_t enter(self, Py_ssize_t slot)
    cdef Py_ssize_t leave(self, Py_ssize_t slot)
    cdef Py_ssize_t follow(self, Py_ssize_t slot, long long dx, long long dy, long long dz)
    cdef int set_awake(self, Py_ssize_t slot, bint awake)
    cdef int link(self, Py_ssize_t slot, long long x, long long y, long long z)
    cdef int unlink(self, Py_ssize_t entry)
