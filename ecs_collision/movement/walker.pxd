from ecs_collision.bodies.columns cimport Columns, GroupLinks
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport CharacterFields, VelocityFields
from ecs_collision.push.motions cimport MotionRequest, Motions
from ecs_collision.results cimport MoveResult


cdef class Walker:
    cdef object _bodies
    cdef Columns columns
    cdef GroupLinks group_links
    cdef DirtyTransforms dirty_transforms
    cdef Motions motions
    # of the current character
    cdef double[::1] velocity, remainder, way, normal, pull, wall_normal, kept
    cdef int row, axis, sign, floor_row, wall_row
    cdef bint adds_forces
    cdef list pressed
    cdef double force
    cdef bint on_wall, on_ceiling, on_floor, has_belts
    # the steepest floor: its angle, the cosine of that and the tangent
    cdef double slope, least, tangent

    cpdef MoveResult walk(self, int row, CharacterFields character, VelocityFields speed, MotionRequest request, double seconds)
    cdef long long reach(self, CharacterFields character) except *
    cdef bint begin(self, int row, CharacterFields character, VelocityFields speed) except? -1
    cdef bint find_ways(self, CharacterFields character, bint was_on_floor, double seconds) except? -1
    cdef long long units_of(self, int axis) noexcept
    cdef int go_across(self, CharacterFields character, bint is_walking) except -1
    cdef int follow_floor(self, tuple normal) except -1
    cdef int rise(self, double height) except -1
    cdef int pass_obstacle(self, CharacterFields character, int axis, int sign, long long left, int blocker, bint is_walking) except -1
    cdef int slide_along_wall(self, int axis, int sign, long long left) except -1
    cdef long long hop(self, int axis, int sign, long long left, int blocker) except *
    cdef bint step_up(self, CharacterFields character, int axis, int sign, long long left) except? -1
    cdef bint go_over(self, int axis, long long units, long long height) except? -1
    cdef bint is_on_edge(self, CharacterFields character) except? -1
    cdef double half_width(self) except? -1
    cdef int go_along(self, CharacterFields character, bint was_on_floor, bint jumps) except -1
    cdef int fall(self, CharacterFields character, long long left, bint was_on_floor) except -1
    cdef int snap(self, CharacterFields character) except -1
    cdef void land(self, int blocker) noexcept
    cdef void stand_on_edge(self, int blocker) noexcept
    cdef int remember(self, CharacterFields character, bint was_on_floor, bint jumps) except -1
    cdef tuple velocity_of_floor(self)
    cdef double kept_along(self, int axis, double speed) noexcept
    cdef int keep(self, CharacterFields character, bint was_on_floor) except -1
    cdef int meet_floor(self) except? -1
    cdef void meet_wall(self, int blocker) noexcept
    cdef long long leg(self, int axis, long long units, double force, bint is_reported) except *
    cdef int meet(self, int blocker, int axis, int sign) except -1
