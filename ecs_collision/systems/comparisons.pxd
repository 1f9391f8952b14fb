from cpython.ref cimport PyObject

from ecs_collision.components.parts cimport Parts

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

cdef class DirtyCheck:
    cdef object _owner, _sentinel_kind, _world, _sentinel
    cdef dict _namespace
    cdef tuple _names
    cdef Py_ssize_t _marked_count
    cdef bint _is_unchanged(self, object owner)

cdef class ComponentDiff:
    cdef readonly dict counts
    cdef list _keys, _values
    cdef object _index
    cdef PyObject *block_keys[32]
    cdef PyObject *block_values[32]
    cdef PyObject *block_rows[32]
    cdef PyObject *kind_at[32]
    cdef PyObject *colliders[8]
    cdef list _changed_compiled(self, dict table)
    cdef bint _is_unchanged(self, PyObject *row, PyObject *known)
    cdef bint _has_parts(self, PyObject *row, Parts parts) noexcept
    cdef Py_ssize_t _fetch_block(self, dict table, Py_ssize_t first)

cdef bint has_pairs(dict row, tuple pairs)
