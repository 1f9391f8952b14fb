"""Crates that slide: friction stops three of them after the distance of the formula, and a belt carries one along.

A body that slides with speed v stops after v * v / (2 * friction * gravity). Of two surfaces the square root of the
product of their frictions counts. It prints:

    on stone it stops after 2.38 in frame 48; the formula says 2.40
    on wood it stops after 3.58 in frame 73; the formula says 3.60
    on snow it stops after 14.39 in frame 289; the formula says 14.40
    on ice it goes on: 36.00 after six seconds, with a speed of 6
    on a belt it is as fast as the belt, 2, from frame 25 on
"""

from dataclasses import dataclass

import esper

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    ImpulseSystem,
    Mass,
    Material,
    Static,
    Transform,
    Velocity,
)

GRAVITY, SPEED = 10, 6  # y points down


@dataclass
class Crate:
    """A crate and in which frame it last changed its speed."""

    place: Transform
    velocity: Velocity
    changed: int = 0


def new_crate(number: int, friction: float, speed: float, belt: float = 0.0) -> Crate:
    """Put a crate on a floor of its own; both have the same friction. A floor with a velocity is a belt."""
    y = 10 * number
    moving = Velocity(belt, 0)
    esper.create_entity(Transform(0, y + 1), BoxCollider(100, 1), Static(), moving, Material(friction=friction))
    crate = Crate(Transform(0, y - 0.5), Velocity(speed, 0))
    esper.create_entity(crate.place, BoxCollider(0.5, 0.5), crate.velocity, Mass(20), Material(friction=friction))
    return crate


def main() -> None:
    """Let crates slide over stone, wood, snow, ice and a belt, for six seconds."""
    system = CollisionSystem()
    esper.add_processor(ImpulseSystem(system, gravity=(0, GRAVITY)), priority=1)
    esper.add_processor(system)
    grounds = {"stone": 0.75, "wood": 0.5, "snow": 0.125}
    crates = [new_crate(number, friction, SPEED) for number, friction in enumerate(grounds.values())]
    ice, carried = new_crate(3, 0, SPEED), new_crate(4, 0.5, 0, belt=2)
    for frame in range(1, 361):
        before = [crate.velocity.x for crate in (*crates, carried)]
        esper.process()
        for crate, speed in zip((*crates, carried), before, strict=True):
            if crate.velocity.x != speed:
                crate.changed = frame
    for (ground, friction), crate in zip(grounds.items(), crates, strict=True):
        formula = SPEED * SPEED / (2 * friction * GRAVITY)
        print(
            f"on {ground} it stops after {crate.place.x:.2f} in frame {crate.changed}; the formula says {formula:.2f}"
        )
    print(f"on ice it goes on: {ice.place.x:.2f} after six seconds, with a speed of {ice.velocity.x:g}")
    print(f"on a belt it is as fast as the belt, {carried.velocity.x:g}, from frame {carried.changed} on")


if __name__ == "__main__":
    main()
