"""What bodies ask for in a frame, on the lattice, and in which order it is done (rules L2, P10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ecs_collision.bodies import Bodies
from ecs_collision.components import Motion

Units = tuple[int, int, int]


@dataclass(slots=True)
class Wish:
    """One body's request of this frame: its displacement in units and its place in the order."""

    row: int
    entity: int
    priority: int
    units: Units


def due_requests(bodies: Bodies) -> list[Wish]:
    """Take the requests of the frame out of the Motion components, by entity id; the remainders stay in them."""
    wishes = []
    for row in sorted(bodies.requests, key=bodies.entity):
        motion = bodies.of(row).motion
        if motion is not None and motion.asks():
            wishes.append(Wish(row, bodies.entity(row), motion.priority, motion.due()))
    bodies.requests.clear()
    return wishes


def drop_remainders(motion: Motion, axes: Iterable[int]) -> None:
    """Forget what rounding left over on axes that were blocked (L2)."""
    for axis in axes:
        motion.drop_remainder(axis)


def in_turn(wishes: list[Wish]) -> list[Wish]:
    """Return the wishes by (priority descending, entity id): each does all its axes in its turn."""
    return sorted(wishes, key=lambda wish: (-wish.priority, wish.entity))


def front_first(
    wishes: list[Wish], axes: Iterable[int], leading_face: Callable[[int, int, int], int]
) -> Iterator[tuple[Wish, int]]:
    """Yield (wish, axis) axis by axis, by (priority descending, + before -, furthest ahead first, entity id).

    `leading_face(row, axis, sign)` is asked at the start of each axis.
    """
    for axis in axes:
        keyed = []
        for wish in wishes:
            if wish.units[axis]:
                sign = 1 if wish.units[axis] > 0 else -1
                ahead = sign * leading_face(wish.row, axis, sign)
                keyed.append((-wish.priority, -sign, -ahead, wish.entity, wish))
        keyed.sort(key=lambda item: item[:4])
        yield from ((item[4], axis) for item in keyed)
