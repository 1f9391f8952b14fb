cimport cython


cdef class Manifold:
    cdef readonly double nx, ny, nz
    cdef readonly double[::1] points
    cdef readonly double[::1] separations
    cdef readonly int[::1] features
    cdef int count
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
    @cython.locals(middle=double, u=double, v=double, w=double, hx=double, hy=double, hz=double, ex=double, ey=double,
                   ez=double, length=double, separation=double, sign=double)
    cdef int round_part(self, const double[::1] parts, Py_ssize_t box, double x, double y, double z, bint is_second, int dims) noexcept
    @cython.locals(axis=int, corner=int, feature=int, at=double, half=double, other=double, length=double,
                   deepest=int, ends=int, square=double, shift=double, total=double)
    cdef int upright(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j, double x, double y, double z, int dims) noexcept
    @cython.locals(limit=double, a0x=double, a0y=double, a1x=double, a1y=double, b0x=double, b0y=double, b1x=double,
                   b1y=double, a0=double, a1=double, b0=double, b1=double, c00=double, c01=double, c10=double,
                   c11=double, gap_a=double, gap_b=double, other_a=double, other_b=double, axis_a=int, axis_b=int)
    cdef int rectangles(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j, double x, double y) noexcept
    @cython.locals(total=double, k=Py_ssize_t, sign=double, nx=double, ny=double, half=double, reach=double,
                   side=double, tx=double, ty=double, e0=double, e1=double, other=int, turn=double, face=int,
                   facing=int, feature=int, ex=double, ey=double, at=double, up=double, length=double, along=double,
                   rise=double, low=double, high=double, low_up=double, high_up=double, radius=double, radii=double,
                   single=cython.bint)
    cdef int edge(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j, double x, double y, int axis, double limit, bint is_swapped, bint is_corner) noexcept
    @cython.locals(axis=int, other=int, gap=double, tie=double, code=int, face_a=int, face_b=int, edge=int,
                   best=double, gap_a=double, gap_b=double, gap_e=double, limit=double)
    cdef int solids(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j) noexcept
    @cython.locals(axis=Py_ssize_t, other=Py_ssize_t)
    cdef void load(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j) noexcept
    cdef double product(self, int axis, int other) noexcept
    cdef bint is_segment(self, int mine) noexcept
    @cython.locals(mine=int, one=int)
    cdef bint has_face(self, int axis) noexcept
    @cython.locals(k=int)
    cdef double gap_of_face(self, int axis) noexcept
    @cython.locals(a1=int, a2=int, b1=int, b2=int, cosine=double, square=double)
    cdef double gap_of_edges(self, int axis, int other) noexcept
    cdef double normal_on(self, int axis) noexcept
    @cython.locals(sign=double)
    cdef void set_normal(self, double x, double y, double z) noexcept
    @cython.locals(far=double, s=double, t=double, k=int, u=double, v=double, w=double, p=double, q=double, r=double,
                   cosine=double, square=double, length=double, x=double, y=double, z=double, ax=double, ay=double,
                   az=double)
    cdef int crossing_edges(self, int axis, int other, bint within) noexcept
    @cython.locals(middle=double)
    cdef int add_single(self, double gap, int feature) noexcept
    @cython.locals(side=int, k=int, number=int, one=int, two=int, up=double, sign=double, u=double, v=double,
                   at=Py_ssize_t, mine=int, theirs=int, first=int, second=int, toward=double, facing=int, count=int,
                   begin=Py_ssize_t, low=double)
    cdef int clip(self, int axis, double limit) noexcept
    @cython.locals(at=int, k=int, here=Py_ssize_t, there=Py_ssize_t, beyond=double, next_beyond=double, share=double,
                   end=Py_ssize_t, sign=double)
    cdef int cut(self, Py_ssize_t begin, int count, int side, double bound) noexcept
    @cython.locals(round=int, at=Py_ssize_t, best=Py_ssize_t, most=double, score=double, u=double, v=double,
                   first=Py_ssize_t, second=Py_ssize_t, chosen=int, side=double)
    cdef int choose(self, Py_ssize_t begin, int count) noexcept
    @cython.locals(length=double, x=double, y=double, z=double, other=int, a_is_segment=cython.bint)
    cdef int closest(self, int axis) noexcept
    @cython.locals(axis=int, one=int, two=int, corner=int, k=int, p=double, q=double, x=double, y=double, z=double,
                   ux=double, uy=double, uz=double, theirs=int, sign=double)
    cdef void search(self, int mine) noexcept
    @cython.locals(k=int, ex=double, ey=double, ez=double, square=double, sign=double)
    cdef void keep_nearest(self, int mine, double x, double y, double z) noexcept
    @cython.locals(number=int, s=double, t=double, u=double, v=double, w=double, p=double, q=double, r=double,
                   cosine=double, ax=double, ay=double, az=double, bx=double, by=double, bz=double, place=double,
                   their_place=double, shift=double, reach=double, low=double, high=double)
    cdef int parallel_edges(self, int axis, int other, double length) noexcept
