cimport cython


cdef class Manifold:
    cdef readonly double nx, ny, nz
    cdef readonly double[::1] points
    cdef readonly double[::1] separations
    cdef readonly int[::1] features
    cdef int count
    cdef Py_ssize_t i, j
    # two parts a and b: radii, and the centre of a relative to the position of its body
    cdef double margin, radius_a, radius_b, x, y, z
    # cores that are turned in space, in the order a, b: half extents, axes, products of the axes of a with those of b,
    # and the vector from centre to centre, also along the axes of both
    cdef double[::1] half, axes, products, along
    cdef double dx, dy, dz
    # two polygons of up to 12 corners, which take turns: three numbers a corner; its id, and that of the edge after it
    cdef double[::1] polygon
    cdef int[::1] corner_ids, edge_ids
    # the nearest points of the cores: that of a, and the vector from it to that of b
    cdef double nearest, ax, ay, az, gx, gy, gz

    cpdef int collide(self, const double[::1] parts, Py_ssize_t a, Py_ssize_t b, double dx, double dy, double dz, double margin, bint flat) noexcept
    cdef void add(self, double x, double y, double z, double separation, int feature) noexcept
    @cython.locals(ex=double, ey=double, ez=double)
    cdef int round_part(self, const double[::1] parts, bint is_second, int dims) noexcept
    @cython.locals(axis=int, corner=int, feature=int, at=double, deepest=int, ends=int)
    cdef int upright(self, const double[::1] parts, int dims) noexcept
    @cython.locals(limit=double, axis_a=int, axis_b=int)
    cdef int rectangles(self, const double[::1] parts) noexcept
    @cython.locals(k=Py_ssize_t, other=int, face=int, facing=int, feature=int, ex=double, ey=double, at=double,
                   single=cython.bint)
    cdef int edge(self, const double[::1] parts, int axis, double limit, bint is_swapped, bint is_corner) noexcept
    @cython.locals(axis=int, other=int, code=int, face_a=int, face_b=int, edge=int, limit=double)
    cdef int solids(self, const double[::1] parts) noexcept
    @cython.locals(axis=Py_ssize_t, other=Py_ssize_t)
    cdef void load(self, const double[::1] parts) noexcept
    cdef double product(self, int axis, int other) noexcept
    cdef bint is_segment(self, int mine) noexcept
    @cython.locals(mine=int, one=int)
    cdef bint has_face(self, int axis) noexcept
    @cython.locals(k=int)
    cdef double gap_of_face(self, int axis) noexcept
    @cython.locals(a1=int, a2=int, b1=int, b2=int)
    cdef double gap_of_edges(self, int axis, int other) noexcept
    cdef double normal_on(self, int axis) noexcept
    cdef void set_normal(self, double x, double y, double z) noexcept
    @cython.locals(k=int)
    cdef int crossing_edges(self, int axis, int other, bint within) noexcept
    cdef int add_single(self, double gap, int feature) noexcept
    @cython.locals(side=int, k=int, number=int, one=int, two=int, at=Py_ssize_t, mine=int, theirs=int, first=int,
                   second=int, facing=int, count=int, begin=Py_ssize_t)
    cdef int clip(self, int axis, double limit) noexcept
    @cython.locals(at=int, k=int, here=Py_ssize_t, there=Py_ssize_t, end=Py_ssize_t)
    cdef int cut(self, Py_ssize_t begin, int count, int side, double bound) noexcept
    @cython.locals(round=int, at=Py_ssize_t, best=Py_ssize_t, most=double, score=double, first=Py_ssize_t,
                   second=Py_ssize_t, chosen=int)
    cdef int choose(self, Py_ssize_t begin, int count) noexcept
    @cython.locals(other=int, a_is_segment=cython.bint)
    cdef int closest(self, int axis) noexcept
    @cython.locals(axis=int, one=int, two=int, corner=int, k=int, theirs=int)
    cdef void search(self, int mine) noexcept
    @cython.locals(k=int, ex=double, ey=double, ez=double)
    cdef void keep_nearest(self, int mine, double x, double y, double z) noexcept
    @cython.locals(number=int)
    cdef int parallel_edges(self, int axis, int other, double length) noexcept
