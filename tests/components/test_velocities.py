"""Velocity, Mass, Material and Contact: their numbers, and what a write does to them (rule I1)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ecs_collision import CollisionWorld, Contact, Mass, Material, SphereCollider, Transform, Velocity


def test_a_velocity_is_kept_as_it_is_given():
    given = 9.0 + 2.0**-49
    assert (given, -given) == (Velocity(given).x, Velocity(angular=-given).angular)
    assert (0.1, 0.0, -given) == Velocity(angular=(0.1, 0, -given)).angular


WRITES: dict[str, Any] = {
    "x": 1, "y": 1, "z": 1, "angular": (0, 0, 1), "damping": 0.5, "angular_damping": 0.5, "gravity": 0
}  # fmt: skip


@pytest.mark.parametrize("field", WRITES)
def test_a_write_ends_the_time_for_which_a_body_was_slow_I7(field: str):
    velocity = Velocity()
    velocity._slow = -1.0
    setattr(velocity, field, WRITES[field])
    assert velocity._slow == 0.0


def test_an_impulse_ends_the_time_for_which_a_body_was_slow_I7():
    world, velocity = CollisionWorld(), Velocity()
    body = world.add(transform=Transform(0, 0), collider=SphereCollider(1), velocity=velocity, mass=Mass(1))
    velocity._slow = 0.25
    world.step()
    assert velocity._slow == 0.25
    world.apply_impulse(body, (0, 0))
    assert velocity._slow == 0.0


def test_a_copy_of_a_velocity_has_just_begun():
    velocity = Velocity(1, damping=2, angular_damping=3, gravity=-4)
    velocity._slow = 0.25
    copied = velocity.copy()
    assert copied._slow == 0.0
    assert repr(copied) == "Velocity(1.0, 0.0, 0.0, damping=2.0, angular_damping=3.0, gravity=-4.0)"


def test_damping_and_gravity_are_read_again_after_a_write():
    """They are constants of a step, so a write tells the step that the body has changed."""
    world, velocity = CollisionWorld(), Velocity()
    world.add(1, transform=Transform(0, 0), collider=SphereCollider(1), velocity=velocity, mass=Mass(1))
    world.step_dynamics(0.5)
    candidates, row = world._step.dynamics.candidates, world._bodies.row(1)
    assert candidates.known[row]
    velocity.damping = 2
    world.apply_changes()
    candidates.read_notes()
    assert not candidates.known[row]


def test_a_mass_is_that_of_a_body_or_a_density():
    assert ("Mass(2.0)", "Mass(2.0, density=True)") == (repr(Mass(2)), repr(Mass.of(density=2)))
    assert "Mass(2.0, moment=3.0, density=True)" == repr(Mass.of(density=2, moment=3))
    assert (None, None) == (Mass(2).moment, Mass(2).inverse_moment)
    assert (0.5, 0.25, 0.0) == (
        Mass(2).inverse,
        Mass(2, moment=4).inverse_moment,
        Mass(2, moment=math.inf).inverse_moment,
    )


REFUSED = {
    "a density of 0": (lambda: Mass.of(density=0), r"density of Mass\.of is 0\.0, but it must be positive"),
    "a moment of 0": (lambda: Mass(1, moment=0), r"Mass\.moment is 0\.0, but it must be positive"),
    "a damping below 0": (lambda: Velocity(damping=-1), r"Velocity\.damping is -1\.0, but it must not be negative"),
    "a spin damping nan": (lambda: Velocity(angular_damping=math.nan), r"Velocity\.angular_damping is nan"),
    "an infinite gravity": (lambda: Velocity(gravity=math.inf), r"Velocity\.gravity is inf"),
    "a rolling below 0": (lambda: Material(rolling=-1), r"Material\.rolling is -1\.0, but it must not be negative"),
    "an impact below 0": (lambda: Contact(impacts=-1), r"Contact\.impacts is -1\.0, but it must not be negative"),
    "an impact of text": (lambda: Contact(impacts="hard"), r"Contact\.impacts must be a number"),
}  # fmt: skip


@pytest.mark.parametrize("make, words", REFUSED.values(), ids=REFUSED)
def test_a_number_out_of_range_is_refused_by_its_name_L3(make: Any, words: str):
    with pytest.raises((ValueError, TypeError), match=words):
        make()
