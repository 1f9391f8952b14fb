"""How a motion went, as shapes: what was asked for, the chain of pushes, and what stopped it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ecs_collision.drawing import Drawn, Label, Line, Point
from ecs_collision.events import Vector
from ecs_collision.results import AxisStop, MoveResult

LABEL = 20.0
"""How far labels are above or below the middle of a body, in pixels."""


def push_shapes(result: MoveResult, place_of: Callable[[int], Point], *, is_done: bool = True) -> Iterator[Drawn]:
    """Yield the request and the way of the mover, each link of the chain with its gap, and the blockers' reasons.

    place_of: the middle of a body seen from above. is_done: the bodies are where the motion has brought them; False if
    they are where it begins.
    """
    back = -1.0 if is_done else 0.0

    def start_of(entity: int) -> Point:
        x, y = place_of(entity)
        moved = result.moved if entity == result.entity else result.pushed.get(entity, (0.0, 0.0, 0.0))
        return x + back * moved[0], y + back * moved[1]

    start = start_of(result.entity)
    yield Line("requested", start, _beyond(start, result.requested), arrow=True)
    if result.moved[0] or result.moved[1]:
        yield Line("push", start, _beyond(start, result.moved), arrow=True)
    force = f"force {result.force:g}" if result.pushed or result.stops else ""
    if force:
        yield Label("text", start, force, below=-LABEL)
    for link in result.links:
        pusher, pushed = start_of(link.pusher), start_of(link.pushed)
        yield Line("push", pusher, pushed, arrow=True)
        if link.gap:
            middle = (pusher[0] + pushed[0]) / 2, (pusher[1] + pushed[1]) / 2
            yield Label("text", middle, f"gap {link.gap:g}", below=LABEL / 2)
    for entity in result.pushed:
        yield Label("text", start_of(entity), inertia_text(result.inertias.get(entity)), below=LABEL)
    for stop in result.stops:
        yield from _stop_shapes(stop, result, start, place_of)


def _stop_shapes(stop: AxisStop, result: MoveResult, start: Point, place_of: Callable[[int], Point]) -> Iterator[Drawn]:
    """Yield why a motion stopped on an axis, at what stopped it."""
    if not stop.blockers:  # the bounds, or all or nothing
        yield Label("blocker", _beyond(start, result.moved), stop.reason.value, below=-LABEL)
    for blocker in stop.blockers:
        inertia = result.inertias.get(blocker)
        more = f", {inertia_text(inertia)}" if inertia is not None else ""
        yield Label("blocker", place_of(blocker), f"{stop.reason.value}{more}", below=-LABEL)


def blockers_of(results: Iterable[MoveResult]) -> list[int]:
    """Return the bodies that stopped motions, sorted."""
    return sorted({blocker for result in results for stop in result.stops for blocker in stop.blockers})


def _beyond(point: Point, by: Vector) -> Point:
    return point[0] + by[0], point[1] + by[1]


def inertia_text(inertia: Vector | None) -> str:
    """Return an inertia as text, each different number of its axes once; endless ones are left out."""
    if inertia is None:
        return "immovable"
    numbers = dict.fromkeys(f"{each:g}" for each in inertia if each != float("inf"))
    return f"inertia {' / '.join(numbers)}" if numbers else "immovable"
