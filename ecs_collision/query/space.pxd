from ecs_collision.access cimport Access
from ecs_collision.query.cast cimport CastQuery
from ecs_collision.query.overlap cimport OverlapQuery
from ecs_collision.query.frustum cimport FrustumQuery
from ecs_collision.query.nearest cimport NearQuery
from ecs_collision.query.ray cimport RayQuery
from ecs_collision.bodies.columns cimport GroupLinks
from ecs_collision.components.dirty_transforms cimport DirtyTransforms


cdef class Space:
    cdef object _bodies
    cdef readonly object _cells, _static_cells
    cdef readonly Access _access
    cdef OverlapQuery _query
    cdef RayQuery _ray
    cdef CastQuery _cast
    cdef NearQuery _near
    cdef FrustumQuery _frustum
    cdef DirtyTransforms _dirty_transforms
    cdef GroupLinks _group_links

    cdef object _set_ray(self, object origin, object direction, object names, object ids, object triggers, object one_way)
    cdef object _related(self, object relation, object side, object box, object layers, object ignore, object triggers, object where, object given)
    cdef object _containing(self, object x, object y, object z, object names, object ids, object triggers)
    cdef object _related_of(self, object relation, object box, object names, object ids, object triggers)
    cdef object _with_held(self, object found, object relation, object row)
    cdef object _exclude(self, object names, object ids, object triggers, object entities)
    cdef object _apply_changes(self, object names, object ids, object triggers)


cdef object _count(object k)
cdef object _limit(object max_distance)
cdef object _names(object layers)
cdef object _ids(object ignore)
