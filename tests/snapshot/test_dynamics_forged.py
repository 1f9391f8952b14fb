"""The section of dynamics of a snapshot: empty without velocities, refused if it is impossible (rules I8 and N1)."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from dynamic_worlds import a_square, a_stack, add_floor, run
from snapshot_bytes import split

from ecs_collision import CollisionWorld, Mass, Material, Motion, SnapshotError, Transform
from ecs_collision.snapshot.dynamics_section import MotionState, dynamics_bytes


def a_stack_after(frames: int) -> CollisionWorld:
    """Return a world with a stack of four after some frames."""
    world, _ = a_stack(4)
    run(world, frames)
    return world


def section(world: CollisionWorld) -> bytes:
    """Return the section of dynamics in a snapshot."""
    return dynamics_section_of(world.snapshot(), len(world))


def dynamics_section_of(data: bytes, bodies: int) -> bytes:
    """Return the end of the block that the hash covers: what comes behind its lists."""
    hashed = split(data).hashed
    contacts, crossings, requests, pending = struct.unpack_from("<IIII", hashed)
    return hashed[16 + 24 * bodies + 24 * (contacts + crossings) + 32 * requests + pending :]


def with_section(data: bytes, bodies: int, other: bytes) -> bytes:
    """Return a snapshot with another section of dynamics and a correct checksum."""
    blocks = split(data)
    return blocks._replace(hashed=blocks.hashed.removesuffix(dynamics_section_of(data, bodies)) + other).joined()


def test_a_world_without_dynamics_has_no_section_of_dynamics_N1():
    world = CollisionWorld()
    add_floor(world)
    world.add(transform=Transform(0, 0), collider=a_square(), motion=Motion(1))
    world.add(transform=Transform(5, 0), collider=a_square(), mass=Mass(1), material=Material())
    run(world, 3)
    assert section(world) == b""


NAN, INF = float("nan"), float("inf")
RECORD = (0, 1, 0, 0, 0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
DOWN = (0.0, 10.0, 0.0)


def motions(*numbers: float, at: int = 0, count: int = 4) -> list[MotionState]:
    """Return the motions of a stack of four, in which one has other numbers in front."""
    still = (False, (0.0,) * 10)
    return [still] * at + [(False, (*numbers, *[0.0] * (10 - len(numbers))))] + [still] * (count - at - 1)


def kept(*records: Any) -> bytes:
    """Return a section with these kept contacts."""
    return dynamics_bytes(motions(), records, DOWN)


STILL = struct.pack("<q10d", *[0] * 11) * 3
FORGED = {
    "cut off": (b"\x01", "unpack_from requires|buffer"),
    "missing": (b"", "another number of velocities"),
    "too long": (kept(RECORD) + b"\0", "wrong length"),
    "a motion too few": (dynamics_bytes(motions(count=3), [], DOWN), "another number of velocities"),
    "a motion too many": (dynamics_bytes(motions(count=5), [], DOWN), "another number of velocities"),
    "a large velocity": (dynamics_bytes(motions(2.0**14 + 1), [], DOWN), "a velocity is out of range"),
    "a large angular velocity": (dynamics_bytes(motions(*[0.0] * 5, -20000), [], DOWN), "a velocity is out of range"),
    "a velocity nan": (dynamics_bytes(motions(0, NAN), [], DOWN), "a velocity is out of range"),
    "an infinite velocity": (dynamics_bytes(motions(0, 0, INF), [], DOWN), "a velocity is out of range"),
    "a velocity minus 0": (
        struct.pack("<II3dq10d", 4, 0, *DOWN, 0, -0.0, *[0.0] * 9) + STILL, "another encoding"
    ),
    "an unknown form": (
        struct.pack("<II3dq10d", 4, 0, *DOWN, 2, *[0.0] * 10) + STILL, "form of an angular"
    ),
    "a large remainder": (dynamics_bytes(motions(*[0.0] * 6, 0.75), [], DOWN), "remainder of motion is out of range"),
    "a remainder nan": (dynamics_bytes(motions(*[0.0] * 8, NAN), [], DOWN), "remainder of motion is out of range"),
    "a slow time below that of sleep": (dynamics_bytes(motions(*[0.0] * 9, -2.0), [], DOWN), "an impossible time"),
    "a slow time between": (dynamics_bytes(motions(*[0.0] * 9, -0.5), [], DOWN), "an impossible time"),
    "a slow time nan": (dynamics_bytes(motions(*[0.0] * 9, NAN), [], DOWN), "an impossible time"),
    "an endless slow time": (dynamics_bytes(motions(*[0.0] * 9, INF), [], DOWN), "an impossible time"),
    "a contact of no body": (kept((0, 9, *RECORD[2:])), "bodies that do not exist"),
    "a contact of the bounds alone": (kept((-1, -1, *RECORD[2:])), "bodies that do not exist"),
    "a contact of a body with itself": (kept((1, 1, *RECORD[2:])), "bodies that do not exist"),
    "a contact below the bounds": (kept((-2, 1, *RECORD[2:])), "bodies that do not exist"),
    "a side that no bounds have": (kept((-1, 1, 6, *RECORD[3:])), "no such part"),
    "a part below 0": (kept((0, 1, 0, -1, *RECORD[4:])), "no such part"),
    "a contact that pulls": (kept((*RECORD[:5], -1.0, *RECORD[6:])), "a kept contact pulls"),
    "an impulse nan": (kept((*RECORD[:6], NAN, *RECORD[7:])), "a kept impulse is out of range"),
    "an infinite impulse": (kept((*RECORD[:5], INF, *RECORD[6:])), "kept impulse is out of range"),
    "a large gravity": (dynamics_bytes(motions(), [], (0, 2.0**15, 0)), "its gravity is out of range"),
    "a gravity nan": (dynamics_bytes(motions(), [], (NAN, 0, 0)), "its gravity is out of range"),
    "contacts out of order": (kept((1, 2, *RECORD[2:]), RECORD), "kept contacts are out of order"),
    "a contact twice": (kept(RECORD, RECORD), "kept contacts are out of order"),
}  # fmt: skip


@pytest.mark.parametrize("forged, words", FORGED.values(), ids=FORGED)
def test_a_forged_section_is_refused_and_changes_nothing_N1(forged: bytes, words: str):
    world = a_stack_after(7)
    data = world.snapshot()
    with pytest.raises(SnapshotError, match=words):
        world.restore(with_section(data, 5, forged))
    assert data == world.snapshot()
    world.check()


def test_what_is_not_forged_is_restored_N1():
    world = a_stack_after(7)
    contacts = [(-1, 1, 5, 0, 3, 2.0, 0.0, -1.0, 0.0, 0.25, 0.0, 0.5), RECORD]
    other = dynamics_bytes(motions(3.0, 2.0**-49, 0, 1, 2, 3, 0.5, -0.25, 0, 0.125, at=2), contacts, (3.0, 0.0, -4.0))
    data = with_section(world.snapshot(), 5, other)
    world.restore(data)
    assert data == world.snapshot()
    world.check()


def test_every_cut_of_a_snapshot_is_refused_N1():
    world = a_stack_after(7)
    data = world.snapshot()
    for end in range(len(data) - len(section(world)), len(data)):
        with pytest.raises(SnapshotError):
            world.restore(data[:end])
    assert data == world.snapshot()
