cdef long long low_bits(int dimensions, int level) noexcept


cdef class EntryList:
    # sorted entries, dead ones included, and as much room for sorting
    cdef readonly object codes, tags, contained_by
    cdef object spare_codes, spare_tags
    cdef long long[::1] codes_view
    cdef long long[::1] tags_view
    cdef int[::1] contained_by_view
    cdef long long[::1] spare_codes_view
    cdef long long[::1] spare_tags_view
    cdef Py_ssize_t capacity
    cdef readonly Py_ssize_t count
    cdef readonly Py_ssize_t dead_count
    # entries that are not merged yet, and how many of them each slot has
    cdef readonly object tail_codes, tail_tags, tail_counts
    cdef long long[::1] tail_codes_view
    cdef long long[::1] tail_tags_view
    cdef signed char[::1] tail_counts_view
    cdef Py_ssize_t tail_capacity
    cdef Py_ssize_t slot_capacity
    cdef readonly Py_ssize_t tail_count
    # since the last merge: entries added and removed, and entries of the tail scanned
    cdef long long changes
    cdef long long tail_work
    cdef readonly bint is_stale
    # the place where the last search ended
    cdef Py_ssize_t place
    cdef int dimensions
    # for sorting: where the entries of each digit begin
    cdef object buckets
    cdef int[::1] buckets_view

    cdef int clear(self, int dimensions)
    cdef int take_views(self)
    cdef void forget_tail(self) noexcept
    cdef int reserve_slots(self, Py_ssize_t capacity)
    cdef int reserve(self, Py_ssize_t count)
    cdef int reserve_tail(self, Py_ssize_t count)
    cdef int add(self, Py_ssize_t slot, long long code, long long tag)
    cdef void remove_from_tail(self, Py_ssize_t slot) noexcept
    cdef void remove(self, long long code, long long tag) noexcept
    cdef bint count_changes(self, long long cells) noexcept
    cdef void drop(self) noexcept
    cdef int limit_tail(self, Py_ssize_t slot)
    cdef int update(self)
    cdef void sort_all(self, Py_ssize_t count) noexcept
    cdef int merge(self)
    cdef void link(self) noexcept
    cdef void sort(self, long long* codes, long long* tags, Py_ssize_t count) noexcept
    cdef void sort_by(self, bint by_tag, long long differing, long long* codes, long long* tags, Py_ssize_t count) noexcept
    cdef void scatter(self, long long* codes, long long* tags, long long* keys, long long* to_codes, long long* to_tags, Py_ssize_t count, int shift) noexcept
    cdef Py_ssize_t first_from(self, long long code, long long tag, Py_ssize_t place) noexcept
    cdef Py_ssize_t end_of(self, long long last, Py_ssize_t place, Py_ssize_t end) noexcept
    cdef Py_ssize_t find(self, long long code, long long tag) noexcept
    cdef Py_ssize_t end_of_cell(self, Py_ssize_t place) noexcept
    cdef bint is_same_cell(self, Py_ssize_t a, Py_ssize_t b) noexcept
    cdef long long last_code(self, Py_ssize_t at) noexcept
