cdef long long location(long long local, int level) noexcept
cpdef long long bin_of(long long face, int bin_shift) noexcept
