"""Operations that compare the cost of a frame: the counters of `system.stats` show what work was skipped."""

from __future__ import annotations

from tests.model.model import PER_UNIT, Body

from .frames import Frame
from .game import ADMITTED, Game, operation
from .moving import _move, _moving
from .structure import add, write

Cell = tuple[int, int, int, int]
"""Part number, level of the cell, and its x and y."""

FLAT = (-PER_UNIT // 2, PER_UNIT // 2)


def _still(g: Game) -> bool:
    """Run a frame without other operations; returns whether changes could be applied before and after it."""
    if g.nesting or not g.apply_changes():
        return False
    Frame(g, {}).play()
    return g.apply_changes()


@operation
def nudge(g: Game, who: int, axis: int, length: float) -> None:
    """Move a body along an axis between two frames; the second costs the cells left and entered (B1, B2, B4)."""
    entity = g.one(who, "Transform", "collider")
    if entity is None or not _still(g) or entity not in g.model.bodies or _moving(g, entity) != ADMITTED:
        return
    bodies = g.model.bodies.values()
    if any(body.others or body.at[2] or any(box[2] != FLAT for box in body.shape) for body in bodies):
        return  # sides along z may count too
    before = _covered(g)
    _move(g, entity, (length, 0.0, 0.0) if axis == 0 else (0.0, length, 0.0), {})
    after, moved = _covered(g), {id for id, (_, at) in before.items() if at != g.model.bodies[id].at}
    cost = sum(len(before[id][0] ^ after[id][0]) for id in moved)
    if not _still(g):
        return
    g.expect("cells changed", f"{g.world.name}.stats.bin_changes", cost)


def _covered(g: Game) -> dict[int, tuple[set[Cell], list[int]]]:
    """Return the cells that the boxes of each body cover, and its position."""
    size = round(g.world.settings.get("bin_size", 1.0) * PER_UNIT)
    return {id: (set(_cells(body, size)), list(body.at)) for id, body in g.model.bodies.items()}


def _cells(body: Body, size: int) -> list[Cell]:
    found = []
    boxes = dict.fromkeys(body.placed_boxes()) if body.is_active() else []  # equal boxes are one box
    for part, ((left, right), (low, high), _) in enumerate(boxes):
        level = next(level for level in range(64) if size << level >= max(right - left, high - low))
        edge = size << level
        columns, rows = range(left // edge, right // edge + 1), range(low // edge, high // edge + 1)
        found += [(part, level, x, y) for x in columns for y in rows]
    return found


@operation
def put_all_asleep(g: Game) -> None:
    """Put all bodies asleep: then a frame tests no pair except those of stay and linger (S3, S5)."""
    if g.nesting or not g.apply_changes():
        return
    for number, entity in enumerate(g.entity_model.living()):
        parts = g.entity_model.entities[entity]
        if entity in g.model.bodies and "Static" not in parts and "Sleeping" not in parts:
            add(g, number, ("Sleeping", {"asleep": True}), False)
    for number in range(len(g.entity_model.living("Sleeping"))):
        write(g, number, "Sleeping", "asleep", True)
    if not _still(g) or not _still(g) or g.runner.evaluate(f"{g.world.name}.stats.awake"):
        return
    zones = [body.trigger for body in g.model.bodies.values() if body.trigger]
    if zones and not any(zone.stay or zone.linger for zone in zones):
        g.expect("pairs tested", f"{g.world.name}.stats.pairs_tested", 0)
