"""A game that is kept in one process and gone on with in another; run as a program it prints what follows.

`going_on.py keep FILE` plays, writes a snapshot to the file and plays on; `going_on.py resume FILE` creates the same
bodies anew, restores the snapshot and plays on. Both print the same.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Transform,
    Trigger,
)

LAYERS = ["alpha", "beta", "gamma", "delta"]


def begin() -> CollisionWorld:
    """Return a world of thirty bodies with layers, masks, compounds, sleepers and triggers."""
    dice, world = random.Random(4), CollisionWorld(bin_size=2.0, order="front_first", bounds=((-8, -8), (8, 8)))
    for number in range(30):
        more: dict[str, Any] = {"layer": dice.choice(LAYERS), "mask": dice.choice([None, dice.sample(LAYERS, 3)])}
        boxes = [Box(0.5, 0.25), Box(0.25, 0.75, offset=(0.5, 0.5))]
        collider = CompoundCollider(boxes, **more) if number % 5 == 0 else BoxCollider(0.5, 0.5, **more)
        if number % 4 == 3:
            collider = BoxCollider(2, 1.5)
        parts: dict[str, Any] = {"motion": Motion(dice.choice([1.5, 3]))}
        if number % 4 == 3:
            parts["trigger"] = Trigger(linger=number % 3, swept=number % 8 == 3, mask=dice.sample(LAYERS, 2))
        if number % 2:
            parts["sleeping"] = Sleeping(False, dice.randint(1, 4))
        at = Transform(dice.randrange(-7, 8), dice.randrange(-7, 8))
        world.add(transform=at, collider=collider, inertia=Inertia(1), **parts)
    return world


def play(world: CollisionWorld, seed: int, frames: int) -> list[str]:
    """Play so many frames at random and return what each told, with the hash of the state."""
    dice, told = random.Random(seed), []
    for _ in range(frames):
        for _ in range(dice.randrange(6)):
            world.request(dice.randint(1, 30), dice.randrange(-9, 10) / 3, dice.randrange(-9, 10) / 3)
        world.move(dice.randint(1, 30), dice.randrange(-2, 3), 0.1)
        frame = world.step()
        told.append(f"{frame.number} {world.state_hash()} {frame.events!r} {dict(frame.results)!r}")
    return told


def main(what: str, file: Path) -> None:
    world = begin()
    if what == "keep":
        play(world, 1, 20)
        world.move(3, 1, 1)
        world.request(4, 0.1)
        file.write_bytes(world.snapshot())
    else:
        world.restore(file.read_bytes())
    sys.stdout.writelines(f"{line}\n" for line in play(world, 2, 30))
    print(world.snapshot().hex())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
