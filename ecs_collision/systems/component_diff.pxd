from cpython.ref cimport PyObject

cdef extern from *:
    """
    /* A fetch is a hint: it reads nothing and cannot fail. */
    #if defined(__GNUC__) || defined(__clang__)
    #define ec_fetch(at) __builtin_prefetch(at)
    #else
    #define ec_fetch(at) ((void)0)
    #endif
    """
    void fetch "ec_fetch"(void *at) noexcept
    PyObject *item_of "PyTuple_GET_ITEM"(PyObject *items, Py_ssize_t at) noexcept
    Py_ssize_t length_of "PyTuple_GET_SIZE"(PyObject *items) noexcept
    ctypedef struct Dict "PyDictObject":
        void *ma_keys

cdef class ComponentDiff:
    cdef readonly dict known
    cdef dict _values
    cdef PyObject *block_keys[32]
    cdef PyObject *block_values[32]
    cdef PyObject *block_rows[32]
    cdef list _changed_compiled(self, dict table)
    cdef Py_ssize_t _fetch_block(self, dict table, Py_ssize_t *position)

cdef bint has_values(PyObject *row, PyObject *values)
