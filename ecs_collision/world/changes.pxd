from ecs_collision.bodies.columns cimport Columns
from ecs_collision.bodies.placement cimport Placement
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.components.fields cimport Bound, ColliderFields, TransformFields
from ecs_collision.components.parts cimport Parts
from ecs_collision.contacts.triggers cimport Triggers
from ecs_collision.dynamics.dynamics cimport Dynamics
from ecs_collision.shapes.bounds cimport Form
from ecs_collision.world.stats cimport Stats
from ecs_collision.world.undo_log cimport UndoLog


cdef class Changes:
    cdef object _bodies, _settings, _solid_overlaps, _sleep, _log, _unturned
    cdef Triggers _triggers
    cdef Stats _running
    cdef readonly object _group_update, static_moves
    cdef Columns _columns
    cdef DirtyTransforms _dirty_transforms
    cdef Dynamics _dynamics
    cdef Placement _placement
    cdef UndoLog _undo
    cdef long long _low, _high
    cdef bint _has_fused, _has_rewritten, _has_warned_of_rotation
    cdef readonly dict staged, faults
    cdef dict _partner
    cdef public long long version

    cpdef void apply(self, long long frame, object log, Dynamics step=*)
    cpdef void validate(self)
    cdef tuple _parts_to_mark(self, object log, Dynamics step)
    cdef list _find_faults(self)
    cdef bint _shares_components(self)
    cdef bint _is_plain(self, Parts parts)
    cdef void _apply(self, long long frame)
    cdef void _apply_writes(self, long long frame)


cdef bint is_free(object component)
