cpdef long long bin_of(long long face, int bin_shift) noexcept
cpdef long long hash_of(long long code, int shift) noexcept
