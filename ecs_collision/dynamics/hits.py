"""What a step of dynamics tells of two bodies that it let touch (rules C1 and C6)."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ecs_collision.components import Vector
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import StepContacts
from ecs_collision.fixed_point import LATTICE

Touch = tuple[int, int, bool, bool, Vector]
"""Two ids, the lower first; whether a step pushed them first and let them go last, and the normal of it."""

Hit = tuple[int, int, Vector, Vector, float, float]
"""The asking body, the other one, point, normal, impulse and speed."""


class StepLog(Protocol):
    """The log of the coming frame."""

    touches: list[Touch]

    def impact(self, a: int, b: int, point: Vector, normal: Vector, impulse: float, speed: float) -> None:
        """Record that `b` hit the asking body `a`."""


class StepHit(NamedTuple):
    """How two bodies met in a step: where the impulse was the largest, all of it, and how fast they approached."""

    normal: Vector
    point: Vector
    impulse: float
    speed: float


def hit_of(bodies: StepBodies, contacts: StepContacts, at: int, end: int) -> StepHit:
    """Return how the two bodies of some contacts met; the bodies have not been moved yet."""
    impulse = speed = largest = -0.0
    best, best_point = at, contacts.start[at]
    for contact in range(at, end):
        for point in range(contacts.start[contact], contacts.start[contact + 1]):
            size = contacts.points[13 * point + 11]
            impulse += size
            if size > 0.0:
                speed = max(speed, contacts.points[13 * point + 12])
            if size > largest:
                largest, best, best_point = size, contact, point
    first, second = contacts.first[best], contacts.second[best]
    nx, ny, nz = (contacts.normal[3 * best + axis] + 0.0 for axis in range(3))
    # Points are midway between the two surfaces; what does not move is hit at its surface.
    half = 0.5 * contacts.points[13 * best_point + 6]
    half = -half if bodies.inverse_mass[first] == 0.0 else (half if bodies.inverse_mass[second] == 0.0 else 0.0)
    x, y, z = (
        (bodies.position[3 * first + axis] + bodies.remainder[3 * first + axis]) * LATTICE
        + bodies.lever[3 * first + axis]
        + contacts.points[13 * best_point + axis]
        + half * by
        + 0.0
        for axis, by in enumerate((nx, ny, nz))
    )
    return StepHit((nx, ny, nz), (x, y, z), impulse, speed)
