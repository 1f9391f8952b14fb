"""What bodies ask for in a frame, on the lattice, and in which order it is done (rules L2, P10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ecs_collision.bodies import Bodies
from ecs_collision.components import Motion
from ecs_collision.lattice import LATTICE, to_units

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
        if motion is None or not (motion._dx or motion._dy or motion._dz):
            continue
        wishes.append(Wish(row, bodies.entity(row), motion.priority, _rounded(motion)))
    bodies.requests.clear()
    return wishes


def _rounded(motion: Motion) -> Units:
    """Return the request in units with the last frame's remainder, and keep what rounding leaves over (L2)."""
    asked = (motion._dx, motion._dy, motion._dz)
    units, left, signs = [], [], []
    for value, old, sign in zip(asked, motion._remainder, motion._signs, strict=True):
        if value == 0.0:
            units.append(0)
            left.append(old)
            signs.append(sign)
            continue
        now = 1 if value > 0 else -1
        total = value + (old if now == sign else 0.0)
        units.append(to_units(total))
        left.append(total - units[-1] * LATTICE)
        signs.append(now)
    motion._dx = motion._dy = motion._dz = 0.0
    motion._remainder = (left[0], left[1], left[2])
    motion._signs = (signs[0], signs[1], signs[2])
    return (units[0], units[1], units[2])


def drop_remainders(motion: Motion, axes: Iterable[int]) -> None:
    """Forget what rounding left over on axes that were blocked (L2)."""
    left = list(motion._remainder)
    for axis in axes:
        left[axis] = 0.0
    motion._remainder = (left[0], left[1], left[2])


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
