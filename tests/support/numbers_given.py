"""Values for parameters that take numbers, and the result for each kind of parameter (rule L3).

A kind is a column of the table: for each value either the accepted number, or the words of the refusal. The range of a
parameter (`least`, `most`) is its own; values outside are refused because of the range, not the kind.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy

INF = math.inf


class WithFloat:
    """An object with `__float__`."""

    def __float__(self) -> float:
        return 1.5

    def __repr__(self) -> str:
        return "WithFloat()"


class WithIndex:
    """An object with `__index__`."""

    def __index__(self) -> int:
        return 2

    def __repr__(self) -> str:
        return "WithIndex()"


VALUES: dict[str, Any] = {
    "zero": 0,
    "minus zero": -0.0,
    "one": 1,
    "two": 2,
    "two as a float": 2.0,
    "a half": 0.5,
    "minus one": -1,
    "minus a half": -0.5,
    "nan": math.nan,
    "inf": INF,
    "minus inf": -INF,
    "1e300": 1e300,
    "minus 1e300": -1e300,
    "2**70": 2**70,
    "minus 2**70": -(2**70),
    "2**53 as a float": 2.0**53,
    "4e18": 4e18,
    "minus 4e18": -4e18,
    "beyond every float": 10**400,
    "beyond every text": 10**5000,
    "minus beyond every text": -(10**5000),
    "True": True,
    "False": False,
    "numpy int64": numpy.int64(2),
    "numpy uint8": numpy.uint8(2),
    "numpy uint64": numpy.uint64(2**63),
    "numpy float32": numpy.float32(0.5),
    "numpy float64": numpy.float64(0.5),
    "numpy nan": numpy.float32(math.nan),
    "numpy inf": numpy.float64(INF),
    "numpy True": numpy.bool_(True),
    "numpy complex": numpy.complex128(2),
    "numpy text": numpy.str_("2"),
    "numpy duration": numpy.timedelta64(2, "s"),
    "array of no axis": numpy.array(2),
    "array of no axis, a half": numpy.array(0.5),
    "array of no axis, nan": numpy.array(math.nan),
    "array of no axis, True": numpy.array(True),
    "array of no axis, text": numpy.array("2"),
    "array of no axis, object": numpy.array(None),
    "array of one": numpy.array([2]),
    "array of one, a half": numpy.array([0.5]),
    "array of two": numpy.array([2.0, 2.0]),
    "masked": numpy.ma.masked,
    "masked array of no axis": numpy.ma.array(2.0),  # type: ignore[no-untyped-call]
    "masked array of one": numpy.ma.array([2.0], mask=[True]),  # type: ignore[no-untyped-call]
    "masked array of two": numpy.ma.array([2.0, 2.0], mask=[True, False]),  # type: ignore[no-untyped-call]
    "text": "2",
    "long text": "2" * 5000,
    "bytes": b"2",
    "bytearray": bytearray(b"2"),
    "memoryview": memoryview(b"2"),
    "None": None,
    "complex": 2 + 0j,
    "decimal": Decimal("0.5"),
    "decimal nan": Decimal("nan"),
    "decimal signalling nan": Decimal("snan"),
    "decimal inf": Decimal("inf"),
    "decimal beyond every float": Decimal("1e400"),
    "fraction": Fraction(1, 2),
    "fraction beyond every float": Fraction(10**400, 1),
    "something with __float__": WithFloat(),
    "something with __index__": WithIndex(),
    "list": [2],
    "something": object,
}
"""The values that every parameter is given."""


@dataclass(frozen=True)
class Refused:
    """A refusal: its built-in error type, and words of its text."""

    error: type[Exception]
    words: str


Verdict = Refused | object
"""The accepted value, or the refusal."""

NAN_TEXT, INF_TEXT = Refused(ValueError, "is nan; give a finite number"), "; give a finite number"


def _finite(value: float) -> Refused:
    return Refused(ValueError, f"is {value}{INF_TEXT}")


REAL: dict[str, Verdict] = {
    "zero": 0.0, "minus zero": 0.0, "one": 1.0, "two": 2.0, "two as a float": 2.0, "a half": 0.5, "minus one": -1.0,
    "minus a half": -0.5, "1e300": 1e300, "minus 1e300": -1e300, "2**70": 2.0**70, "minus 2**70": -(2.0**70),
    "2**53 as a float": 2.0**53, "4e18": 4e18, "minus 4e18": -4e18,
    "numpy int64": 2.0, "numpy uint8": 2.0, "numpy uint64": 2.0**63, "numpy float32": 0.5, "numpy float64": 0.5,
    "array of no axis": 2.0, "array of no axis, a half": 0.5, "decimal": 0.5, "fraction": 0.5,
    "something with __float__": 1.5, "something with __index__": 2.0,
    **dict.fromkeys(["nan", "numpy nan", "array of no axis, nan", "decimal nan"], NAN_TEXT),
    **dict.fromkeys(["inf", "numpy inf", "decimal inf", "decimal beyond every float"], _finite(INF)),
    "minus inf": _finite(-INF),
    **dict.fromkeys(
        ["beyond every float", "beyond every text", "minus beyond every text", "fraction beyond every float"],
        Refused(ValueError, "is larger than any float; give a finite number"),
    ),
}  # fmt: skip
"""Real numbers. Values that are not listed are not numbers."""

STRENGTH: dict[str, Verdict] = REAL | dict.fromkeys(
    ["inf", "numpy inf", "decimal inf", "decimal beyond every float"], INF
)  # fmt: skip
"""Forces and inertias, which may be infinite."""

WHOLE: dict[str, Verdict] = {
    "zero": 0, "one": 1, "two": 2, "minus one": -1, "2**70": 2**70, "minus 2**70": -(2**70), "numpy int64": 2,
    "numpy uint8": 2, "numpy uint64": 2**63, "array of no axis": 2, "something with __index__": 2,
    "beyond every float": 10**400, "beyond every text": 10**5000, "minus beyond every text": -(10**5000),
}  # fmt: skip
"""Whole numbers. Values that are not listed are not."""

FLAG: dict[str, Verdict] = {"True": True, "False": False, "numpy True": True}
"""Booleans. Values that are not listed are not."""


@dataclass(frozen=True)
class Kind:
    """The values a parameter takes: a column of the table, and the words for all values that are not in it."""

    column: dict[str, Verdict]
    otherwise: str
    least: int | float = -INF
    most: int | float = INF
    below: str = ""
    above: str = ""
    also: dict[str, Verdict] = field(default_factory=dict)
    otherwise_error: type[Exception] = TypeError
    step: float | None = None
    only: tuple[str, ...] = tuple(VALUES)

    def cells(self) -> list[tuple[str, Any, Verdict]]:
        """Return (name, value, verdict) of each value."""
        return [(name, VALUES[name], self.verdict(name)) for name in self.only]

    def _next(self, end: float, side: int) -> float:
        """Return the number next to an end of the range, one `step` away if there is one."""
        return math.nextafter(end, side * INF) if self.step is None else end + side * self.step

    def verdict(self, name: str) -> Verdict:
        """Return the accepted value or the refusal."""
        if name in self.also:
            return self.also[name]
        found = self.column.get(name, Refused(self.otherwise_error, self.otherwise))
        if not isinstance(found, int | float) or isinstance(found, bool):
            return found
        if found < self.least:
            return Refused(ValueError, self.below)
        if found > self.most:
            return Refused(ValueError, self.above)
        return found

    def ends(self) -> list[tuple[str, Any, Verdict]]:
        """Return (name, value, verdict) of both ends of the range and of the values just outside."""
        found: list[tuple[str, Any, Verdict]] = []
        is_whole = self.column is WHOLE
        for end, side, words in ((self.least, -1, self.below), (self.most, 1, self.above)):
            if math.isfinite(end):
                beyond = int(end) + side if is_whole else self._next(end, side)
                found += [("the end", end, end), ("beyond the end", beyond, Refused(ValueError, words))]
        return found


def real(least: float = -(2.0**36), most: float = 2.0**36, **also: Any) -> Kind:
    """Return the kind of a finite number within a range."""
    below = "but it must not be negative" if least == 0 else f"but it must be at least {least:g}"
    return Kind(REAL, "must be a number", float(least), float(most), below, f"but it must be at most {most:g}", also)


def strength(**also: Any) -> Kind:
    """Return the kind of a force or an inertia."""
    return Kind(STRENGTH, "must be a number", 0.0, INF, "but it must not be negative", "", {**LARGE, **also})


LARGE = dict.fromkeys(
    ["1e300", "2**70", "numpy uint64", "2**53 as a float", "4e18"],
    Refused(ValueError, "it must be at most 2**32; use infinity for more"),
) | {"minus inf": Refused(ValueError, "but it must not be negative")}


def mass() -> Kind:
    """Return the kind of a mass or a moment."""
    words = "but it must be positive: from 2**-32 to 2**32, or infinity"
    infinite: dict[str, Verdict] = dict.fromkeys(["inf", "numpy inf", "decimal inf", "decimal beyond every float"], INF)
    return Kind(
        REAL, "must be a number", 2.0**-32, 2.0**32, words, words, {**infinite, "minus inf": Refused(ValueError, words)}
    )


def whole(least: int, power: int = 62, **also: Any) -> Kind:
    """Return the kind of a whole number from `least` to a power of two."""
    below, above = f"must be at least {least}", f"must be at most 2**{power}"
    return Kind(WHOLE, "must be a whole number", least, 2**power, below, above, also)


def flag(**also: Any) -> Kind:
    """Return the kind of True and False."""
    return Kind(FLAG, "must be True or False", also=also)
