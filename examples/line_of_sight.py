"""Line of sight: a guard sees a thief who is near, in front of him, and not behind a pillar.

    t t t t t        The thief walks to the right, past a round pillar (o). The guard (g) looks up.
      ooo
       g

It prints:

    thief at x = -4: to the side
    thief at x = -2: seen at a distance of 6.3
    thief at x = -1: seen at a distance of 6.1
    thief at x = 0: hidden by the pillar
    thief at x = 1: seen at a distance of 6.1
    thief at x = 3: seen at a distance of 6.7
    thief at x = 9: too far away
"""

import math

from ecs_collision import BoxCollider, CollisionWorld, QueryFilter, SphereCollider, Static, Transform

REACH, HALF_ANGLE = 8.0, math.radians(30)
OPAQUE = QueryFilter(layers=("wall", "pillar"))


def main() -> None:
    """Let a thief walk past a guard."""
    world = CollisionWorld()
    here, there = Transform(0, 0), Transform(-4, 6)
    guard = world.add(transform=here, collider=BoxCollider(0.5, 0.5, layer="guard"))
    thief = world.add(transform=there, collider=SphereCollider(0.25, layer="thief"))
    world.add(transform=Transform(0, 3), collider=SphereCollider(0.375, layer="pillar"), static=Static())

    def state() -> str:
        dx, dy = there.x - here.x, there.y - here.y
        distance = math.hypot(dx, dy)
        if distance > REACH:
            return "too far away"
        if abs(math.atan2(dx, dy)) > HALF_ANGLE:  # from where the guard looks, which is up
            return "to the side"
        if not world.space.line_of_sight(guard, thief, filter=OPAQUE):
            return "hidden by the pillar"
        return f"seen at a distance of {distance:.1f}"

    for x in (-4, -2, -1, 0, 1, 3, 9):
        there.x = x
        print(f"thief at x = {x}: {state()}")


if __name__ == "__main__":
    main()
