"""Worlds with dynamic bodies, and random plays on several worlds at once that must stay equal (rules I7 and I8)."""

from __future__ import annotations

import contextlib
import random
from typing import Any

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionWorld,
    CompoundCollider,
    FellAsleep,
    Fused,
    Inertia,
    Mass,
    Material,
    Motion,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
    Woke,
)

INF = float("inf")
DOWN: dict[str, Any] = {"dt": 1 / 60, "gravity": (0, 10)}
"""The arguments of a step with gravity."""


def a_square(**fields: Any) -> BoxCollider:
    return BoxCollider(0.5, 0.5, **fields)


def add_dynamic(
    world: CollisionWorld, x: float, y: float, *, v: tuple[float, ...] = (0, 0), id: int | None = None, **more: Any
) -> int:
    """Add a dynamic body of mass 1, by default a square."""
    parts = {"collider": a_square(), "mass": Mass(1), "velocity": Velocity(*v), **more}
    return world.add(id, transform=Transform(x, y), **parts)


def add_floor(world: CollisionWorld, y: float = 10, **more: Any) -> int:
    """Add a static floor whose upper face is half a unit above `y`."""
    return world.add(transform=Transform(0, y), collider=BoxCollider(20, 0.5), static=Static(), **more)


def a_stack(height: int, **more: Any) -> tuple[CollisionWorld, list[int]]:
    """Return a world with a floor, which has id 1, and a stack of squares on it."""
    world = CollisionWorld()
    add_floor(world)
    parts = [{name: part.copy() for name, part in more.items()} for _ in range(height)]
    return world, [add_dynamic(world, 0, 9 - at, **parts[at]) for at in range(height)]


def run(world: CollisionWorld, frames: int, **step: Any) -> None:
    """Take a step of dynamics and a frame, several times."""
    for _ in range(frames):
        world.step_dynamics(**(step or DOWN))
        world.step()


def at(world: CollisionWorld, entity: int) -> tuple[float, float, float]:
    """Return the position of a body."""
    return world._bodies.transform(world._bodies.row(entity)).position


def velocity(world: CollisionWorld, entity: int) -> Velocity:
    """Return the Velocity of a body."""
    found = world._bodies.of(world._bodies.row(entity)).velocity
    assert found is not None
    return found


def random_world(seed: int, *, sleeps: bool = True, backwards: bool = False) -> tuple[CollisionWorld, list[int]]:
    """Return a world with a floor and bodies of all kinds, the same for a seed.

    sleeps: whether some have `Sleeping`. backwards: they are added in the other order, among bodies that are removed.
    """
    r = random.Random(seed)
    world = CollisionWorld(bounds=((-20, -20), (20, 20)) if r.random() < 0.5 else None)
    is_3d = r.random() < 0.2
    world.add(transform=Transform(0, 6), collider=BoxCollider(12, 1, 1 if is_3d else 0.5), static=Static())
    ids: list[int] = []
    given: list[tuple[int, dict[str, Any]]] = []
    for _ in range(r.randint(3, 14)):
        place = r.randint(-16, 16) / 4, r.randint(-40, 16) / 4, r.randint(-2, 2) / 4 if is_3d else 0
        parts: dict[str, Any] = {"transform": Transform(*place), "collider": r.choice(COLLIDERS).copy()}
        if r.random() < 0.8:
            parts["mass"] = Mass(r.choice([1, 2, 0.5, INF]), moment=r.choice([INF, 0.25, 1]))
        if r.random() < 0.85:
            speed = r.choice([0, 0, 1, -3, 20]), r.choice([0, 0, -5, 2])
            parts["velocity"] = Velocity(*speed, angular=r.choice([0, 0, 2.0]))
        if r.random() < 0.4:
            parts["material"] = Material(r.choice([0, 0, 0, 0.5]), r.choice([0, 0.25, 1]))
        after = r.randint(1, 3)
        if r.random() < 0.5 and sleeps:
            parts["sleeping"] = Sleeping(after=after)
        role = r.random()
        if role < 0.15:
            parts["trigger"] = Trigger()
        elif role < 0.4:
            parts |= {"inertia": Inertia(1), "motion": Motion(3)}
        ids.append(len(ids) + 2)
        given.append((ids[-1], parts))
    if backwards:
        guests = [add_dynamic(world, number, 0, id=100 + number) for number in range(4)]
        given.reverse()
    for id, parts in given:
        world.add(id, **parts)
    if backwards:
        for guest in guests:
            world.remove(guest)
    return world, ids


COLLIDERS = (
    a_square(), a_square(), a_square(), SphereCollider(0.5), OrientedBoxCollider(0.5, 0.25),
    CompoundCollider([Box(0.5, 0.25), Box(0.25, 0.5, offset=(0.5, 0.5))]),
)  # fmt: skip


def play(world: CollisionWorld, ids: list[int], r: random.Random) -> None:
    """Do something to one of the bodies: write, move, enable, fuse, remove, restore."""
    entity = r.choice([id for id in ids if id in world._bodies.row_of] or [1])
    parts = world._bodies.of(world._bodies.row(entity))
    act, a, b, other = r.randrange(14), r.random(), r.random(), r.choice(ids)
    assert parts.collider is not None and parts.transform is not None
    if act == 0:
        parts.transform.x += round(a * 8 - 4) / 4
    elif act == 1 and parts.velocity:
        parts.velocity.y = a * 10 - 5
    elif act == 2 and parts.mass:
        parts.mass.value = (1, 2, INF)[int(a * 3)]
    elif act == 3:
        parts.collider.enabled = not parts.collider.enabled
    elif act == 4 and entity != 1:
        if other not in (1, entity):
            tried(lambda: world.remove(entity))
    elif act == 5 and parts.motion:
        world.move(entity, round(a * 4 - 2), round(b * 4 - 2))
    elif act == 6:
        tried(lambda: world.apply_impulse(entity, (a * 6 - 3, b * 6 - 3), (a, b)))
    elif act == 7 and parts.material:
        parts.material.friction = a
    elif act == 8 and other != entity:
        restage(world, entity, fused=None if parts.fused else Fused(other))
    elif act == 9:
        parts.collider.layer, parts.collider.mask = ("default", "b")[int(a * 2)], None if b < 0.5 else {"default"}
    elif act == 10:
        mass = None if parts.mass else Mass(1)
        restage(world, entity, mass=mass, velocity=parts.velocity or Velocity())
    elif act == 11 and isinstance(parts.collider, BoxCollider):
        parts.collider.hx = 0.25 + round(a * 4) / 8
    elif act == 12:
        world.restore(world.snapshot())
    elif act == 13 and isinstance(parts.collider, (SphereCollider, OrientedBoxCollider)):
        parts.transform.rotation = None if a < 0.25 else a * 3


def tried(call: Any) -> None:
    """Make a call that may be refused."""
    with contextlib.suppress(CollisionError):
        call()


def restage(world: CollisionWorld, entity: int, **parts: Any) -> None:
    """Give a body other components, unless they are refused."""
    world._stage(entity, world._bodies.of(world._bodies.row(entity))._replace(**parts))
    try:
        world.apply_changes()
    except CollisionError:
        world._step.changes.unstage(entity)


def seen(world: CollisionWorld) -> list[str]:
    """Return what can be observed of a world, apart from the sleep of `Sleeping` (S1)."""
    found = [repr(event) for event in world.frame.events if not isinstance(event, (Woke, FellAsleep))]
    for id in sorted(world._bodies.row_of):
        parts = world._bodies.of(world._bodies.row(id))
        state = None if parts.velocity is None else parts.velocity._motion_state()
        found.append(f"{id}: {parts.transform!r} {state}")
    return found


def compare_plays(seed: int, frames: int) -> int:
    """Play on worlds that must stay equal; return how many bodies slept, over all frames.

    The first is plain, the second has another order of rows, the third is restored in every frame, and nothing sleeps
    in the sense of `Sleeping` in the fourth.
    """
    worlds = [
        random_world(seed),
        random_world(seed, backwards=True),
        random_world(seed),
        random_world(seed, sleeps=False),
    ]
    choices = [random.Random(seed) for _ in worlds]
    r, gravity, slept = random.Random(-seed - 1), (0.0, 10.0), 0
    for frame in range(frames):
        if r.random() < 0.03:
            gravity = r.choice([(0.0, 10.0), (0.0, 0.0), (3.0, 10.0)])
        acts = r.random() < 0.1 and frame < 0.8 * frames
        for (world, ids), choice in zip(worlds, choices, strict=True):
            if acts:
                play(world, ids, choice)
            world.step_dynamics(1 / 60, gravity=gravity)
            world.step()
            if acts or frame % 20 == 0:
                world.check()
        slept += worlds[0][0].stats.resting
        snapshots = [world.snapshot() for world, _ in worlds[:3]]
        assert snapshots[0] == snapshots[1] == snapshots[2], f"seed {seed}, frame {frame}"
        assert seen(worlds[0][0]) == seen(worlds[3][0]), f"seed {seed}, frame {frame}"
        worlds[2][0].restore(snapshots[2])
    return slept
