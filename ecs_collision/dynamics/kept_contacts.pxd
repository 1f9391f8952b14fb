cdef class KeptContacts:
    cdef readonly Py_ssize_t count
    # per contact: two ids, two parts, the number of the point, the normal impulse, the impulse across it
    cdef readonly object first, second, first_part, second_part, point, normal, across
    cdef long long[::1] first_view
    cdef long long[::1] second_view
    cdef int[::1] first_part_view
    cdef int[::1] second_part_view
    cdef int[::1] point_view
    cdef double[::1] normal_view
    cdef double[::1] across_view

    cdef void allocate(self, Py_ssize_t capacity)
    cdef void add(self, long long first, long long second, int first_part, int second_part, int point, double normal, double x, double y, double z) noexcept
    cdef void add_as(self, long long first, long long second, KeptContacts other, Py_ssize_t at) noexcept
    cdef void add_of(self, KeptContacts other, Py_ssize_t at) noexcept
    cdef int order(self, Py_ssize_t at, KeptContacts other, Py_ssize_t other_at) noexcept
    cdef bint is_same(self, Py_ssize_t at, KeptContacts other, Py_ssize_t other_at) noexcept
    cpdef void take(self, KeptContacts other)
