cdef class StepBodies:
    cdef readonly Py_ssize_t count, part_count
    cdef Py_ssize_t capacity, part_capacity
    cdef public bint flat, has_groups
    # per body; there is always room for one more, the bounds of the world
    cdef public long long[::1] entity, position
    cdef public int[::1] first_part, lead, following
    cdef public double[::1] remainder, angle, rotation, velocity, angular
    cdef public double[::1] inverse_mass, inverse_moment, moment_axes, centre
    cdef public double[::1] damping, gravity_scale, restitution, friction, rolling, slow
    # per body, computed
    cdef public double[::1] lever, reach, core, size, moved, turned
    cdef public signed char[::1] stale, sleeps, one_way, in_plane, is_ball
    # per part
    cdef public double[::1] parts, placed
    cdef double[::1] matrix

    cpdef void begin(self, bint flat)
    cpdef Py_ssize_t add(self, long long entity, long long x, long long y, long long z, double inverse_mass)
    cpdef void add_part(self, const double[::1] records, Py_ssize_t at)
    cdef bint is_dynamic(self, Py_ssize_t body) noexcept
    cdef void reserve(self, Py_ssize_t bodies)
    cdef void reserve_parts(self, Py_ssize_t parts)
    cpdef bint turns(self, Py_ssize_t body) noexcept
    cpdef void place(self)
    cdef double turning_speed(self, Py_ssize_t body) noexcept
    cdef bint is_upright(self, Py_ssize_t body) noexcept
    cdef void turn_vector(self, const double[::1] given, double[::1] out, Py_ssize_t at) noexcept
    cdef void turn_part(self, Py_ssize_t at) noexcept
    cdef void set_matrix(self, Py_ssize_t body) noexcept
    cdef void measure(self, Py_ssize_t body) noexcept
    cdef void match_members(self) noexcept
    cpdef void commit(self)
