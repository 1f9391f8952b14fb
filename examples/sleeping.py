"""Crates fall asleep when nothing disturbs them, and wake in the frame in which they are pushed.

Sleeping saves work and does not change positions or other events. A body counts as changed in the frame in which it is
added, so three quiet frames end with the fourth. It prints:

    frame  1: 10 awake of 10
    frame  2: 10 awake of 10
    frame  3: 10 awake of 10
    frame  4: 1 awake of 10; FellAsleep 9
    frame  5: 3 awake of 10; Woke 2, Moved 3, Pushed 2
    frame  6: 3 awake of 10
    frame  7: 3 awake of 10
    frame  8: 1 awake of 10; FellAsleep 2
"""

from collections import Counter

from ecs_collision import BoxCollider, CollisionWorld, Inertia, Motion, Sleeping, Transform


def main() -> None:
    """Let a row of crates rest, push two of them, and let them rest again."""
    world = CollisionWorld()
    player = world.add(transform=Transform(-1, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=2.0))
    for place in range(9):
        at = Transform(place + (place > 1), 0)
        world.add(transform=at, collider=BoxCollider(0.5, 0.5), inertia=Inertia(1.0), sleeping=Sleeping(after=3))

    for number in range(1, 9):
        if number == 5:
            world.request(player, dx=1)
        frame = world.step()
        events = ", ".join(f"{kind} {count}" for kind, count in Counter(type(e).__name__ for e in frame.events).items())
        print(
            f"frame {number:2}: {frame.stats.awake} awake of {frame.stats.bodies}" + (f"; {events}" if events else "")
        )


if __name__ == "__main__":
    main()
