from ecs_collision.dynamics.contact_list cimport ContactList
from ecs_collision.dynamics.contact_points cimport ContactPoints
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.dynamics.layers cimport Layers


cdef class Moves:
    cdef ContactList contacts
    cdef ContactPoints points
    cdef DynamicBodies bodies
    cdef Layers layers
    cdef Py_ssize_t capacity
    cdef double per_speed
    cdef bint is_shared, is_corrected
    # per body: the displacement, the position before the step, the bounds of all parts (six), whether it moved,
    # corrections up and down
    cdef long long[::1] shift
    cdef long long[::1] start
    cdef long long[::1] extent
    cdef signed char[::1] moved
    cdef long long[::1] plus
    cdef long long[::1] minus
    cdef double[::1] angles
    cdef long long low[3]
    cdef long long high[3]

    cdef void begin(self, ContactList contacts, ContactPoints points, DynamicBodies bodies, Layers layers, double h)
    cdef void set_bounds(self, int axis, long long low, long long high) noexcept
    cdef void find_extents(self) noexcept
    cdef long long displacement(self, Py_ssize_t at) noexcept
    cdef void find_displacements(self) noexcept
    cdef void release_remainders(self) noexcept
    cdef void fit(self) noexcept
    cdef double beyond(self, Py_ssize_t contact) noexcept
    cdef bint move_alike(self, Py_ssize_t contact) noexcept
    cdef void fit_contact(self, Py_ssize_t contact) noexcept
    cdef bint stop_passing(self) noexcept
    cdef long long thickness(self, Py_ssize_t part) noexcept
    cdef void correct(self, Py_ssize_t contact, double amount, bint is_displaced) noexcept
    cdef void correct_axis(self, Py_ssize_t at, long long by) noexcept
    cdef void take_corrections(self, Py_ssize_t layer, bint are_positions) noexcept
    cdef void move(self) noexcept
    cdef void keep_within(self, Py_ssize_t body) noexcept
    cdef void separate(self)
    cdef bint separate_layer(self, Py_ssize_t layer)
    cdef void turn(self) noexcept
    cdef void finish_turns(self) noexcept
