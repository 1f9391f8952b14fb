"""A motion that was made, as shapes: request, force, inertias, gaps, and what stopped it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ecs_collision.drawing import Drawn, Label, Line, Point
from ecs_collision.events import StopReason, Vector
from ecs_collision.results import CAUSES, AxisStop, MoveResult

BOUNDS_MARK = 0.5
"""Half the length of the line that stands for the bounds of the world, in units."""

_REASONS = CAUSES | {StopReason.BOUNDS: "the bounds", StopReason.ALL_OR_NOTHING: "all or nothing"}

PlaceOf = Callable[[int], Point]


def chain_shapes(result: MoveResult, place_of: PlaceOf, label_at: PlaceOf) -> Iterator[Drawn]:
    """Yield the request and the way of the mover, each link of the chain with its gap, and each pushed body's way.

    place_of: the middle of a body seen from above, label_at: where its force or inertia stands.
    """

    def start_of(entity: int) -> Point:
        # What pushes and is not pushed belongs to the mover, perhaps as another member of its group.
        return _beyond(place_of(entity), result.pushed.get(entity, result.moved), -1.0)

    start = start_of(result.entity)
    yield Line("requested", start, _beyond(start, result.requested), arrow=True)
    for link in result.links:
        pusher, pushed = start_of(link.pusher), start_of(link.pushed)
        yield Line("link", pusher, pushed)
        if link.gap:
            yield Label("link", ((pusher[0] + pushed[0]) / 2, (pusher[1] + pushed[1]) / 2), f"gap {link.gap:g}")
    for entity, moved in [(result.entity, result.moved), *result.pushed.items()]:
        if moved[0] or moved[1]:
            yield Line("push", start_of(entity), _beyond(start_of(entity), moved), arrow=True)
    if result.pushed or result.stops:
        yield Label("push", label_at(result.entity), f"force {result.force:g}")
    for entity in result.pushed:
        yield Label("push", label_at(entity), _inertia_text(result.inertias.get(entity)))


def stop_shapes(result: MoveResult, place_of: PlaceOf, label_at: PlaceOf) -> Iterator[Drawn]:
    """Yield why a motion stopped on each axis, at what stopped it; the bounds are a line beside the mover."""
    for stop in result.stops:
        text = f"{stop.axis}: {_REASONS[stop.reason]}"
        if not stop.blockers:
            place, (dx, dy, _) = place_of(result.entity), stop.direction
            x, y = _beyond(place, stop.direction, BOUNDS_MARK)
            if (dx or dy) and stop.reason is StopReason.BOUNDS:
                across = BOUNDS_MARK * dy, BOUNDS_MARK * dx
                yield Line("blocker", (x - across[0], y - across[1]), (x + across[0], y + across[1]))
            yield Label("blocker", label_at(result.entity), text)
        for blocker in stop.blockers:
            inertia = _inertia_at(stop, result.inertias.get(blocker))
            yield Label("blocker", label_at(blocker), text + inertia)


def blockers_of(results: Iterable[MoveResult]) -> list[int]:
    """Return the bodies that stopped motions, sorted."""
    return sorted({blocker for result in results for stop in result.stops for blocker in stop.blockers})


def bodies_of(result: MoveResult) -> set[int]:
    """Return all bodies that a motion is about."""
    return {result.entity, *result.pushed, *blockers_of([result])}


def _beyond(point: Point, by: Vector, share: float = 1.0) -> Point:
    return point[0] + share * by[0], point[1] + share * by[1]


def _inertia_text(inertia: Vector | None) -> str:
    """Return an inertia as text, each different number of its axes once; endless ones are left out."""
    if inertia is None:
        return "immovable"
    numbers = dict.fromkeys(f"{each:g}" for each in inertia if each != float("inf"))
    return f"inertia {' / '.join(numbers)}" if numbers else "immovable"


def _inertia_at(stop: AxisStop, inertia: Vector | None) -> str:
    """Return the inertia of a blocker along the axis of a stop, where that is the reason."""
    if inertia is None or stop.reason is not StopReason.FORCE:
        return ""
    return f", inertia {inertia['xyz'.index(stop.axis)]:g}"
