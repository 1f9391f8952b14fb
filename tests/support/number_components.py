"""The numbers that components and boxes take (rows as in number_stages.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from number_stages import (
    COMPOUND,
    CRATE,
    OPTIONAL,
    PLAYER,
    SLEEPER,
    UNREAD,
    WELDED,
    ZONE,
    Give,
    InEsper,
    Nowhere,
    Row,
    Stage,
    axes_of,
    vector_of,
)
from numbers_given import Kind, Refused, flag, real, strength, whole

from ecs_collision import Box, BoxCollider, CompoundCollider, Fused, Inertia, Motion, Sleeping, Transform, Trigger

# Components: a row for the constructor, and one for the setter of a component that belongs to a body.

FIELDS_OF: dict[tuple[type[Any], str], tuple[int, Kind, tuple[Any, ...]]] = {
    # (component, field): whose the component is, what the field takes, what the constructor is given besides
    (BoxCollider, "hx"): (PLAYER, real(0), (1, 1, 1)),
    (BoxCollider, "hy"): (PLAYER, real(0), (1, 1, 1)),
    (BoxCollider, "hz"): (PLAYER, real(0), (1, 1, 1)),
    (BoxCollider, "enabled"): (PLAYER, flag(), (1, 1)),
    (CompoundCollider, "enabled"): (COMPOUND, flag(), ([Box(1, 1)],)),
    (Transform, "x"): (PLAYER, real(), (1, 1, 1)),
    (Transform, "y"): (PLAYER, real(), (1, 1, 1)),
    (Transform, "z"): (PLAYER, real(), (1, 1, 1)),
    (Inertia, "x"): (CRATE, strength(), ()),
    (Inertia, "y"): (CRATE, strength(), ()),
    (Inertia, "z"): (CRATE, strength(), ()),
    (Inertia, "value"): (CRATE, strength(), ()),
    (Motion, "force"): (PLAYER, strength(), ()),
    (Motion, "priority"): (PLAYER, whole(-(2**62)), ()),
    (Motion, "max_chain"): (PLAYER, whole(0, **OPTIONAL), ()),
    (Motion, "all_or_nothing"): (PLAYER, flag(**OPTIONAL), ()),
    (Sleeping, "asleep"): (SLEEPER, flag(), ()),
    (Sleeping, "after"): (SLEEPER, whole(1), ()),
    (Fused, "to"): (WELDED, whole(0), (0,)),
    (Trigger, "touching"): (ZONE, flag(), ()),
    (Trigger, "swept"): (ZONE, flag(), ()),
    (Trigger, "stay"): (ZONE, flag(), ()),
    (Trigger, "linger"): (ZONE, whole(0), ()),
    (Trigger, "enabled"): (ZONE, flag(), ()),
}
NEEDS_A_VALUE = strength(**{"None": Refused(TypeError, "needs a value: Inertia(1.0), or Inertia(x=1.0)")})


def _components() -> Iterator[Row]:
    for (component, field), (entity, kind, given) in FIELDS_OF.items():
        words = f"{component.__name__}.{field}"
        made = NEEDS_A_VALUE if component is Inertia else kind
        yield Row(words, made, "Inertia" if component is Inertia else words, _made(component, field, given))
        yield Row(f"{words} =", kind, f"{words} of entity {entity}", _set(entity, component, field), InEsper)
    for field in ("hx", "hy", "hz"):
        yield Row(f"Box.{field}", real(0), f"Box.{field}", _made(Box, field, (1, 1, 1)))
    for component, field in ((Box, "offset"), (BoxCollider, "offset")):
        words = f"{component.__name__}.{field}"
        yield from axes_of(words, f"{words} {{}}", _offset(component), Nowhere)
        yield Row(words, VECTOR, words, lambda _, value, of=component: of(1, 1, offset=value).offset)
    yield from axes_of("BoxCollider.offset =", f"BoxCollider.offset {{}} of entity {PLAYER}", _place("offset"), InEsper)
    yield Row("BoxCollider.offset =", VECTOR, "BoxCollider.offset of", _set(PLAYER, BoxCollider, "offset"), InEsper)
    yield from axes_of(
        "Transform.position =", f"Transform.position {{}} of entity {PLAYER}", _place("position"), InEsper
    )
    yield Row("Transform.position =", VECTOR, "Transform.position of", _set(PLAYER, Transform, "position"), InEsper)
    for way in ("dx", "dy", "dz"):
        yield Row(f"Motion.move.{way}", real(), f"Motion.{way} of entity {PLAYER}", _ask(way), InEsper)
    yield Row("CompoundCollider.from_cells.size", SIZE, "CompoundCollider.from_cells size", _of_cells, edges=False)
    yield Row("CompoundCollider.from_cells.cells", CELLS, "cell", lambda _, value: _cells(value))
    for at, name in enumerate(("i", "j", "k")):
        yield Row(
            f"CompoundCollider.from_cells.cells[{name}]", INDEX, "cell", lambda _, v, at=at: _cells([_index(at, v)])
        )
    yield Row("CompoundCollider.from_cells.enabled", flag(), "CompoundCollider.enabled", _cells_enabled)


NO_TUPLE = "must be a tuple (x, y) or (x, y, z)"
VECTOR = Kind(
    {"array of two": (2.0, 2.0, 0.0), **dict.fromkeys(
        ["list", "array of one", "array of one, a half"],
        Refused(ValueError, "must have 2 or 3 numbers, not 1"),
    )},
    NO_TUPLE,
)  # fmt: skip
SIZE = real(0, **{
    "zero": Refused(ValueError, "is 0; give the side of a cell"),
    "minus zero": Refused(ValueError, "is 0; give the side of a cell"),
})  # fmt: skip
CELLS = Kind(
    dict.fromkeys(["list", "array of one", "array of one, a half", "array of two"],
                  Refused(TypeError, "a cell must be (i, j) or (i, j, k) of whole numbers")),
    "cells must be cells (i, j) or (i, j, k)",
)  # fmt: skip
INDEX = whole(-(2**35), 35)


def _made(component: type[Any], field: str, given: tuple[Any, ...]) -> Give:
    if len(given) == 3 or given == (0,):
        at = ("hx", "hy", "hz", "x", "y", "z", "to").index(field) % 3
        return lambda _, value: getattr(component(*given[:at], value, *given[at + 1 :]), field)
    return lambda _, value: getattr(component(*given, **{field: value}), field)


def _set(entity: int, component: type[Any], field: str) -> Give:
    def give(stage: Stage, value: Any) -> object:
        part = stage.part(entity, component)
        setattr(part, field, value)
        return getattr(part, field)

    return give


def _offset(component: type[Any]) -> Callable[[Any, int, Any], object]:
    return lambda _, at, value: component(1, 1, offset=vector_of(at, value)).offset[at]


def _place(field: str) -> Callable[[Any, int, Any], object]:
    of = Transform if field == "position" else BoxCollider
    return lambda stage, at, value: _set(PLAYER, of, field)(stage, vector_of(at, value))[at]  # type: ignore[index]


def _ask(way: str) -> Give:
    def give(stage: Stage, value: Any) -> object:
        motion = stage.part(PLAYER, Motion)
        motion.move(**{way: value})
        return getattr(motion, way)

    return give


def _of_cells(_: Stage, value: Any) -> object:
    return 2 * CompoundCollider.from_cells([(0, 0)], value).parts[0].hx


def _cells(value: Any) -> object:
    CompoundCollider.from_cells(value)
    return UNREAD


def _index(at: int, value: Any) -> tuple[Any, ...]:
    return tuple([value if axis == at else 0 for axis in range(3)])


def _cells_enabled(_: Stage, value: Any) -> object:
    return CompoundCollider.from_cells([(0, 0)], enabled=value).enabled


ROWS: list[Row] = [*_components()]
