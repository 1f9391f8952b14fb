cpdef long long bin_of(long long face, int bin_shift) noexcept
