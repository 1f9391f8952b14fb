"""What a motion does where nothing runs in a circle, by plain recursion over what is ahead (property O3)."""

from __future__ import annotations

from .pushing import Shifts, gap_between, refusal
from .scenes import Body, Rules, Scene, along

Ahead = dict[int, list[tuple[int, int]]]


def recursion(scene: Scene, mover: int, axis: int, length: int, rules: Rules) -> Shifts | None:
    """Return the displacements along one axis under the rule "each"; None if a chain leads back to itself."""
    unit = 1 if length > 0 else -1
    ahead = {body.entity: _ahead_of(scene, body, mover, axis, unit, rules) for body in scene.bodies.values()}
    if _runs_in_a_circle(ahead, mover, set(), set()):
        return None
    allowed = _room(scene, ahead, mover, axis, abs(length), rules)
    shifts: dict[int, int] = {}
    _displace(ahead, mover, allowed, shifts)
    return {entity: along(axis, unit * shift) for entity, shift in shifts.items()}


def _ahead_of(scene: Scene, body: Body, mover: int, axis: int, unit: int, rules: Rules) -> list[tuple[int, int]]:
    others = [other for other in scene.bodies.values() if other.entity not in (body.entity, mover)]
    gaps = [(other.entity, gap_between(body, other, axis, unit, rules)) for other in others]
    return [(entity, gap) for entity, gap in gaps if gap is not None]


def _runs_in_a_circle(ahead: Ahead, entity: int, above: set[int], done: set[int]) -> bool:
    if entity in above:
        return True
    if entity in done:
        return False
    found = any(_runs_in_a_circle(ahead, other, above | {entity}, done) for other, _ in ahead[entity])
    done.add(entity)
    return found


def _room(scene: Scene, ahead: Ahead, entity: int, axis: int, wanted: int, rules: Rules) -> int:
    """Return how far a body can go: up to each body ahead, and then as far as that one can go."""
    allowed = wanted
    for other, gap in ahead[entity]:
        if gap < allowed:
            stuck = refusal(scene.bodies[other], axis, rules)
            beyond = 0 if stuck else _room(scene, ahead, other, axis, wanted - gap, rules)
            allowed = min(allowed, gap + beyond)
    return allowed


def _displace(ahead: Ahead, entity: int, length: int, shifts: dict[int, int]) -> None:
    if length <= shifts.get(entity, 0):
        return
    shifts[entity] = length
    for other, gap in ahead[entity]:
        _displace(ahead, other, length - gap, shifts)
