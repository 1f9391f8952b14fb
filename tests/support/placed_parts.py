"""Random parts at places of the world, and exact computations about them in fractions."""

from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.placed import PlacedPart, Shape
from ecs_collision.shapes.rotation import matrix_of

IDENTITY = (1, 0, 0, 0, 1, 0, 0, 0, 1)
ANGLES = st.sampled_from([0.0, 0.1, 0.5, 0.7853981633974483, 1.5707963267948966, 2.0]) | st.floats(-7, 7)
ROTATIONS = ANGLES | st.tuples(*[st.integers(-4, 4)] * 4).filter(any)
SIZES = st.integers(1, 20)
CENTRES = st.tuples(*[st.integers(-25, 25)] * 3)


@st.composite
def boxes(draw, rotations=ROTATIONS, scale=1000):
    """Oriented boxes; some are parallel to the axes, some have no thickness."""
    halves = tuple(scale * draw(SIZES | st.just(0)) for _ in range(3))
    return part_of(halves, 0, (0.0, 0.0, 0.0), None, matrix_of(draw(rotations)))


@st.composite
def rounds(draw, rotations=ROTATIONS, scale=1000):
    """Capsules and spheres."""
    half_length = scale * draw(st.integers(0, 20))
    halves = draw(st.permutations([half_length, 0, 0]))
    return part_of(tuple(halves), scale * draw(SIZES), (0.0, 0.0, 0.0), None, matrix_of(draw(rotations)))


def parts(rotations=ROTATIONS, scale=1000):
    return boxes(rotations, scale) | rounds(rotations, scale)


def places(scale=1000):
    return CENTRES.map(lambda centre: tuple(scale * each for each in centre))


def placed(part, position=(0, 0, 0)):
    result = PlacedPart()
    result.set_part(Shape([part]), 0, *position)
    return result


def frame(part, position=(0, 0, 0)):
    """Return centre, half extents and axes of the core, all exact."""
    centre = [Fraction(part.core[at] + part.core[at + 3], 2) + position[at] for at in range(3)]
    halves = [Fraction(part.core[at + 3] - part.core[at], 2) for at in range(3)]
    matrix = [Fraction(entry) for entry in part.matrix or IDENTITY]
    return centre, halves, [tuple(matrix[at::3]) for at in range(3)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def corners(part, position=(0, 0, 0)):
    centre, halves, axes = frame(part, position)
    return [
        tuple(centre[at] + sum(sign * halves[k] * axes[k][at] for k, sign in enumerate(signs)) for at in range(3))
        for signs in product((-1, 1), repeat=3)
    ]


def square_to_core(point, part, position=(0, 0, 0)):
    """Return the square of the distance of a point to a core. The matrix counts as orthogonal."""
    centre, halves, axes = frame(part, position)
    offset = [a - b for a, b in zip(point, centre, strict=True)]
    return sum(max(abs(dot(offset, axis)) - half, 0) ** 2 for axis, half in zip(axes, halves, strict=True))


def gap_of_segment(a, place_a, b, place_b, rounds=90):
    """Return the distance of a core that is a point or a segment to another, by halving an interval."""
    ends = corners(a, place_a)
    start, end = min(ends), max(ends)

    def square(t):
        return float(square_to_core([x + Fraction(t) * (y - x) for x, y in zip(start, end, strict=True)], b, place_b))

    low, high = 0.0, 1.0
    for _ in range(rounds):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if square(left) <= square(right) else (left, high)
    return min(square(low), square(high)) ** 0.5


def depth_of_boxes(a, place_a, b, place_b):
    """Return how deep two boxes overlap along the axis of least depth, negative if an axis separates them."""
    _, _, axes_a = frame(a, place_a)
    _, _, axes_b = frame(b, place_b)
    depths = []
    for axis in [*axes_a, *axes_b, *(cross(x, y) for x in axes_a for y in axes_b)]:
        length = float(dot(axis, axis)) ** 0.5
        if length > 1e-6:
            along_a = [dot(axis, corner) for corner in corners(a, place_a)]
            along_b = [dot(axis, corner) for corner in corners(b, place_b)]
            depths.append(float(min(max(along_a) - min(along_b), max(along_b) - min(along_a))) / length)
    return min(depths)
