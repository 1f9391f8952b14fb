from cpython.ref cimport PyObject

cdef extern from *:
    """
    /* A fetch is a hint: it reads nothing and cannot fail. */
    #if defined(__GNUC__) || defined(__clang__)
    #define ec_fetch(at) __builtin_prefetch(at)
    #else
    #define ec_fetch(at) ((void)0)
    #endif
    static inline void ec_fetch_values(PyObject *row) {
        const char *keys = (const char *)((PyDictObject *)row)->ma_keys;
        ec_fetch(keys); ec_fetch(keys + 64); ec_fetch(keys + 128);
    }
    """
    void fetch "ec_fetch"(PyObject *at) noexcept
    void fetch_values "ec_fetch_values"(PyObject *row) noexcept
    PyObject *item_of "PyTuple_GET_ITEM"(PyObject *items, Py_ssize_t at) noexcept
    Py_ssize_t length_of "PyTuple_GET_SIZE"(PyObject *items) noexcept

cdef class DirtyCheck:
    cdef object _owner, _sentinel_kind, _world, _sentinel
    cdef dict _namespace
    cdef tuple _names
    cdef Py_ssize_t _marked_count
    cdef bint _is_unchanged(self, object owner)

cdef class ComponentDiff:
    cdef readonly dict counts
    cdef dict _values
    cdef PyObject *block_keys[32]
    cdef PyObject *block_values[32]
    cdef PyObject *block_rows[32]
    cdef list _changed_compiled(self, dict table)
    cdef Py_ssize_t _fetch_block(self, dict table, Py_ssize_t *position)

cdef bint has_values(PyObject *row, PyObject *values)
