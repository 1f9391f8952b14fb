"""Paths, lifetimes and what characters remember are part of snapshots (rules N1 and N2)."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import pytest
from snapshot_bytes import split

from ecs_collision import (
    BoxCollider,
    Character,
    CollisionWorld,
    Lifetime,
    Motion,
    Path,
    SnapshotError,
    Transform,
    Velocity,
)
from ecs_collision.components.movement import Progress
from ecs_collision.snapshot.movement_section import MovementCounts, SavedMovement, hashed_bytes, unhashed_bytes

MEMORY = (
    *(True, True, True, False, True, 7, 3, 2, -1, (0.0, -1.0, 0.0), (1.5, 0.0, 0.0), 0.0),
    *(9, (-1.0, 0.0, 0.0), (1.5, 0.0, 0.0)),
)


def a_world(**more: Any) -> CollisionWorld:
    """Return a world with two lifts, of which one waits, sparks and a character."""
    world = CollisionWorld()
    for number in range(2):
        world.add(
            transform=Transform(0, 3 * number), collider=BoxCollider(0.5, 0.5, enabled=number == 0), motion=Motion(1),
            velocity=Velocity(), path=Path([(0, 3 * number), (1, 3.3 * number + 0.1)], 2.1, loop="back"),
        )  # fmt: skip
    for number in range(2):
        world.add(transform=Transform(9, 3 * number), collider=BoxCollider(1, 1), lifetime=Lifetime(50 + number))
    world.add(
        transform=Transform(30, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(1), velocity=Velocity(),
        character=Character(),
    )  # fmt: skip
    return world


def character_of(world: CollisionWorld) -> Character:
    """Return the character of a world."""
    found = world._bodies.of(world._bodies.row(5)).character
    assert found is not None
    return found


def test_the_steps_after_a_restore_are_those_after_the_snapshot_N1():
    world, other = a_world(), a_world()
    for _ in range(20):
        world.step_movement(1 / 60)
        world.step()
    data = world.snapshot()
    other.restore(data)
    other.check()
    assert other.snapshot() == data
    assert other.state_hash() == world.state_hash()
    for _ in range(29):
        for each in (world, other):
            each.step_movement(1 / 60)
        assert world.step().events == other.step().events
        assert world.snapshot() == other.snapshot()
    world.restore(data)
    assert world.snapshot() == data


def test_a_failed_restore_changes_nothing_N1():
    world = a_world()
    world.step_movement(1 / 60)
    before, blocks = world.snapshot(), split(world.snapshot())
    late = blocks._replace(unhashed=blocks.unhashed.replace(struct.pack("<q", 1), struct.pack("<q", 2), 1))
    wrong = late._replace(hashed=blocks.hashed[:-8] + struct.pack("<q", 0))
    for _ in range(3):
        world.step_movement(1 / 60)
    state = world.snapshot()
    with pytest.raises(SnapshotError, match="a lifetime is out of range"):
        world.restore(wrong.joined())
    world.check()
    assert world.snapshot() == state
    world.restore(before)
    assert world.snapshot() == before


def test_the_hash_covers_paths_and_lifetimes_and_not_what_characters_remember_N2():
    world = a_world()
    world.step_movement(1 / 60)
    path, lifetime = world._bodies.of(world._bodies.row(1)).path, world._bodies.of(world._bodies.row(3)).lifetime
    assert path is not None
    assert path._progress is not None
    assert lifetime is not None
    seen = {world.state_hash()}
    path._progress = path._progress._replace(direction=-1)
    seen.add(world.state_hash())
    lifetime.frames = 9
    seen.add(world.state_hash())
    assert len(seen) == 3
    character_of(world)._set_memory(MEMORY)
    assert world.state_hash() in seen


def test_what_a_character_remembers_is_restored_with_the_number_of_steps_N1():
    world = a_world()
    for _ in range(4):
        world.step_movement(1 / 60)
    character_of(world)._set_memory(MEMORY)
    data = world.snapshot()
    other = a_world()
    other.restore(data)
    assert other.snapshot() == data
    mine, theirs = character_of(world), character_of(other)
    assert mine._memory() == theirs._memory() == MEMORY
    assert theirs.frames_since_landed == mine.frames_since_landed == 1


def test_a_lifetime_that_was_assigned_is_in_the_snapshot_N1():
    world = a_world()
    lifetime = world._bodies.of(world._bodies.row(3)).lifetime
    assert lifetime is not None
    data = world.snapshot()
    lifetime.frames = 7
    changed = world.snapshot()
    assert changed != data
    world.restore(data)
    assert lifetime.frames == 50
    world.restore(changed)
    assert lifetime.frames == 7


def test_a_world_without_these_components_has_no_section_N1():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), motion=Motion(1), velocity=Velocity())
    before = world.snapshot(), world.state_hash()
    world._step.bodies.dirty_transforms.step_number = 9
    assert (world.snapshot(), world.state_hash()) == before
    assert MovementCounts(0, 0, 0).hashed_size == MovementCounts(0, 0, 0).unhashed_size == 0


def progress(**more: Any) -> Progress:
    """Return a progress in the middle of a line."""
    return Progress((0, 0, 0), (65536, 0, 0), 1, 1, 2**40)._replace(**more)


def memory(at: int, value: object) -> tuple[Any, ...]:
    """Return a memory with another value."""
    return (*MEMORY[:at], value, *MEMORY[at + 1 :])


FORGED: dict[str, tuple[Callable[[SavedMovement], SavedMovement], str]] = {
    "direction": (lambda s: s._replace(progress=[progress(direction=0), None]), "no such line"),
    "target": (lambda s: s._replace(progress=[progress(target=-1), None]), "no such line"),
    "start": (lambda s: s._replace(progress=[progress(start=(2**60, 0, 0)), None]), "leads too far"),
    "along": (lambda s: s._replace(progress=[progress(along=2**80), None]), "beyond the end"),
    "before": (lambda s: s._replace(progress=[progress(along=-1), None]), "beyond the end"),
    "frames": (lambda s: s._replace(frames=[0, 1]), "a lifetime is out of range"),
    "steps": (lambda s: s._replace(step_number=-1, memories=[memory(6, -1)]), "its number of steps is out of range"),
    "floor": (lambda s: s._replace(memories=[memory(5, -2)]), "no possible floor"),
    "landed": (lambda s: s._replace(memories=[memory(6, 99)]), "in a step to come"),
    "left": (lambda s: s._replace(memories=[memory(7, -2)]), "in a step to come"),
    "asked": (lambda s: s._replace(memories=[memory(8, 99)]), "a jump is asked for in a step to come"),
    "normal": (lambda s: s._replace(memories=[memory(9, (1.0, 1.0, 0.0))]), "another length"),
    "velocity": (lambda s: s._replace(memories=[memory(10, (float("nan"), 0.0, 0.0))]), "impossible speed"),
    "speed": (lambda s: s._replace(memories=[memory(11, -1.0)]), "impossible speed"),
    "wall": (lambda s: s._replace(memories=[memory(12, -2)]), "no possible wall"),
    "at no wall": (lambda s: s._replace(memories=[memory(1, False)]), "no possible wall"),
    "wall without normal": (lambda s: s._replace(memories=[memory(13, None)]), "at a wall has no normal"),
    "normal of wall": (lambda s: s._replace(memories=[memory(13, (1.0, 1.0, 0.0))]), "normal of a wall has another"),
    "kept": (lambda s: s._replace(memories=[memory(14, (math.inf, 0.0, 0.0))]), "impossible speed"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_states_are_refused_N1(name: str):
    forge, message = FORGED[name]
    world = a_world()
    for _ in range(9):
        world.step_movement(1 / 60)
    character_of(world)._set_memory(MEMORY)
    before = world.snapshot()
    saved = world._get_snapshots()._movement()
    blocks, forged = split(before), forge(saved)
    hashed = blocks.hashed.removesuffix(hashed_bytes(saved)) + hashed_bytes(forged)
    unhashed = blocks.unhashed.removesuffix(unhashed_bytes(saved)) + unhashed_bytes(forged)
    with pytest.raises(SnapshotError, match=message):
        world.restore(blocks._replace(hashed=hashed, unhashed=unhashed).joined())
    world.check()
    assert world.snapshot() == before


@pytest.mark.parametrize(
    "bytes_of_first_path", [struct.pack("<9qqQ", 0, 1, *(0,) * 9), struct.pack("<9qqQ", 2, *(0,) * 10)]
)
def test_a_path_that_has_not_begun_has_no_place_N1(bytes_of_first_path: bytes):
    world = a_world()
    blocks, saved = split(world.snapshot()), world._get_snapshots()._movement()
    section = hashed_bytes(saved)
    forged = bytes_of_first_path + section[len(bytes_of_first_path) :]
    with pytest.raises(SnapshotError, match="no such line"):
        world.restore(blocks._replace(hashed=blocks.hashed.removesuffix(section) + forged).joined())


@pytest.mark.parametrize(("at", "message"), [(56, "a character in the air has a floor"), (112, "at no wall")])
def test_a_normal_without_its_flag_is_refused_N1(at: int, message: str):
    world = a_world()
    blocks, saved = split(world.snapshot()), world._get_snapshots()._movement()
    section = unhashed_bytes(saved)
    forged = section[:at] + struct.pack("<d", 1.0) + section[at + 8 :]
    with pytest.raises(SnapshotError, match=message):
        world.restore(blocks._replace(unhashed=blocks.unhashed.removesuffix(section) + forged).joined())
