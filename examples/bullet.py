"""Bullets that hit the true shape: a round one passes the corner of the box around a ball, and ricochets off the ball.

A bullet flies 15 units in a frame, 120 times its radius, and goes through nothing: a step looks ahead. It prints:

    over the ball, to the plank: (0.00, -1.00)
    at its edge: (0.57, 0.82)
    at its side: (-0.61, 0.80)
    at its middle: (-1.00, 0.00)
    through the corner of the box around it: flies straight on
"""

import math

import esper

from ecs_collision import (
    CollisionSystem,
    ImpulseSystem,
    Mass,
    Material,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

Vector = tuple[float, float]
SPEED, BULLET = 900.0, 0.125


def shoot(system: CollisionSystem, at: Vector, way: Vector) -> None:
    """Let a bullet fly for six frames and print in which directions it flew on after each bounce."""
    velocity, place = Velocity(SPEED * way[0], SPEED * way[1]), Transform(*at)
    bullet = esper.create_entity(place, SphereCollider(BULLET), velocity, Mass(0.01), BOUNCY.copy())
    ways = [(round(way[0], 2), round(way[1], 2))]
    for _ in range(6):
        esper.process()
        ways.append((round(velocity.x / SPEED, 2) + 0.0, round(velocity.y / SPEED, 2) + 0.0))
    esper.delete_entity(bullet, immediate=True)
    turns = [f"({x:.2f}, {y:.2f})" for (x, y), before in zip(ways[1:], ways, strict=False) if (x, y) != before]
    print(" then ".join(turns) or "flies straight on")


BOUNCY = Material(restitution=1, friction=0)


def main() -> None:
    """Shoot over a ball, at it, and through the corner of the box around it; a plank behind it leans by 45 degrees."""
    system = CollisionSystem()
    esper.add_processor(ImpulseSystem(system), priority=1)
    esper.add_processor(system)
    esper.create_entity(Transform(5, 0), SphereCollider(1), Static())
    esper.create_entity(Transform(13, 0, rotation=math.pi / 4), OrientedBoxCollider(0.25, 3), Static())
    for text, at, way in (
        ("over the ball, to the plank", (0, 1.25), (1, 0)),
        ("at its edge", (0, 1), (1, 0)),
        ("at its side", (0, 0.5), (1, 0)),
        ("at its middle", (0, 0), (1, 0)),
        ("through the corner of the box around it", (2, 1.25), (math.sqrt(0.5), -math.sqrt(0.5))),
    ):
        print(f"{text}: ", end="")
        shoot(system, at, way)


if __name__ == "__main__":
    main()
