"""One Sokoban step: a player pushes one crate, but never two.

With the rule "sum" the inertias of all pushed crates must stay below the force: a force of 1.5 pushes one crate of
inertia 1.0, but not two. `all_or_nothing` keeps bodies on the grid. It prints:

    entity 1 (force 1.5) moved x +1 of +1: entity 2 (inertia 1) pushed x +1
    entity 1 (force 1.5) moved x 0 of +1; x stopped after 0 by entity 3 (inertia 1): the force is too small
"""

import esper

from ecs_collision import BoxCollider, CollisionSystem, Inertia, Motion, Transform


def main() -> None:
    """Push a crate once onto free floor and once against a second crate."""
    system = CollisionSystem(rule="sum", all_or_nothing=True)
    esper.add_processor(system)
    player = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(force=1.5))
    for x in (1, 3):
        esper.create_entity(Transform(x, 0), BoxCollider(0.5, 0.5), Inertia(1.0))

    for _ in range(2):
        system.request(player, dx=1)
        esper.process()
        print(system.results[player].explain())


if __name__ == "__main__":
    main()
