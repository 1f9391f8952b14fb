cdef extern from *:
    """
    #include "structmember.h"
    static CYTHON_INLINE PyObject *ec_new_object(PyObject *kind) {
        PyObject *made = ((PyTypeObject *)kind)->tp_alloc((PyTypeObject *)kind, 0);
        if (made != NULL) PyObject_GC_UnTrack(made);
        return made;
    }
    #define ec_set_slot(made, slot, value) \\
        PyMember_SetOne((char *)(made), ((PyMemberDescrObject *)(slot))->d_member, (value))
    """
    object new_object "ec_new_object"(object kind)
    int set_slot "ec_set_slot"(object made, object slot, object value) except -1


cdef class MoveResult:
    cdef long long _entity
    cdef double _force, _dx, _dy, _dz, _x, _y, _z
    cdef bytes _push_bytes, _link_bytes, _stop_bytes
    cdef object _pushed, _stops, _links, _inertias, _shares
    cdef public tuple _hits

cpdef MoveResult make_result(
    long long entity, long long dx, long long dy, long long dz, long long[::1] moved, double force, bytes pushes, bytes links,
    bytes stops
)
cpdef MoveResult combined(MoveResult first, MoveResult second)
cpdef MoveResult pushed_on(MoveResult first, MoveResult second, int axis, dict shares)

cpdef object build_event(object kind, tuple values)
cpdef list build_events(object kind, object frame, tuple columns)
