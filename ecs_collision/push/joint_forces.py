"""Movers that press the same way on a common blocker add their forces (rule M11).

A joint push starts from several movers at once, all with the sum of their forces; `PushGraph` calls the others sources.
Who pushes together is found from the state after the ordinary motions alone, so their order plays no role.

Not taken: adding the forces before the ordinary motions. A mover that another one is about to reach would be too strong
before it is helped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ecs_collision.push.motions import MotionRequest, Motions


def push_jointly(motions: Motions, requests: list[MotionRequest], axis: int) -> None:
    """Let the motions that only lack force on an axis go on together, until none of them moves any more.

    O(movers that are stopped) plans for each joint push.
    """
    while any(motions.perform_jointly(each, axis) for each in _pressing(motions, requests, axis)):
        pass


def _pressing(motions: Motions, requests: list[MotionRequest], axis: int) -> list[list[MotionRequest]]:
    """Return the requests that press on a common blocker, directly or through others, the front ones first (P10)."""
    sets: list[tuple[set[tuple[int, int]], list[MotionRequest]]] = []
    for request in motions.requests.sorted_front_first(_unfinished(motions, requests, axis), axis):
        sign = 1 if request.along(axis) > 0 else -1
        pressed = {(sign, blocker) for blocker in motions.blockers_at_once(request, axis)}
        if not pressed:
            continue
        common = [each for each in sets if not each[0].isdisjoint(pressed)]
        first = common[0] if common else (set(), [])
        first[0].update(pressed)
        first[1].append(request)
        for each in common[1:]:
            first[0].update(each[0])
            first[1].extend(each[1])
        sets = [each for each in sets if each not in common[1:]] if common else [*sets, first]
    return [members for _, members in sets if len(members) > 1]


def _unfinished(motions: Motions, requests: list[MotionRequest], axis: int) -> list[MotionRequest]:
    """Return the requests with something left along an axis, one for each body (P8)."""
    found: dict[int, MotionRequest] = {}
    for request in requests:
        if not request.all_or_nothing and request.result is not None and motions.left(request, axis):
            found.setdefault(motions.leader(request.row), request)
    return list(found.values())
