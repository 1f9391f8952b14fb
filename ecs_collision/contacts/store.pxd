from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.contacts.pair_log cimport PairLog


cdef class ContactStore:
    cdef Columns columns
    cdef GroupLinks links
    # per pair
    cdef readonly object triggers, others, lingers
    cdef object _seen, _next, _prev
    cdef int[::1] trigger
    cdef int[::1] other
    cdef int[::1] seen
    cdef int[::1] lingering
    cdef int[::1] next
    cdef int[::1] prev
    cdef Py_ssize_t room, used
    cdef int free
    cdef readonly Py_ssize_t pair_count
    # per row
    cdef object _head
    cdef int[::1] head
    # hash table of pairs
    cdef object _slots
    cdef int[::1] slots
    cdef Py_ssize_t slot_count
    # records made in this pass
    cdef readonly object begun
    cdef int[::1] began
    cdef readonly Py_ssize_t began_count
    cdef Py_ssize_t began_room
    # records that ended in this pass
    cdef readonly object finished
    cdef int[::1] ended
    cdef readonly Py_ssize_t ended_count
    cdef Py_ssize_t ended_room
    cdef int now
    # what records were since `mark`: trigger, other, and whether it lingered, -1 where there was none
    cdef object _past
    cdef int[::1] past
    cdef Py_ssize_t past_count, past_room

    cdef void room_for_rows(self)
    cdef void room_for_pairs(self)
    cdef void rehash(self)
    cdef Py_ssize_t slot_of(self, int trigger, int other) noexcept
    cdef void insert(self, int pair) noexcept
    cdef void link(self, int side, int row) noexcept
    cdef void unlink(self, int side, int row) noexcept
    cdef void see(self, int trigger, int other)
    cpdef void drop(self, int pair)
    cpdef void linger(self, int pair)
    cpdef void mark(self)
    cdef void log(self, int trigger, int other, int lingered)
    cdef void room_for_past(self)
    cdef void empty(self)
    cdef int begin_pass(self)
    cdef void note_ended(self, int pair)
    cdef void end_unseen(self, int row)
    cpdef void log_began(self, PairLog entered)
    cpdef void log_moved(self, PairLog left)
