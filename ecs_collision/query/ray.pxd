from ecs_collision.query.way cimport WayQuery


cdef class RayQuery(WayQuery):
    cdef const double[::1] origins_view
    cdef const double[::1] directions_view
    cdef const double[::1] limits_view

    cpdef bint read(self, object origin, object direction)
    cdef bint set_ray(self, double x, double y, double z, double dx, double dy, double dz) noexcept
    cdef void set_direction(self, double x, double y, double z) noexcept
    cpdef int set_units(self, tuple origin, tuple direction)
    cpdef double distance_of(self, long long when, long long step) noexcept
    cpdef object hit_of(self, long long when, long long step, int axis, int row, double distance)
    cpdef double find_first(self, double max_distance)
    cpdef list find_all(self, double max_distance)
    cpdef Py_ssize_t find_many(self, int dims, object origins, object directions, object limits, object entities, object distances)
    cdef void set_reach(self, double max_distance) noexcept
