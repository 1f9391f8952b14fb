"""A player who jumps: each landing makes one sound, and only what stands on something may jump.

    P                 The player (P) falls onto the floor, walks to the crate (C), jumps onto it and walks over its
          CCC         edge. `ContactBegan` makes the sounds, and `touching(player, "down")` allows the jump.
    #################

It prints:

    frame 10: thud on the floor
    frame 16: bump against the crate
    frame 17: jump
    frame 29: thud on the crate
    frame 40: thud on the floor
    frames in the air: 27 of 50
"""

import esper

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    Contact,
    ContactBegan,
    Inertia,
    Motion,
    Static,
    Transform,
)

GRAVITY, JUMP, WALK = 1 / 16, -0.5, 0.25  # units for each frame; y points down


class Player(esper.Processor):
    """Walks to the right, falls, and jumps if it stands on something and something is in the way."""

    def __init__(self, system: CollisionSystem, player: int) -> None:
        self.system, self.player = system, player
        self.frame = self.in_air = 0
        self.falling = 0.0
        system.on(ContactBegan, self.touched, a=player)

    def process(self) -> None:
        """Ask for the motion of this frame."""
        self.frame += 1
        if self.system.touching(self.player, "down"):
            self.falling = 0.0
            if self.system.touching(self.player, "right"):
                self.falling = JUMP
                print(f"frame {self.frame}: jump")
        else:
            self.in_air += 1
        self.falling += GRAVITY
        self.system.request(self.player, WALK, self.falling)

    def touched(self, event: ContactBegan) -> None:
        """Make a sound: another one for the ground than for a wall."""
        sound = "thud on" if event.normal[1] > 0 else "bump against"
        print(f"frame {self.frame}: {sound} {NAMES[event.b]}")


NAMES: dict[int, str] = {}


def main() -> None:
    """Let the player run for fifty frames."""
    system = CollisionSystem()
    player = esper.create_entity(Transform(0, -3), BoxCollider(0.5, 0.5), Motion(), Contact())
    NAMES[esper.create_entity(Transform(8, 1), BoxCollider(20, 0.5), Static())] = "the floor"
    NAMES[esper.create_entity(Transform(6, 0), BoxCollider(1.5, 0.5), Inertia(9))] = "the crate"
    running = Player(system, player)
    esper.add_processor(running, priority=1)
    esper.add_processor(system)
    for _ in range(50):
        esper.process()
    print(f"frames in the air: {running.in_air} of {running.frame}")


if __name__ == "__main__":
    main()
