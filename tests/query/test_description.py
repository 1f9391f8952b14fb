"""`space.describe()`: the broad phase of a world, and how large its two indexes are."""

from __future__ import annotations

from ecs_collision import BoxCollider, CollisionWorld, Static, Transform
from ecs_collision.broadphase import BruteForce, Buckets


def world_of(count: int, statics: int = 0, **settings: object) -> CollisionWorld:
    world = CollisionWorld(**settings)  # type: ignore[arg-type]
    for at in range(count + statics):
        world.add(
            transform=Transform(4 * at + 0.5, 0.5),
            collider=BoxCollider(0.25, 0.25),
            static=Static() if at >= count else None,
        )
    return world


def test_it_counts_the_boxes_that_may_move_and_the_statics_apart():
    description = world_of(3, 2).space.describe()
    assert description.broad_phase == Buckets()
    assert (description.dynamic.boxes, description.static.boxes) == (3, 2)
    assert (description.dynamic.nodes, description.dynamic.entries, description.dynamic.depth) == (3, 3, 1)


def test_each_box_has_one_entry_and_each_size_of_cells_counts_as_depth():
    world = world_of(0)
    world.add(transform=Transform(0, 0.5), collider=BoxCollider(0.25, 0.25))
    world.add(transform=Transform(20, 8.5), collider=BoxCollider(3, 3))
    size = world.space.describe().dynamic
    assert (size.boxes, size.entries, size.nodes, size.depth) == (2, 2, 2, 2)


def test_it_sees_pending_changes_and_an_empty_world():
    world = world_of(0)
    assert world.space.describe().dynamic.boxes == 0
    assert "0 boxes" in str(world.space.describe())
    entity = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))
    world._bodies.of(world._bodies.row(entity)).collider.enabled = False  # type: ignore[union-attr]
    assert world.space.describe().dynamic.boxes == 0


def test_the_text_has_every_number():
    description = world_of(2, 1, broad_phase=BruteForce()).space.describe()
    text = str(description)
    for size in (description.dynamic, description.static):
        for number in (size.boxes, size.entries, size.nodes, size.depth, size.bytes):
            assert str(number) in text
    assert text.startswith("BruteForce()")


def test_the_bytes_grow_with_the_boxes():
    few, many = (world_of(count).space.describe().dynamic.bytes for count in (10, 1000))
    assert 64 * 10 < few < many
