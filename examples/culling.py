"""Culling: only what a camera sees is drawn. The camera looks along a diagonal, so its view is no upright box.

`frustum` takes the planes at the borders of the view, here three: left, right and the end. The program draws a map of
all trees: # are those to draw, and the camera stands beyond the bottom left corner. It prints:

    .........#####..........
    ........######..........
    .......########.........
    .......#########........
    ......##########........
    .....############.......
    ....#############.......
    ...###############......
    ..################......
    ..#################.....
    .############...........
    #######.................
    130 of 288 trees are drawn
"""

from __future__ import annotations

import math

from ecs_collision import CollisionWorld, SphereCollider, Static, Transform

SIZE = 24
WIDTH = math.radians(40)


def view(x: float, y: float, angle: float, far: float) -> list[tuple[float, float, float]]:
    """Return the planes around what is seen from a point in a direction; their normals point into the view."""
    planes = []
    for normal in (angle - WIDTH / 2 + math.pi / 2, angle + WIDTH / 2 - math.pi / 2):
        nx, ny = math.cos(normal), math.sin(normal)
        planes.append((nx, ny, -(nx * x + ny * y)))
    nx, ny = math.cos(angle), math.sin(angle)
    return [*planes, (-nx, -ny, nx * x + ny * y + far)]


def main() -> None:
    """Draw the trees that a camera sees."""
    world = CollisionWorld()
    trees = {
        world.add(transform=Transform(2 * x, 2 * y), collider=SphereCollider(0.75), static=Static()): (x, y)
        for y in range(SIZE // 2)
        for x in range(SIZE)
    }
    seen = {trees[entity] for entity in world.space.frustum(view(-2, -2, math.radians(30), far=36))}
    for y in reversed(range(SIZE // 2)):
        print("".join("#" if (x, y) in seen else "." for x in range(SIZE)))
    print(f"{len(seen)} of {len(trees)} trees are drawn")


if __name__ == "__main__":
    main()
