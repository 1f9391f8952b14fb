"""Rotations: own sine and cosine, snapped matrices (rule H3)."""

import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision.shapes.rotation import combined, matrix_of, sine_cosine, turn_of, turned

QUARTER = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
HALF = math.sqrt(0.5)


def exact_sine_cosine(angle):
    """Taylor series with 150 digits, without any reduction of the angle to a quadrant."""
    with localcontext() as context:
        context.prec = 150
        pi = Decimal(0)
        for place in range(120):  # Bailey, Borwein and Plouffe
            at = 8 * place
            terms = Decimal(4) / (at + 1) - Decimal(2) / (at + 4) - Decimal(1) / (at + 5) - Decimal(1) / (at + 6)
            pi += terms / Decimal(16) ** place
        rest = Decimal(angle) % (2 * pi)
        sine = cosine = Decimal(0)
        term = Decimal(1)
        for at in range(120):
            if at % 2:
                sine += term if at % 4 == 1 else -term
            else:
                cosine += term if at % 4 == 0 else -term
            term = term * rest / (at + 1)
        return float(sine), float(cosine)


@given(angle=st.floats(-(2.0**36), 2.0**36) | st.floats(-7, 7))
def test_sine_and_cosine_are_right_to_a_unit_in_the_last_place(angle):
    for found, expected in zip(sine_cosine(angle), exact_sine_cosine(angle), strict=True):
        assert abs(found - expected) <= max(math.ulp(expected), 2.0**-90)


def test_bits_of_sine_and_cosine_are_those_of_every_machine():
    assert ("0x1.bb67ae8584caap-1", "0x1.0000000000001p-1") == tuple(map(float.hex, sine_cosine(math.pi / 3)))
    assert ("0x1.aed548f090ceep-1", "0x1.14a280fb5068cp-1") == tuple(map(float.hex, sine_cosine(1.0)))


def test_quarter_turns_are_exact():
    for turns in range(-60, 61):
        expected = None
        for _ in range(turns % 4):
            expected = combined(QUARTER, expected)
        assert expected == matrix_of(turns * math.pi / 2) == matrix_of(turns * (math.pi / 2)), turns


def test_positive_angles_turn_x_towards_y():
    assert QUARTER == matrix_of(math.pi / 2)
    assert (0.0, 1.0, 0.0) == turned(QUARTER, 1.0, 0.0, 0.0)


@pytest.mark.parametrize("rotation", [None, 0.0, -0.0, 1e-15, (0, 0, 0, 1), (0, 0, 0, -7), (1e-20, 0, 0, 1e-3)])
def test_no_turn_is_none(rotation):
    assert matrix_of(rotation) is None


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200, -3.0])
def test_a_quaternion_of_any_length_is_the_same_rotation(scale):
    assert QUARTER == matrix_of((0.0, 0.0, HALF * scale, HALF * scale))


def test_a_quaternion_turns_about_each_axis():
    assert (1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0) == matrix_of((HALF, 0.0, 0.0, HALF))
    assert (0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0) == matrix_of((0.0, HALF, 0.0, HALF))


@given(angle=st.floats(-3, 3))
def test_an_angle_is_the_quaternion_about_z(angle):
    found = matrix_of((0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))) or matrix_of(0.0)
    assert (matrix_of(angle) or found or ()) == pytest.approx(found or (), abs=1e-15)


def test_rotations_that_undo_each_other_are_no_turn():
    assert combined(matrix_of(0.3), matrix_of(-0.3)) is None


def test_a_matrix_of_exchanged_axes_is_parallel():
    assert turn_of(QUARTER).is_axis_parallel()
    assert not turn_of(matrix_of(0.5)).is_axis_parallel()
    assert not turn_of(matrix_of(1e-6)).is_axis_parallel()


def test_entries_are_snapped_within_two_to_the_minus_46():
    assert matrix_of(2.0**-46) is None
    assert matrix_of(2.0**-45) == (1.0, -(2.0**-45), 0.0, 2.0**-45, 1.0, 0.0, 0.0, 0.0, 1.0)
