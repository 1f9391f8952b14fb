from ecs_collision.dynamics.contact_list cimport ContactList
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies


cdef class Layers:
    cdef readonly Py_ssize_t set_count, layer_count
    cdef Py_ssize_t body_capacity, contact_capacity
    # per body: the lower body of its set, its depth, its first contact, how many contacts
    cdef int[::1] lower
    cdef int[::1] depth
    cdef int[::1] first_link
    cdef int[::1] counts
    cdef int[::1] queue
    # and how much of the contacts of a layer is along each axis
    cdef long long[::1] crowd
    # per contact of a body: the contact
    cdef int[::1] links
    # the contacts in order; of each layer the first; of each set the first layer, and the lowest body
    cdef int[::1] order
    cdef int[::1] spare
    cdef int[::1] first_of_layer
    cdef int[::1] first_of_set
    cdef int[::1] body_of_set
    # of each contact of the last time, its bodies
    cdef Py_ssize_t known_count
    cdef int[::1] known_first
    cdef int[::1] known_second

    cdef void begin(self, DynamicBodies bodies)
    cdef void build(self, ContactList contacts, DynamicBodies bodies)
    cdef bint is_known(self, ContactList contacts) noexcept
    cdef int lowest(self, int body) noexcept
    cdef void join(self, int a, int b) noexcept
    cdef void reserve_contacts(self, Py_ssize_t contacts)
    cdef void find_depths(self, ContactList contacts, DynamicBodies bodies) noexcept
    cdef void sort(self, ContactList contacts, DynamicBodies bodies, int greatest) noexcept
    cdef void count_shares(self, ContactList contacts, DynamicBodies bodies, Py_ssize_t begin, Py_ssize_t end) noexcept
    cdef long long part_along(self, ContactList contacts, int contact, int axis) noexcept
    cdef int set_of(self, ContactList contacts, DynamicBodies bodies, int contact) noexcept
