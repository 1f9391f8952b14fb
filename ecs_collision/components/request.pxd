from ecs_collision.components.bound cimport Bound


cdef class Request(Bound):
    cdef public object _requests
    cdef double _dx, _dy, _dz
    cdef double _left_x, _left_y, _left_z
    cdef int _sign_x, _sign_y, _sign_z
    cdef double _was_dx, _was_dy, _was_dz
    cdef double _was_x, _was_y, _was_z
    cdef int _was_sign_x, _was_sign_y, _was_sign_z
    cdef long long _taken
    cdef public double _force
    cdef public long long _priority
    cdef public object _rule, _max_chain, _all_or_nothing
    cdef bint _take(self, long long[::1] displacement, long long frame) noexcept
    cpdef void _init_request(self)
    cdef double _checked(self, value, where) except? -1.0
