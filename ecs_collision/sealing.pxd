cimport cpython.type
from cpython.object cimport PyObject, newfunc


cdef extern from "Python.h":
    ctypedef object (*vectorcallfunc)(object, PyObject *const *, size_t, PyObject*)
    ctypedef struct Slots "PyTypeObject":
        newfunc tp_new
        void* tp_as_mapping
        void* tp_as_sequence
        vectorcallfunc tp_vectorcall


cdef object _views
cdef newfunc _make_view
cdef vectorcallfunc _call_view

cpdef object seal(object kind)
cdef int _seal_views(object view, tuple others) except -1
cdef Slots* _slots(object kind) noexcept
cdef bint _is_complete(object flags, object of_objects) except -1
cdef object _checked_new_view(cpython.type.type kind, PyObject* args, PyObject* named)
cdef object _checked_call_view(object kind, PyObject *const * args, size_t count, PyObject* names)
cdef object _no_view(cpython.type.type kind, PyObject* args, PyObject* named)
