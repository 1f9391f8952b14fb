"""`assert_no_overlap`: no two solid bodies lie in each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ecs_collision.bodies.filters import are_solid
from ecs_collision.components import Faces
from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import LATTICE
from ecs_collision.testing.instrument import home_of, world_of
from ecs_collision.testing.naming import Who, called_in
from ecs_collision.testing.traceback import hidden
from ecs_collision.testing.truncate import few

__tracebackhide__ = hidden

MOST_TOLD = 8
"""So many pairs are told of one by one."""


def assert_no_overlap(target: Any, *, allow: Iterable[tuple[Who, Who]] = ()) -> None:
    """Assert that no two solid bodies that may meet overlap, in a system, world, game or board; touching is none.

    Two bodies with Static, such as walls, and two that are fused may overlap, and so may the pairs allowed, given by
    number, name or kind.
    """
    called = called_in(target)
    allow = list(allow)
    if any(isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2 for pair in allow):
        raise CollisionTypeError(f"allow is {allow!r}; give a list of pairs, such as [('player', 'ladder')]")
    allowed = [(set(called.all(a, "allow")), set(called.all(b, "allow"))) for a, b in allow]
    game = getattr(target, "game", target)
    with home_of(game):
        world = world_of(game)
        bodies, told = world.bodies, []
        for a, b in world.space.pairs():
            rows = bodies.row(a), bodies.row(b)
            first, second = bodies.of(rows[0]), bodies.of(rows[1])
            group = bodies.groups.of(a)
            fused = group is not None and b in group.members
            fixed = first.static is not None and second.static is not None
            named = any((a in these and b in those) or (b in these and a in those) for these, those in allowed)
            if are_solid(first, second) and not (fixed or fused or named):
                axis, depth = _depth(bodies.boxes(rows[0]), bodies.boxes(rows[1]))
                told.append(f"  {called.told(a)} and {called.told(b)} overlap by {depth * LATTICE:.10g} on {axis}")
    if told:
        count = "1 pair of bodies overlaps" if len(told) == 1 else f"{len(told)} pairs of bodies overlap"
        raise AssertionError("\n".join([count, *few(told, MOST_TOLD)]))


def _depth(boxes: Iterable[Faces], others: list[Faces]) -> tuple[str, int]:
    """Return the axis along which two bodies part the soonest, and how deep their deepest boxes are on it."""
    found = []
    for a in boxes:
        for b in others:
            depths = [min(a[axis + 3], b[axis + 3]) - max(a[axis], b[axis]) for axis in range(3)]
            if all(depth > 0 for depth in depths):
                found.append(min((depth, axis) for axis, depth in zip("xyz", depths, strict=True)))
    depth, axis = max(found, default=(0, "x"))
    return axis, depth
