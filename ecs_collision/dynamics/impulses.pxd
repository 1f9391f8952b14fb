from ecs_collision.dynamics.contact_list cimport ContactList
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.dynamics.layers cimport Layers

cdef double whole_quanta(double value) noexcept

cdef class Impulses:
    cdef readonly long long solve_count
    cdef Py_ssize_t body_capacity, contact_capacity
    cdef ContactList contacts
    cdef DynamicBodies bodies
    cdef Layers layers
    # per contact: inverse masses along the normal, added, and the share of either body in a change of speed
    cdef double[::1] mass
    cdef double[::1] mass_across
    cdef double[::1] first_part
    cdef double[::1] second_part
    # per body: what the contacts of a layer add to the velocities, in quanta
    cdef long long[::1] gained
    cdef long long[::1] spun

    cdef void begin(self, ContactList contacts, DynamicBodies bodies, Layers layers)
    cdef void prepare(self)
    cdef double parting_speed(self, Py_ssize_t contact, double[::1] velocity, double[::1] angular) noexcept
    cdef void apply_kept(self) noexcept
    cdef void solve(self, Py_ssize_t number, int iterations) noexcept
    cdef bint solve_layer(self, Py_ssize_t layer) noexcept
    cdef bint solve_contact(self, Py_ssize_t contact, bint alone) noexcept
    cdef bint solve_across(self, Py_ssize_t contact) noexcept
    cdef bint solve_with_levers(self, Py_ssize_t contact, bint is_along, bint is_across) noexcept
    cdef bint push(self, Py_ssize_t contact, double x, double y, double z) noexcept
    cdef bint push_with_levers(self, Py_ssize_t contact, double x, double y, double z) noexcept
    cdef void flush(self, Py_ssize_t layer, bint all) noexcept
    cdef bint push_apart(self, Py_ssize_t contact, double x, double y, double z) noexcept
    cdef bint push_body(self, Py_ssize_t body, int share, double x, double y, double z, double rx, double ry, double rz) noexcept
    cdef void stop_layer(self, Py_ssize_t layer) noexcept
