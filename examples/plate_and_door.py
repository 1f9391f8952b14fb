"""A plate opens a door: a crate pushed onto a trigger removes a wall, which returns when the crate leaves.

The door is disabled rather than deleted, so it can return with its id and components. It returns only when the
doorway is free, here of a guest, because a body that is enabled on another one overlaps it. It prints:

    frame 1: the crate is on its way, the door is shut
    frame 2: the crate is on the plate, the door is open
    frame 3: the crate is on the plate, the door is open
    frame 4: the crate is off the plate, the door is open for the guest
    frame 5: the crate is off the plate, the door is shut
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
    guest = esper.create_entity(Transform(9, -4), BoxCollider(0.5, 0.5), Motion())
    door_box = esper.component_for_entity(door, BoxCollider)
    crate_is = "on its way"

    @system.on(TriggerEntered, trigger=plate)
    def open_door(event: TriggerEntered) -> None:
        nonlocal crate_is
        crate_is = "on the plate"
        door_box.enabled = False

    @system.on(TriggerLeft, trigger=plate)
    def release_plate(event: TriggerLeft) -> None:
        nonlocal crate_is
        crate_is = "off the plate"

    for frame in range(1, 6):
        system.request(player, dx=1)
        system.request(guest, dy=1)
        esper.process()
        in_doorway = system.space.overlapping(door)
        if not system.inside(plate) and not in_doorway:
            door_box.enabled = True
        door_is = "shut" if door_box.enabled else "open for the guest" if guest in in_doorway else "open"
        print(f"frame {frame}: the crate is {crate_is}, the door is {door_is}")


if __name__ == "__main__":
    main()
