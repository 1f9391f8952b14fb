from ecs_collision.broadphase.frozen_grid cimport FrozenGrid
from ecs_collision.broadphase.morton_grid.cell_membership cimport CellMembership
from ecs_collision.broadphase.morton_grid.cell_table cimport CellTable
from ecs_collision.broadphase.protocol cimport Index


cdef class Grid(Index):
    cdef readonly CellMembership membership
    cdef readonly CellTable cells
    # the bins that the region of the query covers
    cdef long long x0, y0, z0, x1, y1, z1
    cdef bint marking
    cdef int mark
    cdef Py_ssize_t marked

    cpdef void clear(self)
    cpdef int allocate(self, int count)
    cpdef void place(self, int slot, int owner, bint awake, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef void remove(self, int first, int count)
    cpdef void shift(self, int first, int count, long long dx, long long dy, long long dz)
    cpdef void set_awake(self, int first, int count, bint awake)
    cpdef void set_flat(self, bint flat)
    cpdef void begin_pass(self)
    cpdef void end_pass(self)
    cpdef Py_ssize_t collect(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_levels(self, int levels, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_asleep(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef Py_ssize_t collect_inset(self, int levels, long long inset, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef void set_region(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) noexcept
    cdef int search_levels(self, int levels)
    cdef void search_level(self, int level) noexcept
    cdef void search_cell(self, int cell, int low) noexcept
    cpdef Py_ssize_t find_pairs(self, Index other, bint awake_only)
