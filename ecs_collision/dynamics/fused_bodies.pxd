from ecs_collision.dynamics.step_bodies cimport StepBodies


cdef class FusedBodies:
    cdef StepBodies bodies
    cdef double[::1] apart, mean, tensor, spin
    cdef double x, y, z

    cdef bint can_turn(self, Py_ssize_t body) noexcept
    cdef void find_place(self, Py_ssize_t body, Py_ssize_t lead) noexcept
    cdef void move_centre(self, Py_ssize_t body, bint turns)
    cpdef void part(self)
