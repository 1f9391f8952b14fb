"""Operations that look at what a frame cost: the counters of `system.stats` prove what was not done."""

from __future__ import annotations

from ecs_collision.testing.model import PER_UNIT, Body

from .frames import Frame
from .game import ADMITTED, Game, deed
from .moving import _move, _moving
from .structure import add, write

Cell = tuple[int, int, int, int]
"""A part of a body, the level of its cells, and where one is on x and y."""

FLAT = (-PER_UNIT // 2, PER_UNIT // 2)


def _still(g: Game) -> bool:
    """Do a frame in which nobody does anything besides; returns whether it was one."""
    if g.apart_by or not g.taken_in():
        return False
    Frame(g, {}).play()
    return g.taken_in()


@deed
def nudge(g: Game, who: int, axis: int, length: float) -> None:
    """Move somebody along an axis between two frames: the second costs the cells left and entered (B1, B2, B4)."""
    entity = g.one(who, "Transform", "collider")
    if entity is None or not _still(g) or entity not in g.model.bodies or _moving(g, entity) != ADMITTED:
        return
    if any(body.at[2] or any(box[2] != FLAT for box in body.shape) for body in g.model.bodies.values()):
        return  # then sides along z may count too
    before = _covered(g)
    _move(g, entity, (length, 0.0, 0.0) if axis == 0 else (0.0, length, 0.0), {})
    after, moved = _covered(g), {id for id, (_, at) in before.items() if at != g.model.bodies[id].at}
    cost = sum(len(before[id][0] ^ after[id][0]) for id in moved)
    if not _still(g):
        return
    g.expect("cells changed", f"{g.home.name}.stats.bin_changes", cost)
    g.hit("B4", "within its cells", when=bool(moved) and not cost)
    g.hit("B4", "cells left and entered", when=cost > 0)
    g.hit("B1", "large cells", when=any(level for id in moved for _, level, _, _ in before[id][0] ^ after[id][0]))


def _covered(g: Game) -> dict[int, tuple[set[Cell], list[int]]]:
    """Return which cells the boxes of all bodies cover, and where they are."""
    size = round(g.home.settings.get("bin_size", 1.0) * PER_UNIT)
    return {id: (set(_cells(body, size)), list(body.at)) for id, body in g.model.bodies.items()}


def _cells(body: Body, size: int) -> list[Cell]:
    found = []
    boxes = dict.fromkeys(body.placed_boxes()) if body.is_active() else []  # parts on one spot are one box
    for part, ((left, right), (low, high), _) in enumerate(boxes):
        level = next(level for level in range(64) if size << level >= max(right - left, high - low))
        edge = size << level
        columns, rows = range(left // edge, right // edge + 1), range(low // edge, high // edge + 1)
        found += [(part, level, x, y) for x in columns for y in rows]
    return found


@deed
def lull(g: Game) -> None:
    """Put everybody to sleep: a frame in which nobody is awake tests no pair but those that stay or linger (S3, S5)."""
    if g.apart_by or not g.taken_in():
        return
    for number, entity in enumerate(g.shadow.living()):
        parts = g.shadow.entities[entity]
        if entity in g.model.bodies and "Static" not in parts and "Sleeping" not in parts:
            add(g, number, ("Sleeping", {"asleep": True}), False)
    for number in range(len(g.shadow.living("Sleeping"))):
        write(g, number, "Sleeping", "asleep", True)
    if not _still(g) or not _still(g) or g.real.ask(f"{g.home.name}.stats.awake"):
        return
    zones = [body.trigger for body in g.model.bodies.values() if body.trigger]
    if zones and not any(zone.stay or zone.linger for zone in zones):
        g.expect("pairs tested", f"{g.home.name}.stats.pairs_tested", 0)
        g.hit("S3", "all asleep")
