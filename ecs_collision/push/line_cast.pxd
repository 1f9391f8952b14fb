from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.query.cast cimport CastQuery
from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class Met:
    cdef readonly long long when, step
    cdef readonly int row
    cdef readonly tuple normal


cdef class LineCast:
    cdef object _bodies
    cdef Columns _columns
    cdef GroupLinks _links
    cdef BoxPool _boxes
    cdef OverlapQuery _query
    cdef CastQuery _cast
    cdef list _rows, _ignored
    # parts, and the filter classes that they meet, by filter class
    cdef dict _parts, _allowed
    # bounds of a part; faces of the whole and how far they may go, by axis
    cdef long long[::1] _bounds, _lows, _highs, _bound_lows, _bound_highs
    cdef long long _range_low, _range_high
    cdef bint _has_gone, _is_solid

    cpdef int begin(self, int row)
    cdef int _add_parts(self, int row)
    cdef int _add_extent(self, int row)
    cpdef object first(self, tuple way)
    cpdef object wall(self, tuple way)
    cdef int _overlapped(self, tuple by)
    cpdef int advance(self, tuple by)


cdef bint _is_before(Met a, long long entity, Met b, long long other)
cpdef bint is_earlier(Met a, Met b)
