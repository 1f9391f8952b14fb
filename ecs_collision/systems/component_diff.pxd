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

cdef class Walk:
    cdef readonly dict known
    cdef readonly Py_ssize_t stride
    cdef dict _held, _slots, _numbers
    cdef bint _stamped
    cdef list _free, _keys
    cdef object _kinds, _key_at, _stamps, _seats, _tags, _addresses
    cdef unsigned long long[::1] kind_at
    cdef unsigned long long[::1] key_at
    cdef unsigned long long[::1] stamps
    cdef long long[::1] seats
    cdef unsigned char[::1] tags
    cdef unsigned long long[::1] addresses
    cdef Py_ssize_t _end
    cdef Py_ssize_t _earlier_end
    cdef readonly Py_ssize_t moved_count
    cdef readonly Py_ssize_t compared_count
    cdef PyObject *met[32]
    cdef void _tag(self, object key, list pairs, object row)
    cdef Py_ssize_t _allot(self, object key) except -1
    cdef list _changed(self, dict table)
    cdef void _seat(self, dict table)
    cdef void _meet(self, dict table, Py_ssize_t first, Py_ssize_t end)
    cdef PyObject *_row(self, dict table, Py_ssize_t slot)
    cdef bint _stands(self, Py_ssize_t slot, PyObject *row)
    cdef bint _holds(self, object row, Py_ssize_t at)
    cdef bint _found(self, object row, Py_ssize_t at)
