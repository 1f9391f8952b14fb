"""Advice on characters without a floor, and on components that only steps of movement use (rules M1 and M3)."""

from __future__ import annotations

from typing import Any

import esper
import pytest
from worlds import a_system, world

from ecs_collision import (
    BoxCollider,
    Character,
    CollisionWorld,
    Inertia,
    Lifetime,
    Mass,
    Motion,
    MovementSystem,
    Mover,
    Path,
    Static,
    Transform,
    Trigger,
    Velocity,
)

__all__ = ["world"]


def advice_on(world: CollisionWorld, kind: str = "movement") -> list[str]:
    """Return the advice of a kind."""
    return [str(line) for line in world.doctor() if line.kind == kind]


def a_world(mask: Any, **settings: Any) -> CollisionWorld:
    """Return a world with a character that is reported by a trigger, and a floor."""
    world = CollisionWorld(**settings)
    world.add(
        transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5, layer="hero", mask=mask), motion=Motion(),
        velocity=Velocity(), character=Character(),
    )  # fmt: skip
    world.add(transform=Transform(0, 1), collider=BoxCollider(9, 0.5, layer="ground"), static=Static())
    world.add(transform=Transform(0, 1), collider=BoxCollider(9, 0.5, layer="zone"), trigger=Trigger())
    return world


def test_a_character_without_a_floor_in_its_mask_is_named_M3():
    world = a_world(["zone"])
    (line,) = advice_on(world)
    assert line.startswith("entity 1: this Character has no floor: no other solid body has a layer in its mask")
    assert advice_on(world, "mover") == []
    assert advice_on(a_world(["ground"])) == []
    assert advice_on(a_world(None)) == []
    assert advice_on(a_world(["zone"], bounds=((-9, -9), (9, 9)))) == []
    assert advice_on(a_world(["nothing"])) == []  # named as a mask


@pytest.mark.parametrize(
    "given, missing, remedy",
    [
        ({"velocity": Velocity(1)}, "no Motion", "Motion()"),
        ({"velocity": Velocity(1), "inertia": Inertia(1), "mover": Mover()}, "no Motion", "Motion()"),
        ({"motion": Motion()}, "no Velocity", "Velocity()"),
        ({}, "no Velocity and no Motion", "Velocity() and Motion()"),
    ],
)
def test_a_character_that_no_step_moves_is_named_with_what_it_lacks_M3(given, missing, remedy):
    world = CollisionWorld()
    parts = {name: part.copy() for name, part in given.items()}
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), character=Character(), **parts)
    world.add(transform=Transform(0, 2), collider=BoxCollider(9, 1), static=Static())
    expected = f"entity 1: its Character is not moved, because it has {missing} (M1, M3); add {remedy}"
    assert advice_on(world) == [expected]
    assert advice_on(world, "dynamics") == [], "no Mass is needed"


def test_a_mover_with_a_velocity_but_no_motion_has_one_line_of_advice_M9():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), mover=Mover(), velocity=Velocity(1))
    assert advice_on(world, "dynamics") == []
    (line,) = advice_on(world, "mover")
    assert line.endswith("add Motion(force=...)")


@pytest.mark.parametrize("name", ["path", "lifetime", "character"])
def test_components_that_no_step_uses_are_named_M1(name: str):
    world = CollisionWorld()
    parts: dict[str, Any] = {
        "path": {"path": Path([(0, 0), (1, 0)], 1), "motion": Motion()}, "lifetime": {"lifetime": Lifetime(9)},
        "character": {"character": Character(), "motion": Motion(), "velocity": Velocity()},
    }  # fmt: skip
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), **parts[name])
    world.add(transform=Transform(9, 0), collider=BoxCollider(1, 1), static=Static())
    world.step()
    assert advice_on(world) == []
    world.step()
    assert advice_on(world) == [
        f"entity 1: its {name.capitalize()} has no effect, because no step of movement has run (M1); call "
        "esper.add_processor(MovementSystem(system), priority=1), or step_movement in each frame"
    ]
    world.step_movement(1 / 60)
    assert advice_on(world) == []


def test_a_mover_with_a_mass_is_named_if_no_step_has_run_I1(world):
    system = a_system()
    esper.add_processor(MovementSystem(system), priority=1)
    esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Motion(), Velocity(1), Mass(1))
    esper.process()
    esper.process()
    (line,) = [each for each in system.doctor() if "no step has run" in each]
    assert line.endswith("or remove Mass, so that steps of movement move it (M1)")
