cdef class Watch:
    cdef object _owner, _beacon_kind, _world, _beacon
    cdef dict _namespace
    cdef tuple _names
    cdef Py_ssize_t _marked_count
    cdef bint _is_still(self, object owner)
