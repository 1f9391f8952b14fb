from ecs_collision.dynamics.contact_list cimport ContactList
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.dynamics.impulses cimport Impulses
from ecs_collision.dynamics.layers cimport Layers


cdef class Bounces:
    cdef Impulses impulses
    cdef ContactList contacts
    cdef DynamicBodies bodies
    cdef Layers layers
    # the dynamic bodies of a set; per body: whether it is listed, and its velocities before the bounce
    cdef Py_ssize_t body_capacity, member_count
    cdef int[::1] members
    cdef signed char[::1] listed
    cdef double[::1] solved
    cdef double[::1] solved_angular
    cdef bint is_driven

    cdef void begin(self, Impulses impulses)
    cdef void bounce(self, double[::1] velocity, double[::1] angular, double threshold, int iterations) noexcept
    cdef bint find_members(self, Py_ssize_t begin, Py_ssize_t end, double threshold) noexcept
    cdef bint bounce_once(self, Py_ssize_t begin, Py_ssize_t end, double threshold) noexcept
    cdef void limit_energy(self, double[::1] velocity, double[::1] angular) noexcept
    cdef double energy(self, Py_ssize_t body, double[::1] v, double[::1] w, double[::1] other_v, double[::1] other_w) noexcept
