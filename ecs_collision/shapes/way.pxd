from ecs_collision.shapes.overlap cimport PlacedPart


cpdef long long way_along(PlacedPart a, PlacedPart b, int axis, int sign, long long limit) noexcept
