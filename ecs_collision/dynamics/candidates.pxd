from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.placement cimport Placement
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport ColliderFields, VelocityFields
from ecs_collision.components.parts cimport Parts
from ecs_collision.dynamics.landing cimport Landing
from ecs_collision.dynamics.step_bodies cimport StepBodies
from ecs_collision.dynamics.step_contacts cimport StepContacts
from ecs_collision.shapes.bounds cimport Form, Formed, Shape


cdef class Candidates:
    cdef Columns columns
    cdef list parts
    cdef Index dynamic, static
    cdef DirtyRows dirty_rows
    cdef DirtyTransforms dirty_transforms
    cdef readonly StepBodies bodies
    cdef readonly list records, shapes, rotations, woken
    cdef public bint has_woken, is_flat
    cdef readonly Py_ssize_t awake_count, resting_count, mover_count, other_count, pair_count, altered_count
    cdef readonly Py_ssize_t moved_count, restless_count, saved_count, fallen_count, turned_count, capacity
    cdef Py_ssize_t pair_capacity
    # by row
    cdef public signed char[::1] states, known, supports
    cdef public int[::1] ring, places, seen
    cdef public double[::1] constants
    # lists
    cdef public int[::1] awake, movers, others, altered, moved, restless, fallen, order, turned
    cdef public long long[::1] margins, spans, disturbed, extra, nearby
    cdef public double[::1] before
    cdef public int[::1] first_rows, second_rows, first, second, begins, ends

    cpdef void reserve(self)
    cdef void reserve_pairs(self, Py_ssize_t capacity)
    cpdef void reset(self)
    cpdef void forget_constants(self)
    cpdef bint set_dynamic(self, int row, bint is_dynamic)
    cdef void add_awake(self, int row)
    cdef void compact(self)
    cpdef void lay_to_rest(self, int row, int with_row)
    cdef void join_islands(self, int row, int other)
    cpdef void wake(self, int row)
    cdef void rouse(self, int row)
    cpdef void rouse_immovable(self)
    cpdef void clear_woken(self)
    cpdef void put_to_sleep_again(self)
    cpdef void release(self, int row)
    cdef void wake_near(self, int row)
    cdef void wake_in(self, long long[::1] faces, Py_ssize_t first)
    cpdef void wake_all(self)
    cpdef void read_notes(self)
    cpdef void search(self, double seconds, double gx, double gy, double gz)
    cpdef void clear_places(self)
    cdef void add_mover(self, int row, double seconds, double fall_x, double fall_y, double fall_z)
    cdef double half_length(self, Py_ssize_t at) noexcept
    cdef long long slack(self, Py_ssize_t at) noexcept
    cdef void store_span(self, int row, long long[::1] spans, Py_ssize_t at)
    cdef void search_mover(self, Py_ssize_t mover)
    cdef void collect_around(self, Index grid, Py_ssize_t mover, long long margin)
    cdef long long widest(self, Py_ssize_t mover) noexcept
    cdef void add_pairs(self, Py_ssize_t mover, Index grid)
    cdef bint is_near(self, Py_ssize_t mover, Index grid, Py_ssize_t slot, Py_ssize_t margins) noexcept
    cdef void add_other(self, int row)
    cdef void add_pair(self, int row, int other)
    cpdef void order_bodies(self)
    cdef void sort(self, int[::1] rows, Py_ssize_t count) noexcept
    cpdef bint find_plane(self)
    cpdef list unknown_rows(self)
    cpdef void fill(self, bint is_flat)
    cpdef void sort_pairs(self)
    cpdef void drop_fused_pairs(self, GroupLinks links)
    cdef void add_body(self, int row)
    cpdef bint widen(self)
    cpdef bint wake_hit(self, StepContacts contacts)
    cpdef bint are_near(self, int row, int other, bint moves, bint other_moves, double gap) noexcept
    cdef bint spans_are_near(self, bint moves, bint other_moves, double gap) noexcept
    cpdef list let_go(self, Landing landing, StepContacts contacts, double gap)
    cdef long long share_of_length(self, Py_ssize_t at) noexcept
    cpdef void fill_landing(self, Landing landing, StepContacts contacts)
    cdef Shape shape_of_row(self, int row)
    cpdef void turn_bodies(self, Landing landing)
    cpdef void write_rotations(self, Landing landing, Placement placement)
    cpdef void take_landing(self, Landing landing) noexcept
    cdef void set_rotation(self, Py_ssize_t at, int row)
    cpdef void write_positions(self)
    cpdef void write_velocities(self, long long frame, signed char[::1] sleeping)
    cpdef void restore(self)
    cpdef void settle(self, signed char[::1] sleeping, int[::1] island)


cpdef listed(int[::1] rows, Py_ssize_t count)
