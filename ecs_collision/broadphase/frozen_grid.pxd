from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.broadphase.protocol cimport Index


cdef class Axis:
    cdef long long least, greatest, extent, cells
    cdef int shift

    cdef void clear(self) noexcept
    cdef void add(self, long long least, long long greatest, long long extent) noexcept
    cdef long long divide(self, long long parts, long long larger) noexcept
    cdef long long first(self, long long low) noexcept
    cdef long long last(self, long long high) noexcept


cdef class GridLevel:
    cdef Axis x, y, z
    cdef long long count, begin, end
    cdef int size_levels, step
    cdef bint is_coarse

    cdef void clear(self) noexcept
    cdef void merge(self, GridLevel other) noexcept
    cdef long long divide(self, long long begin) noexcept
    cdef long long cell_of(self, long long x, long long y, long long z) noexcept


cdef class FrozenGrid:
    cdef readonly Index index
    cdef readonly bint is_current
    cdef readonly long long builds
    cdef readonly int left_out
    cdef bint flat
    cdef long long changes, queries
    cdef list levels, level_of, _by_size
    # per box, in order of cells
    cdef object words, slots
    cdef long long[::1] words_view
    cdef int[::1] slots_view
    # per slot of the index
    cdef object cells
    cdef int[::1] cells_view
    cdef Py_ssize_t capacity
    # per cell
    cdef object starts
    cdef int[::1] starts_view
    cdef Py_ssize_t cell_count
    # result
    cdef readonly object hits
    cdef int[::1] hits_view
    # the last region that was compared with words
    cdef long long own, signs

    cpdef int prepare(self, long long queries) except -1
    cpdef Py_ssize_t collect(self, long long inset, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) except -1
    cdef Py_ssize_t search(self, bint exactly, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) except -1
    cdef Py_ssize_t search_words(self, GridLevel level, Py_ssize_t count, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) noexcept
    cdef int build(self)
    cdef int reserve_boxes(self)
    cdef int measure(self)
    cdef int merge_levels(self)
    cdef int count_boxes(self)
    cdef int fill_cells(self)
