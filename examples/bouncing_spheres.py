"""Boxes of bouncing balls: they fly, and bounce off each other and off the walls, where their true shapes meet.

Balls with a restitution of 1 keep their energy, those with 0.9 slow down. The energy is given second by second.
It prints:

    |                                |
    |                  ooo           |
    |                                |
    |                       oo       |
    |                       oo       |
    |     oooooo                     |
    |                                |
    |                                |
    |                                |
    |                                |
    |                ooo       ooo   |
    | oo   ooo        o              |
    | oo                             |
    |                                |
    |               o                |
    |              ooo               |
    restitution 1: energy 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000
    restitution 0.9: energy 1.000 0.693 0.464 0.361 0.317 0.247 0.196 0.168 0.142 0.127 0.112
"""

import random

import esper

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    ImpulseSystem,
    Mass,
    Material,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

SIZE, RADIUS, SECONDS = 16, 0.75, 10
SHARES = {0: 1.0, 40: 0.9}
"""The restitution of the balls in the box at an x."""


def new_box(left: float, restitution: float) -> list[int]:
    """Put nine balls in four walls; return the balls."""
    for x, y, hx, hy in ((-1, 8, 1, 8), (17, 8, 1, 8), (8, -1, 10, 1), (8, 17, 10, 1)):
        esper.create_entity(Transform(left + x, y), BoxCollider(hx, hy), Static(), Material(friction=0))
    dice, balls = random.Random(1), []
    for number in range(9):
        place = Transform(left + 3 + 5 * (number % 3), 3 + 5 * (number // 3))
        speed = Velocity(dice.uniform(-16, 16), dice.uniform(-16, 16))
        material = Material(restitution=restitution, friction=0)
        balls.append(esper.create_entity(place, SphereCollider(RADIUS), speed, Mass(1 + number % 3), material))
    return balls


def energy(balls: list[int]) -> float:
    """Return the kinetic energy of balls."""
    found = [(esper.component_for_entity(ball, Velocity), esper.component_for_entity(ball, Mass)) for ball in balls]
    return sum(mass.value * (speed.x * speed.x + speed.y * speed.y) / 2 for speed, mass in found)


def picture(system: CollisionSystem) -> str:
    """Return what is where in the first box; a letter is half as wide as high."""
    rows = [[system.space.at((x + 0.5) / 2, y + 0.5) for x in range(2 * SIZE)] for y in range(SIZE)]
    return "\n".join(f"|{''.join('o' if ids else ' ' for ids in row)}|" for row in rows)


def main() -> None:
    """Let the balls fly for ten seconds."""
    system = CollisionSystem()
    esper.add_processor(ImpulseSystem(system), priority=1)
    esper.add_processor(system)
    boxes = [new_box(left, restitution) for left, restitution in SHARES.items()]
    energies = [[energy(balls)] for balls in boxes]
    for _ in range(SECONDS):
        for _ in range(60):
            esper.process()
        for known, balls in zip(energies, boxes, strict=True):
            known.append(energy(balls))
    assert not system.space.pairs(), "two balls overlap"
    print(picture(system))
    for restitution, known in zip(SHARES.values(), energies, strict=True):
        print(f"restitution {restitution:g}: energy {' '.join(f'{each / known[0]:.3f}' for each in known)}")


if __name__ == "__main__":
    main()
