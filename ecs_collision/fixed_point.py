"""The lattice: float64 values on a grid of 2**-16, stored internally as integer units (rule L1).

Integer units make every sum and difference exact, in compiled and plain code alike, so there is no epsilon anywhere.
Not taken: floats with a tolerance (drift, ghost contacts), `fractions` (slow).

Also the checks of given numbers; they raise errors that name the field and the entity.
"""

from __future__ import annotations

import math
import operator
from typing import Any, Literal, SupportsIndex, TypeGuard, TypeVar

from ecs_collision.errors import CollisionTypeError, CollisionValueError

PER_UNIT = 65536
"""Lattice units in one world unit."""

LATTICE = 1.0 / PER_UNIT
"""The size of a lattice unit, in world units (2**-16)."""

HALF_SLAB = PER_UNIT // 2
"""Half the z extent of every body in 2D, in units (rule L5)."""

MAX_COORDINATE = 2.0**36
"""Largest coordinate: 2**20 bins of the largest size, 2**16. float64 is exact up to here."""

MAX_STRENGTH = 2.0**32
"""Largest finite force or inertia; sums over a million bodies stay exact in float64."""

MAX_INTEGER = 2**62
"""Largest whole number accepted anywhere; kernels count in 64 bits."""

Kind = TypeVar("Kind")

Axis = Literal["x", "y", "z"]

AXES: tuple[Axis, Axis, Axis] = ("x", "y", "z")


def to_units(value: float) -> int:
    """Return `value` in units, rounded halves up."""
    return math.floor(value * PER_UNIT + 0.5)


def to_lattice(value: float) -> float:
    """Return a value rounded to the lattice, halves up."""
    return to_units(value) * LATTICE


def from_units(units: int) -> float:
    """Return units as a value in world units; exact for every valid position."""
    return units * LATTICE


def faces_of(half: float, offset: float) -> tuple[int, int]:
    """Return the faces offset - half and offset + half in units, rounded inward (L1).

    A box too thin to contain a lattice point becomes a point, which overlaps only boxes that strictly contain it.
    """
    scaled_half, scaled_offset = half * PER_UNIT, offset * PER_UNIT
    low, high = -_floor_of_sum(scaled_half, -scaled_offset), _floor_of_sum(scaled_half, scaled_offset)
    if low > high:
        low = high = math.floor(scaled_offset + 0.5)
    return low, high


def _floor_of_sum(a: float, b: float) -> int:
    """Return the exact sum of two floats, rounded down: only where the float is whole, its error decides."""
    total = a + b
    floor = math.floor(total)
    part = total - a
    return floor - 1 if floor == total and (a - (total - part)) + (b - part) < 0.0 else floor


def named(where: str, owner: object) -> str:
    """Return `where` with the entity of the component `owner`, if it has one."""
    entity = getattr(owner, "_entity", None)
    return where if entity is None else f"{where} of entity {entity}"


def shown(value: object, limit: int = 100) -> str:
    """Return the `repr` of a value for a message, shortened to `limit` characters."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write an int of more than 4300 digits
        text = f"an int of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def is_masked(value: object) -> bool:
    """Return whether a value is a masked NumPy array. NumPy is not imported here.

    Its items, or a plain array made from it, would include the masked numbers.
    """
    return hasattr(type(value), "hardmask")


def refuse_masks(values: object, needs: str, in_rows: bool = True) -> None:
    """Raise an error for a masked array, or with `in_rows` for a sequence of them; `needs` says what is expected."""
    if is_masked(values) or (in_rows and isinstance(values, (list, tuple)) and any(map(is_masked, values))):
        raise CollisionTypeError(
            f"{needs}, not a masked one; give the unmasked rows, such as values[~mask].data, or values.filled(...)"
        )


def items_of(value: object) -> tuple[Any, ...] | None:
    """Return the items of an iterable that is neither text nor masked; None for other values."""
    try:
        if isinstance(value, (str, bytes, bytearray, memoryview)) or is_masked(value):
            return None
        return tuple(value)  # type: ignore[arg-type]
    except TypeError:  # an array without axes is an Iterable but has no items
        return None


def _is_array_of(value: object, kinds: str) -> bool:
    """Return whether a NumPy value is one number of these kinds; True for other values. NumPy is not imported here.

    NumPy would convert strings, booleans, durations and arrays of one item to numbers.
    """
    kind = getattr(getattr(value, "dtype", None), "kind", kinds)
    return kind in kinds and getattr(value, "shape", ()) == () and not is_masked(value)


def _is_number(value: object) -> bool:
    """Return whether a value that is not a float is a real number; strings and booleans are not."""
    kind = type(value)
    if kind is int:
        return True
    if kind is bool or not (hasattr(kind, "__float__") or hasattr(kind, "__index__")):
        return False
    return _is_array_of(value, "iuf")


def number(value: object, where: str, owner: object = None) -> float:
    """Return `value` as a float; raises by the name `where` unless it is a number and not NaN."""
    if type(value) is float:
        result = value
    else:
        result = _converted(value, where, owner)
    if result != result:
        raise CollisionValueError(f"{named(where, owner)} is nan; give a finite number")
    return result


def _converted(value: Any, where: str, owner: object) -> float:
    cause: Exception | None = None
    if _is_number(value):
        try:
            return float(value)
        except OverflowError:  # an int larger than any float
            raise CollisionValueError(
                f"{named(where, owner)} is {shown(value)}, which is larger than any float; give a finite number"
            ) from None
        except (TypeError, ValueError) as refusal:
            cause = refusal
    raise CollisionTypeError(
        f"{named(where, owner)} must be a number, not {shown(value)}; give an int or a float"
    ) from cause


def finite(
    value: object,
    where: str,
    *,
    owner: object = None,
    minimum: float = -MAX_COORDINATE,
    maximum: float = MAX_COORDINATE,
) -> float:
    """Return `value` as a float between `minimum` and `maximum`; raises by the name `where` otherwise."""
    if type(value) is float and minimum <= value <= maximum:  # the usual cases, without a call
        return value
    if type(value) is int and minimum <= value <= maximum:
        return float(value)
    result = number(value, where, owner)
    if minimum <= result <= maximum:
        return result
    if math.isinf(result):
        raise CollisionValueError(f"{named(where, owner)} is {result}; give a finite number")
    if result < minimum:
        bound = "must not be negative" if minimum == 0.0 else f"must be at least {minimum:g}"
    else:
        bound = f"must be at most {maximum:g}"
    raise CollisionValueError(f"{named(where, owner)} is {result!r}, but it {bound}")


def strength(value: object, where: str, *, owner: object = None) -> float:
    """Return a force or an inertia rounded to the lattice, or infinity."""
    if type(value) is int and 0 <= value <= MAX_STRENGTH:  # the usual case, without a call
        return float(value)
    result = number(value, where, owner)
    if result < 0.0:
        raise CollisionValueError(f"{named(where, owner)} is {result!r}, but it must not be negative; 0 is the minimum")
    if math.isinf(result):
        return result
    if result > MAX_STRENGTH:
        raise CollisionValueError(
            f"{named(where, owner)} is {result!r}, but it must be at most 2**32; use infinity for more"
        )
    return from_units(to_units(result))


def whole(value: object, where: str, *, owner: object = None, minimum: int, maximum: int = MAX_INTEGER) -> int:
    """Return `value` as an int from `minimum` to `maximum`; raises by the name `where` otherwise."""
    if not is_whole(value):
        raise CollisionTypeError(f"{named(where, owner)} must be a whole number, not {shown(value)}; give an int")
    result = plain_int(value)
    if result < minimum:
        raise CollisionValueError(f"{named(where, owner)} is {shown(result)}, but it must be at least {minimum}")
    if result > maximum:
        most = f"2**{maximum.bit_length() - 1}" if maximum > 1000 and maximum & (maximum - 1) == 0 else f"{maximum}"
        raise CollisionValueError(f"{named(where, owner)} is {shown(result)}, but it must be at most {most}")
    return result


def plain_int(value: SupportsIndex) -> int:
    """Return a whole number as an int, also one of a subclass of int, whose methods may do anything."""
    return value if type(value) is int else int.__index__(operator.index(value))


def is_whole(value: object) -> TypeGuard[SupportsIndex]:
    """Return whether a value is a whole number of any type, except booleans, strings and floats."""
    kind = type(value)
    return kind is int or (kind is not bool and hasattr(kind, "__index__") and _is_array_of(value, "iu"))


def instance_of(value: object, kind: type[Kind] | tuple[type[Kind], ...], where: str, remedy: str) -> Kind:
    """Return `value` if it is an instance of a class; raises by the name `where` with what to do otherwise."""
    if isinstance(value, kind):
        return value
    raise CollisionTypeError(f"{where} is {shown(value)}; {remedy}")


def flag(value: object, where: str, *, owner: object = None) -> bool:
    """Return `value` if it is True or False; raises by the name `where` otherwise."""
    if value is True or value is False:
        return value
    if type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    raise CollisionTypeError(f"{named(where, owner)} must be True or False, not {shown(value)}")
