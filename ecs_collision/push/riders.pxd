from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.broadphase.box_pool cimport BoxPool
from ecs_collision.push.displacements cimport Displacements
from ecs_collision.push.graph cimport PriorityQueue, PushGraph


cdef class Riders:
    cdef PushGraph graph
    cdef Displacements displacements
    cdef Columns columns
    cdef GroupLinks group_links
    cdef PriorityQueue queue
    # per row: the axis in which the numbers were set, flags, the search that came to it; displaced and wanted units
    cdef int[::1] stamps, states, visits
    cdef long long[::1] shifts, wanted
    # the carrier of each ride
    cdef int[::1] roots
    cdef int number, visit, axis, sign
    cdef long long most

    cdef void start(self, int axis, int sign, long long most)
    cdef void touch(self, int row)
    cdef void note(self, int row, long long by)
    cdef void find(self, int carrier, int member, int up)
    cdef int next(self)
    cdef void fill_queue(self)
    cdef long long front(self, int row)
    cdef long long left(self, int row) noexcept
    cdef long long shift(self, int row) noexcept
    cdef bint has_ridden(self, int row) noexcept
    cdef void ride(self, int row) noexcept
    cdef void stop(self, int row) noexcept
