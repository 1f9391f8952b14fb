"""A box of bouncing balls: each flies until it meets the true shape of a wall or of another ball, and bounces off it.

`cast` says how far the way is free, and gives the normal to bounce on. Balls that meet exchange their speeds along the
normal, so no energy is lost. Each ball stops 1/1024 short of what it meets, because positions are rounded to
the lattice. It prints:

    |                                |
    |          ooo                   |
    |   oo                 ooo       |
    |   oo                           |
    |                                |
    |                  ooo       ooo |
    |                                |
    |                                |
    |                 ooo            |
    |                                |
    |                                |
    |ooo                             |
    |                                |
    |                                |
    |                      o     oo  |
    |                     ooo    oo  |
    317 bounces; the energy is 1.000000000 of that at the start
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from ecs_collision import BoxCollider, CollisionWorld, SphereCollider, Static, Transform

SIZE, RADIUS, GAP = 16, 0.75, 1 / 1024


@dataclass
class Ball:
    """A ball and its speed, in units for each frame."""

    place: Transform
    dx: float
    dy: float


def new_box(world: CollisionWorld, count: int) -> dict[int, Ball]:
    """Put balls in four walls; return the balls by id."""
    for x, y, hx, hy in ((-1, 8, 1, 10), (17, 8, 1, 10), (8, -1, 10, 1), (8, 17, 10, 1)):
        world.add(transform=Transform(x, y), collider=BoxCollider(hx, hy), static=Static())
    dice, balls = random.Random(7), {}
    for number in range(count):
        place = Transform(3 + 5 * (number % 3), 3 + 5 * (number // 3))
        ball = Ball(place, dice.randint(-32, 32) / 64, dice.randint(-32, 32) / 64)
        balls[world.add(transform=ball.place, collider=SphereCollider(RADIUS))] = ball
    return balls


def move(world: CollisionWorld, balls: dict[int, Ball], entity: int, left: float = 1.0) -> int:
    """Move a ball for a frame, or for what is left of it; return how often it bounced."""
    ball, bounces = balls[entity], 0
    while left > 0 and bounces < 4:
        dx, dy = ball.dx * left, ball.dy * left
        hit = world.space.cast(entity, (dx, dy))
        part = 1.0 if hit is None else max(0.0, hit.fraction - GAP / math.sqrt(dx * dx + dy * dy))
        world.teleport(entity, ball.place.x + dx * part, ball.place.y + dy * part)
        if hit is None or not bounce(ball, balls.get(hit.entity), hit.normal):
            break
        left, bounces = left * (1 - hit.fraction), bounces + 1
    return bounces


def bounce(ball: Ball, other: Ball | None, normal: tuple[float, float, float]) -> bool:
    """Reflect the speed of a ball at a wall, or exchange it along the normal with another ball of the same weight.

    Returns False if the other one flies ahead, and only has not moved yet in this frame.
    """
    nx, ny, _ = normal
    into = ball.dx * nx + ball.dy * ny
    if other is None:
        ball.dx, ball.dy = ball.dx - 2 * into * nx, ball.dy - 2 * into * ny
        return True
    change = other.dx * nx + other.dy * ny - into
    if change <= 0:
        return False
    ball.dx, ball.dy = ball.dx + change * nx, ball.dy + change * ny
    other.dx, other.dy = other.dx - change * nx, other.dy - change * ny
    return True


def energy(balls: dict[int, Ball]) -> float:
    """Return the sum of the squares of all speeds."""
    return math.fsum(ball.dx * ball.dx + ball.dy * ball.dy for ball in balls.values())


def picture(world: CollisionWorld) -> str:
    """Return what is where in the box; a letter is half as wide as high."""
    rows = [[world.space.at((x + 0.5) / 2, y + 0.5) for x in range(2 * SIZE)] for y in reversed(range(SIZE))]
    return "\n".join(f"|{''.join('o' if ids else ' ' for ids in row)}|" for row in rows)


def main() -> None:
    """Let nine balls fly for 500 frames."""
    world = CollisionWorld()
    balls = new_box(world, 9)
    before, bounces = energy(balls), 0
    for _ in range(500):
        bounces += sum(move(world, balls, entity) for entity in sorted(balls))
        assert not world.space.pairs(ignore=range(1, 5)), "two balls overlap"
    print(picture(world))
    print(f"{bounces} bounces; the energy is {energy(balls) / before:.9f} of that at the start")


if __name__ == "__main__":
    main()
