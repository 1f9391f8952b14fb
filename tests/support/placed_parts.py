"""Random parts at places of the world."""

from hypothesis import strategies as st

from ecs_collision.shapes.bounds import Shape, part_of
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.rotation import matrix_of

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
