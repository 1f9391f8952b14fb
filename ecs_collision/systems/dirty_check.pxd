cdef class DirtyCheck:
    cdef object _owner, _sentinel_kind, _world, _sentinel
    cdef dict _namespace
    cdef tuple _names
    cdef Py_ssize_t _marked_count
    cdef bint _is_unchanged(self, object owner)
