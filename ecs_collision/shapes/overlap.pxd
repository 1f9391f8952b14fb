from ecs_collision.shapes.placed cimport PlacedPart


cdef int axis_separation(long long low, long long high, long long their_low, long long their_high) noexcept
cdef long long axis_gap(long long low, long long high, long long their_low, long long their_high) noexcept
cdef int compare_squares(long long x, long long y, long long z, long long length) noexcept
cpdef int separation(PlacedPart a, PlacedPart b) noexcept
cpdef int box_side(PlacedPart a, PlacedPart b, int dims) noexcept
cpdef long long box_depth(PlacedPart a, PlacedPart b, int side) noexcept
cdef bint is_on_side(PlacedPart a, PlacedPart b, int axis, bint upward) noexcept

cpdef double nearest_on_segment(double x, double y, double z, double ux, double uy, double uz, double hx, double hy, double hz) noexcept
cpdef double turned_gap(PlacedPart a, PlacedPart b) noexcept
cpdef bint turned_overlap(PlacedPart a, PlacedPart b) noexcept
cpdef double turned_distance_to_point(PlacedPart a, long long x, long long y, long long z) noexcept
