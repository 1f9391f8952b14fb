"""Every public parameter that takes numbers: its kind, the words of its refusals, and code that uses a value.

A row is named `Class.method.parameter`, `Class.parameter` for a constructor, `Class.field =` for a setter. `[x]` is a
part of the argument. In the code `v` is the value, `e` the engine, `g` the game, `b` the board of the stage. The result
of the code is compared with the accepted value, except for UNREAD and code that begins with "!".

A kind is a column of a table: for each value either the accepted number, or the words of the refusal (rule L3). The
range of a parameter (`least`, `most`) is its own; values outside are refused because of the range, not the kind.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy
from number_stages import (
    BALL,
    CRATE,
    FALLER,
    LEVEL,
    PILL,
    PLANK,
    PLAYER,
    SLEEPER,
    Fresh,
    InEsper,
    InGame,
    InWorld,
    Nowhere,
    Stage,
)  # fmt: skip

import ecs_collision
from ecs_collision import components, levels  # noqa: F401
from ecs_collision.fixed_point import LATTICE
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.solver import fewest_pushes  # noqa: F401

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
    also: dict[str, Verdict] = dataclasses.field(default_factory=dict)
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


def mass(**also: Verdict) -> Kind:
    """Return the kind of a mass or a moment. also: values that count as others."""
    words = "but it must be positive: from 2**-32 to 2**32, or infinity"
    infinite: dict[str, Verdict] = dict.fromkeys(["inf", "numpy inf", "decimal inf", "decimal beyond every float"], INF)
    return Kind(
        REAL,
        "must be a number",
        2.0**-32,
        2.0**32,
        words,
        words,
        {**infinite, "minus inf": Refused(ValueError, words), **also},
    )


def whole(least: int, power: int = 62, **also: Any) -> Kind:
    """Return the kind of a whole number from `least` to a power of two."""
    below, above = f"must be at least {least}", f"must be at most 2**{power}"
    return Kind(WHOLE, "must be a whole number", least, 2**power, below, above, also)


def flag(**also: Any) -> Kind:
    """Return the kind of True and False."""
    return Kind(FLAG, "must be True or False", also=also)


UNREAD = object()
"""A value that is accepted, but cannot be read back."""

FAR = 2.0**36


def vector(at: int, value: Any, other: Any = 0, size: int = 3) -> tuple[Any, ...]:
    """Return a tuple of `other` with the value at one index."""
    return tuple([value if axis == at else other for axis in range(size)])


def setting(engine: Any, **settings: Any) -> Any:
    """Return the settings of an engine made with these arguments."""
    made = engine(ROOM, **settings) if engine is Game else engine(**settings)
    return getattr(made, "world", getattr(made, "_world", made))._settings


def written(part: Any, field: str, value: Any) -> Any:
    setattr(part, field, value)
    return getattr(part, field)


ROOM, WON = parse_level(LEVEL), parse_level("#####\n#@$.#\n#####\n", "xsb")


@dataclass(frozen=True)
class Row:
    """A parameter."""

    name: str
    kind: Kind
    words: str
    code: str
    stage: type[Stage] = Nowhere
    edges: bool = True
    asks: bool = False
    """Whether an accepted value changes nothing either."""

    @cached_property
    def _call(self) -> Callable[..., object]:
        call: Callable[..., object] = eval(f"lambda v, part, e, g, b: {self.code.removeprefix('!')}", KNOWN)
        return call

    def give(self, stage: Stage, value: Any) -> object:
        """Use a value, and return what is read back."""
        found = self._call(value, stage.part, stage.engine, stage.engine, stage.engine)
        return UNREAD if self.code.startswith("!") else found


OPTIONAL: dict[str, Any] = {"None": None}
UNSAID: dict[str, Any] = {"None": UNREAD}
BODIES = ("one", "two", "numpy int64", "numpy uint8", "array of no axis", "something with __index__")
NO_BODY = "is not a body of this world"
ENTITY = Kind(dict.fromkeys(BODIES, UNREAD), NO_BODY, otherwise_error=KeyError)
"""The id of a body: 1 and 2 exist. Values that are not whole numbers are unknown ids."""

FLOATS = ("zero", "minus one", "a half", "nan", "inf", "minus inf", "1e300", "minus 1e300", "2**70")
IN_FLOATS = replace(real(), only=FLOATS)
"""Values that an array of floats can hold."""

HOW = {"force": strength(**UNSAID), "max_chain": whole(0, **UNSAID), "all_or_nothing": flag(**UNSAID)}


def refused(names: Any, kind: type[Exception], words: str) -> dict[str, Any]:
    return dict.fromkeys(names, Refused(kind, words))


def axes(
    name: str, words: str, code: str, stage: type[Stage] = Nowhere, kind: Kind | None = None, **more: Any
) -> Iterator[Row]:
    """Yield a row for each number of a tuple of three: {} stands for its axis, in the code also `at` for its index."""
    for at, axis in enumerate("xyz"):
        code_here = re.sub(r"\bat\b", str(at), code)
        yield Row(f"{name}[{axis}]", kind or real(), words.format(axis), code_here, stage, **more)


# Components: a row for the constructor, and one for the setter of a component that belongs to a body.

FIELDS: dict[str, tuple[int, str, dict[str, Kind]]] = {
    # component: its entity, other arguments of its constructor, kinds of its fields
    "BoxCollider": (PLAYER, "hx=1, hy=1", {"hx": real(0), "hy": real(0), "hz": real(0), "enabled": flag()}),
    "CompoundCollider": (4, "parts=[Box(1, 1)]", {"enabled": flag()}),
    "SphereCollider": (BALL, "radius=1", {"radius": real(0), "enabled": flag()}),
    "CapsuleCollider": (PILL, "radius=1, half_length=1", {
        "radius": real(0), "half_length": real(0), "enabled": flag(),
    }),
    "OrientedBoxCollider": (PLANK, "hx=1, hy=1", {"hx": real(0), "hy": real(0), "hz": real(0), "enabled": flag()}),
    "Transform": (PLAYER, "x=1, y=1", {"x": real(), "y": real(), "z": real()}),
    "Inertia": (CRATE, "", dict.fromkeys(("x", "y", "z", "value"), strength())),
    "Motion": (PLAYER, "", {
        "force": strength(), "priority": whole(-(2**62)), "max_chain": whole(0, **OPTIONAL),
        "all_or_nothing": flag(**OPTIONAL),
    }),
    "Velocity": (FALLER, "", dict.fromkeys("xyz", real(-(2.0**14), 2.0**14))),
    "Mass": (FALLER, "value=1", {"value": mass(), "moment": mass(**OPTIONAL)}),
    "Material": (FALLER, "", {"restitution": real(0, 1), "friction": real(0), "rolling": real(0)}),
    "Sleeping": (SLEEPER, "", {"asleep": flag(), "after": whole(1)}),
    "Fused": (6, "", {"to": whole(0)}),
    "Trigger": (3, "", {
        "linger": whole(0), **dict.fromkeys(("statics", "touching", "swept", "stay", "enabled"), flag()),
    }),
    "Contact": (7, "", {"linger": whole(0)}),
}  # fmt: skip
NEEDS_A_VALUE = strength(**refused(["None"], TypeError, "needs a value: Inertia(1.0), or Inertia(x=1.0)"))
SIZES = {"Sphere": ("radius",), "Capsule": ("radius", "half_length"), "OrientedBox": ("hx", "hy", "hz")}
SIZE = real(0, **refused(["zero", "minus zero"], ValueError, "is 0; give the side of a cell"))


def _components() -> Iterator[Row]:
    for name, (entity, given, fields) in FIELDS.items():
        for field, kind in fields.items():
            is_inertia = name == "Inertia"
            words, call = (
                ("Inertia" if is_inertia else f"{name}.{field}"),
                f"{name}(**dict({given}) | {{'{field}': v}})",
            )
            yield Row(f"{name}.{field}", NEEDS_A_VALUE if is_inertia else kind, words, f"{call}.{field}")
            code = f"written(part({entity}, {name}), '{field}', v)"
            yield Row(f"{name}.{field} =", kind, f"{name}.{field} of entity {entity}", code, InEsper)
    for field in ("hx", "hy", "hz"):
        code = f"Box(**{{'hx': 1, 'hy': 1, '{field}': v}}).{field}"
        yield Row(f"Box.{field}", real(0), f"Box.{field}", code)
    for name, sizes in SIZES.items():
        for size in sizes:
            code = f"{name}(**dict.fromkeys({sizes}, 1) | {{'{size}': v}}).{size}"
            yield Row(f"{name}.{size}", real(0), f"{name}.{size}", code)
    for name in ("Box", "BoxCollider", *SIZES, "SphereCollider", "CapsuleCollider", "OrientedBoxCollider"):
        words, given = f"{name}.offset", "1" if name.startswith("Sphere") else "1, 1"
        yield from axes(words, f"{words} {{}}", f"{name}({given}, offset=vector(at, v)).offset[at]")
    colliders = {"BoxCollider": 1, "SphereCollider": BALL, "CapsuleCollider": PILL, "OrientedBoxCollider": PLANK}
    setters = [("Transform", "position", 1), *((name, "offset", entity) for name, entity in colliders.items())]
    for name, field, entity in setters:
        code = f"written(part({entity}, {name}), '{field}', {{}})"
        words = f"{name}.{field}"
        whose = f"{words} {{}} of entity {entity}"
        yield from axes(f"{words} =", whose, code.format("vector(at, v, 0.0)") + "[at]", InEsper)
    for name, given in {"Transform": "0, 0", "Capsule": "1, 1", "OrientedBox": "1, 1"}.items():
        for at, part in enumerate("xyzw"):
            code = f"{name}({given}, rotation=vector({at}, v, 1.0, 4)).rotation[{at}]"
            yield Row(f"{name}.rotation[{part}]", real(), f"{name}.rotation {part}", code)
    for at, axis in enumerate("xyz"):
        code = f"Velocity(angular=vector({at}, v)).angular[{at}]"
        yield Row(f"Velocity.angular[{axis}]", real(-(2.0**14), 2.0**14), f"Velocity.angular {axis}", code)
    for way in ("dx", "dy", "dz"):
        code = f"(part(1, Motion).move({way}=v), part(1, Motion).{way})[1]"
        yield Row(f"Motion.move.{way}", real(), f"Motion.{way} of entity 1", code, InEsper)
    name, made = "CompoundCollider.from_cells", "CompoundCollider.from_cells"
    yield Row(f"{name}.size", SIZE, f"{name} size", f"2 * {made}([(0, 0)], v).parts[0].hx", edges=False)
    yield Row(f"{name}.enabled", flag(), "CompoundCollider.enabled", f"{made}([(0, 0)], enabled=v).enabled")
    for at, letter in enumerate("ijk"):
        yield Row(f"{name}.cells[{letter}]", whole(-(2**35), 35), "cell", f"!{made}([vector({at}, v)])")


# Engines: settings, motions, places, ids.

BIN_SIZE = real(2.0**-8, 2.0**16, **refused(["something with __float__"], ValueError, "must be a power of two"))
RANGE = Kind({}, "", -(2.0**20) + 0.5, 2.0**20 - 0.5 - LATTICE, "+-1048576", "+-1048576", step=LATTICE, only=())
NUMPYS = {
    "{}": real(), "numpy.array({}, object)": real(), "numpy.array({}, float)": IN_FLOATS,
    "numpy.array({}, '>f8').T.copy().T": IN_FLOATS,
}  # fmt: skip
"""Forms of position tables, and the kinds of numbers they can hold."""

INSIDE = replace(ENTITY, column=refused(BODIES, ValueError, "is not a trigger"))
REQUEST = replace(ENTITY, column=refused(BODIES, ValueError, "has no Motion") | {"one": UNREAD})
NEW_IDS = whole(0, **refused(BODIES, ValueError, "is already a body"))
REMOVED = replace(ENTITY, also=refused(BODIES[1:], ValueError, "remove Fused from entity 6"))


def _engines() -> Iterator[Row]:
    for name, stage in {"CollisionSystem": InEsper, "CollisionWorld": InWorld}.items():
        yield from _settings(name)
        for call, asks, result in (("move", False, ""), ("plan", True, ".result")):
            more: dict[str, Any] = {"stage": stage, "asks": asks}
            for at, way in enumerate(("dx", "dy", "dz")):
                code = f"e.{call}(1, {way}=v){result}.requested[{at}]"
                yield Row(f"{name}.{call}.{way}", real(), f"{way} of entity 1", code, **more)
            for option, kind in HOW.items():
                code = f"!e.{call}(1, 1, {option}=v)"
                if option == "force":
                    code = f"(lambda made: UNREAD if v is None else made{result}.force)(e.{call}(1, 1, force=v))"
                yield Row(f"{name}.{call}.{option}", kind, f"{option} of entity 1", code, **more)
        for way in ("dx", "dy", "dz"):
            code = f"(e.request(1, {way}=v), part(1, Motion).{way})[1]"
            yield Row(f"{name}.request.{way}", real(), f"Motion.{way} of entity 1", code, stage)
        for at, axis in enumerate("xyz"):
            kind = real(**(UNSAID if axis == "z" else {}))
            code = f"(e.teleport(1, *vector({at}, v)), UNREAD if v is None else part(1, Transform).position[{at}])[1]"
            yield Row(f"{name}.teleport.{axis}", kind, f"Transform.position {axis}", code, stage, edges=False)
            yield Row(f"{name}.teleport.{axis}", RANGE, f"entity 1: Transform.{axis}", code, stage)
            for made, kind in NUMPYS.items():
                rows = made.format(f"[[7.0, 7.0, 7.0], vector({at}, v, 0.0)]")
                code = f"(e.set_positions([2, 1], {rows}), part(1, Transform).position[{at}])[1]"
                words, where = f"position {axis} of entity 1", f"{name}.set_positions.positions[{axis}]"
                yield Row(where, kind, words, code, stage, edges=False)
        who, trigger_name = ("entity", "trigger") if stage is InEsper else ("id", "id")
        for call in ("move", "plan", "touching"):
            yield Row(f"{name}.{call}.{who}", ENTITY, "entity", f"!e.{call}(v)", stage, asks=call != "move")
        yield Row(f"{name}.inside.{trigger_name}", INSIDE, "entity", "!e.inside(v)", stage, asks=True)
        yield Row(f"{name}.teleport.{who}", ENTITY, "entity", "!e.teleport(v, 0, 0)", stage)
        yield Row(f"{name}.request.{who}", REQUEST, "entity", "!e.request(v, 1)", stage)
        yield from _dynamics(name, who, stage)
        many = f"{name}.set_positions.{'entities' if stage is InEsper else 'ids'}"
        yield Row(f"{many}[0]", ENTITY, "entity", "!e.set_positions([v, 1], [(1, 1), (2, 2)])", stage)
    box = "BoxCollider(0.5, 0.5)"
    for name, kind, words, code, edges in (
        ("add.id", replace(NEW_IDS, also=NEW_IDS.also | {"None": 11}), "",
         f"e.add(v, transform=Transform(50, 50), collider={box})", True),
        ("_add_all.ids[0]", NEW_IDS, "", f"!e._add_all([components.Parts(Transform(50, 50), {box})], [v])", True),
        ("_reserve.count", whole(0), "count", "len(e._reserve(v))", False),
        ("remove.id", REMOVED, "entity", "!e.remove(v)", True),
    ):  # fmt: skip
        yield Row(f"CollisionWorld.{name}", kind, words, code, InWorld, edges)


FROM_TO = "it must be from 2**-20 to 1"
INFINITIES = ("inf", "minus inf", "numpy inf", "decimal inf", "decimal beyond every float")
DT = replace(
    real(2.0**-20, 1.0), below=FROM_TO, above=FROM_TO, also=dict.fromkeys(INFINITIES, Refused(ValueError, FROM_TO))
)
SPEED = real(-(2.0**14), 2.0**14)
REPEATS = whole(1, 10)
PUSHED = replace(ENTITY, column=refused(BODIES, ValueError, "takes no impulse"))
IMPULSE = replace(real(-(2.0**15), 2.0**15), below="but it must be at least", above="but it must be at most")


def _dynamics(name: str, who: str, stage: type[Stage]) -> Iterator[Row]:
    step = f"{name}.step_dynamics"
    for field, kind in (("dt", DT), ("substeps", REPEATS)):
        yield Row(f"{step}.{field}", kind, field, f"!e.step_dynamics(**{{'dt': 0.5, '{field}': v}})", stage)
    yield from axes(f"{step}.gravity", "gravity {}", "!e.step_dynamics(0.5, gravity=vector(at, v))", stage, SPEED)
    yield Row(f"{name}.apply_impulse.{who}", PUSHED, "entity", "!e.apply_impulse(v, (1, 1))", stage)
    for at, axis in ((1, "y"), (2, "z")):
        code = f"!e.apply_impulse({FALLER}, vector({at}, v))"
        yield Row(f"{name}.apply_impulse.impulse[{axis}]", IMPULSE, axis, code, stage)
    yield from axes(
        f"{name}.apply_impulse.point", "point {}", f"!e.apply_impulse({FALLER}, (0, 0), vector(at, v))", stage
    )
    if stage is InEsper:
        for field, kind in (("dt", replace(DT, also=DT.also | OPTIONAL)), ("substeps", REPEATS)):
            yield Row(f"ImpulseSystem.{field}", kind, field, f"ImpulseSystem(e, {field}=v).{field}", stage)
            yield Row(f"ImpulseSystem.{field} =", kind, field, f"written(ImpulseSystem(e), '{field}', v)", stage)
        code = "written(ImpulseSystem(e), 'gravity', vector(at, v))[at]"
        yield from axes("ImpulseSystem.gravity =", "gravity {}", code, stage, SPEED)


def _settings(name: str) -> Iterator[Row]:
    yield Row(f"{name}.bin_size", BIN_SIZE, "bin_size", f"setting({name}, bin_size=v).bin_size")
    yield Row(f"{name}.max_chain", whole(0, **OPTIONAL), "max_chain", f"setting({name}, max_chain=v).max_chain")
    code = f"setting({name}, all_or_nothing=v).all_or_nothing"
    yield Row(f"{name}.all_or_nothing", flag(), "all_or_nothing", code)
    for index, (corner, given) in enumerate(
        {"lo": "vector(at, v, -FAR), [FAR] * 3", "hi": "[-FAR] * 3, vector(at, v, FAR)"}.items()
    ):
        code = f"setting({name}, bounds=({given})).bounds[{index}][at]"
        yield from axes(f"{name}.bounds[{corner}]", f"bounds {corner} {{}}", code)


# Games, levels, the solver.

SECONDS = replace(strength(), also=UNSAID | refused(["minus inf"], ValueError, "must not be negative"))
PLACE = replace(real(-(2.0**20), 2.0**20), otherwise_error=ValueError, below="Transform", above="Transform")
ASKING = ("plan", "fits", "at", "name")


def _games() -> Iterator[Row]:
    """Yield name, kind, words, code and whether its ends are tried, for the parameters of a started game."""
    for call, result in (("move", ""), ("plan", ".result")):
        for at, way in enumerate(("dx", "dy")):
            code = f"g.{call}('player', {way}=v){result}.requested[{at}]"
            yield _in_game(f"{call}.{way}", real(), f"{way} of entity", code)
        for option, kind in HOW.items():
            code = f"!g.{call}('player', 1, {option}=v)"
            yield _in_game(f"{call}.how[{option}]", kind, f"{option} of entity", code)
    for at, axis in enumerate("xy"):
        given = f"'player', *vector({at}, v, 1, 2)"
        words = f"{axis} of 'player'"
        yield _in_game(f"request.d{axis}", real(), f"Motion.d{axis} of entity", f"!g.request({given})")
        yield _in_game(f"teleport.{axis}", real(), words, f"!g.teleport({given})", False)
        yield _in_game(f"fits.{axis}", real(**UNSAID), words, f"!g.fits({given})", False)
        name = ("column", "row")[at]
        yield _in_game(f"at.{name}", real(), name, f"!g.at(*vector({at}, v, 1, 2))", False)
        code = f"written(g, 'controls', {{'j': ('player', *vector({at}, v, 1.0, 2))}})['j'][{at + 1}]"
        yield _in_game(f"controls =[d{axis}]", real(), f"d{axis} of control 'j'", code)
    code = "(g.set('crate', 'Inertia', value=v), g.get('crate', 'Inertia').value)[1]"
    yield _in_game("set.fields[value]", strength(), "Inertia.value", code)
    kind = Kind(dict.fromkeys(BODIES, UNREAD), "has no thing with the id", otherwise_error=KeyError)
    yield _in_game("name.id", kind, "", "!g.name(v)")
    yield _in_game("fall_speed =", real(LATTICE), "fall_speed", "written(g, 'fall_speed', v)")
    for call in ("undo", "redo"):
        yield _in_game(f"{call}.count", whole(0), "count", f"!g.{call}(v)")


def _in_game(name: str, kind: Kind, words: str, code: str, edges: bool = True) -> Row:
    return Row(f"Game.{name}", kind, words, code, InGame, edges, name.startswith(ASKING))


def _levels() -> Iterator[Row]:
    for option, kind in (("every", whole(1)), ("force", HOW["force"]), ("carries", flag())):
        yield Row(f"Game.platform.{option}", kind, option, f"!g.platform('crate', 'LR', {option}=v)", Fresh)
    code = "!g.teleporter('plate 1', 'plate 2', both_ways=v)"
    yield Row("Game.teleporter.both_ways", flag(), "both_ways", code, Fresh)
    for name in ("undo_limit", "undo_bytes"):
        yield Row(f"Game.{name}", whole(0), name, f"!Game(ROOM, {name}=v)")
    for name, kind in (("max_chain", whole(0, **OPTIONAL)), ("all_or_nothing", flag()), ("bin_size", BIN_SIZE)):
        yield Row(f"Game.settings[{name}]", kind, name, f"setting(Game, {name}=v).{name}")
    yield Row("Game.settings[bounds]", real(), "bounds lo x", "!Game(ROOM, bounds=((v, -9), (FAR, 9)))")
    for name, kind in (("max_states", whole(1)), ("max_bytes", whole(1)), ("seconds", SECONDS), ("quick", flag())):
        yield Row(f"solve.{name}", kind, name, f"!fewest_pushes.solve(WON, {name}=v)")
    yield Row("write_xsb.run_lengths", flag(), "run_lengths", "!write_xsb(WON, run_lengths=v)")
    for at, axis in enumerate("xyz"):
        thing = f"Thing('b', 'b', vector({at}, v, 0.0), (Box(1, 1),), ROOM['crate'].components)"
        code = f"!spawn(Level('a', (9, 9), ({thing},)), CollisionWorld())"
        yield Row(f"Thing.position[{axis}]", PLACE, f"Transform.{axis}", code, edges=False)


ROWS: list[Row] = [*_components(), *_engines(), *_games(), *_levels()]
"""Arguments of queries are in test_query_arguments.py and test_query_filter.py."""
MODULES = (levels, ecs_collision)
KNOWN = {name: getattr(module, name) for module in MODULES for name in module.__all__} | globals()
"""The names for the code of rows."""
