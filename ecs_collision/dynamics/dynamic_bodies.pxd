cdef class DynamicBodies:
    cdef readonly Py_ssize_t count, part_count
    cdef Py_ssize_t capacity, part_capacity
    cdef readonly list shapes
    # per body; the arrays have one item more than there are bodies, for the bounds of the world
    cdef readonly object entity, position, remainder, velocity, angular, turned, angle_left
    cdef readonly object inverse_mass, inverse_moment, restitution, friction
    cdef readonly object row, collides, one_way, first_part, at_rest, set_number, reach
    # per part
    cdef readonly object faces
    cdef long long[::1] entity_view
    cdef long long[::1] position_view
    cdef double[::1] remainder_view
    cdef double[::1] velocity_view
    cdef double[::1] angular_view
    cdef double[::1] turned_view
    cdef double[::1] angle_left_view
    cdef double[::1] inverse_mass_view
    cdef double[::1] inverse_moment_view
    cdef double[::1] restitution_view
    cdef double[::1] friction_view
    cdef int[::1] row_view
    cdef signed char[::1] collides_view, one_way_view
    cdef int[::1] first_part_view
    cdef signed char[::1] at_rest_view
    cdef int[::1] set_number_view
    cdef long long[::1] reach_view
    cdef long long[::1] faces_view

    cpdef void begin(self)
    cpdef Py_ssize_t add(self, long long entity, int row, bint collides, double inverse_mass, double inverse_moment, double restitution, double friction, object shape)
    cpdef void add_part(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz)
    cdef void reserve(self, Py_ssize_t bodies)
    cdef void reserve_parts(self, Py_ssize_t parts)
