"""The queries of `space`: results, filters, refused arguments, and the cells (rules B3, B6, B7, L4, L5)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from ecs_collision import (
    BoxCollider,
    CastHit,
    Cell,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.components import Box
from ecs_collision.fixed_point import from_units
from ecs_collision.query import Space
from ecs_collision.query.arguments import faces_of_box


def put(world: CollisionWorld, x: float, y: float, hx: float = 0.5, hy: float = 0.5, **more: Any) -> int:
    layer = more.pop("layer", "default")
    return world.add(transform=Transform(x, y), collider=BoxCollider(hx, hy, layer=layer), **more)


@pytest.fixture
def row() -> CollisionWorld:
    """Return boxes on x: 1 at 0..1, 2 (static) at 1..2, 3 (trigger) at 1.5..2.5, 4 (layer "ghost") at 0.5..1.5."""
    world = CollisionWorld()
    put(world, 0.5, 0)
    put(world, 1.5, 0, static=Static())
    put(world, 2, 0, trigger=Trigger())
    put(world, 1, 0, layer="ghost")
    return world


def test_a_body_is_left_out_of_its_own_result(row: CollisionWorld) -> None:
    assert row.space.overlapping(1) == [4]
    assert row.space.touching(1) == [2]
    assert row.space.overlapping(3) == [2]
    assert row.space.overlapping(((0, -0.5), (1, 0.5))) == [1, 4]


def test_triggers_are_included_only_on_request(row: CollisionWorld) -> None:
    assert row.space.overlapping(2) == [4]
    assert row.space.overlapping(2, triggers=True) == [3, 4]
    assert row.space.at(2.25, 0) == []
    assert row.space.at(2.25, 0, triggers=True) == [3]
    assert row.space.touching(4, triggers=True) == [3]


def test_wide_bodies_a_whole_range_apart_along_z_are_found_B2() -> None:
    world, far = CollisionWorld(bin_size=2.0**16), -(2.0**36) + 2.0**20
    body = world.add(transform=Transform(0, 0, 0), collider=BoxCollider(2.0**15, 2.0**17))
    world.add(transform=Transform(0, 2.0**18, far), collider=BoxCollider(2.0**15, 2.0**17))
    assert [body] == world.space.overlapping(((0, 0), (1, 1)))


def test_a_face_is_outside_and_an_edge_does_not_touch() -> None:
    world = CollisionWorld()
    put(world, 0.5, 0.5)
    assert world.space.at(0, 0.5) == []
    assert world.space.at(0.5, 0.5) == [1]
    assert world.space.at(0.5, 0.5, 0.5) == []
    assert world.space.touching(((1, 0), (2, 1))) == [1]
    assert world.space.touching(((1, 1), (2, 2))) == []
    assert world.space.overlapping(((1, 0), (2, 1))) == []
    assert world.space.touching(((0, 0, 0.5), (1, 1, 2))) == [1]


def test_a_query_box_rounds_inward() -> None:
    world = CollisionWorld()
    put(world, 0.5, 0)
    assert world.space.overlapping(((1 - 1e-9, -1), (2, 1))) == []
    assert world.space.touching(((1 - 1e-9, -1), (2, 1))) == [1]
    assert world.space.overlapping(((0.5, 0.1), (0.5 + 1e-9, 0.1))) == [1], "too thin for the lattice: a point"


QUERIES: dict[str, tuple[Callable[[Space], object], object]] = {
    "overlapping": (lambda space: space.overlapping(((19, -1), (21, 1))), [1, 2]),
    "touching": (lambda space: space.touching(((20.5, 0), (21, 1))), [1]),
    "at": (lambda space: space.at(20, 0), [1, 2]),
    "pairs": (lambda space: space.pairs(), [(1, 2)]),
    "cast": (lambda space: space.cast(((22, 0), (23, 0.5)), (-9, 0)).entity, 1),  # type: ignore[union-attr]
    "ray": (lambda space: [hit.distance for hit in space.ray_all((0, 0), (1, 0))], [19.5, 19.75]),
    "many rays": (lambda space: space.ray_many([(0, 0)], [(1, 0)])[1].tolist(), [19.5]),
    "line of sight": (lambda space: (space.line_of_sight((0, 0), (9, 0)), space.line_of_sight((9, 0), (21, 0))),
        (True, False)),
    "nearest": (lambda space: [found.distance for found in space.nearest((0, 0), 2)], [19.5, 19.75]),
    "circle": (lambda space: (space.overlapping_circle((0, 0), 9), space.overlapping_circle((20, 0), 1)), ([], [1, 2])),
    "frustum": (lambda space: space.frustum([(1, 0, -19), (-1, 0.5, 22)]), [1, 2]),
    "cells": (lambda space: {space.cell(key).lo[0] for key in space.cells}, {19.0, 20.0}),
    "regions": (lambda space: {space.cell(key).lo[0] for region in space.regions() for key in region.cells},
        {19.0, 20.0}),
}  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), QUERIES.values(), ids=QUERIES)
def test_every_query_applies_pending_writes_first_T8(query: Callable[[Space], object], expected: object) -> None:
    world, place = CollisionWorld(), Transform(0, 0)
    world.add(transform=place, collider=BoxCollider(0.5, 0.5))
    put(world, 20, 0, 0.25)
    place.x = 20
    assert expected == query(world.space)


def test_disabled_bodies_and_pending_writes_are_seen_at_once() -> None:
    world = CollisionWorld()
    place, collider = Transform(0, 0), BoxCollider(0.5, 0.5)
    body = world.add(transform=place, collider=collider)
    place.x = 20
    assert (world.space.at(0, 0), world.space.at(20, 0)) == ([], [body])
    collider.enabled = False
    assert (world.space.at(20, 0), len(world.space.cells)) == ([], 0)
    assert (world.space.overlapping(body), world.space.cast(body, (1, 0))) == ([], None)


# Casts.


def test_a_cast_returns_the_first_body_and_its_distance() -> None:
    world = CollisionWorld()
    mover = put(world, 0.5, 0)
    put(world, 9.5, 0)
    near = put(world, 4.5, 0, static=Static())
    assert world.space.cast(mover, (8, 0)) == CastHit(near, 0.375, 3.0, (-1, 0, 0), (4, 0, 0))
    assert world.space.cast(mover, (-2, 0)) is None
    assert world.space.cast(((0, -0.5), (1, 0.5)), (3, 0), ignore=[mover]) == CastHit(
        near, 1.0, 3.0, (-1, 0, 0), (4, 0, 0)
    )
    assert world.space.cast(((4, -0.25, -5), (5, 0.25, -4)), (0, 0, 9)) == CastHit(
        near, 3.5 / 9, 3.5, (0, 0, -1), (4.5, 0, -0.5)
    )
    assert world.space.cast(mover, (2.9375, 0)) is None
    assert world.space.cast(mover, (1e9, 0)) == CastHit(near, 3 / 1e9, 3.0, (-1, 0, 0), (4, 0, 0))


def test_sliding_along_a_face_or_past_an_edge_meets_nothing() -> None:
    #  . 1 .
    #  a . .   a slides right under 1, or rises past its left face
    world = CollisionWorld()
    put(world, 1.5, 1.5)
    assert world.space.cast(((0, 0), (1, 1)), (5, 0)) is None
    assert world.space.cast(((0, 0), (1, 1)), (0, 5)) is None
    assert world.space.cast(((0, 0), (1, 1)), (1, 1)) == CastHit(1, 0.0, 0.0, (-1, 0, 0), (1, 1, 0)), (
        "into the corner it does meet"
    )
    assert world.space.cast(((0, 0), (1, 1)), (-1, -1)) is None, "and away from it not"


def test_a_body_that_overlaps_from_the_start_is_met_at_once() -> None:
    world = CollisionWorld()
    mover = put(world, 0, 0)
    other = put(world, 0.5, 0)
    touched = put(world, -1, 0)
    for way in ((1, 0), (-1, 0), (0, 0)):
        assert world.space.cast(mover, way) == CastHit(other, 0.0, 0.0, (0, 0, 0), (0.25, 0, 0))
    assert world.space.cast(mover, (-1, 0), ignore=(other,)) == CastHit(touched, 0.0, 0.0, (1, 0, 0), (-0.5, 0, 0))
    assert world.space.cast(mover, (0, 0), ignore=(other,)) is None


# Cells.


def test_a_cell_key_gives_level_and_corners() -> None:
    world = CollisionWorld(bin_size=2.0)
    put(world, 1, 1, 0.5, 0.5)
    assert [world.space.cell(key) for key in world.space.cells] == [Cell(0, (0.0, 0.0, -0.5), (2.0, 2.0, 1.5))]
    put(world, -3, -3, 2.5, 0.5, static=Static())
    cells = [world.space.cell(key) for key in world.space.static_cells]
    assert cells == [Cell(2, (-8.0, -8.0, -0.5), (0.0, 0.0, 7.5))]
    assert len(world.space.cells) == 1


def test_a_cell_contains_its_boxes() -> None:
    rng = random.Random(1)
    world = CollisionWorld()
    for _ in range(50):
        size = rng.choice((0.25, 0.5, 3, 40))
        world.add(
            transform=Transform(*(rng.randint(-800, 800) / 8 for _ in "xyz")),
            collider=BoxCollider(*(rng.randint(0, 8) / 8 * size for _ in "xyz")),
        )
    for key in world.space.cells:
        cell = world.space.cell(key)
        assert cell.hi[0] - cell.lo[0] == 2**cell.level
        assert {*world.space.overlapping((cell.lo, cell.hi)), *world.space.touching((cell.lo, cell.hi))}


@pytest.mark.parametrize("key", [-1, 1 << 69, 9, (1 << 5) | (31 - 1), 31 - 22])
def test_an_invalid_cell_key_is_refused(key: int) -> None:
    with pytest.raises(CollisionValueError, match=r"is not a cell key; take one from space.cells"):
        CollisionWorld().space.cell(key)


def test_regions_are_the_runs_of_asleep_and_awake_cells_in_the_order_of_cells() -> None:
    world = CollisionWorld()
    for x in range(8):
        put(world, x + 0.5, 0.5, 0.25, 0.25, sleeping=Sleeping(asleep=x not in (2, 3)))
    regions = list(world.space.regions())
    assert [key for region in regions for key in region.cells] == list(world.space.cells)
    assert [(region.asleep, len(region.cells)) for region in regions] == [(True, 2), (False, 2), (True, 4)]
    assert list(CollisionWorld().space.regions()) == []


def test_a_collider_box_at_a_position_is_as_wide_as_a_body_there_L1() -> None:
    world, chance, bodies = CollisionWorld(), random.Random(7), {}
    for _ in range(60):
        box = Box(chance.random(), chance.random(), chance.random(), offset=(chance.random(), 0.1, -0.2))
        place = (4 * chance.random(), 4 * chance.random(), chance.random())
        bodies[world.add(transform=Transform(*place), collider=CompoundCollider([box]))] = (box, place)
    for entity, box_at in bodies.items():
        assert world.space.overlapping(entity) == world.space.overlapping(box_at, ignore=[entity])
    edge = Box(0.3, 0.3)
    wall = world.add(transform=Transform(10.37, 0), collider=CompoundCollider([edge]))
    faces = faces_of_box((edge, (10.37, 0.0)))
    world.add(transform=Transform(from_units(faces[3]) + 1, 0), collider=BoxCollider(1, 1))
    assert world.space.touching(wall) == world.space.touching((edge, (10.37, 0)), ignore=[wall]) != []
