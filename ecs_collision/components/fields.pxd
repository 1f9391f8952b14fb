from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.shapes.bounds cimport Formed


cdef class Bound:
    cdef public DirtyTransforms _dirty_transforms
    cdef public int _row
    cdef public bint _enabled  # a field of colliders; here it fills the room beside the row
    cpdef void _clear_binding(self)
    cpdef void _unbind(self)
    cpdef void _note_write(self)
    cdef void _note(self, int kind)
    cpdef void _bind(self, int row, DirtyTransforms dirty_transforms)


cdef class TransformFields(Bound):
    cdef long long _x, _y, _z
    cdef public object _rotation
    cdef long long _along(self, int axis) noexcept
    cdef void _write(self, long long x, long long y, long long z)


cdef class ColliderFields(Bound):
    cdef public object _layer, _mask
    cdef public Formed _formed


cdef class InertiaFields(Bound):
    cdef public double _x, _y, _z


cdef class VelocityFields(Bound):
    cdef public double _x, _y, _z
    cdef double _turning_x, _turning_y, _turning_z
    cdef bint _has_vector
    cdef double _left_x, _left_y, _left_z
    cdef public double _slow
    cpdef void _drop_remainders(self)
    cpdef double _speed_along(self, int axis) noexcept
    cdef double _remainder_along(self, int axis) noexcept
    cpdef void _set_speed(self, int axis, double speed, double remainder) noexcept
    cdef void _copy_speed(self, VelocityFields other) noexcept


cdef class MotionFields(Bound):
    cdef public object _requests
    cdef double _dx, _dy, _dz
    cdef double _left_x, _left_y, _left_z
    cdef int _sign_x, _sign_y, _sign_z
    cdef double _was_dx, _was_dy, _was_dz
    cdef double _was_x, _was_y, _was_z
    cdef int _was_sign_x, _was_sign_y, _was_sign_z
    cdef long long _taken
    cdef public double _force
    cdef public long long _priority
    cdef public object _rule, _max_chain, _all_or_nothing
    cdef bint _take(self, long long[::1] displacement, long long frame) noexcept
    cpdef void _init_request(self)
    cdef double _checked(self, value, where) except? -1.0


cdef class CharacterFields(Bound):
    cdef public object _up, _snap, _normal, _floor_velocity, _wall_normal, _kept
    cdef public double _max_slope, _step_height, _speed
    cdef public long long _coyote, _jump_buffer, _floor, _wall, _landed_at, _left_at, _asked_at
    cdef public bint _on_floor, _on_wall, _on_ceiling, _drops, _jumped
    cpdef void _clear_memory(self)
    cdef void _copy_memory(self, CharacterFields other) noexcept
    cdef long long _step_number(self) noexcept
