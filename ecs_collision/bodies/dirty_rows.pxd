from ecs_collision.bodies.columns cimport Columns


cdef class DirtyRows:
    cdef readonly object rows, indices, altered, disturbed, saved_rows, saved, noted_rows, note_indices, notes
    cdef readonly object stirred_rows, stirred
    cdef readonly dict saved_forms
    cdef public list sleep_undo
    cdef readonly Py_ssize_t count, capacity, saved_count, noted_count, stirred_count
    cdef public bint all_stirred
    cdef readonly bint is_noting, is_stirring
    cdef int[::1] stirred_rows_view
    cdef signed char[::1] stirred_view
    cdef int[::1] rows_view
    cdef int[:] indices_view
    cdef signed char[::1] altered_view
    cdef long long[:] disturbed_view
    cdef int[::1] saved_rows_view
    cdef long long[::1] saved_view
    cdef int[::1] noted_rows_view
    cdef int[::1] note_indices_view
    cdef signed char[::1] notes_view
    cpdef void grow(self, object records)
    cpdef void start_noting(self)
    cpdef void start_stirring(self)
    cpdef void add(self, int row, bint altered) noexcept
    cpdef void note(self, int row, int note) noexcept
    cpdef void clear_notes(self)
    cdef void stir(self, int row) noexcept
    cpdef void clear_stirred(self)
    cpdef void remove(self, int row)
    cpdef void clear(self)
    cpdef void reset(self)
    cpdef void start_undo(self)
    cpdef void reserve_undo(self, Py_ssize_t count)
    cdef void save(self, int row, Columns columns) noexcept
