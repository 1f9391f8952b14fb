from ecs_collision.dynamics.kept_impulses cimport KeptImpulses
from ecs_collision.dynamics.step_bodies cimport StepBodies
from ecs_collision.dynamics.step_contacts cimport StepContacts


cdef class SoftStep:
    cdef readonly StepContacts contacts
    cdef StepBodies bodies
    cdef Py_ssize_t count, body_capacity, contact_capacity, point_capacity, bouncing_count
    cdef bint flat
    cdef double h, threshold, x, y, z
    cdef double[::1] motion, inertia, header, point
    cdef int[::1] bouncing

    cpdef void step(self, StepBodies bodies, const int[::1] first, const int[::1] second, Py_ssize_t count, KeptImpulses kept, const long long[::1] low, const long long[::1] high, double dt, double gx, double gy, double gz, int substeps)
    cdef void prepare(self)
    cdef void read_body(self, Py_ssize_t body) noexcept
    cdef void read_inertia(self, Py_ssize_t body) noexcept
    cdef void read_contact(self, Py_ssize_t contact, double hertz) noexcept
    cdef void read_points(self, Py_ssize_t contact) noexcept
    cdef double mass_along(self, Py_ssize_t contact, Py_ssize_t o, Py_ssize_t at) noexcept
    cdef void accelerate(self, double gx, double gy, double gz) noexcept
    cdef void start(self) noexcept
    cdef void solve(self, bint use_bias) noexcept
    cdef void move(self) noexcept
    cdef void solve_flat(self, bint use_bias) noexcept
    cdef void solve_spatial(self, bint use_bias) noexcept
    cdef double solve_normal(self, Py_ssize_t contact, bint use_bias) noexcept
    cdef void rub(self, Py_ssize_t contact) noexcept
    cdef void solve_rolling(self, Py_ssize_t contact, double limit) noexcept
    cdef double separation(self, Py_ssize_t contact, Py_ssize_t o) noexcept
    cdef void find_speed(self, Py_ssize_t contact, Py_ssize_t o) noexcept
    cdef double speed_along(self, Py_ssize_t contact, Py_ssize_t o) noexcept
    cdef void apply(self, Py_ssize_t contact, Py_ssize_t o, double x, double y, double z) noexcept
    cdef void turn(self, Py_ssize_t body, double x, double y, double z) noexcept
    cdef void rotate(self, const double[::1] rotation, Py_ssize_t at) noexcept
    cdef void find_lever(self, Py_ssize_t body, const double[::1] levers, Py_ssize_t at) noexcept
    cdef void note_approaches(self) noexcept
    cdef double bounce_speed(self, Py_ssize_t contact) noexcept
    cdef void bounce(self) noexcept
    cdef void weaken_bounce(self) noexcept
    cdef double bounce_point(self, Py_ssize_t contact, Py_ssize_t point) noexcept
    cdef void add_bounce(self, Py_ssize_t contact, Py_ssize_t o, double impulse) noexcept
    cdef void follow_leads(self) noexcept
    cdef void finish_body(self, Py_ssize_t body) noexcept
    cdef void finish_contact(self, Py_ssize_t contact) noexcept


cdef void turn_quaternion(double[::1] q, Py_ssize_t at, double x, double y, double z, double w) noexcept
