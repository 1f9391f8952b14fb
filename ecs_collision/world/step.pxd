from ecs_collision.access cimport Access
from ecs_collision.bodies.columns cimport RowById
from ecs_collision.broadphase.protocol cimport Index
from ecs_collision.components.dirty_transforms cimport DirtyTransforms
from ecs_collision.contacts.overlaps cimport Overlaps
from ecs_collision.contacts.triggers cimport Triggers
from ecs_collision.dynamics.dynamics cimport Dynamics
from ecs_collision.frame_log cimport FrameLog
from ecs_collision.push.motions cimport Motions
from ecs_collision.world.changes cimport Changes
from ecs_collision.world.frame cimport Frame
from ecs_collision.world.stats cimport Stats
from ecs_collision.world.undo_log cimport UndoLog


cdef class Step:
    cdef readonly object bodies, settings, solid_overlaps, sleep, movement
    cdef readonly Stats stats, running
    cdef readonly Triggers triggers
    cdef public FrameLog log
    cdef public Frame frame
    cdef public object deferred_results, ways, watcher
    cdef public long long number, quiet_until
    cdef readonly Access access
    cdef readonly Dynamics dynamics
    cdef readonly UndoLog undo
    cdef readonly Changes changes
    cdef readonly Motions motions
    cdef DirtyTransforms dirty_transforms
    cdef Index dynamic, still
    cdef Overlaps overlaps
    cdef dict _due
    cdef set _requests
    cdef RowById _row_of
    cdef double _phase_start
    cdef FrameLog _last_log
    cdef object _sleep_mark
    cdef Py_ssize_t _crossed_mark

    cpdef Frame run(self, object before_changes)
    cpdef Frame step(self)
    cpdef void apply_changes(self)
    cdef bint _is_uneventful(self, long long number) except -1
    cdef list _order_motions(self, long long number)
    cdef void _make_motions(self, list requests)
    cdef tuple _parts_to_mark(self)
    cdef void _update_contacts(self, long long number)
    cdef Frame _collect_events(self, long long number, list requests)
    cdef void _rest(self, long long number)
    cdef void _finish(self, Frame frame)
    cdef Frame _quiet_frame(self, long long number)
    cpdef void end_quiet_frames(self)
    cdef void _add_time(self, str phase)
