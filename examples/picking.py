"""Picking with the mouse: which entity is under a pixel, as a player sees it.

The camera shows 32 pixels for a unit and may be scrolled. Of several entities under the mouse the one drawn last
counts. Coins are circles, so a click beside the curve misses. It prints:

    pixel (336, 240): coin
    pixel (348, 252): table
    pixel (400, 240): table
    pixel (448, 240): nothing
    scrolled by 2, pixel (384, 240): nothing
    scrolled by 2, pixel (272, 240): coin
"""

from __future__ import annotations

from dataclasses import dataclass

import esper

from ecs_collision import BoxCollider, CollisionSystem, SphereCollider, Transform

PIXELS = 32
SCREEN = (640, 480)


@dataclass
class Sprite:
    """What is drawn for an entity; a higher layer is drawn later."""

    name: str
    layer: int = 0


@dataclass
class Camera:
    """The point of the world in the middle of the screen."""

    x: float
    y: float

    def point_at(self, pixel: tuple[int, int]) -> tuple[float, float]:
        """Return the point of the world under a pixel; y points up in the world, and down on the screen."""
        return self.x + (pixel[0] - SCREEN[0] / 2) / PIXELS, self.y - (pixel[1] - SCREEN[1] / 2) / PIXELS


def entity_under(system: CollisionSystem, camera: Camera, pixel: tuple[int, int]) -> int | None:
    """Return the entity under a pixel that was drawn last, or None."""
    found = system.space.at(camera.point_at(pixel), triggers=True)
    return max(found, key=lambda entity: (esper.component_for_entity(entity, Sprite).layer, entity), default=None)


def main() -> None:
    """Click on a table with a coin on it, before and after the camera scrolls."""
    system = CollisionSystem()
    esper.add_processor(system)
    esper.create_entity(Transform(0, 0), BoxCollider(3, 2), Sprite("table"))
    esper.create_entity(Transform(0.5, 0), SphereCollider(0.5), Sprite("coin", layer=1))

    def click(pixel: tuple[int, int], camera: Camera) -> str:
        entity = entity_under(system, camera, pixel)
        return f"pixel {pixel}: {'nothing' if entity is None else esper.component_for_entity(entity, Sprite).name}"

    for pixel in ((336, 240), (348, 252), (400, 240), (448, 240)):
        print(click(pixel, Camera(0, 0)))
    for pixel in ((384, 240), (272, 240)):
        print("scrolled by 2,", click(pixel, Camera(2, 0)))


if __name__ == "__main__":
    main()
