from cpython.ref cimport PyObject

cdef extern from *:
    """
    /* A fetch is a hint: it reads nothing and cannot fail. A stamp of 0 is none. */
    #if defined(__GNUC__) || defined(__clang__)
    #define ec_fetch(at) __builtin_prefetch(at)
    #else
    #define ec_fetch(at) ((void)0)
    #endif
    #if defined(PYPY_VERSION) || defined(GRAALVM_PYTHON)
    #define ec_fetch_values(row) ((void)0)
    #else
    static inline void ec_fetch_values(PyObject *row) {
        const char *keys = (const char *)((PyDictObject *)row)->ma_keys;
        ec_fetch(keys); ec_fetch(keys + 64); ec_fetch(keys + 128);
    }
    #endif
    #if defined(PYPY_VERSION) || defined(GRAALVM_PYTHON) || defined(Py_GIL_DISABLED) || PY_VERSION_HEX >= 0x030E0000
    #define ec_stamp(row) (0ULL)
    #else
    #if defined(__GNUC__) || defined(__clang__)  /* deprecated since 3.12, gone in 3.14, for which 0 stands above */
    #pragma GCC diagnostic push
    #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    #endif
    static inline unsigned long long ec_stamp(PyObject *row) {
        return ((PyDictObject *)row)->ma_version_tag;
    }
    #if defined(__GNUC__) || defined(__clang__)
    #pragma GCC diagnostic pop
    #endif
    #endif
    """
    void fetch "ec_fetch"(PyObject *row) noexcept
    void fetch_values "ec_fetch_values"(PyObject *row) noexcept
    unsigned long long stamp_of "ec_stamp"(PyObject *row) noexcept

cdef class ComponentDiff:
    cdef readonly dict known
    cdef readonly Py_ssize_t stride
    cdef dict _pairs, _slots, _kind_numbers
    cdef bint _stamped
    cdef list _free_slots, _keys
    cdef object kind_addresses, key_addresses, stamps, positions, tags, addresses
    cdef unsigned long long[::1] kind_addresses_view
    cdef unsigned long long[::1] key_addresses_view
    cdef unsigned long long[::1] stamps_view
    cdef long long[::1] positions_view
    cdef unsigned short[::1] tags_view
    cdef unsigned long long[::1] addresses_view
    cdef Py_ssize_t _end
    cdef Py_ssize_t _previous_end
    cdef readonly Py_ssize_t moved_count
    cdef readonly Py_ssize_t compared_count
    cdef PyObject *block_rows[32]
    cdef void _store_pairs(self, object key, list pairs, object row)
    cdef Py_ssize_t _allocate_slot(self, object key) except -1
    cdef list _changed_compiled(self, dict table)
    cdef void _update_positions(self, dict table)
    cdef void _prefetch_rows(self, dict table, Py_ssize_t first, Py_ssize_t end)
    cdef PyObject *_row(self, dict table, Py_ssize_t slot)
    cdef bint _is_unchanged(self, Py_ssize_t slot, PyObject *row)
    cdef bint _has_values(self, object row, Py_ssize_t at)
    cdef bint _find_value(self, object row, Py_ssize_t at)
