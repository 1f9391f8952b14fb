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
    cdef int round_part(self, const double[::1] parts, Py_ssize_t box, double x, double y, double z, bint is_second, int dims) noexcept
    cdef int upright(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j, double x, double y, double z, int dims) noexcept
    cdef int rectangles(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j, double x, double y) noexcept
    cdef int edge(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j, double x, double y, int axis, double limit, bint is_swapped, bint is_corner) noexcept
    cdef int solids(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j) noexcept
    cdef void load(self, const double[::1] parts, Py_ssize_t i, Py_ssize_t j) noexcept
    cdef double product(self, int axis, int other) noexcept
    cdef bint is_segment(self, int mine) noexcept
    cdef bint has_face(self, int axis) noexcept
    cdef double gap_of_face(self, int axis) noexcept
    cdef double gap_of_edges(self, int axis, int other) noexcept
    cdef double normal_on(self, int axis) noexcept
    cdef void set_normal(self, double x, double y, double z) noexcept
    cdef int crossing_edges(self, int axis, int other, bint within) noexcept
    cdef int add_single(self, double gap, int feature) noexcept
    cdef int clip(self, int axis, double limit) noexcept
    cdef int cut(self, Py_ssize_t begin, int count, int side, double bound) noexcept
    cdef int choose(self, Py_ssize_t begin, int count) noexcept
    cdef int closest(self, int axis) noexcept
    cdef void search(self, int mine) noexcept
    cdef void keep_nearest(self, int mine, double x, double y, double z) noexcept
    cdef int parallel_edges(self, int axis, int other, double length) noexcept
