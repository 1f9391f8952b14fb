"""Paths of bodies that are no boxes through swept triggers, compared with many small steps (rules T4 and H5)."""

from __future__ import annotations

import math
import random
import warnings

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Motion,
    OrientedBoxCollider,
    SetupWarning,
    Sphere,
    SphereCollider,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)
from ecs_collision.components import Collider

STEPS = 64
"""Steps per world unit: every begin and end of an overlap lies between two of them, or on one."""


def _collider(rnd: random.Random) -> Collider:
    kind = rnd.randrange(5)
    if kind == 0:
        return BoxCollider(rnd.choice([0.5, 1]), rnd.choice([0.5, 1]))
    if kind == 1:
        return SphereCollider(rnd.choice([0.5, 1, 1.25]))
    if kind == 2:
        return CapsuleCollider(0.5, 0.75, rnd.choice("xy"))  # type: ignore[arg-type]
    if kind == 3:
        return OrientedBoxCollider(1, 0.5)
    return CompoundCollider([Sphere(0.5, offset=(1, 0)), Box(0.5, 0.25)])


class _Scene:
    """A swept trigger and a body that moves through it."""

    def __init__(self, rnd: random.Random) -> None:
        self.axis_order = rnd.choice(["xyz", "yxz"])
        self.world = CollisionWorld(axis_order=self.axis_order)
        rotations = [rnd.choice([None, 0.5, math.pi / 4, math.pi / 2, 1.1]) for _ in range(2)]
        self.touching = rnd.random() < 0.3
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SetupWarning)  # boxes do not turn
            zone = Transform(0, 0, rotation=rotations[0])
            swept = Trigger(swept=True, touching=self.touching)
            self.trigger = self.world.add(transform=zone, collider=_collider(rnd), trigger=swept, motion=Motion())
            place = Transform(rnd.choice([-4, -3, -1]), rnd.randint(-16, 16) / 8, rotation=rotations[1])
            self.body = self.world.add(transform=place, collider=_collider(rnd), motion=Motion(force=1))
            self.places = {self.trigger: zone, self.body: place}
            self.world.step()

    def is_inside(self, mover: int, x: float, y: float) -> bool:
        """Return whether the trigger reports the body if one of them is at a place, by queries."""
        self.world.teleport(mover, x, y)
        space = self.world.space
        return self.body in space.overlapping(self.trigger) or (
            self.touching and self.body in space.touching(self.trigger)
        )

    def expected(self, mover: int, is_inside: bool, dx: float, dy: float) -> list[bool]:
        """Return each change on the path of a mover, axis by axis, in small steps; it is back at its place then."""
        x, y, _ = self.places[mover].position
        across = [math.copysign(at / STEPS, dx) for at in range(int(abs(dx) * STEPS) + 1)]
        along = [math.copysign(at / STEPS, dy) for at in range(int(abs(dy) * STEPS) + 1)]
        if self.axis_order == "xyz":
            path = [(x + at, y) for at in across] + [(x + dx, y + at) for at in along]
        else:
            path = [(x, y + at) for at in along] + [(x + at, y + dy) for at in across]
        states = [is_inside]
        for place in path:
            if self.is_inside(mover, *place) != states[-1]:
                states.append(not states[-1])
        self.world.teleport(mover, x, y)
        return states[1:]


def _play(seeds: range) -> int:
    crossings = 0
    for seed in seeds:
        rnd = random.Random(seed)
        scene = _Scene(rnd)
        for _ in range(3):
            is_inside = scene.body in scene.world.inside(scene.trigger)
            mover, sign = rnd.choice([(scene.body, 1), (scene.body, 1), (scene.trigger, -1)])
            dx, dy = sign * rnd.randint(-32, 48) / 8, rnd.choice([0, rnd.randint(-16, 16) / 8])
            expected = scene.expected(mover, is_inside, dx, dy)
            scene.world.request(mover, dx=dx, dy=dy)
            events = [each for each in scene.world.step().events if isinstance(each, TriggerEntered | TriggerLeft)]
            assert expected == [isinstance(each, TriggerEntered) for each in events], (seed, mover, dx, dy)
            crossings += len(expected) > 1
        scene.world.check()
    return crossings


def test_a_path_reports_what_small_steps_would_see_T4_H5():
    assert _play(range(80)) > 5


def _turned_capsule(x: float, y: float, radius: float, rotation: float) -> tuple[CollisionWorld, int, int]:
    """Return a world with a swept trigger, a capsule that turns about its own axis, and a ball of radius 0.5."""
    world = CollisionWorld()
    trigger = world.add(
        transform=Transform(0, 0, rotation=rotation),
        collider=CapsuleCollider(radius, 0.875, axis="z"),
        trigger=Trigger(swept=True, linger=2),
    )
    return world, trigger, world.add(transform=Transform(x, y), collider=SphereCollider(0.5), motion=Motion())


@pytest.mark.parametrize("rotation", [-0.28685428556469805, -0.3, 0.7, math.pi / 4, 1.0, 2.5])
@pytest.mark.parametrize(("start", "motion"), [(0, (2, 0)), (0, (0, 3)), (-4, (0, 8)), (-4, (0, 4)), (0, (3, -5))])
def test_a_ball_that_only_touches_a_turned_trigger_on_its_path_never_enters_it_T4_H5(
    rotation: float, start: float, motion: tuple[float, float]
) -> None:
    """Its bounds only touch, so the queries do not find it either, whatever rounding makes of the distance."""
    for radius in (0.5, 1.0, 1.125, 1.5, 2.0):
        world, trigger, body = _turned_capsule(radius + 0.5, start, radius, rotation)
        events = list(world.step().events)
        world.move(body, *motion, force=1.0)
        events += world.step().events
        assert [] == [event for event in events if isinstance(event, TriggerEntered | TriggerLeft)], radius
        assert [] == world.inside(trigger) == world.space.overlapping(trigger, triggers=True)


@pytest.mark.soak
def test_long_play_of_paths_T4_H5():
    assert _play(range(1000, 21000)) > 1000
