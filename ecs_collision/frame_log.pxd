from ecs_collision.contacts.pair_log cimport PairLog
from ecs_collision.push.displacements cimport DisplacementLog


cdef class FrameLog:
    cdef public DisplacementLog displacement_log
    cdef public set woke, fell
    cdef public list crossed, overlapped, crossings, impacts, touches, bounces, sleep_changes
    cdef public PairLog left, entered, stayed, ended, began
    cdef public dict normals
    cdef public bint is_spent
    cpdef FrameLog renewed(self)
    cpdef tuple mark(self)
    cdef bint _has_others(self) except -1
