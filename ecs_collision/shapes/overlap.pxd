from ecs_collision.shapes.bounds cimport Shape


cdef class PlacedPart:
    cdef readonly long long lox, loy, loz, hix, hiy, hiz, radius
    cdef readonly bint is_turned
    cdef readonly double m0, m1, m2, m3, m4, m5, m6, m7, m8

    cpdef void set_box(self, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz) noexcept
    cpdef void set_part(self, Shape shape, Py_ssize_t number, long long x, long long y, long long z) noexcept
    cpdef int surround(self, long long[::1] region)
    cpdef void shift(self, long long x, long long y, long long z) noexcept
    cdef void grow(self, long long by) noexcept


cdef int axis_separation(long long low, long long high, long long their_low, long long their_high) noexcept
cdef long long axis_gap(long long low, long long high, long long their_low, long long their_high) noexcept
cdef int compare_squares(long long x, long long y, long long z, long long length) noexcept
cpdef int separation(PlacedPart a, PlacedPart b) noexcept
cpdef bint nearly_touch(PlacedPart a, PlacedPart b) noexcept
cpdef int box_side(PlacedPart a, PlacedPart b, int dims) noexcept
cpdef long long box_depth(PlacedPart a, PlacedPart b, int side) noexcept
cdef bint is_on_side(PlacedPart a, PlacedPart b, int axis, bint upward) noexcept

cpdef double nearest_on_segment(double x, double y, double z, double ux, double uy, double uz, double hx, double hy, double hz) noexcept
cpdef double turned_gap(PlacedPart a, PlacedPart b) noexcept
cpdef bint turned_overlap(PlacedPart a, PlacedPart b) noexcept
cdef double turned_separation(PlacedPart a, PlacedPart b) noexcept
cdef bint bounds_overlap_on(PlacedPart a, PlacedPart b, int axis) noexcept
cpdef double turned_distance_to_point(PlacedPart a, long long x, long long y, long long z) noexcept
