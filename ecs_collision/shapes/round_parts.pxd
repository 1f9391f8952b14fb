from ecs_collision.shapes.overlap cimport PlacedPart


cpdef object round_entry(PlacedPart a, long long dx, long long dy, long long dz, PlacedPart b, double limit)
cpdef tuple touch(PlacedPart a, long long dx, long long dy, long long dz, PlacedPart b, long long when, long long step, bint is_inside)
