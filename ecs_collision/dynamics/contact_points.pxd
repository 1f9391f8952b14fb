from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.shapes.overlap cimport PlacedPart


cdef class ContactPoints:
    cdef DynamicBodies bodies
    cdef bint flat
    # per body: the z at which it is flat
    cdef object planes
    cdef long long[::1] planes_view
    # per part: its core relative to the position, its radius, whether it is turned
    cdef object core, radius, turned
    cdef Py_ssize_t capacity
    cdef long long[::1] core_view
    cdef long long[::1] radius_view
    cdef signed char[::1] turned_view
    cdef PlacedPart part, other_part
    # how the second part is placed as seen from the first
    cdef long long[::1] up
    cdef long long[::1] down
    cdef long long[::1] offset
    cdef long long reach
    # the answer
    cdef readonly int axis, point_count
    cdef readonly double nx, ny, nz, depth, time
    cdef double[::1] levers

    cpdef void begin(self, DynamicBodies bodies)
    cdef long long height_of_plane(self, Py_ssize_t body, bint is_shaped) noexcept
    cdef bint is_flat(self, Py_ssize_t body) noexcept
    cdef bint are_near(self, Py_ssize_t a, Py_ssize_t part_a, Py_ssize_t b, Py_ssize_t part_b, long long beyond) noexcept
    cdef bint touch(self, Py_ssize_t a, Py_ssize_t part_a, Py_ssize_t b, Py_ssize_t part_b, double margin)
    cdef bint touch_near(self, Py_ssize_t a, Py_ssize_t part_a, Py_ssize_t b, Py_ssize_t part_b, double margin)
    cdef bint touch_boxes(self, double margin) noexcept
    cdef bint touch_round(self, double margin) noexcept
    cdef void least_depth(self) noexcept
    cdef void set_axis(self, int axis, bint upward, double depth) noexcept
    cdef bint meet(self, Py_ssize_t a, Py_ssize_t part_a, Py_ssize_t b, Py_ssize_t part_b, long long dx, long long dy, long long dz)
    cdef bint meet_boxes(self, long long dx, long long dy, long long dz) noexcept
    cdef bint meet_round(self, long long dx, long long dy, long long dz) noexcept
    cdef void find_points(self, Py_ssize_t part_a, Py_ssize_t part_b, double dx, double dy, double dz) noexcept
    cdef double gap_at(self, int axis, double by) noexcept
    cdef void set_levers(self, int begin, int end, int axis, double own, double other) noexcept
    cdef void place(self, PlacedPart part, Py_ssize_t body, Py_ssize_t number, long long grown)
    cdef bint hold_turned(self, Py_ssize_t part_a, Py_ssize_t part_b, double grown)
    cdef bint touch_turned(self, Py_ssize_t a, Py_ssize_t part_a, Py_ssize_t b, Py_ssize_t part_b, double margin)
    cdef bint meet_turned(self, Py_ssize_t a, Py_ssize_t part_a, Py_ssize_t b, Py_ssize_t part_b, long long dx, long long dy, long long dz)
