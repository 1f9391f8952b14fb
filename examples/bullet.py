"""A bullet that hits the true shape: it flies through the corner of the box around a ball, and ricochets off the ball.

A fast bullet is a ray: it covers its way of a frame at once, and no shape is too thin for it. It prints:

    a bullet at y = 1.25:
      hits the plank at (7.40, 1.25)
      flies on towards (0.0, -1.0)
    a bullet at y = 0.9375:
      hits the ball at (4.65, 0.94)
      flies on towards (0.76, 0.65)
    a bullet at y = 0.5:
      hits the ball at (4.13, 0.50)
      flies on towards (-0.5, 0.87)
    a bullet at y = 0.0:
      hits the ball at (4.00, 0.00)
      flies on towards (-1.0, 0.0)
"""

import math

from ecs_collision import CollisionWorld, OrientedBoxCollider, SphereCollider, Static, Transform

Vector = tuple[float, float]


def reflected(way: Vector, normal: tuple[float, float, float]) -> Vector:
    """Return a direction after a bounce on a surface with a normal of length 1."""
    into = way[0] * normal[0] + way[1] * normal[1]
    return way[0] - 2 * into * normal[0], way[1] - 2 * into * normal[1]


def fly(world: CollisionWorld, at: Vector, way: Vector, bounces: int = 2) -> None:
    """Print where a bullet goes."""
    bounced_off: tuple[int, ...] = ()
    for _ in range(bounces + 1):
        hit = world.space.ray(at, way, ignore=bounced_off)
        if hit is None:
            print(f"  flies on towards ({round(way[0], 2) + 0.0}, {round(way[1], 2) + 0.0})")
            return
        print(f"  hits {NAMES[hit.entity]} at ({hit.point[0]:.2f}, {hit.point[1]:.2f})")
        at, way, bounced_off = hit.point[:2], reflected(way, hit.normal), (hit.entity,)


NAMES = {1: "the ball", 2: "the plank"}


def main() -> None:
    """Shoot over a ball, at its side and at its middle; a plank behind it leans by 45 degrees."""
    world = CollisionWorld()
    world.add(1, transform=Transform(5, 0), collider=SphereCollider(1), static=Static())
    leaning = Transform(9, 0, rotation=math.pi / 4)
    world.add(2, transform=leaning, collider=OrientedBoxCollider(0.25, 3), static=Static())
    for y in (1.25, 0.9375, 0.5, 0.0):
        print(f"a bullet at y = {y}:")
        fly(world, (0.0, y), (1.0, 0.0))


if __name__ == "__main__":
    main()
