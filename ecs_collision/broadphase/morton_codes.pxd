cdef long long spread2(long long number) noexcept
cdef long long spread3(long long number) noexcept
cdef long long spread2_by_table(long long number) noexcept
cdef long long spread3_by_table(long long number) noexcept
cdef long long compact2(long long code) noexcept
cdef long long compact3(long long code) noexcept
