"""`Transform`, the class and its values: what may be written, and what is refused with which words (L1, L3, E6, E7)."""

from __future__ import annotations

import inspect
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
from squares import a_world_with, text_of

from ecs_collision import (
    LATTICE,
    CollisionTypeError,
    CollisionValueError,
    Transform,
)

# -- the class ------------------------------------------------------------------------------------------------------


def test_the_signature_of_transform_is_x_y_and_z_which_may_be_left_out():
    found = inspect.signature(Transform).parameters
    assert ["x", "y", "z"] == list(found)
    assert [inspect.Parameter.empty, inspect.Parameter.empty, 0.0] == [found[name].default for name in found]
    assert {inspect.Parameter.POSITIONAL_OR_KEYWORD} == {found[name].kind for name in found}
    assert (1.0, 2.0, 0.0) == Transform(y=2, x=1).position
    for wrong in (
        lambda: Transform(),
        lambda: Transform(1),
        lambda: Transform(1, 2, 3, 4),
        lambda: Transform(1, 2, w=3),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_a_transform_shows_its_numbers_as_python_floats():
    transform = Transform(1, numpy.float32(-2.5), Fraction(1, 2))
    assert "Transform(1.0, -2.5, 0.5)" == repr(transform) == str(transform)
    assert (float, float, float) == tuple(map(type, transform.position))
    assert (1.0, -2.5, 0.5) == (transform.x, transform.y, transform.z)
    assert isinstance(transform, Transform)
    assert type(transform.position) is tuple
    assert "Transform" == type(transform).__name__ == type(transform).__qualname__


def test_a_transform_has_no_room_for_other_attributes_E6():
    transform = Transform(1, 2, 3)
    for name in ("xx", "postion", "rot", "_z_", "__dict__"):
        with pytest.raises(AttributeError):
            setattr(transform, name, 3)
        assert not hasattr(transform, name)
    for name in ("x", "y", "z", "position"):
        with pytest.raises((AttributeError, NotImplementedError)):  # compiled classes say the latter
            delattr(transform, name)
    assert (1.0, 2.0, 3.0) == transform.position


def test_a_subclass_of_a_component_is_refused_with_the_remedy_E6():
    assert (
        "Mine subclasses Transform, but components are final: esper finds components by their exact class; "
        "keep your own data in a component of your own beside Transform"
    ) == text_of(lambda: type("Mine", (Transform,), {}), CollisionTypeError)


def test_equality_of_transforms_is_identity_bound_or_not_E6():
    first, second = Transform(1, 2), Transform(1, 2)
    world = a_world_with(first)
    assert first != second
    assert len({first, second, first}) == 2
    before = hash(first)
    first.x = 9
    world.step()
    world.remove(1)
    assert before == hash(first)


# -- numbers --------------------------------------------------------------------------------------------------------


class Half(float):
    """A float of the game's own."""


class Measured:
    """Something that can be made a float."""

    def __float__(self) -> float:
        return 2.5


class Counted:
    """Something that can be made an index."""

    def __index__(self) -> int:
        return 7


NUMBERS: dict[str, tuple[Any, float]] = {
    "int": (3, 3.0),
    "float subclass": (Half(2.5), 2.5),
    "float32 off the lattice": (numpy.float32(0.1), 6554 * LATTICE),
    "float16": (numpy.float16(0.5), 0.5),
    "float64": (numpy.float64(-2), -2.0),
    "int8": (numpy.int8(-3), -3.0),
    "uint64": (numpy.uint64(2**36), 2.0**36),
    "array of no dimension": (numpy.array(3.0), 3.0),
    "Fraction": (Fraction(1, 3), 21845 * LATTICE),
    "Decimal": (Decimal("0.5"), 0.5),
    "with __float__": (Measured(), 2.5),
    "with __index__": (Counted(), 7.0),
    "negative nothing": (-0.0, 0.0),
    "rounded to nothing": (-LATTICE / 4, 0.0),
    "half a step up": (LATTICE / 2, LATTICE),
    "half a step below": (-3 * LATTICE / 2, -LATTICE),
    "the largest": (2.0**36, 2.0**36),
    "the least": (-(2.0**36), -(2.0**36)),
}


@pytest.mark.parametrize("bound", [False, True], ids=["unbound", "bound"])
@pytest.mark.parametrize(("value", "kept"), NUMBERS.values(), ids=NUMBERS)
def test_whatever_is_a_number_may_be_written_and_reads_back_as_a_float_on_the_lattice_L1(value, kept, bound):
    transform = Transform(1, 2, 3)
    world = a_world_with(transform) if bound else None
    for field, place_ in zip("xyz", ((kept, 2, 3), (kept, kept, 3), (kept, kept, kept)), strict=True):
        setattr(transform, field, value)
        assert place_ == transform.position
        assert type(getattr(transform, field)) is float
        assert math.copysign(1, kept) == math.copysign(1, getattr(transform, field))
    transform.position = (value, 1)
    assert (kept, 1, kept) == transform.position
    assert (kept, kept, 0) == Transform(value, value).position
    assert world is None or world.pending


TOO_LARGE = "which is larger than any float; give a finite number"

REFUSED: dict[str, tuple[Any, str]] = {
    "True": (True, "must be a number, not True; give an int or a float"),
    "numpy's True": (numpy.True_, f"must be a number, not {numpy.True_!r}; give an int or a float"),
    "text": ("3", "must be a number, not '3'; give an int or a float"),
    "bytes": (b"3", "must be a number, not b'3'; give an int or a float"),
    "numpy's text": (numpy.str_("3"), f"must be a number, not {numpy.str_('3')!r}; give an int or a float"),
    "None": (None, "must be a number, not None; give an int or a float"),
    "complex": (1j, "must be a number, not 1j; give an int or a float"),
    "numpy's complex": (numpy.complex64(1j), f"must be a number, not {numpy.complex64(1j)!r}; give an int or a float"),
    "a list": ([1], "must be a number, not [1]; give an int or a float"),
    "an array": (numpy.zeros(2), "must be a number, not array([0., 0.]); give an int or a float"),
    "NaN": (math.nan, "is nan; give a finite number"),
    "numpy's NaN": (numpy.float32(math.nan), "is nan; give a finite number"),
    "Decimal's NaN": (Decimal("NaN"), "is nan; give a finite number"),
    "infinity": (math.inf, "is inf; give a finite number"),
    "negative infinity": (-math.inf, "is -inf; give a finite number"),
    "beyond the largest": (2.0**36 + 1, "is 68719476737.0, but it must be at most 6.87195e+10"),
    "an int beyond the largest": (2**40, "is 1099511627776.0, but it must be at most 6.87195e+10"),
    "below the least": (-(2.0**37), "is -137438953472.0, but it must be at least -6.87195e+10"),
    "beyond every float": (10**400, f"is {str(10**400)[:97]}..., {TOO_LARGE}"),
    "below every float": (Fraction(-(10**400)), f"is {repr(Fraction(-(10**400)))[:97]}..., {TOO_LARGE}"),
    "beyond 64 bits": (2.0**80, "is 1.2089258196146292e+24, but it must be at most 6.87195e+10"),
}


@pytest.mark.parametrize("field", ["x", "y", "z"])
@pytest.mark.parametrize(("value", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_finite_number_is_refused_by_name_and_the_old_value_kept_L3(value, says, field):
    transform = Transform(1, 2, 3)
    values = {"x": 1, "y": 2, "z": 3, field: value}
    corner = tuple(values.values())
    assert f"Transform.{field} {says}" == text_of(lambda: Transform(**values))
    assert f"Transform.{field} {says}" == text_of(lambda: setattr(transform, field, value))
    assert f"Transform.position {field} {says}" == text_of(lambda: setattr(transform, "position", corner))
    world = a_world_with(transform)
    assert f"Transform.{field} of entity 1 {says}" == text_of(lambda: setattr(transform, field, value))
    assert f"Transform.position {field} of entity 1 {says}" == text_of(lambda: setattr(transform, "position", corner))
    assert (1, 2, 3) == transform.position
    assert not world.pending
    world.remove(1)
    assert f"Transform.{field} {says}" == text_of(lambda: setattr(transform, field, value))


def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error_L3():
    for bound in (False, True):
        transform = Transform(1, 2, 3)
        world = a_world_with(transform) if bound else None
        wrongs = [(value, CollisionTypeError) for value in ("3", None, True, [1])]
        wrongs += [(value, CollisionValueError) for value in (math.nan, -math.inf, 2.0**40)]
        for wrong, kind in wrongs:
            text_of(lambda t=transform, w=wrong: setattr(t, "y", w), kind)
            text_of(lambda t=transform, w=wrong: setattr(t, "position", (1, w)), kind)
        assert world is None or not world.pending


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
    "an array that is not in one piece": (numpy.arange(6.0)[::2], (0, 2, 4)),
    "a row of an array": (numpy.arange(12.0).reshape(4, 3)[2], (6, 7, 8)),
    "a range": (range(3), (0, 1, 2)),
    "another's position": (Transform(7, 8, 9).position, (7, 8, 9)),
    "a tuple of mixed numbers": ((Fraction(1, 2), numpy.int16(3), Decimal(4)), (0.5, 3, 4)),
}


@pytest.mark.parametrize("bound", [False, True], ids=["unbound", "bound"])
@pytest.mark.parametrize(("value", "kept"), POSITIONS.values(), ids=POSITIONS)
def test_a_position_may_be_written_from_any_two_or_three_numbers_E7(value, kept, bound):
    transform = Transform(1, 2, 3)
    world = a_world_with(transform) if bound else None
    transform.position = value
    assert kept == transform.position
    assert (float, float, float) == tuple(map(type, transform.position))
    assert world is None or [1] == world.space.at(*kept)


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


def test_a_value_whose_own_float_writes_the_transform_has_the_last_word():
    """Reading a value may run anything; the write that is asked for happens after that, whole."""
    transform = Transform(1, 2, 3)
    world = a_world_with(transform)

    class Meddling:
        def __float__(self) -> float:
            transform.position = (50, 60, 70)
            return 4.0

    transform.y = Meddling()
    assert (50, 4, 70) == transform.position
    transform.position = (Meddling(), 5, 6)
    assert (4, 5, 6) == transform.position
    assert [1] == world.space.at(4, 5, 6)


NO_POSITIONS = {
    "one number": ((1,), "must have 2 or 3 numbers, not 1: (1,)", CollisionValueError),
    "four": ((1, 2, 3, 4), "must have 2 or 3 numbers, not 4: (1, 2, 3, 4)", CollisionValueError),
    "none": ([], "must have 2 or 3 numbers, not 0: []", CollisionValueError),
    "text of two": ("ab", "must be a tuple (x, y) or (x, y, z), not 'ab'", CollisionTypeError),
    "bytes": (b"ab", "must be a tuple (x, y) or (x, y, z), not b'ab'", CollisionTypeError),
    "a number": (5, "must be a tuple (x, y) or (x, y, z), not 5", CollisionTypeError),
    "None": (None, "must be a tuple (x, y) or (x, y, z), not None", CollisionTypeError),
}


@pytest.mark.parametrize(("value", "says", "kind"), NO_POSITIONS.values(), ids=NO_POSITIONS)
def test_what_is_no_position_is_refused_by_name_L3(value, says, kind):
    transform = Transform(1, 2, 3)
    assert f"Transform.position {says}" == text_of(lambda: setattr(transform, "position", value), kind)
    world = a_world_with(transform)
    assert f"Transform.position of entity 1 {says}" == text_of(lambda: setattr(transform, "position", value), kind)
    assert (1, 2, 3) == transform.position
    assert not world.pending
