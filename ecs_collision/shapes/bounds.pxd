from ecs_collision.shapes.rotation cimport Turn


cdef class Block:
    cdef Py_ssize_t size, free
    cdef long long[::1] longs
    cdef double[::1] doubles
    cdef Py_ssize_t take(self, Py_ssize_t count) except -1


cdef class Shape:
    cdef readonly Py_ssize_t count
    cdef object _parts
    # eight numbers a part: the core, the radius and whether it is turned; six: its bounds; nine: its matrix
    cdef long long[::1] numbers, bounds
    cdef double[::1] matrices
    cdef void reserve(self, Py_ssize_t count)
    cdef bint equals(self, Shape other) noexcept
    cdef bint is_plain(self) noexcept
    cdef void set_upright(self, Py_ssize_t number, long long lox, long long loy, long long loz, long long hix, long long hiy, long long hiz, long long radius) noexcept
    cdef void set_turned(self, Py_ssize_t number, long long x, long long y, long long z, long long hx, long long hy, long long hz, long long radius, Turn turn) noexcept


cdef class Form:
    cdef readonly Shape shape
    cdef object _boxes
    # the faces of a form that is one plain box
    cdef readonly long long lox, loy, loz, hix, hiy, hiz
    cpdef bint is_box(self) noexcept


cdef class Solids:
    cdef readonly Py_ssize_t count
    cdef readonly bint turns, looks_same
    # eight numbers a part: half extents, centre, radius and kind, or the faces of a box; nine: its own matrix
    cdef long long[::1] numbers
    cdef double[::1] matrices
    cdef Form unturned
    cpdef Form form_of(self, rotation)
    cdef Form form_turned(self, Turn body)


cdef class Formed:
    cdef readonly Solids solids
    cdef readonly object source, rotation
    cdef readonly Form form
    cpdef Form form_of(self, rotation)


cdef class FormedBox(Formed):
    cdef readonly double hx, hy, hz
    cdef readonly object offset
