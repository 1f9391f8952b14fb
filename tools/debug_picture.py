"""Draw the picture of docs/debug.md: `python -m tools.debug_picture` writes docs/debug_view.png with pygame-ce."""

from __future__ import annotations

import os
from pathlib import Path

from ecs_collision import (
    Box,
    BoxCollider,
    CircleCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Mass,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.debug import DEFAULT_LAYERS, Camera, DebugView, Layer

FILE = Path(__file__).parents[1] / "docs" / "debug_view.png"
SIZE = (960, 480)
AREA = (0.0, 0.0, 16.0, 8.0)
NAMES = {1: "player", 2: "crate", 3: "crate 2", 4: "safe", 5: "plate", 6: "chest", 7: "ball"}


def scene() -> CollisionWorld:
    """Return a room with bodies of all kinds."""
    world = CollisionWorld()
    half = (0.5, 0.5)
    world.add(1, transform=Transform(2, 2.5), collider=BoxCollider(*half), motion=Motion(force=3), contact=Contact())
    world.add(2, transform=Transform(3.5, 2.5), collider=BoxCollider(*half), inertia=Inertia(1))
    world.add(3, transform=Transform(5, 2.5), collider=BoxCollider(*half), inertia=Inertia(2))
    world.add(4, transform=Transform(7, 2.5), collider=BoxCollider(*half), inertia=Inertia(8))
    world.add(5, transform=Transform(8, 5.5), collider=BoxCollider(1, 0.5), trigger=Trigger())
    asleep = Sleeping(asleep=True)
    world.add(6, transform=Transform(8.25, 5.5), collider=BoxCollider(*half), inertia=Inertia(1), sleeping=asleep)
    world.add(7, transform=Transform(10.5, 4.5), collider=CircleCollider(0.5), velocity=Velocity(4, -2), mass=Mass(1))
    stairs = CompoundCollider([Box(*half), Box(*half, offset=(1, 0)), Box(*half, offset=(1, -1))])
    world.add(8, transform=Transform(12, 6.5), collider=stairs, inertia=Inertia(2))
    world.add(9, transform=Transform(13, 2.5), collider=BoxCollider(*half), inertia=Inertia(1))
    world.add(10, transform=Transform(14, 2.5), collider=BoxCollider(*half), inertia=Inertia(1), fused=Fused(9))
    for x in range(16):
        for y in (0.25, 7.75):
            world.add(transform=Transform(x + 0.5, y), collider=BoxCollider(0.5, 0.25), static=Static())
    world.step()
    return world


def draw(file: Path = FILE) -> None:
    """Write the picture."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from ecs_collision.debug import with_pygame

    world, camera, surface = scene(), Camera(size=SIZE), pygame.Surface(SIZE)
    camera.fit(*AREA)
    with DebugView(world, layers=DEFAULT_LAYERS | {Layer.CELLS, Layer.VELOCITIES}, names=NAMES) as view:
        world.request(1, 4.0)
        world.step()
        world.space.ray((1.0, 5.5), (1, 0), ignore=[5])
        view.selected = 1
        surface.fill("#f8fafc")
        with_pygame.debug_draw(surface, view, camera)
    pygame.image.save(surface, file)


if __name__ == "__main__":
    draw()
