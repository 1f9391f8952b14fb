"""What a level file means, in the plainest terms: two readings of a file are equal, or one reader is wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ecs_collision.levels import Level, Thing

Cell = tuple[int, int]
Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class Reading:
    """One level: its title ("" where the format leaves it open), its size in cells, how many things of each kind, what
    each kind covers, which components it has.

    rectangles: left, top, right, bottom of every box that is no union of whole cells, to a millionth of a cell.
    """

    title: str
    size: tuple[int, int]
    kinds: dict[str, int]
    cells: dict[str, frozenset[Cell]]
    rectangles: dict[str, tuple[Rectangle, ...]]
    components: dict[str, frozenset[str]]

    def differences(self, other: Reading) -> list[str]:
        """Return in words where two readings part."""
        found = []
        for name in ("title", "size", "kinds", "cells", "rectangles", "components"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours == theirs or (name == "title" and not theirs):
                continue
            if isinstance(ours, dict):
                keys = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
                found.append(f"{name} of {keys[:3]!r}: " + "; ".join(
                    f"{brief(ours.get(key))} against {brief(theirs.get(key))}" for key in keys[:3]))  # fmt: skip
            else:
                found.append(f"{name}: {ours!r} against {theirs!r}")
        return found


def brief(value: object) -> str:
    """Return a value short enough to read."""
    text = repr(sorted(value) if isinstance(value, frozenset) else value)
    return text if len(text) < 300 else text[:300] + "..."


def reading(
    title: str, size: tuple[int, int], things: Iterable[tuple[str, Iterable[Rectangle], Iterable[str]]]
) -> Reading:
    """Return the reading of a level whose things are given as kind, boxes and names of components."""
    kinds: Counter[str] = Counter()
    cells: dict[str, set[Cell]] = {}
    rectangles: dict[str, list[Rectangle]] = {}
    components: dict[str, frozenset[str]] = {}
    for kind, boxes, names in things:
        kinds[kind] += 1
        components[kind] = components.get(kind, frozenset()) | frozenset(names)
        for box in boxes:
            if all(edge == math.floor(edge) for edge in box) and box[0] < box[2] and box[1] < box[3]:
                cells.setdefault(kind, set()).update(cells_of(box))
            else:
                rectangles.setdefault(kind, []).append(tuple(round(edge, 6) + 0.0 for edge in box))
    return Reading(
        title, size, dict(kinds), {kind: frozenset(found) for kind, found in cells.items()},
        {kind: tuple(sorted(found)) for kind, found in rectangles.items()}, components,
    )  # fmt: skip


def cells_of(box: Rectangle) -> Iterable[Cell]:
    """Return the cells a box of whole cells covers; a box beyond all sizes is told from its corners."""
    left, top, right, bottom = (int(edge) for edge in box)
    if (right - left) * (bottom - top) > 5_000_000:
        return [(left, top), (right, bottom)]
    return [(column, row) for row in range(top, bottom) for column in range(left, right)]


def read_by_us(level: Level) -> Reading:
    """Return the reading of one of our levels."""
    things = ((thing.kind, map(box_of(thing), thing.boxes), thing.components) for thing in level.things)
    return reading(level.title, level.size, things)


def box_of(thing: Thing):
    """Return what places a box of a thing in its level."""
    x, y, _ = thing.position

    def placed(box):
        dx, dy, _ = box.offset
        return (x + dx - box.hx, y + dy - box.hy, x + dx + box.hx, y + dy + box.hy)

    return placed
