from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.bodies.group_links cimport GroupLinks
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Space:
    cdef object _bodies
    cdef OverlapQuery _query
    cdef DirtyTransforms _dirty_transforms
    cdef GroupLinks _group_links

    cdef object _related(self, object relation, object box, object layers, object ignore, object triggers)
    cdef object _exclude(self, object names, object ids, object triggers, object entity)
    cdef object _apply_changes(self, object names, object ids, object triggers)


cdef object _names(object layers)
cdef object _ids(object ignore)
