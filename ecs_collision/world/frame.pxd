from ecs_collision.world.stats cimport Stats


cdef class Frame:
    cdef public long long number
    cdef readonly Stats stats
    cdef readonly bint quiet
    cdef public object _ways
    cdef object _displacements, _events, _log, _results
