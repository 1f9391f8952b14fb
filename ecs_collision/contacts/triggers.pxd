from ecs_collision.bodies.columns cimport RowById
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.store cimport ContactStore
from ecs_collision.contacts.update cimport ContactUpdate


cdef class Triggers:
    cdef object _bodies, _holding
    cdef RowById _row_of
    cdef Index _dynamic
    cdef set _stay_rows, _moving_rows
    cdef readonly object sweeps
    cdef readonly ContactStore contacts
    cdef readonly Overlaps overlaps
    cdef readonly ContactUpdate update
    cdef readonly DirtyRows dirty_rows
    cdef readonly dict _until, _ending
    cdef readonly long long full_passes, version

    cpdef object mark(self)
    cpdef bint has_work(self, long long frame) except -1
    cpdef bint forget_changes(self, long long frame) except -1
    cdef void _forget_all(self)
    cdef bint _has_reporters(self) except -1
    cpdef void find_contacts(self, long long frame, object record)
    cdef bint _find_changes(self, object record, dict touches) except -1
    cpdef bint pays_full_pass(self, long long count) except -1
    cdef void _log_changes(self, long long frame, object record)
