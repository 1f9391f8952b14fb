cpdef (double, double) sine_cosine(double angle) except *
cdef double rest_of(double angle, double quarters) noexcept


cdef class Turn:
    cdef readonly bint is_none
    cdef readonly double m0, m1, m2, m3, m4, m5, m6, m7, m8
    cpdef void set_rotation(self, rotation)
    cdef void set_quaternion(self, double x, double y, double z, double w) noexcept
    cdef void combine(self, Turn outer, const double[::1] inner, Py_ssize_t at) noexcept
    cdef void snap(self) noexcept
    cpdef bint is_axis_parallel(self) noexcept
    cdef long long outer_half(self, int axis, double x, double y, double z) noexcept
