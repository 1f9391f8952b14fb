"""The section of a snapshot with the state of dynamics: velocities, remainders and kept contacts (rules I5 and I8).

It is empty for a world without velocities, so the snapshots of worlds without dynamics have the bytes they always had.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from ecs_collision.components import MAX_SPEED
from ecs_collision.dynamics.kept_impulses import BOUNDS, KeptRecord

_HEAD = struct.Struct("<II3d")
"""Numbers of bodies with a Velocity and of kept contacts, and the gravity of the last step."""
_MOTION = struct.Struct("<q10d")
_KEPT = struct.Struct("<qqiii7d")

ASLEEP = -1.0
"""How long a body was slow that is asleep."""

MAX_IMPULSE = 2.0**62
"""The largest kept impulse; that of the heaviest and fastest bodies is below 2**48."""

MotionState = tuple[bool, tuple[float, ...]]
"""`Velocity._motion_state`: whether it has a vector, six velocities, three remainders, and how long it was slow."""


class SavedDynamics(NamedTuple):
    """The motion of each body with a Velocity, in the order of ids, and the kept contacts by the index of bodies.

    gravity: that of the last step, in units per second squared.
    """

    motions: Sequence[MotionState]
    kept: Sequence[KeptRecord]
    gravity: tuple[float, float, float]


def renamed(kept: Iterable[KeptRecord], name: Callable[[int], int]) -> list[KeptRecord]:
    """Return kept contacts with other names of their bodies; the bounds of the world keep theirs."""
    return [
        (BOUNDS if first == BOUNDS else name(first), name(second), *rest)  # type: ignore[misc]
        for first, second, *rest in kept
    ]


def dynamics_bytes(
    motions: Sequence[MotionState], kept: Sequence[KeptRecord], gravity: tuple[float, float, float]
) -> bytes:
    """Return the section: what `read_dynamics` reads."""
    if not (motions or kept):
        return b""
    rows = [_MOTION.pack(has_vector, *[number + 0.0 for number in numbers]) for has_vector, numbers in motions]
    contacts = [_KEPT.pack(*record[:5], *[by + 0.0 for by in record[5:]]) for record in kept]
    return b"".join([_HEAD.pack(len(rows), len(contacts), *gravity), *rows, *contacts])


def read_dynamics(data: bytes, bodies: int, velocity_count: int) -> SavedDynamics:
    """Return what `dynamics_bytes` wrote; raises ValueError if no world with these numbers of bodies can have it."""
    row_count, contact_count, x, y, z = _HEAD.unpack_from(data) if data else (0, 0, 0.0, 0.0, 0.0)
    _require(row_count == velocity_count, "its section of dynamics has another number of velocities")
    middle = _HEAD.size + _MOTION.size * row_count
    _require(not data or len(data) == middle + _KEPT.size * contact_count, "its section of dynamics has a wrong length")
    motions = [_motion(*row) for row in _MOTION.iter_unpack(data[_HEAD.size : middle])]
    kept: list[KeptRecord] = list(_KEPT.iter_unpack(data[middle:]))
    _require(all(a[:5] < b[:5] for a, b in pairwise(kept)), "its kept contacts are out of order")
    for first, second, first_part, second_part, point, *impulses in kept:
        _require(BOUNDS <= first < second < bodies and second >= 0, "a kept contact has bodies that do not exist")
        limit = 6 if first == BOUNDS else 2**31
        _require(0 <= first_part < limit and second_part >= 0 and point >= 0, "a kept contact has no such part")
        _require(all(-MAX_IMPULSE <= by <= MAX_IMPULSE for by in impulses), "a kept impulse is out of range")
        _require(impulses[0] >= 0.0, "a kept contact pulls")
    _require(dynamics_bytes(motions, kept, (x, y, z)) == data, "its section of dynamics has another encoding")
    _require(all(-MAX_SPEED <= each <= MAX_SPEED for each in (x, y, z)), "its gravity is out of range")
    return SavedDynamics(motions, kept, (x, y, z))


def _motion(has_vector: int, *numbers: float) -> MotionState:
    _require(has_vector in (0, 1), "the form of an angular velocity is unknown")
    for speed in numbers[:6]:
        _require(-MAX_SPEED <= speed <= MAX_SPEED, "a velocity is out of range")
    _require(all(-0.5 <= left <= 0.5 for left in numbers[6:9]), "a remainder of motion is out of range")
    _require(numbers[9] == ASLEEP or 0.0 <= numbers[9] < inf, "a body is slow for an impossible time")
    return has_vector == 1, numbers


def _require(condition: bool, fault: str) -> None:
    if not condition:
        raise ValueError(fault)
