cdef class Walk:
    cdef readonly dict known
    cdef readonly Py_ssize_t stride
    cdef dict _held, _slots, _numbers
    cdef list _free, _keys
    cdef object _kinds, _tags, _addresses
    cdef unsigned long long[::1] kind_at
    cdef unsigned char[::1] tags
    cdef unsigned long long[::1] addresses
    cdef list _changed(self, dict table)
    cdef bint _holds(self, object row, Py_ssize_t at)
    cdef bint _found(self, object row, Py_ssize_t at)
