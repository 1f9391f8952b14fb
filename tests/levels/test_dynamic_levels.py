"""Levels and games with bodies that move by themselves (rules I1 and I8)."""

from __future__ import annotations

import esper

from ecs_collision import CollisionSystem, Mass, Material, Velocity
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

TEXT = """
legend
# floor: Static, Material(friction=1)
$ crate: Velocity, Mass(2, moment=3), Material(0.5)
o ball: SphereCollider(0.5), Velocity(y=1, angular=2), Mass(1)
@ player: Motion(1.5)
map
$ o
@
####
"""


def test_a_level_may_give_velocity_mass_and_material_I1(world: str) -> None:
    system = CollisionSystem()
    esper.add_processor(system)
    spawned = system.spawn(parse_level(TEXT))
    crate, ball = (esper.components_for_entity(spawned[name]) for name in ("crate", "ball"))
    assert ["Mass(2.0, moment=3.0)"] == [repr(part) for part in crate if isinstance(part, Mass)]
    assert ["Material(restitution=0.5, friction=0.5)"] == [repr(part) for part in crate if isinstance(part, Material)]
    assert ["Velocity(0.0, 1.0, 0.0, angular=2.0)"] == [repr(part) for part in ball if isinstance(part, Velocity)]
    for _ in range(60):
        system.step_dynamics(1 / 60, gravity=(0, 10))
        esper.process()
    system.check()
    assert system.touching(spawned["ball"], side="down") == [spawned["floor"]]


def test_undo_in_a_game_brings_velocities_back_I8() -> None:
    game = Game(parse_level(TEXT))
    game.set("crate", "Velocity", x=-3)
    game.turn("R")
    game.world.step_dynamics(1 / 60, gravity=(0, 10))
    game.turn("R")
    moved = game.get("crate", Velocity)
    assert moved is not None
    assert (-3.0, True) == (moved.x, moved.y > 0)
    game.undo()
    game.undo()
    restored = game.get("crate", Velocity)
    assert restored is not None
    assert (-3.0, 0.0) == (restored.x, restored.y)
