"""Joints and motors by pymunk, beside this engine: a ball on a rope and the sail of a mill meet a player and triggers.

Bodies with `Driven` are moved by pymunk, which has a copy of each solid box beside them. So either engine sees the
bodies of the other: triggers report the ball and the sail, the player pushes the ball aside, and then it leans on the
player. It needs pymunk 7: `pip install pymunk`. It prints:

    frame 74: the ball enters the gate
    frame 107: the sail enters the light barrier
    frame 201: the ball enters the gate
    frame 308: the ball enters the gate
    frame 347: the sail enters the light barrier
    frame 587: the sail enters the light barrier
    frame 600: the ball is 0.1 to the right of its hook
    frame 653: the player enters the gate
    frame 670: the ball is 2.0 to the right of its hook
    frame 827: the sail enters the light barrier
    frame 900: the ball is 2.0 to the right of its hook
"""

import math
from dataclasses import dataclass, field

import esper
import pymunk

from ecs_collision import (
    BoxCollider,
    CircleCollider,
    CollisionSystem,
    Inertia,
    Motion,
    OrientedBoxCollider,
    Transform,
    Trigger,
    TriggerEntered,
    Velocity,
)


@dataclass
class Driven:
    """A body that pymunk moves: its body there, with shapes that fit the collider."""

    body: pymunk.Body
    written: tuple[float, float] = field(default=(math.inf, math.inf))


class PymunkSystem(esper.Processor):
    """Moves the bodies with `Driven` by pymunk. Add it with a higher priority than the CollisionSystem.

    `copies` are bodies of pymunk for all other solid boxes. They are a hair larger, because pymunk lets bodies overlap
    by its slop. Nothing there moves them: they go where the boxes went in the frame before.
    """

    def __init__(self, space: pymunk.Space, dt: float = 1 / 60, substeps: int = 4) -> None:
        self.space, self.dt, self.substeps = space, dt, substeps
        self.copies: dict[int, pymunk.Body] = {}

    def process(self, *args: object) -> None:
        """Run one step of pymunk."""
        self.copy_boxes()
        driven = [each for _, each in esper.get_components(Driven, Transform)]
        for part, transform in driven:
            if transform.position[:2] != part.written:  # it was pushed or teleported
                part.body.position = transform.position[:2]
                self.space.reindex_shapes_for_body(part.body)
        for _ in range(self.substeps):
            self.space.step(self.dt / self.substeps)
        for part, transform in driven:
            transform.position, transform.angle = tuple(part.body.position), part.body.angle
            part.written = transform.position[:2]
        for _, (part, velocity) in esper.get_components(Driven, Velocity):
            (velocity.x, velocity.y), velocity.angular = part.body.velocity, part.body.angular_velocity

    def copy_boxes(self) -> None:
        """Make the copies that are missing, remove those of boxes that are gone, and set their velocities."""
        boxes = {
            entity: parts
            for entity, parts in esper.get_components(Transform, BoxCollider)
            if parts[1].enabled and not (esper.has_component(entity, Trigger) or esper.has_component(entity, Driven))
        }
        for entity in self.copies.keys() - boxes.keys():
            gone = self.copies.pop(entity)
            self.space.remove(gone, *gone.shapes)
        for entity, (transform, box) in boxes.items():
            x, y = transform.x + box.offset[0], transform.y + box.offset[1]
            if entity not in self.copies:
                copy = self.copies[entity] = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
                copy.position = x, y
                shape = pymunk.Poly.create_box(copy, (2 * box.hx, 2 * box.hy), 2 * self.space.collision_slop)
                shape.friction = 0.5
                self.space.add(copy, shape)
            copy = self.copies[entity]
            copy.velocity = (x - copy.position.x) / self.dt, (y - copy.position.y) / self.dt


# A scene.


def hang_ball(space: pymunk.Space, hook: tuple[float, float], x: float, y: float) -> int:
    """Hang a ball on a rope, which is as long as it is far away."""
    body = pymunk.Body(1.0, pymunk.moment_for_circle(1.0, 0, 0.5))
    body.position = x, y
    rope = pymunk.SlideJoint(space.static_body, body, hook, (0, 0), 0, math.dist(hook, (x, y)))
    space.add(body, pymunk.Circle(body, 0.5), rope)
    return esper.create_entity(Transform(x, y), CircleCollider(0.5), Driven(body), Velocity(), Inertia(1))


def build_mill(space: pymunk.Space, x: float, y: float, rate: float) -> int:
    """Build a sail that a motor turns by so many radians per second."""
    body = pymunk.Body(5.0, pymunk.moment_for_box(5.0, (6, 0.5)))
    body.position = x, y
    axle, motor = pymunk.PivotJoint(space.static_body, body, (x, y)), pymunk.SimpleMotor(space.static_body, body, -rate)
    space.add(body, pymunk.Poly.create_box(body, (6, 0.5)), axle, motor)
    return esper.create_entity(Transform(x, y), OrientedBoxCollider(3, 0.25), Driven(body))


def main() -> None:
    """Let the ball swing and the sail turn for ten seconds; then the player pushes the ball."""
    system, space = CollisionSystem(), pymunk.Space()
    space.gravity, space.damping, space.collision_slop = (0, 10), 0.5, 0.02
    esper.add_processor(PymunkSystem(space), priority=1)
    esper.add_processor(system)
    ball, sail = hang_ball(space, (0, -5), 4, -2), build_mill(space, 12, -5, math.pi / 4)
    player = esper.create_entity(Transform(-6, 0), BoxCollider(0.5, 1), Motion(force=2))
    names = {ball: "ball", sail: "sail", player: "player"}
    names[esper.create_entity(Transform(0, 0), BoxCollider(0.25, 1), Trigger())] = "gate"
    names[esper.create_entity(Transform(12, -2), BoxCollider(0.25, 0.25), Trigger())] = "light barrier"

    @system.on(TriggerEntered)
    def entered(event: TriggerEntered) -> None:
        print(f"frame {event.frame}: the {names[event.other]} enters the {names[event.trigger]}")

    place = esper.component_for_entity(ball, Transform)
    for frame in range(1, 901):
        if 600 < frame <= 670:
            system.request(player, dx=0.1)
        esper.process()
        if frame in (600, 670, 900):
            print(f"frame {frame}: the ball is {place.x:.1f} to the right of its hook")


if __name__ == "__main__":
    main()
