"""The numbers that questions take (rows as in number_stages.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy
from number_stages import (
    BODIES,
    IN_FLOATS,
    NO_BODY,
    PLAYER,
    UNREAD,
    Give,
    InEsper,
    Nowhere,
    Row,
    Stage,
    axes_of,
    unread,
)
from numbers_given import INF, VALUES, WHOLE, Kind, Refused, flag, real

from ecs_collision import overlapping_pairs

QUESTIONS: dict[str, tuple[Any, ...]] = {
    "overlapping": (PLAYER,), "touching": (PLAYER,), "sweep": (PLAYER, (1, 0)), "at": (0, 0), "pairs": (),
    "pairs_array": (), "overlapping_many": ([(0, 0)], [(1, 1)]),
}  # fmt: skip
"""Every question, and what it is asked."""

ASKED = Kind(
    {name: UNREAD if name in BODIES else Refused(KeyError, NO_BODY) for name in WHOLE},
    "box must be an entity id or a pair (lo, hi) of corners",
)
WAY = Kind({"array of two": UNREAD}, "must be (dx, dy) or (dx, dy, dz)")
IGNORED = Kind(dict.fromkeys(WHOLE, UNREAD), "must be entity ids")
NOBODY = Kind(dict.fromkeys(["list", "array of one"], UNREAD), "must be entity ids")
KEY = Kind(dict.fromkeys(WHOLE, Refused(ValueError, "is no cell key")), "a cell key is an int")
IN_ANY_FLOATS = replace(IN_FLOATS, least=-INF, most=INF)
NO_OBJECTS = Kind({}, "must be an array of numbers")
NO_CORNERS = Kind({}, "must be an array of numbers of shape (m, 2) or (m, 3)")


def _boxes() -> Iterator[Row]:
    for call in ("overlapping", "touching", "sweep"):
        more = QUESTIONS[call][1:]
        yield Row(f"Space.{call}.box", ASKED, "", unread(_question(call, more)), InEsper)
        for at, corner in enumerate(("lo", "hi")):
            words = f"{corner}.{{}} of the box"
            yield from axes_of(f"Space.{call}.box[{corner}]", words, _cornered(call, at, more), InEsper)
    yield from axes_of("Space.sweep.displacement", "displacement.{}", _swept, InEsper)
    yield Row("Space.sweep.displacement", WAY, "displacement", unread(lambda s, v: s.engine.space.sweep(1, v)), InEsper)
    for at, axis in enumerate("xyz"):
        give = unread(lambda s, v, at=at: s.engine.space.at(*[v if axis == at else 0 for axis in range(3)]))
        yield Row(f"Space.at.{axis}", real(), f"{axis} of the point", give, InEsper)
    for call, asked in QUESTIONS.items():
        yield Row(f"Space.{call}.ignore[0]", IGNORED, "ignore", _ignoring(call, asked, one=True), InEsper)
        yield Row(f"Space.{call}.triggers", flag(), "triggers", _counting(call, asked), InEsper)
        yield Row(f"Space.{call}.ignore", NOBODY, "ignore", _ignoring(call, asked, one=False), InEsper)
    yield Row("Space.cell.key", KEY, "cell key", unread(lambda s, v: s.engine.space.cell(v)), InEsper)


def _question(call: str, more: tuple[Any, ...]) -> Give:
    return lambda stage, value: getattr(stage.engine.space, call)(value, *more)


def _cornered(call: str, corner: int, more: tuple[Any, ...]) -> Callable[[Any, int, Any], object]:
    def give(stage: Stage, at: int, value: Any) -> object:
        box = [[-(2.0**36)] * 3, [2.0**36] * 3]
        box[corner][at] = value
        getattr(stage.engine.space, call)(tuple(map(tuple, box)), *more)
        return UNREAD

    return give


def _swept(stage: Stage, at: int, value: Any) -> object:
    stage.engine.space.sweep(PLAYER, [value if axis == at else 0 for axis in range(3)])
    return UNREAD


def _counting(call: str, asked: tuple[Any, ...]) -> Give:
    return unread(lambda stage, value: getattr(stage.engine.space, call)(*asked, triggers=value))


def _ignoring(call: str, asked: tuple[Any, ...], *, one: bool) -> Give:
    return unread(lambda s, value: getattr(s.engine.space, call)(*asked, ignore=[value] if one else value))


# Boxes in arrays.


def _arrays() -> Iterator[Row]:
    for at, corner in enumerate(("lo", "hi")):
        for name, many, stage, kind in (
            ("Space.overlapping_many", _many, InEsper, IN_FLOATS),
            ("overlapping_pairs", overlapping_pairs, Nowhere, IN_ANY_FLOATS),
        ):
            row = "box" if stage is InEsper else "row"
            for axis, letter in enumerate("xyz"):
                words = f"{corner}.{letter} of {row} 1"
                where = f"{name}.{corner}[{letter}]"
                yield Row(where, kind, words, _cell(many, at, axis, float), stage, edges=False)
            words = f"{corner} must be"
            yield Row(f"{name}.{corner}[object]", NO_OBJECTS, words, _cell(many, at, 0, object), stage)
            yield Row(f"{name}.{corner}", NO_CORNERS if row == "box" else NO_TABLE, corner, _whole(many, at), stage)


NUMBERS = [
    name
    for name, value in VALUES.items()
    if not numpy.ma.isMaskedArray(value) and numpy.asarray(value).dtype.kind in "fiu"
]
NO_TABLE = Kind(
    dict.fromkeys(NUMBERS, Refused(ValueError, "give n rows of 2 or 3 numbers")), "must be an array of numbers"
)


def _many(stage: Stage, lo: Any, hi: Any) -> None:
    stage.engine.space.overlapping_many(lo, hi)


def _call(many: Callable[..., Any], stage: Stage, corners: list[Any]) -> object:
    many(stage, *corners) if many is _many else many(*corners)
    return UNREAD


def _cell(many: Callable[..., Any], corner: int, axis: int, kind: type[Any]) -> Give:
    """Give a number in an array of the corners of two boxes."""

    edge = 2.0**36 if many is _many else 1e301

    def give(stage: Stage, value: Any) -> object:
        tables = [numpy.full((2, 3), -edge), numpy.full((2, 3), edge)]
        tables[corner] = tables[corner].astype(kind)
        tables[corner][1, axis] = value
        return _call(many, stage, tables)

    return give


def _whole(many: Callable[..., Any], corner: int) -> Give:
    """Give a value in place of all corners."""

    def give(stage: Stage, value: Any) -> object:
        corners: list[Any] = [numpy.zeros((1, 2)), numpy.ones((1, 2))]
        corners[corner] = value
        return _call(many, stage, corners)

    return give


ROWS: list[Row] = [replace(row, asks=True) for row in (*_boxes(), *_arrays())]
