"""What a frame of many motions does: who goes first, and where all end (P10)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .pushing import Shifts, one_axis, shortest_gaps
from .scenes import AXES, Body, Rules, Scene, Vector, plus


@dataclass(frozen=True)
class Request:
    """What one body asks of a frame."""

    way: Vector
    force: float
    priority: int = 0


def sequential(scene: Scene, requests: dict[int, Request], rules: Rules) -> Shifts:
    """Return the displacements of a frame in which each motion does all its axes, highest priority first."""
    now, total = scene, dict.fromkeys(scene.bodies, (0, 0, 0))
    for entity in sorted(requests, key=lambda entity: (-requests[entity].priority, entity)):
        outcome = shortest_gaps(now, entity, requests[entity].way, replace(rules, force=requests[entity].force))
        now = _add(now, total, outcome.shifts(entity))
    return {entity: shift for entity, shift in total.items() if any(shift)}


def front_first(scene: Scene, requests: dict[int, Request], rules: Rules) -> Shifts:
    """Return the displacements of a frame in which all do one axis, the furthest ahead first, then all the next."""
    now, total = scene, dict.fromkeys(scene.bodies, (0, 0, 0))
    for axis in map(AXES.index, rules.axis_order):
        going = [entity for entity in requests if requests[entity].way[axis]]
        start = now.bodies
        for entity in sorted(going, key=lambda entity: _turn(start[entity], requests[entity], axis)):
            request = requests[entity]
            shifts, _, _ = one_axis(now, entity, axis, request.way[axis], replace(rules, force=request.force))
            now = _add(now, total, shifts)
    return {entity: shift for entity, shift in total.items() if any(shift)}


def _turn(body: Body, request: Request, axis: int) -> tuple[int, int, int, int]:
    """Return the sort key: priority, direction (positive first), leading face (furthest ahead first), entity."""
    if request.way[axis] > 0:
        return (-request.priority, 0, -max(box.hi[axis] for box in body.boxes), body.entity)
    return (-request.priority, 1, min(box.lo[axis] for box in body.boxes), body.entity)


def _add(scene: Scene, total: Shifts, shifts: Shifts) -> Scene:
    for entity, shift in shifts.items():
        total[entity] = plus(total[entity], shift)
    return scene.by(shifts)
