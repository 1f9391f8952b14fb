from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.push.graph cimport PushGraph
from ecs_collision.push.line_cast cimport LineCast, Met, is_earlier
from ecs_collision.push.planner cimport MotionPlanner


cdef class LineMotions:
    cdef object _bodies, _host
    cdef Columns _columns
    cdef GroupLinks _links
    cdef MotionPlanner _planner
    cdef PushGraph _graph
    cdef LineCast _cast
    cdef bint _has_hook, _block_deeper
    # the motion: its row, the responses of its Mover, and those found so far by row
    cdef int _row
    cdef object _default
    cdef dict _by_layer, _answers
    cdef list _walked
    cdef double _restitution
