"""Velocities, remainders and kept contacts are part of snapshots and of the state hash (rules I8, N1 and N2)."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from dynamic_worlds import a_square, a_stack, add_dynamic, add_floor, at, random_world, run, velocity
from snapshot_bytes import split

from ecs_collision import (
    CollisionWorld,
    Mass,
    Material,
    Motion,
    SnapshotError,
    SphereCollider,
    Transform,
    Velocity,
)
from ecs_collision.snapshot.dynamics_section import MotionState, dynamics_bytes


def a_falling_pile(steps: int = 50) -> CollisionWorld:
    """Return a world with a floor and a pile of squares and balls that has not come to rest, after some steps."""
    world = CollisionWorld()
    add_floor(world)
    for number in range(8):
        shape = a_square() if number % 3 else SphereCollider(0.5)
        add_dynamic(world, (number % 3) * 0.75, 8 - number, collider=shape, mass=Mass(1 + number, moment=2))
    run(world, steps)
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


def test_the_frames_after_a_restore_are_those_after_the_snapshot_I8():
    world, other = a_falling_pile(), a_falling_pile(0)
    data = world.snapshot()
    assert section(world)
    other.restore(data)
    other.check()
    assert data == other.snapshot()
    for _ in range(40):
        run(world, 1)
        run(other, 1)
        assert world.snapshot() == other.snapshot()
    world.restore(data)
    run(world, 40)
    assert world.snapshot() == other.snapshot()


@pytest.mark.parametrize("seed", range(4))
def test_a_world_that_is_restored_in_every_frame_is_the_same_I8(seed: int):
    world, once = (random_world(seed, sleeps=True, skips=True)[0] for _ in range(2))
    for _ in range(60):
        for each in (world, once):
            each.step_dynamics(1 / 60, gravity=(0, 10))
        assert world.step().events == once.step().events
        data = world.snapshot()
        assert data == once.snapshot()
        world.restore(data)
        assert data == world.snapshot()


def test_a_restored_world_rests_and_sleeps_like_the_first_I8():
    world, _ = a_stack(4)
    run(world, 30)
    data = world.snapshot()
    assert world.stats.resting == 4
    world.restore(data)
    assert world.step().stats.resting == 0
    world.step_dynamics(1 / 60, gravity=(0, 10))
    assert world.step().stats.resting == 4
    assert world.state_hash() == a_stack_after(30).state_hash()


def a_stack_after(frames: int) -> CollisionWorld:
    """Return a world with a stack of four after some frames."""
    world, _ = a_stack(4)
    run(world, frames)
    return world


def test_the_state_hash_covers_velocities_remainders_and_kept_contacts_N2():
    one, two = a_falling_pile(), a_falling_pile()
    assert one.state_hash() == two.state_hash()
    velocity(two, 3).x += 0.5
    assert one.state_hash() != two.state_hash()
    velocity(two, 3).x -= 0.5
    assert one.state_hash() == two.state_hash()
    velocity(two, 3)._set_remainders((0.25, 0, 0))
    assert one.state_hash() != two.state_hash()
    two.restore(one.snapshot())
    assert one.state_hash() == two.state_hash()
    two._step.dynamics.kept.forget({two._step.dynamics.records()[0][1]})
    assert one.state_hash() != two.state_hash()


def test_a_world_without_dynamics_has_no_section_of_dynamics_N1():
    world = CollisionWorld()
    add_floor(world)
    world.add(transform=Transform(0, 0), collider=a_square(), motion=Motion(1))
    world.add(transform=Transform(5, 0), collider=a_square(), mass=Mass(1), material=Material())
    run(world, 3)
    assert section(world) == b""


def test_snapshots_do_not_depend_on_how_the_state_came_about_N1():
    """A body that was there and is gone, and a failed restore, leave no trace."""
    plain, busy = a_stack_after(30), a_stack_after(5)
    guest = add_dynamic(busy, 0, 3)
    run(busy, 5)
    busy.remove(guest)
    busy.restore(plain.snapshot())
    with pytest.raises(SnapshotError):
        busy.restore(plain.snapshot()[:-1])
    assert plain.snapshot() == busy.snapshot()
    run(plain, 3)
    run(busy, 3)
    assert plain.snapshot() == busy.snapshot()


def test_a_removed_body_leaves_no_contacts_and_a_new_one_with_its_id_has_none_I8():
    world = a_stack_after(30)
    assert any(3 in record[:2] for record in world._step.dynamics.records())
    world.remove(3)
    assert not any(3 in record[:2] for record in world._step.dynamics.records())
    world.add(3, transform=Transform(0, 8), collider=a_square(), velocity=Velocity(), mass=Mass(1))
    data = world.snapshot()
    world.check()
    other = a_stack_after(0)
    other.restore(data)
    run(world, 5)
    run(other, 5)
    assert world.state_hash() == other.state_hash()


def test_a_body_that_is_not_dynamic_any_more_has_no_contacts_after_the_next_step_I8():
    world = a_stack_after(30)
    world.bodies.of(world.bodies.row(2)).mass.value = float("inf")  # type: ignore[union-attr]
    run(world, 1)
    assert {(2, 3), (3, 4), (4, 5)} == {record[:2] for record in world._step.dynamics.records()}
    for id in (3, 4, 5):
        world.bodies.of(world.bodies.row(id)).collider.enabled = False  # type: ignore[union-attr]
    run(world, 1)
    assert world._step.dynamics.records() == []
    assert section(world) == dynamics_bytes([velocity(world, id)._motion_state() for id in (2, 3, 4, 5)], [])


NAN, INF = float("nan"), float("inf")
RECORD = (0, 1, 0, 0, 0, 1.0, 0.0, 0.0, 0.0)


def motions(*numbers: float, at: int = 0, count: int = 4) -> list[MotionState]:
    """Return the motions of a stack of four, in which one has other numbers in front."""
    still = (False, (0.0,) * 10)
    return [still] * at + [(False, (*numbers, *[0.0] * (10 - len(numbers))))] + [still] * (count - at - 1)


def kept(*records: Any) -> bytes:
    """Return a section with these kept contacts."""
    return dynamics_bytes(motions(), records)


FORGED = {
    "cut off": (b"\x01", "unpack_from requires|buffer"),
    "missing": (b"", "another number of velocities"),
    "too long": (kept(RECORD) + b"\0", "wrong length"),
    "a motion too few": (dynamics_bytes(motions(count=3), []), "another number of velocities"),
    "a motion too many": (dynamics_bytes(motions(count=5), []), "another number of velocities"),
    "a large velocity": (dynamics_bytes(motions(2.0**14 + 1), []), "a velocity is out of range"),
    "a large angular velocity": (dynamics_bytes(motions(0, 0, 0, 0, 0, -20000), []), "a velocity is out of range"),
    "a velocity nan": (dynamics_bytes(motions(0, NAN), []), "a velocity is out of range"),
    "an infinite velocity": (dynamics_bytes(motions(0, 0, INF), []), "a velocity is out of range"),
    "a velocity minus 0": (
        struct.pack("<IIq10d", 4, 0, 0, -0.0, *[0.0] * 9) + struct.pack("<q10d", *[0] * 11) * 3, "another encoding"
    ),
    "an unknown form": (
        struct.pack("<IIq10d", 4, 0, 2, *[0.0] * 10) + struct.pack("<q10d", *[0] * 11) * 3, "form of an angular"
    ),
    "a large remainder": (dynamics_bytes(motions(*[0.0] * 6, 0.75), []), "remainder of motion is out of range"),
    "a remainder nan": (dynamics_bytes(motions(*[0.0] * 8, NAN), []), "remainder of motion is out of range"),
    "a slow time below that of sleep": (dynamics_bytes(motions(*[0.0] * 9, -2.0), []), "slow for an impossible time"),
    "a slow time between": (dynamics_bytes(motions(*[0.0] * 9, -0.5), []), "slow for an impossible time"),
    "a slow time nan": (dynamics_bytes(motions(*[0.0] * 9, NAN), []), "slow for an impossible time"),
    "an endless slow time": (dynamics_bytes(motions(*[0.0] * 9, INF), []), "slow for an impossible time"),
    "a contact of no body": (kept((0, 9, *RECORD[2:])), "bodies that do not exist"),
    "a contact of the bounds alone": (kept((-1, -1, *RECORD[2:])), "bodies that do not exist"),
    "a contact of a body with itself": (kept((1, 1, *RECORD[2:])), "bodies that do not exist"),
    "a contact below the bounds": (kept((-2, 1, *RECORD[2:])), "bodies that do not exist"),
    "a side that no bounds have": (kept((-1, 1, 6, *RECORD[3:])), "no such part"),
    "a part below 0": (kept((0, 1, 0, -1, *RECORD[4:])), "no such part"),
    "a contact that pulls": (kept((*RECORD[:5], -1.0, 0, 0, 0)), "a kept contact pulls"),
    "an impulse nan": (kept((*RECORD[:6], NAN, 0, 0)), "a kept impulse is out of range"),
    "an infinite impulse": (kept((*RECORD[:5], INF, 0, 0, 0)), "kept impulse is out of range"),
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
    contacts = [(-1, 1, 5, 0, 3, 2.0, 0.0, -1.0, 0.0), RECORD]
    other = dynamics_bytes(motions(3.0, 2.0**-49, 0, 1, 2, 3, 0.5, -0.25, 0, 0.125, at=2), contacts)
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


def test_a_restore_brings_back_the_velocity_and_its_form_N1():
    world = CollisionWorld()
    body = add_dynamic(world, 0, 0, velocity=Velocity(1, 2, angular=(0, 0, 3)))
    number = add_dynamic(world, 9, 0, velocity=Velocity(angular=4))
    data = world.snapshot()
    velocity(world, body).angular, velocity(world, number).angular = 5, (1, 2, 3)
    run(world, 2)
    world.restore(data)
    assert ((0.0, 0.0, 3.0), 4.0) == (velocity(world, body).angular, velocity(world, number).angular)
    assert ((1.0, 2.0), (0, 0, 0)) == ((velocity(world, body).x, velocity(world, body).y), at(world, body))


def test_for_how_long_a_body_was_slow_and_that_it_sleeps_is_restored_N1():
    world = CollisionWorld()
    bodies = [add_dynamic(world, x, 0) for x in (0, 5)]
    for body, slow in zip(bodies, (0.25, -1.0), strict=True):
        velocity(world, body)._slow = slow
    data, digest = world.snapshot(), world.state_hash()
    velocity(world, bodies[0])._slow = 0.5
    assert digest != world.state_hash()
    velocity(world, bodies[1]).x = 0.0
    world.restore(data)
    assert [0.25, -1.0] == [velocity(world, body)._slow for body in bodies]
    assert data == world.snapshot()
