cdef extern from *:
    """
    #include "structmember.h"
    static CYTHON_INLINE PyObject *ec_new_object(PyObject *kind) {
        PyTypeObject *type = (PyTypeObject *)kind;
        PyObject *made = PyObject_GC_New(PyObject, type);
        if (made != NULL) memset(made + 1, 0, type->tp_basicsize - sizeof(PyObject));
        return made;
    }
    static CYTHON_INLINE void ec_set_slot(PyObject *made, PyObject *slot, PyObject *value) {
        Py_INCREF(value);
        *(PyObject **)((char *)made + ((PyMemberDescrObject *)slot)->d_member->offset) = value;
    }
    """
    object new_object "ec_new_object"(object kind)
    void set_slot "ec_set_slot"(object made, object slot, object value)
    void untrack "PyObject_GC_UnTrack"(object made)


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

cpdef list slots_of(object kind)
cpdef object build_event(object kind, tuple values)
cpdef list build_events(object kind, object frame, tuple columns)
