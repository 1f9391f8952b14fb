from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.pair_log cimport PairLog


cpdef int end_reason(Columns columns, GroupLinks links, int kind, int reporter, int name, bint removed=*) noexcept


cdef class ContactStore:
    cdef Columns columns
    cdef GroupLinks links
    # per row, the tables, and the first unused one of each level
    cdef int[::1] tables, numbers, unused
    cdef Py_ssize_t used
    cdef readonly Py_ssize_t pair_count
    # pairs that began and that ended in this pass, and those of the row last asked for
    cdef int[::1] began, ended, found
    cdef readonly Py_ssize_t began_count, ended_count
    cdef int pass_number
    # its last bits where states have the number of an update
    cdef int number
    # former states since `mark`: reporter, other, state
    cdef int[::1] undo_log
    cdef Py_ssize_t undo_count

    cdef void reserve_rows(self)
    cdef void fetch(self, int row, bint is_near) noexcept
    cdef Py_ssize_t slot_of(self, Py_ssize_t table, int row) noexcept
    cdef Py_ssize_t home(self, int row, Py_ssize_t size) noexcept
    cdef Py_ssize_t find(self, int row, int other) noexcept
    cdef int state_of(self, int row, int other) noexcept
    cdef Py_ssize_t entry(self, int row, int other)
    cdef void keep_bits(self, int row, Py_ssize_t place, int bits) noexcept
    cdef void erase(self, int row, Py_ssize_t place) noexcept
    cdef Py_ssize_t new_table(self, int row, int level)
    cdef void free(self, Py_ssize_t table) noexcept
    cpdef int kind(self, int reporter, int other) noexcept
    cdef void add(self, int reporter, int other, int kind)
    cpdef void remove(self, int reporter, int other)
    cpdef void mark_seen(self, int reporter, int other)
    cdef bint is_unseen(self, int reporter, int other) noexcept
    cpdef void set_lingering(self, int reporter, int other)
    cdef Py_ssize_t find_of_row(self, int row)
    cpdef void mark(self)
    cdef void log_undo(self, int reporter, int other, int state)
    cdef void clear(self)
    cdef int begin_pass(self)
    cdef void add_ended(self, int reporter, int other)
    cdef void keep_ended(self, Py_ssize_t at, Py_ssize_t to) noexcept
    cdef void end_unseen(self, int row)
    cpdef list of_another_kind(self, DirtyRows changed)
    cpdef void log_began(self, PairLog entered, PairLog began, Overlaps overlaps)
    cpdef void log_moved(self, PairLog left, PairLog ended)
