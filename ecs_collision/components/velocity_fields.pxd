from ecs_collision.components.bound cimport Bound


cdef class VelocityFields(Bound):
    cdef public double _x, _y, _z
    cdef double _turning_x, _turning_y, _turning_z
    cdef bint _has_vector
    cdef double _left_x, _left_y, _left_z
    cdef double _turn_x, _turn_y, _turn_z
    cpdef void _drop_remainders(self)
