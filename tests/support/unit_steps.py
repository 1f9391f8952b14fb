"""Motions by unit steps: a second oracle, simpler than the model of the rules.

Each step collects the mover, everything that touches it ahead, everything ahead of that, and so on. If one of them
cannot be pushed nothing moves, otherwise all move by one step. Faces, displacements and bounds must be multiples of
the step.
"""

from __future__ import annotations

import math
from typing import Any

from tests.model.model import Body, Box, Model, Request, overlap, round_force, to_world, units

Vector = tuple[float, float, float]


def unit_steps(model: Model, mover: int, way: Vector, step: float, **options: Any) -> dict[int, Vector]:
    """Return the displacement of every group; options: those of a move."""
    return Steps(
        model, model.roots[mover], units(step), model._effective_request(model.bodies[mover].request, options)
    ).go(way)


class Steps:
    """One motion; `at` is the current position of every body."""

    def __init__(self, model: Model, mover: int, step: int, request: Request) -> None:
        self.model, self.mover, self.step, self.request = model, mover, step, request
        self.at = {id: list(body.at) for id, body in model.bodies.items()}
        self.groups = model.groups()
        self.solid = {root: [body for body in group if body.is_active(True)] for root, group in self.groups.items()}

    def go(self, way: Vector) -> dict[int, Vector]:
        """Step along each axis in turn."""
        moved: dict[int, list[int]] = {}
        for axis in map("xyz".index, self.model.axis_order):
            by = self.step if way[axis] > 0 else -self.step
            for _ in range(abs(units(way[axis])) // self.step):
                moving = self.moving(axis, by)
                if moving is None:
                    if self.request.all_or_nothing:
                        return {}
                    break
                for root in moving:
                    moved.setdefault(root, [0, 0, 0])[axis] += by
                    for body in self.groups[root]:
                        self.at[body.id][axis] += by
        return {root: to_world(far) for root, far in moved.items() if any(far)}

    def moving(self, axis: int, by: int) -> set[int] | None:
        """Return the groups that move in one step, or None if one of them cannot."""
        found, unvisited = {self.mover}, [self.mover]
        while unvisited:
            pusher = unvisited.pop()
            ahead = {other for other in self.solid.keys() - found if self.meets(pusher, other, axis, by)}
            found |= ahead
            unvisited += ahead
        leaves = any(self.leaves(body, axis, by) for root in found for body in self.groups[root])
        return None if leaves or not self.all_give_way(found - {self.mover}, axis) else found

    def meets(self, pusher: int, other: int, axis: int, by: int) -> bool:
        pairs = [(one, two) for one in self.solid[pusher] for two in self.solid[other] if may_meet(one, two)]
        through = self.request.through and pusher == self.mover
        return any(
            self.box_meets(a, b, axis, by)
            for one, two in pairs
            if not (through and two.is_one_way())
            for a in self.here(one)
            for b in self.here(two)
            if not self.passes(two, b, one, axis, by) and not self.passes(one, a, two, axis, -by)
        )

    def passes(self, one: Body, box: Box, two: Body, axis: int, by: int) -> bool:
        """Return whether a box of a body lets another body pass, which moves towards it by a step (M5)."""
        against = one.one_way == (axis, -1 if by > 0 else 1)
        return one.is_one_way() and (not against or any(overlap(box, other) for other in self.here(two)))

    def box_meets(self, a: Box, b: Box, axis: int, by: int) -> bool:
        ahead = a[axis][1] == b[axis][0] if by > 0 else a[axis][0] == b[axis][1]
        if ahead and overlap(a, b, except_axis=axis):
            return True
        low, high = a[axis]
        deeper = depth((low + by, high + by), b[axis]) > depth((low, high), b[axis])
        return self.model.overlap_policy == "block_deeper" and overlap(a, b) and deeper

    def here(self, body: Body) -> list[Box]:
        return body.placed_boxes(self.at[body.id])

    def leaves(self, body: Body, axis: int, by: int) -> bool:
        walls = [self.model.range, self.model.own_bounds][: 2 if body.is_active(solid=True) else 1]
        end = 1 if by > 0 else 0
        return any(box[axis][end] == wall[axis][end] for wall in walls for box in self.here(body))

    def all_give_way(self, pushed: set[int], axis: int) -> bool:
        weights = [self.weight(root, axis) for root in pushed]
        if None in weights or len(weights) > (math.inf if self.request.max_chain is None else self.request.max_chain):
            return False
        weighed = [weight for weight in weights if weight]
        return self.request.rule == "each" or not weighed or sum(weighed) < self.request.force

    def weight(self, root: int, axis: int) -> float | None:
        """Return the inertia of a group in the sum, or None if it cannot be pushed. The hook ignores the pusher."""
        members, hook = self.solid[root], self.model.can_push
        verdict = hook(0, root, "xyz"[axis], self.request.force) if hook else None
        inertia = max(math.inf if body.inertia is None else round_force(body.inertia[axis]) for body in members)
        if any(body.static for body in members) or verdict is False or (verdict is None and inertia == math.inf):
            return None
        return 0.0 if verdict else inertia if self.request.force > inertia else None


def may_meet(one: Body, two: Body) -> bool:
    """Return whether two bodies may meet (P14)."""
    return all(a.mask is None or b.layer in a.mask for a, b in ((one, two), (two, one)))


def depth(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return the length of the overlap of two sides (P9)."""
    return min(a[1], b[1]) - max(a[0], b[0])
