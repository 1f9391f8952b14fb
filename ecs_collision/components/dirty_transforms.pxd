from ecs_collision.access cimport Access


cdef long long rounded(double value) noexcept


cdef class DirtyTransforms:
    cdef object _world
    cdef readonly Access access
    cdef readonly object rows, indices, kinds, positions
    cdef readonly Py_ssize_t count, capacity
    cdef public long long step_number
    cdef public bint staged
    cdef public bint watched
    cdef int[::1] rows_view
    cdef int[::1] indices_view
    cdef signed char[::1] kinds_view
    cdef long long[::1] positions_view
    cpdef bint may_apply(self) noexcept
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef void add(self, int row, int kind)
    cpdef void remove(self, int row)
    cpdef void sort(self)
    cpdef void clear(self)
    cdef void set_position(self, int row, long long x, long long y, long long z) noexcept
