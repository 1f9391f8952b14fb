from ecs_collision.dynamics.step_bodies cimport StepBodies
from ecs_collision.dynamics.step_contacts cimport StepContacts


cdef class SpatialSolver:
    cdef StepBodies bodies
    cdef StepContacts contacts
    cdef Py_ssize_t count, body_capacity, contact_capacity, point_capacity, bouncing_count
    cdef double h, slop, push, threshold, x, y, z
    cdef double[::1] motion, inertia, header, point
    cdef int[::1] bouncing

    cdef void reserve(self)
    cdef void prepare(self, StepBodies bodies, StepContacts contacts, double h, double slop, double push, double threshold)
    cdef void read_bodies(self) noexcept
    cdef void read_inertia(self, Py_ssize_t body) noexcept
    cdef void read_contact(self, Py_ssize_t contact, double hertz) noexcept
    cdef void read_points(self, Py_ssize_t contact) noexcept
    cdef double mass_along(self, Py_ssize_t contact, Py_ssize_t o, double x, double y, double z) noexcept
    cdef void substep(self, double gx, double gy, double gz)
    cdef void accelerate(self, double gx, double gy, double gz) noexcept
    cdef void warm_start(self) noexcept
    cdef void solve(self, bint use_bias) noexcept
    cdef double solve_normal(self, Py_ssize_t contact, Py_ssize_t point, bint use_bias) noexcept
    cdef void solve_across(self, Py_ssize_t contact, Py_ssize_t point) noexcept
    cdef void solve_rolling(self, Py_ssize_t contact, double total) noexcept
    cdef double separation(self, Py_ssize_t contact, Py_ssize_t o) noexcept
    cdef void find_speed(self, Py_ssize_t contact, Py_ssize_t o) noexcept
    cdef void apply(self, Py_ssize_t contact, Py_ssize_t o, double x, double y, double z) noexcept
    cdef void turn(self, Py_ssize_t body, double x, double y, double z) noexcept
    cdef void rotate(self, Py_ssize_t body, double x, double y, double z) noexcept
    cdef void move(self) noexcept
    cdef void note_approaches(self) noexcept
    cdef void bounce(self) noexcept
    cdef double bounce_contact(self, Py_ssize_t contact) noexcept
    cdef void finish(self) noexcept
    cdef void finish_body(self, Py_ssize_t body) noexcept
