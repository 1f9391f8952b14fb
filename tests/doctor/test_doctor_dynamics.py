"""Advice on Velocity, Mass and Material without effect (rules I1 and H3)."""

from __future__ import annotations

from typing import Any

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Mass,
    Material,
    Motion,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)


def advice_on(**parts: Any) -> list[str]:
    """Return the advice on the dynamics of one body beside two others."""
    world = CollisionWorld()
    world.add(2, transform=Transform(9, 0), collider=BoxCollider(1, 1), velocity=Velocity(), mass=Mass(1))
    world.add(3, transform=Transform(-9, 0), collider=BoxCollider(1, 1), static=Static(), velocity=Velocity(1))
    world.add(1, **{"transform": Transform(0, 0), "collider": BoxCollider(0.5, 0.5), **parts})
    found = [line for line in world.doctor() if line.kind == "dynamics"]
    assert all(1 in line.entities for line in found)
    return [str(line) for line in found]


def test_a_mass_in_a_group_needs_one_in_all_its_solid_members_I10():
    world = CollisionWorld()
    world.add(2, transform=Transform(9, 0), collider=BoxCollider(1, 1), velocity=Velocity())
    world.add(1, transform=Transform(0, 0), collider=BoxCollider(1, 1), velocity=Velocity(), mass=Mass(1),
              fused=Fused(2))  # fmt: skip
    (line,) = [str(each) for each in world.doctor() if each.kind == "dynamics"]
    assert "its Mass has no effect: it is fused to entity 2, which does not move: only bodies with" in line
    assert "add Mass(1), or remove Fused" in line
    world._stage(2, world._bodies.of(world._bodies.row(2))._replace(mass=Mass(1)))
    assert not [each for each in world.doctor() if each.kind == "dynamics"]


USELESS: dict[str, tuple[dict[str, Any], str]] = {
    "a mass alone": ({"mass": Mass(1)}, "add Velocity(), or remove Mass"),
    "a mass of a wall": (
        {"mass": Mass(1), "velocity": Velocity(), "static": Static()}, "nothing moves a Static body"
    ),
    "a mass of a wall without a velocity": ({"mass": Mass(1), "static": Static()}, "remove Mass or Static"),
    "a velocity alone": ({"velocity": Velocity(0, 3)}, "it has no Mass (I1); add Mass(1), or Static() if only its"),
    "a moment of a box": (
        {"mass": Mass(1, moment=1), "velocity": Velocity()}, "its Mass.moment has no effect, because boxes never turn"
    ),
    "a moment of a compound with a box": (
        {
            "mass": Mass(1, moment=1), "velocity": Velocity(),
            "collider": CompoundCollider([Sphere(1), Box(1, 1, offset=(2, 0))]),
        },
        "use OrientedBoxCollider or OrientedBox, which turn, or leave the moment out",
    ),
    "a spin of a box": (
        {"mass": Mass(1), "velocity": Velocity(angular=1)}, "its Velocity.angular turns nothing"
    ),
    "a spin with an infinite moment": (
        {"mass": Mass(1, moment=float("inf")), "velocity": Velocity(angular=1), "collider": SphereCollider(1)},
        "its Velocity.angular turns nothing, because Mass.moment is infinite (I1); leave the moment out, so that it is",
    ),
    "damping of a belt": (
        {"velocity": Velocity(2, damping=1), "static": Static()},
        "its Velocity.damping has no effect, because it counts only for dynamic bodies (I1); leave it out",
    ),
    "a gravity of a mover": (
        {"velocity": Velocity(damping=1, angular_damping=2, gravity=0), "motion": Motion()},
        "its Velocity.damping, angular_damping and gravity have no effect, because it counts only for dynamic bodies "
        "(I1); write Mover(gravity=...) for steps of movement; leave it out",
    ),
    "a material of a trigger": (
        {"material": Material(), "trigger": Trigger()}, "its Material has no effect, because a trigger meets nothing"
    ),
    "a surface of a trigger": (
        {"velocity": Velocity(1), "trigger": Trigger()}, "its Velocity has no effect, because a trigger meets nothing"
    ),
}  # fmt: skip


@pytest.mark.parametrize("parts, words", USELESS.values(), ids=USELESS)
def test_what_has_no_effect_is_named_with_what_to_do_I1(parts: dict[str, Any], words: str):
    (line,) = [each for each in advice_on(**{name: part.copy() for name, part in parts.items()}) if words in each]
    assert line.startswith("entity 1") and ": its " in line


USEFUL: dict[str, dict[str, Any]] = {
    "a dynamic body": {"mass": Mass(1), "velocity": Velocity(), "material": Material()},
    "a body that waits for a finite mass": {"mass": Mass(float("inf"), moment=1), "velocity": Velocity()},
    "a ball that turns": {"mass": Mass(1, moment=1), "velocity": Velocity(angular=2), "collider": SphereCollider(1)},
    "a ball that is braked": {
        "mass": Mass(1), "velocity": Velocity(damping=1, gravity=2), "collider": SphereCollider(1)
    },
    "a ball that rolls": {"mass": Mass(1), "velocity": Velocity(angular=1), "collider": SphereCollider(1)},
    "a ball that never turns": {
        "mass": Mass(1, moment=float("inf")), "velocity": Velocity(1), "collider": SphereCollider(1)
    },
    "a plank that turns": {"mass": Mass(1, moment=1), "velocity": Velocity(), "collider": OrientedBoxCollider(1, 1)},
    "a conveyor belt": {"velocity": Velocity(2, 0), "material": Material(0, 1), "static": Static()},
    "a lift that is moved by motions": {"velocity": Velocity(0, 2), "motion": Motion()},
    "a crate that is pushed": {"velocity": Velocity(2, 0), "inertia": Inertia(1)},
    "a disabled body": {"mass": Mass(1), "velocity": Velocity(), "collider": BoxCollider(1, 1, enabled=False)},
    "a trigger that moves": {"mass": Mass(1), "velocity": Velocity(1), "trigger": Trigger()},
}  # fmt: skip


@pytest.mark.parametrize("parts", USEFUL.values(), ids=USEFUL)
def test_what_has_an_effect_is_not_named_I1(parts: dict[str, Any]):
    assert advice_on(**{name: part.copy() for name, part in parts.items()}) == []
