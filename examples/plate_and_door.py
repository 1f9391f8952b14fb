"""A plate opens a door: a crate pushed onto a trigger removes a wall, which returns when the crate leaves.

The door is disabled rather than deleted, so it can return with its id and components. A handler runs after the frame;
its changes apply to the next motion. It prints:

    frame 1: the crate is on its way, the door is shut
    frame 2: the crate is on the plate, the door is open
    frame 3: the crate is on the plate, the door is open
    frame 4: the crate is off the plate, the door is shut
"""

import esper

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    Inertia,
    Motion,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)


def main() -> None:
    """Push a crate over a plate, a step of 1 each frame."""
    system = CollisionSystem()
    esper.add_processor(system)
    player = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(force=2.0))
    esper.create_entity(Transform(1, 0), BoxCollider(0.5, 0.5), Inertia(1.0))
    plate = esper.create_entity(Transform(3.25, 0), BoxCollider(0.5, 0.25), Trigger())
    door = esper.create_entity(Transform(9, 0), BoxCollider(0.5, 0.5), Static())
    crate_is = "on its way"

    @system.on(TriggerEntered, trigger=plate)
    def open_door(event: TriggerEntered) -> None:
        nonlocal crate_is
        crate_is = "on the plate"
        esper.component_for_entity(door, BoxCollider).enabled = False

    @system.on(TriggerLeft, trigger=plate)
    def shut_door(event: TriggerLeft) -> None:
        nonlocal crate_is
        crate_is = "off the plate"
        esper.component_for_entity(door, BoxCollider).enabled = True

    for frame in range(1, 5):
        system.request(player, dx=1)
        esper.process()
        door_is = "shut" if esper.component_for_entity(door, BoxCollider).enabled else "open"
        print(f"frame {frame}: the crate is {crate_is}, the door is {door_is}")


if __name__ == "__main__":
    main()
