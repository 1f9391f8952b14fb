cdef int sort_pairs(long long[::1] keys, long long[::1] values, long long[::1] spare_keys, long long[::1] spare_values, Py_ssize_t count, int first_bit) except -1
