"""`Transform`: the class, the values that may be written, and the messages of refusals (L1, L3, E6, E7)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
from squares import a_world_with

from ecs_collision import Transform

# -- the class ------------------------------------------------------------------------------------------------------


def test_a_transform_shows_its_numbers_as_python_floats():
    transform = Transform(1, numpy.float32(-2.5), Fraction(1, 2))
    assert "Transform(1.0, -2.5, 0.5)" == repr(transform) == str(transform)
    assert (float, float, float) == tuple(map(type, transform.position))
    assert (1.0, -2.5, 0.5) == (transform.x, transform.y, transform.z)
    assert isinstance(transform, Transform)
    assert type(transform.position) is tuple
    assert "Transform" == type(transform).__name__ == type(transform).__qualname__


POSITIONS: dict[str, tuple[Any, tuple[float, float, float]]] = {
    "a pair keeps z": ((4, 5), (4, 5, 3)),
    "a pair of floats keeps z": ((4.0, 5.0), (4, 5, 3)),
    "a pair of a float and an int keeps z": ((4.0, 5), (4, 5, 3)),
    "a triple": ((4, 5, 6), (4, 5, 6)),
    "a triple of floats": ((4.0, 5.0, 6.0), (4, 5, 6)),
    "a triple of two floats and an int": ((4.0, 5.0, 6), (4, 5, 6)),
    "a list": ([4, 5], (4, 5, 3)),
    "an array of two": (numpy.array([4, 5]), (4, 5, 3)),
    "an array of three": (numpy.array([4.5, 5, 6], dtype=numpy.float32), (4.5, 5, 6)),
    "an array that is not contiguous": (numpy.arange(6.0)[::2], (0, 2, 4)),
    "a row of an array": (numpy.arange(12.0).reshape(4, 3)[2], (6, 7, 8)),
    "a range": (range(3), (0, 1, 2)),
    "the position of another Transform": (Transform(7, 8, 9).position, (7, 8, 9)),
    "a tuple of mixed numbers": ((Fraction(1, 2), numpy.int16(3), Decimal(4)), (0.5, 3, 4)),
}


@pytest.mark.parametrize("bound", [False, True], ids=["unbound", "bound"])
@pytest.mark.parametrize(("value", "expected"), POSITIONS.values(), ids=POSITIONS)
def test_a_position_may_be_written_from_any_two_or_three_numbers_E7(value, expected, bound):
    transform = Transform(1, 2, 3)
    world = a_world_with(transform) if bound else None
    transform.position = value
    assert expected == transform.position
    assert (float, float, float) == tuple(map(type, transform.position))
    assert world is None or [1] == world.space.at(*expected)


@pytest.mark.parametrize("bound", [False, True], ids=["unbound", "bound"])
def test_a_position_may_be_written_from_a_generator_which_may_read_it_E7(bound):
    transform = Transform(1, 2, 3)
    world = a_world_with(transform) if bound else None
    transform.position = (value + 1 for value in transform.position)
    assert (2, 3, 4) == transform.position
    transform.position = (value + 1 for value in transform.position[:2])
    assert (3, 4, 4) == transform.position

    def failing():
        yield 9
        transform.z = 8
        yield 9
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        transform.position = failing()
    assert (3, 4, 8) == transform.position
    assert world is None or [1] == world.space.at(3, 4, 8)


def test_a_value_whose_float_writes_the_transform_is_written_last():
    """Converting a value may run any code; the requested write happens after it, completely."""
    transform = Transform(1, 2, 3)
    world = a_world_with(transform)

    class WritesTransform:
        def __float__(self) -> float:
            transform.position = (50, 60, 70)
            return 4.0

    transform.y = WritesTransform()
    assert (50, 4, 70) == transform.position
    transform.position = (WritesTransform(), 5, 6)
    assert (4, 5, 6) == transform.position
    assert [1] == world.space.at(4, 5, 6)
