from ecs_collision.access cimport Access


cdef long long rounded(double value) noexcept


cdef class DirtyTransforms:
    cdef object _world
    cdef readonly Access access
    cdef readonly object rows, records
    cdef readonly Py_ssize_t count, capacity
    cdef public long long step_number
    cdef public bint staged
    cdef public bint watched
    cdef int[::1] rows_view
    cdef long long[::1] records_view
    cpdef bint may_apply(self) noexcept
    cpdef void grow(self, Py_ssize_t capacity)
    cpdef void add(self, int row, int kind) noexcept
    cpdef void remove(self, int row) noexcept
    cpdef void relist(self, rows)
    cpdef void clear(self) noexcept
    cpdef int kind_of(self, int row) noexcept
    cdef void set_position(self, int row, long long x, long long y, long long z) noexcept
    cdef void write(self, int row, long long x, long long y, long long z) noexcept
