"""A compound moves round a corner: an L of three cells is one body, limited by the part that can move least.

    .....        The L (a) moves right until its foot meets the pillar (#), then down, then right again,
    a#...        below the pillar. y points up.
    aa...

It prints:

    the L is 2 boxes for 3 cells
    right: moved x +2 of +4; x stopped after 2 by entity 2 (immovable): it cannot be pushed
    down:  moved y -2 of -2
    right: moved x +2 of +2
"""

from ecs_collision import BoxCollider, CollisionWorld, CompoundCollider, Motion, Static, Transform


def main() -> None:
    """Move an L under a pillar, without an ECS."""
    world = CollisionWorld()
    shape = CompoundCollider.from_cells([(0, 0), (1, 0), (0, 1)])
    piece = world.add(transform=Transform(0, 0), collider=shape, motion=Motion(force=1.0))
    world.add(transform=Transform(4.5, 0.5), collider=BoxCollider(0.5, 0.5), static=Static())
    print(f"the L is {len(shape.parts)} boxes for 3 cells")

    for name, dx, dy in (("right:", 4, 0), ("down: ", 0, -2), ("right:", 2, 0)):
        print(name, world.move(piece, dx, dy).explain().removeprefix(f"entity {piece} (force 1) "))


if __name__ == "__main__":
    main()
