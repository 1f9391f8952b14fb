from ecs_collision.shapes.placed cimport PlacedPart


cdef int axis_separation(long long low, long long high, long long their_low, long long their_high) noexcept
cdef long long axis_gap(long long low, long long high, long long their_low, long long their_high) noexcept
cdef int compare_squares(long long x, long long y, long long z, long long length) noexcept
cpdef int separation(PlacedPart a, PlacedPart b) noexcept
cdef bint is_on_side(PlacedPart a, PlacedPart b, int axis, bint upward) noexcept
