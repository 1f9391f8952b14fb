from ecs_collision.broadphase.morton_grid.cell_table cimport CellTable
from ecs_collision.broadphase.morton_grid.box_pool cimport BoxPool


cdef class CellMembership(BoxPool):
    cdef readonly CellTable cells
    cdef readonly int bin_shift
    cdef readonly bint flat
    cdef readonly long long reach
    cdef public long long cell_changes
    cdef readonly long long changes
    # per level: sleeping boxes
    cdef object _asleep_counts
    cdef readonly int[::1] asleep_counts
    cdef readonly int asleep_bits

    cpdef void clear(self)
    cpdef void place(self, int slot, int owner, bint awake, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cpdef void lift(self, int first, int count)
    cpdef Py_ssize_t shift(self, int first, int count, long long dx, long long dy, long long dz)
    cpdef void set_awake(self, int first, int count, bint awake)
    cpdef void set_flat(self, bint flat)
    cpdef void sync(self)
    cdef int level_for(self, Py_ssize_t slot) noexcept
    cdef Py_ssize_t enter(self, Py_ssize_t slot)
    cdef Py_ssize_t leave(self, Py_ssize_t slot)
    cdef int link(self, Py_ssize_t slot, long long x, long long y, long long z)
    cdef int unlink(self, Py_ssize_t entry)
    cdef int shift_box(self, Py_ssize_t slot, long long dx, long long dy, long long dz)
    cdef void count_asleep(self, int level, int change) noexcept
