from ecs_collision.dynamics.contact_list cimport ContactList
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.dynamics.kept_contacts cimport KeptContacts
from ecs_collision.dynamics.layers cimport Layers


cdef class StepMemory:
    cdef DynamicBodies bodies
    # by index instead of id: the contacts before the step, those of the substep before, and of this one
    cdef KeptContacts before, now, spare
    cdef Py_ssize_t now_capacity, spare_capacity, cursor
    # per body: whether the step changed it
    cdef signed char[::1] changed
    cdef Py_ssize_t body_capacity
    # per contact that was given: whether a body of the step has it
    cdef object own
    cdef signed char[::1] own_view
    cdef bint lost
    # the state before the step
    cdef object position, remainder, velocity, angular, angle_left

    cdef void begin(self, DynamicBodies bodies, KeptContacts kept)
    cdef long long index_of(self, long long entity) noexcept
    cdef void rewind(self) noexcept
    cdef Py_ssize_t find(self, int first, int second, int first_part, int second_part, int point) noexcept
    cdef Py_ssize_t any_of(self, int first, int second, int first_part, int second_part) noexcept
    cdef void store(self, ContactList contacts)
    cdef void store_contact(self, ContactList contacts, Py_ssize_t contact) noexcept
    cdef void finish(self, KeptContacts kept, Layers layers)
    cdef bint compare_kept(self) noexcept
    cdef void replace(self, KeptContacts kept)
    cdef void find_resting(self, Layers layers) noexcept
