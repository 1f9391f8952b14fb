"""Where things are to each other: whether one fits somewhere, and which of a fused group are in a trigger."""

from __future__ import annotations

from collections.abc import Sequence

from ecs_collision.components import Faces, Parts
from ecs_collision.fixed_point import LATTICE
from ecs_collision.world import CollisionWorld


def on_trigger(world: CollisionWorld, trigger: int) -> list[int]:
    """Return the ids of what was in a trigger at the end of the last frame.

    The world names a group by its root; here each member is named that is in the trigger now with boxes of its own. One
    that only lingers is still named by its root.
    """
    inside = world.inside(trigger)
    if not world.bodies.rings.count:
        return inside
    found: set[int] = set()
    for id in inside:
        group = world.bodies.groups.of(id)
        members = [] if group is None else [each for each in group.members if _is_in(world, each, trigger)]
        found.update(members or [id])
    return sorted(found)


def _is_in(world: CollisionWorld, id: int, trigger: int) -> bool:
    """Return whether a body of its own would be in a trigger (T2, T6)."""
    bodies = world.bodies
    body, place = bodies.of(bodies.row(id)), bodies.of(bodies.row(trigger))
    if body.collider is None or place.trigger is None or body.trigger is not None:
        return False
    if not _met(body.collider.layer, place.trigger.mask):
        return False
    mine, theirs = bodies.boxes(bodies.row(id)), bodies.boxes(bodies.row(trigger))
    least = 2 if place.trigger.touching else 3
    return any(_shared(a, b) >= least for a in mine for b in theirs)


def _shared(a: Faces, b: Faces) -> int:
    """Return on how many axes two boxes overlap, where on the others their faces meet; -1 where they lie apart."""
    depths = [min(a[axis + 3], b[axis + 3]) - max(a[axis], b[axis]) for axis in range(3)]
    return sum(depth > 0 for depth in depths) if min(depths) >= 0 else -1


def fits(world: CollisionWorld, ids: Sequence[int], way: tuple[float, float], in_walls: bool = False) -> bool:
    """Return whether bodies, displaced so, would overlap no other that they meet; with `in_walls`, no static counts."""
    world.take_in()
    bodies = world.bodies
    for id in ids:
        row = bodies.row(id)
        x, y, z = (units * LATTICE for units in bodies.position(row))
        for box in bodies.shapes[row]:
            lx, ly, lz, hx, hy, hz = (face * LATTICE for face in box)
            low, high = (x + way[0] + lx, y + way[1] + ly, z + lz), (x + way[0] + hx, y + way[1] + hy, z + hz)
            for other in world.space.overlapping((low, high), ignore=ids):
                theirs = bodies.of(bodies.row(other))
                if meet(bodies.of(row), theirs) and not (in_walls and theirs.static is not None):
                    return False
    return True


def meet(a: Parts, b: Parts) -> bool:
    """Return whether two bodies are solid to each other: each one's layer is in the other's mask (P14)."""
    if a.collider is None or b.collider is None or a.trigger is not None or b.trigger is not None:
        return False
    return _met(a.collider.layer, b.collider.mask) and _met(b.collider.layer, a.collider.mask)


def _met(layer: str, mask: frozenset[str] | None) -> bool:
    return mask is None or layer in mask
