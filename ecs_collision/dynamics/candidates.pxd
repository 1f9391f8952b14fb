from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport VelocityFields
from ecs_collision.dynamics.dynamic_bodies cimport DynamicBodies


cdef class Candidates:
    cdef Columns columns
    cdef Index dynamic, static
    cdef DirtyRows dirty_rows
    cdef DirtyTransforms dirty_transforms
    cdef readonly DynamicBodies bodies
    # by row
    cdef readonly object states, known, has_former, ring, places, seen, constants, former
    # lists
    cdef readonly object awake, movers, others, altered, moved, restless, margins, spans, before, disturbed
    cdef readonly object first_rows, second_rows, keys, first, second
    cdef readonly Py_ssize_t awake_count, resting_count, mover_count, other_count, pair_count, altered_count
    cdef readonly Py_ssize_t moved_count, restless_count, saved_count, capacity
    cdef Py_ssize_t pair_capacity
    cdef public long long extra
    cdef double seconds, fall_x, fall_y, fall_z
    cdef signed char[::1] states_view
    cdef signed char[::1] known_view
    cdef signed char[::1] has_former_view
    cdef int[::1] ring_view
    cdef int[::1] places_view
    cdef int[::1] seen_view
    cdef double[::1] constants_view
    cdef long long[::1] former_view
    cdef int[::1] awake_view
    cdef int[::1] movers_view
    cdef int[::1] others_view
    cdef int[::1] altered_view
    cdef int[::1] moved_view
    cdef int[::1] restless_view
    cdef long long[::1] margins_view
    cdef long long[::1] spans_view
    cdef double[::1] before_view
    cdef long long[::1] disturbed_view
    cdef int[::1] first_rows_view
    cdef int[::1] second_rows_view
    cdef long long[::1] keys_view
    cdef int[::1] first_view
    cdef int[::1] second_view

    cpdef void reserve(self)
    cdef void reserve_pairs(self, Py_ssize_t capacity)
    cpdef void reset(self)
    cpdef bint set_dynamic(self, int row, bint is_dynamic)
    cpdef void set_constants(self, int row, double inverse_mass, object inverse_moment, double restitution, double friction)
    cdef void add_awake(self, int row)
    cdef void compact(self)
    cpdef void wake(self, int row)
    cpdef void release(self, int row)
    cdef void wake_near(self, int row)
    cdef void wake_in(self, long long[::1] faces, Py_ssize_t first)
    cpdef void read_notes(self)
    cpdef void search(self, double seconds, double gx, double gy, double gz)
    cpdef void widen(self, long long extra)
    cpdef void clear_places(self)
    cdef void add_mover(self, int row)
    cdef long long margin(self, double speed) noexcept
    cdef void store_span(self, int row, long long[::1] spans, Py_ssize_t at) noexcept
    cdef void search_mover(self, Py_ssize_t mover)
    cdef void collect_around(self, Index grid, Py_ssize_t mover, long long margin)
    cdef long long widest(self, Py_ssize_t mover) noexcept
    cdef void add_pairs(self, Py_ssize_t mover, Index grid)
    cdef void rouse(self, int row)
    cdef bint is_near(self, Py_ssize_t mover, Index grid, Py_ssize_t slot, Py_ssize_t margins) noexcept
    cdef void add_other(self, int row)
    cdef void add_pair(self, int row, int other)
    cdef void add_body(self, int row)
    cpdef long long farthest(self)
    cdef long long reach(self, Py_ssize_t at) noexcept
    cpdef void write_positions(self)
    cpdef void write_velocities(self, long long frame)
    cpdef void restore(self)
    cpdef void settle(self)
