from ecs_collision.dynamics.manifolds cimport Manifold
from ecs_collision.dynamics.step_contacts cimport StepContacts
from ecs_collision.shapes.bounds cimport Shape
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class Landing:
    cdef readonly Py_ssize_t capacity
    cdef readonly list shapes, old_shapes
    # per body: three numbers of a position, six of bounds
    cdef public object position, old_position, bounds, old_bounds, weight, size, flat, held, one_way
    cdef public object following
    cdef public int[::1] following_view
    cdef public long long[::1] position_view, old_position_view, bounds_view, old_bounds_view
    cdef public double[::1] weight_view, size_view
    cdef public signed char[::1] flat_view, held_view, one_way_view
    cdef long long farthest, low_x, low_y, low_z, high_x, high_y, high_z
    # parts of the pair at hand, and the vector by which one of them has to move
    cdef PlacedPart a, b
    cdef Manifold manifold
    cdef public StepContacts contacts
    cdef double[::1] records, normal
    cdef public double[::1] velocity, angular
    cdef double depth, nx, ny, nz
    # when a body moved last, and when a pair was found apart
    cdef long long clock
    cdef long long[::1] moved_at, apart_at

    cpdef void set_turned(self, Py_ssize_t body, Shape shape)
    cpdef Py_ssize_t land(self, Py_ssize_t count, const int[::1] first, const int[::1] second, Py_ssize_t pair_count)
    cdef bint may_be_new(self, Py_ssize_t pair, int a, int b)
    cdef bint is_new(self, int a, int b)
    cdef bint overlap(self, int a, int b, long long[::1] place, object shapes)
    cdef bint push(self, int a, int b)
    cdef void measure(self, bint flat) noexcept
    cdef void record(self, PlacedPart part, Py_ssize_t at) noexcept
    cdef void displace(self, int body, double share) noexcept
    cpdef void shift(self, int body, int axis, long long by) noexcept
    cdef void keep_inside(self, int body) noexcept
    cdef void slow_down(self, int body, double by) noexcept
    cdef void stop(self, int a, int b)
    cdef int hold(self, int body)
