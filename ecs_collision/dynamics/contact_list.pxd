cdef class ContactList:
    cdef readonly Py_ssize_t count, lever_count
    cdef Py_ssize_t capacity, lever_capacity
    cdef object arrays
    # per contact: two bodies, their parts, the number of the point, the pair, the next contact of the pair
    cdef int[::1] first
    cdef int[::1] second
    cdef int[::1] first_part
    cdef int[::1] second_part
    cdef int[::1] point
    cdef int[::1] pair
    cdef int[::1] next
    # the axis of the normal or 3, whether the bodies were ahead of each other, the levers or -1, the layer
    cdef int[::1] axis
    cdef int[::1] ahead
    cdef int[::1] lever
    cdef int[::1] layer
    # how many contacts of the layer the bodies are in
    cdef int[::1] first_share
    cdef int[::1] second_share
    # the same counted by how much their normals are along each other's
    cdef double[::1] first_crowd
    cdef double[::1] second_crowd
    # the normal, the impulse across it, the impulse along it, the depth, the speed to which it closes a gap
    cdef double[::1] normal
    cdef double[::1] across
    cdef double[::1] along
    cdef double[::1] depth
    cdef double[::1] limit
    # the material, and how fast the bodies parted before they were solved
    cdef double[::1] friction
    cdef double[::1] restitution
    cdef double[::1] parting
    # twelve numbers: the levers, and their cross products with the normal
    cdef double[::1] levers

    cdef void clear(self) noexcept
    cdef Py_ssize_t add(self)
    cdef Py_ssize_t add_lever(self)
    cdef void grow(self, Py_ssize_t capacity)
    cdef void grow_levers(self, Py_ssize_t capacity)
