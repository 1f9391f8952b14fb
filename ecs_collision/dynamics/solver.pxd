from ecs_collision.dynamics.bounces cimport Bounces
from ecs_collision.dynamics.contact_list cimport ContactList
from ecs_collision.dynamics.contact_points cimport ContactPoints
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies
from ecs_collision.dynamics.impulses cimport Impulses
from ecs_collision.dynamics.kept_contacts cimport KeptContacts
from ecs_collision.dynamics.layers cimport Layers
from ecs_collision.dynamics.moves cimport Moves
from ecs_collision.dynamics.step_memory cimport StepMemory


cdef class Solver:
    cdef readonly long long contact_count, solve_count, meeting_count
    cdef ContactList contacts
    cdef ContactPoints points
    cdef Impulses impulses
    cdef Bounces bounces
    cdef Layers layers
    cdef Moves moves
    cdef StepMemory memory
    cdef DynamicBodies bodies
    cdef double threshold
    cdef int iterations
    # per pair: two bodies, and the last contact
    cdef const int[::1] first
    cdef const int[::1] second
    cdef Py_ssize_t pair_count, pair_capacity, body_capacity
    cdef int[::1] newest
    # per body: the sides of the bounds it is in contact with, when it first meets another, whether it stops
    cdef int[::1] sides
    cdef double[::1] earliest
    cdef signed char[::1] marked
    # parts that meet: when, and five numbers: the pair, two bodies, two parts
    cdef object times_array, met_array
    cdef double[::1] times
    cdef int[::1] met
    cdef Py_ssize_t meet_count, meet_capacity
    cdef bint is_unsure
    # velocities after the bodies were accelerated
    cdef double[::1] velocity_before
    cdef double[::1] angular_before

    cdef void substep(self, double x, double y, double z)
    cdef void reserve(self)
    cdef void begin(self) noexcept
    cdef void accelerate(self, double x, double y, double z) noexcept
    cdef void limit_speeds(self) noexcept
    cdef void settle(self) noexcept
    cdef void forget_hits(self) noexcept
    cdef void find_contacts(self)
    cdef bint slides(self, int a, int b) noexcept
    cdef bint meet(self, int a, int part_a, int b, int part_b, long long x, long long y, long long z)
    cdef bint are_in_front(self, int a, int b) noexcept
    cdef void find_bounds(self)
    cdef void add_side(self, int body, int side, double gap, int ahead)
    cdef void add_contacts(self, Py_ssize_t pair, int a, int b, int part_a, int part_b, int ahead)
    cdef void start_from(self, Py_ssize_t contact, Py_ssize_t kept) noexcept
    cdef Py_ssize_t add_contact(self, Py_ssize_t pair, int a, int b, int part_a, int part_b, int point, int ahead)
    cdef void set_limit(self, Py_ssize_t at) noexcept
    cdef void solve_all(self)
    cdef void look_ahead(self)
    cdef void find_meetings(self)
    cdef long long gap_to_side(self, int body, int side) noexcept
    cdef bint has_contact(self, Py_ssize_t pair, int part_a, int part_b) noexcept
    cdef void note(self, Py_ssize_t pair, int a, int b, int part_a, int part_b, double time)
    cdef void add_meetings(self, bint all)
    cdef void solve_again(self, Py_ssize_t begin)
    cdef void stop_meeting(self)
