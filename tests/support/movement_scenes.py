"""Random scenes with all kinds of movement in one small world, played with random input (rules M)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    Carries,
    Character,
    CollisionWorld,
    Event,
    Fused,
    Grips,
    Inertia,
    Lifetime,
    Motion,
    Mover,
    OneWay,
    OrientedBoxCollider,
    Path,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

LAYERS = ("ground", "thing", "ghost")
RESPONSES = ("push", "slide", "stop", "bounce", "cross")
ROLES = (
    "plank",
    "crate",
    "character",
    "mover",
    "lift",
    "one-way",
    "belt",
    "bullet",
    "crate",
    "fused",
    "grip",
    "patrol",
)

Scene = dict[int, dict[str, Any]]
"""What describes each body of a scene, by entity."""


def a_scene(seed: int, *, deep: bool = False, count: int = 30, **settings: Any) -> tuple[Scene, dict[str, Any]]:
    """Return the bodies of a scene, of which none overlap, and the settings of its world."""
    rng = random.Random(f"{seed} {deep}")
    settings = {
        "bounds": ((-9, -9, -4), (9, 9, 4)) if deep else ((-9, -9), (9, 9)),
        "forces": rng.choice(("alone", "add")),
        "order": rng.choice(("sequential", "front_first")),
        "rule": rng.choice(("sum", "each")),
        **settings,
    }
    scene: Scene = {1: {"role": "ground", "at": (0.0, 8.0, 0.0), "turn": 0.0, "deep": deep, "to": 1, "seed": 0}}
    world = a_world(scene, settings)
    for number in range(count):
        role = ROLES[number % len(ROLES)]
        entity = len(scene) + 1
        bodies = [id for id, each in scene.items() if each["role"] in ("crate", "mover")]
        each = {
            "role": role, "deep": deep, "seed": rng.randrange(10**6), "to": rng.choice(bodies) if bodies else 1,
            "at": (rng.randint(-70, 70) / 10, rng.randint(-70, 65) / 10, rng.randint(-20, 20) / 10 if deep else 0.0),
            "turn": rng.choice((0.3, 0.6, -0.5, 0.9)) if role == "plank" else 0.0,
        }  # fmt: skip
        world.add(entity, **parts_of(each))
        if world.space.overlapping(entity):
            world.remove(entity)
            world.apply_changes()
        else:
            scene[entity] = each
    return scene, settings


def parts_of(each: dict[str, Any]) -> dict[str, Any]:
    """Return new components for a body."""
    rng, role, deep = random.Random(each["seed"]), each["role"], each["deep"]
    x, y, z = each["at"]
    place = Transform(x, y, z, rotation=each["turn"] or None)
    d = (4.0,) if role == "ground" and deep else (0.4,) if deep else ()
    options = {"layer": rng.choice(LAYERS), "mask": rng.choice(("all", "all", "all", "no ghost"))}
    settings: dict[str, Any] = {"layer": options["layer"]}
    if options["mask"] != "all" and role not in ("ground", "plank"):
        settings["mask"] = ("ground", "thing")
    if role == "ground":
        return {"transform": place, "collider": BoxCollider(9, 0.5, *d, layer="ground"), "static": Static()}
    if role == "plank":
        return {"transform": place, "collider": OrientedBoxCollider(1.5, 0.25, *d, layer="ground"), "static": Static()}
    shapes: list[Callable[[], Any]] = [
        lambda: BoxCollider(0.4, 0.5, *d, **settings),
        lambda: SphereCollider(0.4, **settings),
        lambda: CapsuleCollider(0.3, 0.2, axis="y", **settings),
    ]
    parts: dict[str, Any] = {"transform": place, "collider": rng.choice(shapes)()}
    velocity = Velocity(rng.uniform(-6, 6), rng.uniform(-6, 6), rng.uniform(-3, 3) if deep else 0.0)
    motion = Motion(force=rng.choice((0.5, 2, 8)), priority=rng.choice((0, 0, 1)))
    if role in ("lift", "one-way", "belt"):
        parts["collider"] = BoxCollider(1, 0.2, *d, layer="ground")
    if role == "lift":
        points = [(x, y, z), (x + rng.uniform(-3, 3), y - rng.uniform(0.5, 4), z)]
        parts |= {"motion": motion, "path": Path(points, rng.uniform(1, 8), loop="back"), "velocity": Velocity()}
        return parts | {"carries": Carries("up", crushes=rng.random() < 0.5)}
    if role == "one-way":
        parts["one_way"] = OneWay(rng.choice(("up", "up", "left", "down")))
        return parts | ({"static": Static()} if rng.random() < 0.6 else {"inertia": Inertia(1)})
    if role == "belt":
        return parts | {"static": Static(), "velocity": Velocity(rng.choice((-2.0, 3.0)), 0.0)}
    if role == "bullet":
        parts["collider"] = SphereCollider(0.1, **settings)
        parts |= {"mover": Mover(rng.choice(RESPONSES), straight=True, gravity=rng.choice((0, 1)), restitution=0.8)}
        return parts | {"lifetime": Lifetime(rng.randint(10, 60)), "velocity": velocity, "motion": motion}
    parts["inertia"] = Inertia(rng.choice((1, 4)))
    if role == "fused":
        return parts | ({"fused": Fused(each["to"])} if each["to"] != 1 else {})
    if role == "patrol":
        points = [(x, y, z), (x + 2, y, z), (x + 2, y + 1, z)]
        return parts | {"motion": motion, "path": Path(points, rng.uniform(1, 8), loop="around")}
    if role == "crate" and rng.random() < 0.5:
        return parts
    parts |= {"motion": motion, "velocity": velocity}
    if role == "character":
        parts["character"] = Character(step_height=rng.choice((0, 0.3)), coyote=2, jump_buffer=3)
    if role == "mover":
        responses = {"ghost": rng.choice(RESPONSES), "thing": rng.choice(RESPONSES)}
        parts["mover"] = Mover(rng.choice(RESPONSES), responses=responses, restitution=0.5)
    if role == "grip" and each["to"] != 1:
        parts["grips"] = Grips(each["to"])
    return parts


def a_world(scene: Scene, settings: dict[str, Any], shuffle: int = 0) -> CollisionWorld:
    """Return a world with these bodies; created in another order if `shuffle` is not 0."""
    world = CollisionWorld(**settings)
    ids = list(scene)
    if shuffle:
        random.Random(shuffle).shuffle(ids)
    for entity in ids:
        if scene[entity]["role"] != "fused":
            world.add(entity, **parts_of(scene[entity]))
    for entity in ids:
        if scene[entity]["role"] == "fused":
            world.add(entity, **parts_of(scene[entity]))
    world.apply_changes()
    return world


def play_input(world: CollisionWorld, scene: Scene, seed: int, step: int) -> None:
    """Set speeds, jump, drop, and let go, as players do."""
    rng = random.Random(seed * 1000 + step)
    for entity in scene:
        chance = rng.random()
        if chance > 0.2 or entity not in world:
            continue
        parts: Any = world._bodies.of(world._bodies.row(entity))
        if parts.character is not None:
            parts.velocity.x = rng.choice((-6, -2, 0, 3, 7))
            if chance < 0.05:
                parts.character.drop()
            elif chance < 0.12:
                parts.character.jump(rng.choice((6, 12)))
        elif parts.one_way is not None and chance < 0.01:
            parts.one_way.direction = rng.choice(("up", "down", "left"))
        elif parts.mover is not None and parts.velocity is not None:
            parts.velocity.x = rng.choice((-9, 0, 4))


def play_step(world: CollisionWorld, scene: Scene, seed: int, step: int) -> list[Event]:
    """Play one step and one frame; returns its events."""
    play_input(world, scene, seed, step)
    world.step_movement(1 / 60, gravity=(0, 30))
    return list(world.step().events)
