from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.components.fields cimport CharacterFields, VelocityFields
from ecs_collision.movement.walker cimport Walker
from ecs_collision.push.motions cimport MotionRequest, Motions


cdef class Movers:
    cdef object _bodies
    cdef Columns columns
    cdef DirtyRows dirty_rows
    cdef Motions motions
    cdef Walker walker
    cdef readonly bint has_hook, is_front_first
    cdef int[::1] saved
    cdef Py_ssize_t saved_count
    cdef list former_speeds, former_characters
    cdef double shortest
    cdef list parts, speeds, characters, options
    cdef int[::1] rows, supports
    cdef signed char[::1] states, is_support
    cdef readonly Py_ssize_t count, awake_count, capacity
    cdef Py_ssize_t version
    cdef double[::1] gravity
    cdef int fall_axis
    cdef readonly dict results

    cdef void save(self, Py_ssize_t place) noexcept
    cdef int read_changes(self) except -1
    cdef int read_movers(self) except -1
    cdef void wake_all(self) noexcept
    cdef void wake(self, int row) noexcept
    cdef void rest(self, int row, int support) noexcept
    cdef list by_priority(self)
    cdef int move(self, int row, Py_ssize_t place, double seconds, list together) except -1
    cdef void set_way(self, VelocityFields speed, MotionRequest request, double seconds, VelocityFields belt) noexcept
    cdef VelocityFields belt_under(self, int row, MotionRequest request, double scale)
    cdef bint is_still(self, VelocityFields speed) noexcept
    cdef bint is_at_rest(self, VelocityFields speed) noexcept
    cdef void rest_on(self, int row, int floor_row) noexcept
