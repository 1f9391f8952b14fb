"""What a level file means, in the plainest terms: two readings of a file are equal, or one reader is wrong."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ecs_collision import Box
from ecs_collision.levels import Level, Thing

OPEN = None
"""In place of what a second reading leaves open: how many things many tiles become is no fact of the file."""

UNIT = (Box(0.5, 0.5),)
"""What a thing without boxes is taken for: a cell about its position."""

Cell = tuple[int, int]
Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class Reading:
    """One level: its title ("" where the format leaves it open), its size in cells, how many things of each kind, what
    each kind covers, which components it has.

    rectangles: what is covered by the boxes that are not whole cells, as bands of rows: left, top, right, bottom, to a
    millionth of a cell.
    """

    title: str
    size: tuple[int, int] | None
    kinds: dict[str, int | None]
    cells: dict[str, frozenset[Cell] | None]
    rectangles: dict[str, tuple[Rectangle, ...] | None]
    components: dict[str, frozenset[str]] | None

    def differences(self, other: Reading) -> list[str]:
        """Return in words where two readings part."""
        found = []
        for name in ("title", "size", "kinds", "cells", "rectangles", "components"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours == theirs or theirs is OPEN or (name == "title" and not theirs):
                continue
            if isinstance(ours, dict):
                keys = [key for key in {**ours, **theirs} if is_different(ours, theirs, key)]
                if not keys:
                    continue
                found.append(f"{name} of {keys[:3]!r}: " + "; ".join(
                    f"{brief(ours.get(key))} against {brief(theirs.get(key))}" for key in keys[:3]))  # fmt: skip
            else:
                found.append(f"{name}: {ours!r} against {theirs!r}")
        return found


def is_different(ours: dict[str, object], theirs: dict[str, object], key: str) -> bool:
    """Return whether two readings part at a key that neither leaves open."""
    return ours.get(key) != theirs.get(key) and not (key in theirs and theirs[key] is OPEN)


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
        {kind: bands(found) for kind, found in rectangles.items()}, components,
    )  # fmt: skip


def bands(boxes: list[Rectangle]) -> tuple[Rectangle, ...]:
    """Return the union of boxes as runs along bands between any two edges, the same whatever boxes it is made of."""
    edges = sorted({edge for box in boxes for edge in (box[1], box[3])})
    if len(edges) * len(boxes) > 1_000_000:
        return tuple(sorted(boxes))
    runs: list[Rectangle] = []
    for top, bottom in pairwise(edges):
        across = sorted((left, right) for left, upper, right, lower in boxes if upper <= top and bottom <= lower)
        start, end = across[0] if across else (0.0, 0.0)
        for left, right in across[1:]:
            if left > end:
                runs.append((start, top, end, bottom))
                start = left
            end = max(end, right)
        if across:
            runs.append((start, top, end, bottom))
    return merged(runs)


def merged(runs: list[Rectangle]) -> tuple[Rectangle, ...]:
    """Return runs that go on downwards without a change as one."""
    grown: dict[tuple[float, float, float], Rectangle] = {}
    for left, top, right, bottom in runs:
        above = grown.pop((left, right, top), (left, top, right, bottom))
        grown[left, right, bottom] = (left, above[1], right, bottom)
    return tuple(sorted(grown.values()))


def cells_of(box: Rectangle) -> Iterable[Cell]:
    """Return the cells a box of whole cells covers; a box beyond all sizes is told from its corners."""
    left, top, right, bottom = (int(edge) for edge in box)
    if (right - left) * (bottom - top) > 5_000_000:
        return [(left, top), (right, bottom)]
    return [(column, row) for row in range(top, bottom) for column in range(left, right)]


def read_by_us(level: Level) -> Reading:
    """Return the reading of one of our levels."""
    things = ((thing.kind, map(box_of(thing), thing.boxes or UNIT), thing.components) for thing in level.things)
    return reading(level.title, level.size, things)


def box_of(thing: Thing):
    """Return what places a box of a thing in its level."""
    x, y, _ = thing.position

    def placed(box):
        dx, dy, _ = box.offset
        return (x + dx - box.hx, y + dy - box.hy, x + dx + box.hx, y + dy + box.hy)

    return placed


def within(folder: Path, reference: str) -> Path:
    """Return the file a reference leads to, whether or not the folders that it leaves again are there."""
    return Path(os.path.normpath(folder / reference))
