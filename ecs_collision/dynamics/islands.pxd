from ecs_collision.dynamics.step_bodies cimport StepBodies
from ecs_collision.dynamics.step_contacts cimport StepContacts


cdef class Islands:
    cdef int[::1] parent
    cdef double[::1] least
    cdef readonly Py_ssize_t count, sleeping_count
    # per body of the step
    cdef public int[::1] island
    cdef public signed char[::1] sleeping

    cdef void reserve(self, Py_ssize_t bodies)
    cdef int root(self, int body) noexcept
    cpdef void update(self, StepBodies bodies, StepContacts contacts, double dt)
    cdef void join(self, StepBodies bodies, StepContacts contacts) noexcept
    cdef bint is_slow(self, StepBodies bodies, Py_ssize_t body, double dt, double least) noexcept
    cdef double way(self, StepBodies bodies, Py_ssize_t body) noexcept
