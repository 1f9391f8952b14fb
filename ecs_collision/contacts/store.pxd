from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.pair_log cimport PairLog


cpdef int end_reason(Columns columns, GroupLinks links, int kind, int reporter, int name, bint removed=*) noexcept


cdef class ContactStore:
    cdef Columns columns
    cdef GroupLinks links
    # per pair
    cdef readonly object reporters, others, lingers, kinds
    cdef int[::1] reporters_view, others_view, lingers_view, kinds_view, seen
    # per side of a pair
    cdef int[::1] next, previous
    cdef Py_ssize_t capacity, used
    cdef int free
    cdef readonly Py_ssize_t pair_count
    # per row
    cdef int[::1] head
    # hash table of pairs
    cdef int[::1] slots
    cdef Py_ssize_t slot_count
    # contacts that began in this pass
    cdef readonly object began
    cdef int[::1] began_view
    cdef readonly Py_ssize_t began_count
    # contacts that ended in this pass
    cdef readonly object ended
    cdef int[::1] ended_view
    cdef readonly Py_ssize_t ended_count
    cdef int pass_number
    # former states since `mark`: reporter, other, kind, and 1 for lingering, 0 for not, -1 for no contact
    cdef int[::1] undo_log
    cdef Py_ssize_t undo_count

    cdef void reserve_rows(self)
    cdef void grow_pairs(self)
    cdef Py_ssize_t slot_of(self, int reporter, int other) noexcept
    cdef void insert(self, int pair) noexcept
    cdef void link(self, int side, int row) noexcept
    cdef void unlink(self, int side, int row) noexcept
    cdef void mark_seen(self, int reporter, int other)
    cdef int add(self, int reporter, int other, int kind)
    cpdef void remove(self, int pair)
    cpdef void set_lingering(self, int pair)
    cpdef void mark(self)
    cdef void log_undo(self, int reporter, int other, int kind, int lingered)
    cdef void clear(self)
    cdef int begin_pass(self)
    cdef void add_ended(self, int pair)
    cdef void end_unseen(self, int row)
    cpdef void log_began(self, PairLog entered, PairLog began, Overlaps overlaps)
    cpdef void log_moved(self, PairLog left, PairLog ended)
