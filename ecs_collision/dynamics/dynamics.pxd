from ecs_collision.bodies.dirty_rows cimport DirtyRows
from ecs_collision.bodies.placement cimport Placement
from ecs_collision.dynamics.candidates cimport Candidates
from ecs_collision.dynamics.fused_bodies cimport FusedBodies
from ecs_collision.dynamics.islands cimport Islands
from ecs_collision.dynamics.kept_impulses cimport KeptImpulses
from ecs_collision.dynamics.landing cimport Landing
from ecs_collision.dynamics.soft_step cimport SoftStep


cdef class Dynamics:
    cdef object _bodies
    cdef DirtyRows _dirty_rows
    cdef Placement _placement
    cdef SoftStep _solver
    cdef Islands _islands
    cdef FusedBodies _fused
    cdef Landing _landing
    cdef readonly Candidates candidates
    cdef readonly KeptImpulses kept, asleep
    cdef readonly set removed
    cdef readonly tuple gravity
    cdef public object can_meet
    cdef tuple _range, _before
    cdef object _notes
    cdef dict _answers
    cdef list _touches, _impacts, _carried
    cdef long long[::1] _low, _high
    cdef bint _is_cold, _has_parts
    cdef int _stage

    cdef void _read_changes(self)
    cdef void _resume_impulses(self)
    cdef void _solve(self, double dt, double gx, double gy, double gz, int substeps)
    cdef void _land(self)
    cdef tuple _marked(self)
