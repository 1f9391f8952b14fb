cdef class Access:
    cdef long long _thread
    cdef public Py_ssize_t depth
    cdef public bint in_delivery, in_frame, in_hook
    cdef int enter(self) except? -1
    cdef int check_thread(self) except? -1
    cdef int refuse_changes(self, str call) except? -1
