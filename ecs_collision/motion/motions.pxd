from ecs_collision.kernels.changed cimport Changed
from ecs_collision.kernels.columns cimport Columns
from ecs_collision.kernels.course cimport Course
from ecs_collision.kernels.displacements cimport Displacements
from ecs_collision.kernels.trail cimport Trail
from ecs_collision.motion.orders cimport Order, Orders
from ecs_collision.results cimport MoveResult


cdef class Motions:
    cdef object _bodies, _watch
    cdef object _left
    cdef bint _followed, _woke, _begun
    cdef tuple _axes
    cdef Columns _columns
    cdef Changed _changed
    cdef Course _course
    cdef Displacements _displacements
    cdef public Trail trail
    cdef public long long frame
    cdef readonly long long commits
    cdef readonly Orders orders

    cdef int _plan(self, Order order, int only) except? -1
    cdef int _ask(self, double force) except? -2
    cdef MoveResult _result(self, Order order)
    cdef int _commit(self, Order order) except? -1
    cdef MoveResult _make(self, Order order, int only, bint framed)
    cdef int _abandon(self) except? -1
    cdef int _drop_remainders(self, object motion) except? -1
    cdef int _make_part(self, Order order, int only) except? -1
    cpdef MoveResult perform(self, Order order)
    cpdef MoveResult preview(self, Order order)
