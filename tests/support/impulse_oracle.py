"""Two bodies that meet once, by the laws of impulse: upright boxes and balls, which may turn (rules I1, I3 and I4).

Written from the rules alone: they move in straight lines until they touch, then one impulse changes their velocities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

Floats = Sequence[float]


@dataclass
class Ball:
    """A box with half extents, or a ball if they are 0. Without a mass nothing moves it."""

    position: list[float]
    velocity: list[float]
    half: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    mass: float = math.inf
    moment: float = math.inf
    restitution: float = 0.0
    friction: float = 0.5
    angular: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])

    def push(self, impulse: Floats, lever: Floats) -> None:
        """Change the velocities by an impulse at a point."""
        self.velocity = [v + j / self.mass for v, j in zip(self.velocity, impulse, strict=True)]
        self.angular = [w + t / self.moment for w, t in zip(self.angular, cross(lever, impulse), strict=True)]

    def speed_at(self, lever: Floats) -> list[float]:
        return [v + w for v, w in zip(self.velocity, cross(self.angular, lever), strict=True)]


def apart(a: Ball, b: Ball, time: float) -> list[float]:
    """Return the vector between the cores of two bodies, from a to b, after a time."""
    reach = [x + y for x, y in zip(a.half, b.half, strict=True)]
    way = [q - p + (w - v) * time for p, q, v, w in zip(a.position, b.position, a.velocity, b.velocity, strict=True)]
    return [math.copysign(max(abs(d) - h, 0.0), d) for d, h in zip(way, reach, strict=True)]


def gap(a: Ball, b: Ball, time: float) -> float:
    return math.hypot(*apart(a, b, time)) - a.radius - b.radius


def meeting(a: Ball, b: Ball, until: float) -> float | None:
    """Return when two bodies meet, first to steps and then as exactly as floats are."""
    for number in range(200):
        first, last = until * number / 200, until * (number + 1) / 200
        if gap(a, b, last) <= 0.0:
            for _ in range(60):
                middle = (first + last) / 2
                first, last = (first, middle) if gap(a, b, middle) <= 0.0 else (middle, last)
            return first
    return None


def collide(a: Ball, b: Ball, until: float) -> bool:
    """Let two bodies meet; return whether they do.

    Friction takes away the speed across the normal, by at most its share of the normal impulse of a stop: a bounce rubs
    no more.
    """
    time = meeting(a, b, until)
    if time is None:
        return False
    vector = apart(a, b, time)
    length = math.hypot(*vector)
    n = [each / length for each in vector]
    levers = [each * a.radius for each in n], [-each * b.radius for each in n]
    speed = [y - x for x, y in zip(a.speed_at(levers[0]), b.speed_at(levers[1]), strict=True)]
    approach = sum(s * each for s, each in zip(speed, n, strict=True))
    masses = 1 / a.mass + 1 / b.mass
    stop = -approach / masses
    sliding = [s - approach * each for s, each in zip(speed, n, strict=True)]
    across = math.hypot(*sliding)
    turning = masses + a.radius**2 / a.moment + b.radius**2 / b.moment
    rub = min(math.sqrt(a.friction * b.friction) * stop, across / turning) / (across or 1.0)
    bounce = 1.0 + max(a.restitution, b.restitution)
    impulse = [stop * bounce * each - rub * s for each, s in zip(n, sliding, strict=True)]
    a.push([-each for each in impulse], levers[0])
    b.push(impulse, levers[1])
    return True


def cross(a: Floats, b: Floats) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
