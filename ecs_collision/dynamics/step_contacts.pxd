from ecs_collision.dynamics.kept_impulses cimport KeptImpulses
from ecs_collision.dynamics.manifolds cimport Manifold
from ecs_collision.dynamics.step_bodies cimport StepBodies


cdef class StepContacts:
    cdef readonly Py_ssize_t count, point_count
    cdef Py_ssize_t capacity, point_capacity, cursor
    cdef Manifold manifold
    cdef StepBodies bodies
    cdef KeptImpulses kept
    cdef double dt, fall, least
    # of the pair at hand: its relative velocity, its speed if it is fast, how near is near, and the time of its manifold
    cdef double vx, vy, vz, speed, near, now
    cdef double pair_size
    # where the first centre of mass is in its body, and the way from it to the second
    cdef double x, y, z, dx, dy, dz
    cdef double[::1] hit, spin
    cdef const long long[::1] low, high
    # per contact
    cdef public int[::1] first, second, first_part, second_part, start, first_lead, second_lead
    cdef public signed char[::1] turning, known, held
    cdef public double[::1] normal, rolling, size, time, radius
    # per point
    cdef public int[::1] feature
    cdef long long[::1] ids
    cdef public double[::1] points

    cdef void reserve(self, Py_ssize_t contacts)
    cdef void reserve_points(self, Py_ssize_t points)
    cdef void find(self, StepBodies bodies, const int[::1] first, const int[::1] second, Py_ssize_t count, KeptImpulses kept, const long long[::1] low, const long long[::1] high, double dt, double fall)
    cdef double size_of(self, Py_ssize_t first, Py_ssize_t second) noexcept
    cdef double margin(self, Py_ssize_t first, Py_ssize_t second) noexcept
    cdef void meet_bounds(self, Py_ssize_t body)
    cdef void meet_side(self, Py_ssize_t body, Py_ssize_t side, double gap, double margin)
    cdef void meet(self, Py_ssize_t first, Py_ssize_t second)
    cdef void note_hit(self, Py_ssize_t body) noexcept
    cdef void share_hits(self) noexcept
    cdef void drop_late(self, Py_ssize_t contact) noexcept
    cdef int come_near(self, Py_ssize_t part, Py_ssize_t other, double px, double py, double pz, double margin, bint flat) noexcept
    cdef bint passes(self, Py_ssize_t first, Py_ssize_t second, int found) noexcept
    cdef void add(self, Py_ssize_t first, Py_ssize_t second, Py_ssize_t first_part, Py_ssize_t second_part, int found)
    cdef void keep_deepest(self) noexcept
    cdef void set_ids(self, Py_ssize_t contact, long long[::1] ids, Py_ssize_t at) noexcept
    cdef void look_up(self) noexcept
    cdef void use_leads(self)
    cdef void use_members(self)
    cpdef bint pushes(self, Py_ssize_t contact) noexcept
    cdef bint joins(self, Py_ssize_t first, Py_ssize_t second) noexcept
    cdef double approach(self, Py_ssize_t contact, Py_ssize_t point) noexcept
    cpdef void store(self, KeptImpulses kept)
