from ecs_collision.dynamics.step_bodies cimport StepBodies
from ecs_collision.dynamics.step_contacts cimport StepContacts


cdef class FlatSolver:
    cdef StepBodies bodies
    cdef StepContacts contacts
    cdef Py_ssize_t count, body_capacity, contact_capacity, point_capacity, bouncing_count
    cdef double h, slop, push, threshold, gx, gy
    cdef double[::1] motion, header, point
    cdef int[::1] bouncing

    cdef void reserve(self)
    cdef void prepare(self, StepBodies bodies, StepContacts contacts, double h, double slop, double push, double threshold)
    cdef void read_bodies(self) noexcept
    cdef void read_contact(self, Py_ssize_t contact, double hertz) noexcept
    cdef void read_points(self, Py_ssize_t contact) noexcept
    cdef void substep(self, double gx, double gy)
    cdef void accelerate(self, double gx, double gy) noexcept
    cdef void note_approaches(self) noexcept
    cdef void warm_start(self) noexcept
    cdef void solve(self, bint use_bias) noexcept
    cdef void move(self) noexcept
    cdef void bounce(self) noexcept
    cdef double bounce_contact(self, Py_ssize_t contact) noexcept
    cdef void finish(self) noexcept
