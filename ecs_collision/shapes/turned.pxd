from ecs_collision.shapes.placed cimport PlacedPart


cpdef double nearest_on_segment(double x, double y, double z, double ux, double uy, double uz, double hx, double hy, double hz) noexcept
cpdef double turned_gap(PlacedPart a, PlacedPart b) noexcept
cpdef bint turned_overlap(PlacedPart a, PlacedPart b) noexcept
cpdef double turned_distance_to_point(PlacedPart a, long long x, long long y, long long z) noexcept
cpdef tuple offset_from_core(PlacedPart a, long long x, long long y, long long z)
