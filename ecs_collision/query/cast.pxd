from ecs_collision.bodies.columns cimport Columns
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.query.ray cimport WayQuery
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class CastQuery(WayQuery):
    cdef list movers
    cdef bint is_box
    # the row that moves, -1 for a part
    cdef Py_ssize_t moving_row
    # the normal of the part that was compared last, if one of the two is turned
    cdef object entry_normal
    # what was met first: the part that moves, the box that is met, the normal as above
    cdef PlacedPart met_by
    cdef Py_ssize_t met_slot
    cdef object met_normal

    cpdef bint read(self, object given)
    cpdef bint read_row(self, Py_ssize_t row)
    cpdef int set_way(self, list movers, tuple displacement, Py_ssize_t moving_row)
    cpdef object first(self)
    cpdef list find_on_the_way(self)
    cdef int move(self, list found) except -1
    cdef bint overlaps_any(self, Py_ssize_t row, Py_ssize_t slot)
    cdef object hit(self)
    cdef tuple contact(self, PlacedPart mover, Py_ssize_t row, Py_ssize_t slot, long long when, long long step, object normal)
    cdef double distance(self, double fraction)
