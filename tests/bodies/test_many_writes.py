"""Writes of many bodies at once, while arrays grow and rows are reused (P12, E6)."""

from __future__ import annotations

import random

import esper
import pytest
from squares import a_square, a_world_with, text_of
from worlds import a_box, a_zone, next_frame, part

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    InvalidChanges,
    Static,
    Transform,
)
from ecs_collision.components import Parts

# -- many rows ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000, 5000])
def test_all_bodies_can_be_written_while_arrays_grow(count):
    """Half of the bodies are written before the others are added, so the arrays grow with writes in them."""
    world, transforms = CollisionWorld(), []
    for number in range(count):
        transforms.append(Transform(number * 2, 0, number % 3))
        world._stage(number + 1, _parts(transforms[-1]))
        if number == count // 2:
            world.apply_changes()
            for transform in transforms:
                transform.y = transform.x
    world.apply_changes()
    for transform in transforms[1::2]:
        transform.position = (-transform.x, 5)
    half = count // 2 + 1
    expected = [(-2.0 * n, 5, n % 3) if n % 2 else (2.0 * n, 2.0 * n if n < half else 0, n % 3) for n in range(count)]
    assert expected == [transform.position for transform in transforms]
    for number in {0, count // 2, count - 1, *random.Random(count).sample(range(count), min(count, 40))}:
        assert [number + 1] == world.space.at(*expected[number])
    # write all, with one out of range: all are refused; then correct it
    transforms[-1].x = 9e6
    for transform in transforms[:-1]:
        transform.z = 4
    text_of(world.apply_changes, InvalidChanges)
    transforms[-1].position = (expected[-1][0], expected[-1][1], 4)
    world.step()
    assert [(x, y, 4) for x, y, _ in expected] == [transform.position for transform in transforms]
    if count < 2000:
        world.check()


def _parts(transform: Transform) -> Parts:
    return Parts(transform, a_square(0.5), None, None, None, None, None)


@pytest.mark.parametrize("seed", range(4))
def test_deleting_moved_bodies_keeps_the_contacts_of_the_others_right(system, seed):
    """Some moved bodies are deleted before the frame, in any order, and others are added."""
    dice = random.Random(seed)
    zone = a_zone(0, hx=1, hy=1)
    bodies = [a_box(10 + number) for number in range(30)]
    esper.process()
    inside: set[int] = set()
    for _ in range(20):
        moved = dice.sample(bodies, 12)
        for entity in moved:
            part(entity, Transform).position = (0, 0) if dice.random() < 0.5 else (20, 0)
        system.space.at(0, 0)
        for entity in dice.sample(moved, 6):
            esper.delete_entity(entity, immediate=True)
            bodies.remove(entity)
            if dice.random() < 0.5:
                system.space.at(0, 0)
            bodies.append(a_box(dice.choice([0, 20])))
        now = {entity for entity in bodies if part(entity, Transform).x == 0}
        left = [("left", zone, entity, "MOVED" if entity in bodies else "DELETED") for entity in sorted(inside - now)]
        assert next_frame(system) == [*left, *(("entered", zone, entity) for entity in sorted(now - inside))]
        assert sorted(now) == system.inside(zone)
        inside = now
    system.check()


# -- writes of other components ---------------------------------------------------------------------------------------

CHANGES = {
    "Transform.x": (lambda p: setattr(p[Transform], "x", 3), (3, 0)),
    "BoxCollider.hx": (lambda p: setattr(p[BoxCollider], "hx", 3), (2.5, 0)),
    "BoxCollider.hy": (lambda p: setattr(p[BoxCollider], "hy", 3), (0, 2.5)),
    "BoxCollider.offset": (lambda p: setattr(p[BoxCollider], "offset", (3, 0)), (3, 0)),
    "CompoundCollider.parts": (lambda p: setattr(p[CompoundCollider], "parts", [Box(0.5, 0.5, offset=(3, 0))]), (3, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("write", "found"), CHANGES.values(), ids=CHANGES)
def test_a_query_sees_a_write_at_once_T8(write, found):
    collider = CompoundCollider([Box(0.5, 0.5)]) if "Compound" in str(write.__code__.co_names) else a_square()
    parts = {Transform: Transform(0, 0), type(collider): collider}
    world = CollisionWorld()
    entity = world.add(transform=parts[Transform], collider=collider)
    assert [] == world.space.at(*found)
    write(parts)
    assert [entity] == world.space.at(*found)
    world.check()


def test_only_a_written_static_body_counts_as_a_change_of_statics_B6():
    walls, crates = [Transform(0, 0), Transform(5, 0)], [Transform(0, 9), Transform(5, 9)]
    world = CollisionWorld()
    for transform in walls:
        world.add(transform=transform, collider=a_square(), static=Static())
    for transform in crates:
        world.add(transform=transform, collider=a_square())
    world.step()
    for written, changes in ((crates, 0), (walls, 2), (walls[:1], 1), ([*walls, *crates], 2)):
        for transform in written:
            transform.x += 0.25
        assert changes == world.step().stats.static_changes
        assert len(written) == world.stats.moved
    world.check()


def test_a_body_that_leaves_the_plane_and_returns_is_always_found_L5():
    """The index equals that of a new world at every height (B5)."""
    transform, other = Transform(0, 0), Transform(0.5, 0)
    world = a_world_with(transform, other)
    for z, met in ((0.0, True), (0.5, True), (1.0, False), (70.0, False), (-0.25, True), (0.0, True)):
        for write in (lambda z=z: setattr(transform, "z", z), lambda z=z: world.set_positions([1], [(0, 0, z)])):
            write()
            assert ([(1, 2)] if met else []) == world.space.pairs()
            assert [1] == world.space.overlapping(((-0.25, 0, z), (-0.25, 0, z)))
            new = a_world_with(transform.copy(), other.copy())
            assert list(new.space.cells) == list(world.space.cells)
            world.check()
            transform.z = 0 if met else 9


def test_a_system_applies_writes_of_its_bodies_only(system: CollisionSystem):
    lone = esper.create_entity(Transform(0, 0))
    crate = a_box(5)
    esper.process()
    part(lone, Transform).x = 5e9
    assert next_frame(system) == []
    esper.add_component(lone, a_square())
    assert f"entity {lone}: Transform.x is 5000000000.0" in text_of(esper.process, InvalidChanges)
    esper.remove_component(lone, BoxCollider)
    assert next_frame(system) == []
    assert [crate] == system.space.at(5, 0)
