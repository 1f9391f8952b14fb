"""Shared by the writers of all formats: the cells of things, and the check that a written level reads back equal.

Written text is read back and compared before it is returned. So what a format cannot express is an error and is never
lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ecs_collision.components import Box
from ecs_collision.errors import CollisionValueError, LevelError
from ecs_collision.fixed_point import instance_of
from ecs_collision.levels.grids import UNIT_BOXES, Cell, Run, merged_runs, position_and_boxes, rectangles_of
from ecs_collision.levels.level import Level, Thing
from ecs_collision.levels.limits import MAX_CELLS
from ecs_collision.levels.source import shown

REMEDY = "change it, or choose another format"


def levels_in(given: Level | Iterable[Level]) -> list[Level]:
    """Return the levels to write: one or several."""
    levels = [given] if isinstance(given, Level) or not isinstance(given, Iterable) else list(given)
    for level in levels:
        instance_of(level, Level, "a level to write", "give a Level, or several")
    return levels


def write_error(level: Level, form: str, what: str, remedy: str) -> CollisionValueError:
    """Return the error that a level cannot be written."""
    return CollisionValueError(f"{level.source}: {level.title!r} cannot be written as {form}: {what}; {remedy}")


def cells_of(level: Level, thing: Thing, form: str) -> list[Cell]:
    """Return the cells a thing fills; raises CollisionValueError unless it fills whole cells."""
    cells = _filled_cells(thing)
    if not cells or ((len(cells) > 1 or thing.parts != UNIT_BOXES) and not _is_drawn(thing, cells)):
        raise write_error(
            level, form, f"{thing.name!r} at {thing.position} does not fill whole cells",
            "give it boxes of whole cells and the center of the first as its position, or leave it out",
        )  # fmt: skip
    return cells


def _filled_cells(thing: Thing) -> list[Cell]:
    """Return the cells that the boxes of a thing fill, none if it is not made of whole cells."""
    x, y, z = thing.position
    spans = []
    for box in thing.parts:
        if not isinstance(box, Box):
            return []
        dx, dy, dz = box.offset
        sides = (x + dx - box.hx, y + dy - box.hy, x + dx + box.hx, y + dy + box.hy)
        flat = (z + dz, box.hz) == (0.0, 0.5)
        if not flat or sides[0] < 0 or sides[1] < 0 or any(side != int(side) for side in sides):
            return []
        spans.append([int(side) for side in sides])
    if sum((right - left) * (bottom - top) for left, top, right, bottom in spans) > MAX_CELLS:
        return []
    return sorted({(row, column) for left, top, right, bottom in spans
                   for row in range(top, bottom) for column in range(left, right)})  # fmt: skip


def _is_drawn(thing: Thing, cells: list[Cell]) -> bool:
    """Return whether a thing has exactly the position and boxes that reading these cells gives."""
    runs = merged_runs(Run(row, column, column + 1) for row, column in cells)
    return position_and_boxes(rectangles_of(runs)) == (thing.position, thing.parts)


def check_reads_back(levels: list[Level], form: str, read: Callable[[], list[Level]]) -> None:
    """Raise CollisionValueError for the first difference between the levels and what is read back."""
    try:
        again = read()
    except LevelError as problem:
        raise write_error(levels[0], form, f"reading it back fails: {problem}", REMEDY) from problem
    for level, found in zip(levels, again, strict=False):
        for field in ("title", "size", "settings", "properties", "win", "gravity"):
            _check_equal(level, form, f"its {field}", getattr(level, field), getattr(found, field))
        for thing, other in zip(level.things, found.things, strict=False):
            for field in ("name", "kind", "position", "parts", "components", "properties"):
                _check_equal(
                    level, form, f"the {field} of {thing.name!r}", getattr(thing, field), getattr(other, field)
                )
        _check_equal(level, form, "its number of things", len(level.things), len(found.things))
    _check_equal(levels[0], form, "the number of levels", len(levels), len(again))


def _check_equal(level: Level, form: str, what: str, expected: object, found: object) -> None:
    if expected != found:
        read_as = f"{what}, {shown(expected)}, would be read back as {shown(found)}"
        raise write_error(level, form, read_as, REMEDY)
