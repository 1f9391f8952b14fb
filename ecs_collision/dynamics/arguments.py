"""Checks of the arguments of steps and impulses (rules I1 and L3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, STATIC
from ecs_collision.components import MAX_SPEED, Vector, speed, vector
from ecs_collision.dynamics.dynamics import StepArguments
from ecs_collision.dynamics.mass_properties import MassProperties, mass_properties
from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import AXES, LATTICE, finite, items_of, number, whole
from ecs_collision.shapes.rotation import combined, matrix_of, turned

MIN_DT, MAX_DT = 2.0**-20, 1.0
MAX_REPEATS = 1024
"""Maximum number of substeps."""


def step_arguments(dt: object, gravity: object, substeps: object) -> StepArguments:
    """Return the checked arguments of a step; raises by the name of the first that is refused."""
    if type(gravity) is tuple and not {type(dt), type(substeps), *map(type, gravity)} - _PLAIN:
        return _known_arguments(dt, gravity, substeps)  # most games give the same ones in every frame
    return _checked_arguments(dt, gravity, substeps)


def _checked_arguments(dt: object, gravity: object, substeps: object) -> StepArguments:
    return StepArguments(
        checked_dt(dt),
        checked_gravity(gravity),
        whole(substeps, "substeps", minimum=1, maximum=MAX_REPEATS),
    )


_known_arguments = lru_cache(maxsize=16, typed=True)(_checked_arguments)
_PLAIN = {int, float}


def checked_dt(dt: object) -> float:
    """Return the seconds of a step."""
    seconds = number(dt, "dt")
    if MIN_DT <= seconds <= MAX_DT:
        return seconds
    raise CollisionValueError(
        f"dt is {seconds!r}, but it must be from 2**-20 to 1, in seconds; give for example 1 / 60, and take several "
        "steps for a longer time, or none while a game is paused"
    )


def checked_gravity(gravity: object) -> Vector:
    """Return the gravity as a vector."""
    for axis, value in zip(AXES, items_of(gravity) or (), strict=False):
        finite(value, f"gravity {axis}", minimum=-MAX_SPEED, maximum=MAX_SPEED)
    x, y, z = vector(gravity, "gravity")
    return (x + 0.0, y + 0.0, z + 0.0)


def apply_impulse(bodies: Bodies, row: int, impulse: Vector, point: Vector | None) -> None:
    """Change the velocity of a dynamic body by an impulse, at a point in the world or at its centre of mass."""
    parts, entity = bodies.of(row), bodies.entity(row)
    problem = immovable_because(bodies, row)
    if problem:
        raise CollisionValueError(f"entity {entity} takes no impulse: {problem}")
    velocity = parts.velocity
    assert velocity is not None
    properties = mass_properties(parts, bodies.flat)
    old = velocity._numbers()
    new = [before + by * properties.inverse_mass for before, by in zip(old[:3], impulse, strict=True)]
    turning: Sequence[float] = old[3:]
    if point is not None:
        by_lever = _turning(properties, bodies, row, impulse, point)
        turning = [before + by for before, by in zip(turning, by_lever, strict=True)]
    vx, vy, vz = (speed(each, f"Velocity.{axis}", velocity) for axis, each in zip(AXES, new, strict=True))
    tx, ty, tz = (speed(each, f"Velocity.angular {axis}", velocity) for axis, each in zip(AXES, turning, strict=True))
    velocity._note_write()
    velocity._set_numbers((vx, vy, vz, tx, ty, tz))


def immovable_because(bodies: Bodies, row: int) -> str:
    """Return why a body is not dynamic, and what to do; "" if it is (I1, I10)."""
    problem = _immovable_alone(bodies, row)
    if problem or not bodies.group_links.is_fused(row):
        return problem
    solid = sorted(bodies.groups.solid_rows(row), key=bodies.entity)
    if row not in solid:
        return "it is fused to solid bodies, which take a Trigger along (I10); give it to one of them"
    for each in solid:
        problem = _immovable_alone(bodies, each)
        if problem:
            return f"it is fused to entity {bodies.entity(each)}, which does not move: {problem}, or remove Fused"
    return ""


def _immovable_alone(bodies: Bodies, row: int) -> str:
    parts, flags = bodies.of(row), bodies.columns.flags[row]
    if flags & STATIC:
        return "it is Static, so nothing moves it (I1); remove Static"
    if parts.velocity is None or parts.mass is None:
        missing = [name for name, part in (("Velocity()", parts.velocity), ("Mass(1)", parts.mass)) if part is None]
        return f"only bodies with Velocity and Mass move by themselves (I1); add {' and '.join(missing)}"
    if parts.mass.value == math.inf:
        return "its Mass is infinite, so nothing moves it (I1); give it a finite one"
    if not flags & ENABLED:
        return "it is disabled (I1); set enabled to True"
    return ""


def _turning(properties: MassProperties, bodies: Bodies, row: int, impulse: Vector, point: Vector) -> Vector:
    """Return the change of the angular velocity by an impulse at a point, about the centre of mass."""
    rotation = matrix_of(bodies.transform(row).rotation)
    centre = properties.centre if rotation is None else turned(rotation, *properties.centre)
    lx, ly, lz = (
        at - (units * LATTICE + by) for at, units, by in zip(point, bodies.position(row), centre, strict=True)
    )
    x, y, z = impulse
    angular = (ly * z - lz * y, lz * x - lx * z, lx * y - ly * x)
    about_x, about_y, about_z = properties.inverse_moments
    frame = combined(rotation, matrix_of(properties.axes))
    if frame is None or about_x == about_y == about_z:
        return (angular[0] * about_x, angular[1] * about_y, angular[2] * about_z)
    a, b, c, d, e, f, g, h, i = frame
    along_x, along_y, along_z = turned((a, d, g, b, e, h, c, f, i), *angular)  # back into the frame
    return turned(frame, along_x * about_x, along_y * about_y, along_z * about_z)
