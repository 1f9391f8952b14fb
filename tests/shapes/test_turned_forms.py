"""Turned forms of the hot files equal those of plain Python, to the bit (rules H2 to H4)."""

import pickle
import struct

import plain_turning
from hypothesis import example, given
from hypothesis import strategies as st

from ecs_collision.shapes.bounds import Solids, TurningPart
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import matrix_of, sine_cosine

ANGLES = (
    st.floats(-7, 7)
    | st.floats(-(2.0**36), 2.0**36)
    | st.integers(-99, 99).map(lambda turns: turns * 0.7853981633974483)
)
ROTATIONS = (
    st.none()
    | ANGLES
    | st.tuples(*[st.integers(-2, 2).map(float) | st.floats(-1, 1, allow_subnormal=False)] * 4).filter(any)
)
SIZES = st.just(0) | st.integers(0, 2**18) | st.integers(0, 2**40)
PLACES = st.just(0) | st.integers(-(2**18), 2**18) | st.integers(-(2**45), 2**45)
TURNING = st.builds(
    lambda halves, radius, centre, own: TurningPart(halves, radius, centre, matrix_of(own)),
    st.tuples(SIZES, SIZES, SIZES), SIZES, st.tuples(PLACES, PLACES, PLACES), ROTATIONS,
)  # fmt: skip
BOXES = st.tuples(PLACES, PLACES, PLACES, SIZES, SIZES, SIZES).map(
    lambda box: (*box[:3], *(low + size for low, size in zip(box[:3], box[3:], strict=True)))
)


def bits(numbers):
    return None if numbers is None else struct.pack(f"{len(numbers)}d", *numbers)


@given(angle=ANGLES)
@example(angle=-0.0)
@example(angle=1e-300)
@example(angle=2.0**20)
@example(angle=6381956970095103.0 * 2.0**-16)
def test_sine_and_cosine_are_those_of_whole_numbers(angle):
    assert bits(plain_turning.sine_cosine(angle)) == bits(sine_cosine(angle))


@given(solids=st.lists(TURNING | BOXES, min_size=1, max_size=4).map(tuple), rotation=ROTATIONS)
@example(solids=(TurningPart((9, 0, 0), 1, (0, 0, 0)),) * 2, rotation=0.5)
def test_a_turned_form_is_that_of_plain_python(solids, rotation):
    matrix = plain_turning.matrix_of(rotation)
    assert bits(matrix) == bits(matrix_of(rotation))
    parts = [
        plain_turning.part_of(solid.halves, solid.radius, solid.centre, matrix, solid.matrix)
        if isinstance(solid, TurningPart)
        else Part(solid)
        for solid in solids
    ]
    expected = tuple(dict.fromkeys(parts))
    form = Solids(solids).form_of(rotation)
    assert expected == form.all_parts
    assert [bits(part.matrix) for part in expected] == [bits(part.matrix) for part in form.all_parts]
    assert tuple(map(plain_turning.bounds_of, expected)) == form.boxes
    assert (form.shape is None) == all(part.radius == 0 and part.matrix is None for part in expected)


def test_forms_with_the_same_parts_are_equal():
    solids = Solids((TurningPart((9, 5, 7), 2, (1, 0, 0)),))
    form, again, turned = (solids.form_of(rotation) for rotation in (0.5, 0.5, 0.25))
    assert form == again == pickle.loads(pickle.dumps(form))
    assert (hash(form), repr(form)) == (hash(again), repr(again))
    assert form != turned
    assert repr(form) != repr(turned)
