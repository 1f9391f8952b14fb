"""What a motion does, told twice: by unit steps, and by shortest gaps with every reason given.

`unit_steps` needs no theory: at each step of one unit take the mover, all that touches it ahead, all that touches those
ahead, and so on; if one of them cannot be pushed nothing moves, else all move by one. `shortest_gaps` is rules P2 to P5
word by word, over every pair of bodies; it also foretells the whole `MoveResult`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from .scenes import AXES, Body, Box, Rules, Scene, Vector, along, boxes_that_meet, crossing, overlapping, plus

Shifts = dict[int, Vector]


# --- by unit steps ----------------------------------------------------------------------------------------------------


def unit_steps(scene: Scene, mover: int, request: Vector, rules: Rules) -> Shifts:
    """Return how far every body is displaced, by stepping one unit at a time along each axis in turn."""
    now, shifts = scene, dict.fromkeys(scene.bodies, (0, 0, 0))
    for axis in map(AXES.index, rules.axis_order):
        unit = 1 if request[axis] > 0 else -1
        for _ in range(abs(request[axis])):
            moving = _moving(now, mover, axis, unit, rules)
            if moving is None:
                if rules.all_or_nothing:
                    return {}
                break
            step = dict.fromkeys(moving, along(axis, unit))
            now = now.by(step)
            shifts.update({entity: plus(shifts[entity], by) for entity, by in step.items()})
    return {entity: shift for entity, shift in shifts.items() if any(shift)}


def _moving(scene: Scene, mover: int, axis: int, unit: int, rules: Rules) -> set[int] | None:
    """Return all that moves in one step, None if something in the way cannot."""
    found, fresh = {mover}, [mover]
    while fresh:
        pusher = scene.bodies[fresh.pop()]
        for other in scene.bodies.values():
            if other.entity not in found and _is_met(pusher, other, axis, unit, rules):
                found.add(other.entity)
                fresh.append(other.entity)
    if any(_leaves(box, rules.bounds, axis, unit) for entity in found for box in scene.bodies[entity].boxes):
        return None
    return found if _all_give_way(scene, found - {mover}, axis, rules) else None


def _is_met(pusher: Body, other: Body, axis: int, unit: int, rules: Rules) -> bool:
    for a, b in boxes_that_meet(pusher, other):
        face, near = (a.hi[axis], b.lo[axis]) if unit > 0 else (a.lo[axis], b.hi[axis])
        if crossing(a, b, axis) and face == near:
            return True
        if rules.block_deeper and overlapping(a, b):
            step = along(axis, unit)
            if _depth(a.by(step), b, axis) > _depth(a, b, axis):
                return True
    return False


def _depth(a: Box, b: Box, axis: int) -> int:
    return min(a.hi[axis], b.hi[axis]) - max(a.lo[axis], b.lo[axis])


def _leaves(box: Box, bounds: Box | None, axis: int, unit: int) -> bool:
    if bounds is None:
        return False
    return box.hi[axis] == bounds.hi[axis] if unit > 0 else box.lo[axis] == bounds.lo[axis]


def _all_give_way(scene: Scene, pushed: set[int], axis: int, rules: Rules) -> bool:
    bodies = [scene.bodies[entity] for entity in pushed]
    if any(refusal(body, axis, rules) for body in bodies):
        return False
    if rules.max_chain is not None and len(bodies) > rules.max_chain:
        return False
    weighed = [body.inertia[axis] for body in bodies if body.inertia and not rules.verdicts.get(body.entity)]
    return rules.rule == "each" or not weighed or sum(weighed) < rules.force


# --- by shortest gaps -------------------------------------------------------------------------------------------------


class Stop(NamedTuple):
    """Why an axis went no further. Where several bodies are the last straw together, each of them may be named."""

    axis: str
    blockers: dict[int | None, set[str]]
    allowed: int


class Link(NamedTuple):
    """A pusher that attains the distance of what it pushed."""

    pusher: int
    pushed: int
    axis: str
    gap: int


@dataclass
class Outcome:
    """What becomes of one motion; the fields of a MoveResult."""

    moved: Vector = (0, 0, 0)
    pushed: Shifts = field(default_factory=dict)
    stops: list[Stop] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def shifts(self, mover: int) -> Shifts:
        """Return the displacements of all bodies that moved."""
        return {**self.pushed, mover: self.moved} if any(self.moved) else self.pushed


def refusal(body: Body, axis: int, rules: Rules) -> str | None:
    """Return why a body cannot be pushed on its own account, None if it can (P3, P15)."""
    verdict = rules.verdicts.get(body.entity)
    if body.static:
        return "IMMOVABLE"
    if verdict is False:
        return "HOOK"
    if verdict is True:
        return None
    if body.inertia is None or math.isinf(body.inertia[axis]):
        return "IMMOVABLE"
    return None if rules.force > body.inertia[axis] else "FORCE"


def gap_between(pusher: Body, other: Body, axis: int, unit: int, rules: Rules) -> int | None:
    """Return the gap the pusher has to close before it meets the other, None if the other is not ahead (P2, P9)."""
    gaps = []
    for a, b in boxes_that_meet(pusher, other):
        gap = b.lo[axis] - a.hi[axis] if unit > 0 else a.lo[axis] - b.hi[axis]
        if crossing(a, b, axis) and gap >= 0:
            gaps.append(gap)
        elif rules.block_deeper and overlapping(a, b) and _goes_deeper(a, b, axis, unit):
            gaps.append(0)
    return min(gaps, default=None)


def _goes_deeper(a: Box, b: Box, axis: int, unit: int) -> bool:
    """Return whether the least motion of `a` makes the overlap longer: both its faces lag behind those of `b`."""
    if unit > 0:
        return a.hi[axis] < b.hi[axis] and a.lo[axis] < b.lo[axis]
    return a.hi[axis] > b.hi[axis] and a.lo[axis] > b.lo[axis]


def shortest_gaps(scene: Scene, mover: int, request: Vector, rules: Rules) -> Outcome:
    """Return what a motion does and why, by the shortest sums of gaps."""
    outcome, now = Outcome(), scene
    for axis in map(AXES.index, rules.axis_order):
        if request[axis]:
            shifts, stop, links = one_axis(now, mover, axis, request[axis], rules)
            if stop and rules.all_or_nothing:
                others = [name for name in rules.axis_order if request[AXES.index(name)] and name != stop.axis]
                stops = [stop, *(Stop(name, {None: {"ALL_OR_NOTHING"}}, 0) for name in others)]
                return Outcome(stops=sorted(stops, key=lambda stop: rules.axis_order.index(stop.axis)))
            now = now.by(shifts)
            outcome.moved = plus(outcome.moved, shifts.pop(mover, (0, 0, 0)))
            for entity, shift in shifts.items():
                outcome.pushed[entity] = plus(outcome.pushed.get(entity, (0, 0, 0)), shift)
            outcome.stops += [stop] if stop else []
            outcome.links += links
    outcome.links.sort(key=lambda link: (rules.axis_order.index(link.axis), link.pushed, link.pusher))
    return outcome


def one_axis(scene: Scene, mover: int, axis: int, length: int, rules: Rules) -> tuple[Shifts, Stop | None, list[Link]]:
    """Return the displacements along one axis, what stopped them, and who pushed whom."""
    unit, wanted = (1 if length > 0 else -1), abs(length)
    bodies = scene.bodies
    gaps = {
        (a, b): gap
        for a in bodies
        for b in bodies
        if a != b and b != mover and (gap := gap_between(bodies[a], bodies[b], axis, unit, rules)) is not None
    }
    dist = _distances(bodies, mover, axis, gaps, rules)
    free = [entity for entity in dist if entity != mover and not refusal(bodies[entity], axis, rules)]
    walls = [(dist[entity], entity) for entity in dist if entity != mover and refusal(bodies[entity], axis, rules)]
    edges = _edges_of_the_world(bodies, [mover, *free], dist, axis, unit, rules)
    loads = _overloads(bodies, free, dist, axis, rules)
    allowed = min([wanted, *edges, *(at for at, _ in walls), *loads])
    shifts = {e: along(axis, unit * (allowed - dist[e])) for e in [mover, *free] if dist[e] < allowed}
    links = [
        Link(a, b, AXES[axis], gap)
        for (a, b), gap in gaps.items()
        if a in shifts and b in shifts and dist[a] + gap == dist[b]
    ]
    if allowed == wanted:
        return shifts, None, links
    blockers: dict[int | None, set[str]] = dict(loads.get(allowed, {}))
    hard = [entity for at, entity in walls if at == allowed]
    if hard:
        blockers[min(hard)] = {str(refusal(bodies[min(hard)], axis, rules))}
    return shifts, Stop(AXES[axis], blockers or {None: {"BOUNDS"}}, allowed), links


def _distances(
    bodies: dict[int, Body], mover: int, axis: int, gaps: dict[tuple[int, int], int], rules: Rules
) -> dict[int, int]:
    """Return the shortest sum of gaps from the mover to all it reaches through bodies that can be pushed.

    Relaxed until nothing changes: slower than a heap, and there is no order to get wrong.
    """
    dist = {mover: 0}
    changed = True
    while changed:
        changed = False
        for (a, b), gap in gaps.items():
            passable = a in dist and (a == mover or not refusal(bodies[a], axis, rules))
            if passable and dist[a] + gap < dist.get(b, dist[a] + gap + 1):
                dist[b] = dist[a] + gap
                changed = True
    return dist


def _edges_of_the_world(
    bodies: dict[int, Body], movable: list[int], dist: dict[int, int], axis: int, unit: int, rules: Rules
) -> list[int]:
    """Return the distances at which a leading face reaches the bounds (P18)."""
    if rules.bounds is None:
        return []
    low, high = rules.bounds.lo[axis], rules.bounds.hi[axis]
    rooms = [
        (high - box.hi[axis] if unit > 0 else box.lo[axis] - low) + dist[entity]
        for entity in movable
        for box in bodies[entity].boxes
    ]
    return [room for room in rooms if room >= 0]


def _overloads(
    bodies: dict[int, Body], free: list[int], dist: dict[int, int], axis: int, rules: Rules
) -> dict[int, dict[int | None, set[str]]]:
    """Return the distances from which the rule sum or the chain limit stops the motion, and who may be blamed."""
    found: dict[int, dict[int | None, set[str]]] = {}
    for at in sorted({dist[entity] for entity in free}):
        chain = [bodies[entity] for entity in free if dist[entity] <= at]
        weighed = [body for body in chain if body.inertia and not rules.verdicts.get(body.entity)]
        load = sum(body.inertia[axis] for body in weighed if body.inertia)
        reasons = {"FORCE"} if rules.rule == "sum" and weighed and load >= rules.force else set()
        reasons |= {"CHAIN_LIMIT"} if rules.max_chain is not None and len(chain) > rules.max_chain else set()
        if reasons:
            found[at] = {entity: reasons for entity in free if dist[entity] == at}
    return found
