"""The queries of `space`: results, filters, refused arguments, and the cells (rules B3, B6, B7, L4, L5)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from ecs_collision import (
    BoxCollider,
    CastHit,
    Cell,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    Sleeping,
    Static,
    Transform,
    Trigger,
    UnknownEntity,
)
from ecs_collision.components import Box
from ecs_collision.fixed_point import from_units
from ecs_collision.query import Space
from ecs_collision.query.arguments import BoxLike, faces_of_box


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
    "frustum": (lambda space: space.frustum([(1, 0, -19), (-1, 0.5, 22)]), [1, 2]),
    "cells": (lambda space: {space.cell(key).lo[0] for key in space.cells}, {19.0, 20.0}),
    "regions": (
        lambda space: {space.cell(key).lo[0] for region in space.regions() for key in region.cells},
        {19.0, 20.0},
    ),
}


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
    assert world.space.cast(mover, (2.9375, 0)) is None
    assert world.space.cast(mover, (1e9, 0)) == CastHit(near, 3 / 1e9, 3.0, (-1, 0, 0), (4, 0, 0))


def test_a_diagonal_cast_meets_the_face_it_reaches_first() -> None:
    world = CollisionWorld()
    put(world, 4, 3.5, 0.5, 0.5)
    found = world.space.cast(((0, 0), (1, 1)), (4, 4))
    assert found == CastHit(1, 0.625, 0.625 * math.sqrt(32), (-1, 0, 0), (3.5, 3.25, 0))
    assert world.space.cast(((0, 0), (1, 1)), (4, -4)) is None


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


def test_of_two_bodies_met_together_the_lowest_id_is_returned() -> None:
    world = CollisionWorld()
    for entity, y in ((9, -0.5), (4, 0.5), (6, 0)):
        world.add(entity, transform=Transform(5, y), collider=BoxCollider(0.5, 0.5))
    assert world.space.cast(((0, -1), (1, 1)), (9, 0)) == CastHit(4, 3.5 / 9, 3.5, (-1, 0, 0), (4.5, 0.5, 0))


def test_a_compound_is_cast_with_all_its_boxes() -> None:
    world = CollisionWorld()
    shape = CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(0, 3, 0))])
    mover = world.add(transform=Transform(0, 0), collider=shape)
    put(world, 6, 0)
    high = put(world, 4, 3)
    assert world.space.cast(mover, (10, 0)) == CastHit(high, 0.3, 3.0, (-1, 0, 0), (3.5, 3, 0))


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


# Refused arguments.


@pytest.mark.parametrize(
    ("box", "error", "words"),
    [
        (((0, 0), (math.nan, 1)), CollisionValueError, "hi.x of the box is nan"),
        (((0, -math.inf), (1, 1)), CollisionValueError, "lo.y of the box is -inf; give a finite number"),
        (((0, 0), (1, -1)), CollisionValueError, "ends before it begins: lo.y is 0.0, hi.y -1.0; swap them"),
        (((0, 0), (1, 1, 1)), CollisionTypeError, "pair .lo, hi. of corners of 2 or 3 numbers"),
        ((0, 0, 1, 1), CollisionTypeError, "give for example"),
        (((0,), (1,)), CollisionTypeError, "give for example"),
        (None, CollisionTypeError, "give for example"),
        (True, CollisionTypeError, "give for example"),
        (((0, "1"), (1, 1)), CollisionTypeError, "lo.y of the box must be a number, not '1'"),
    ],
)
def test_a_bad_box_is_refused_by_name(row: CollisionWorld, box: Any, error: type[Exception], words: str) -> None:
    for question in (row.space.overlapping, row.space.touching, lambda box: row.space.cast(box, (1, 0))):
        with pytest.raises(error, match=words):
            question(box)


class Rect(NamedTuple):
    """Four sides, as `pygame.Rect` has them."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass
class Position:
    """A component of a game."""

    x: float
    y: float


def test_a_box_is_a_pair_of_points_a_rectangle_or_a_box_with_its_position(row: CollisionWorld) -> None:
    boxes: list[BoxLike] = [
        ((0.0, -0.5), (1.0, 0.5)),
        ([0.0, -0.5], [1.0, 0.5]),
        (Position(0.0, -0.5), Position(1.0, 0.5)),
        (Transform(0.0, -0.5, -0.5), Transform(1.0, 0.5, 0.5)),
        Rect(0.0, -0.5, 1.0, 0.5),
        Rect(0.0, 0.5, 1.0, -0.5),
        (Box(0.5, 0.5), (0.5, 0.0)),
        (Box(0.5, 0.5), Position(0.5, 0.0)),
        (Box(0.5, 0.5, offset=(0.25, 0.5)), (0.25, -0.5, 0.0)),
    ]
    for box in boxes:
        assert [1, 4] == row.space.overlapping(box), box
        assert [2] == row.space.touching(box), box
        assert CastHit(1, 0.0, 0.0, (0, 0, 0), (0.5, 0, 0)) == row.space.cast(box, (1.0, 0.0)), box
        assert CastHit(2, 0.0, 0.0, (-1, 0, 0), (1, 0, 0)) == row.space.cast(box, Position(1, 0), ignore=[1, 4]), box


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


def test_a_point_may_be_given_whole(row: CollisionWorld) -> None:
    for point in ((0.25, 0), [0.25, 0.0, 0.0], Position(0.25, 0), Transform(0.25, 0)):
        assert [1] == row.space.at(point), point  # type: ignore[arg-type]
    assert [] == row.space.at(Position(0.25, 0), z=7.0)
    with pytest.raises(CollisionTypeError, match=r"has a z of its own, and z=7.0 was given; give one"):
        row.space.at((0.25, 0.0, 0.0), z=7.0)
    with pytest.raises(CollisionTypeError, match="y of the point must be a number, not None"):
        row.space.at(0.25)


def test_a_collider_box_without_a_position_is_refused_with_the_remedy(row: CollisionWorld) -> None:
    given: Any = Box(1, 1)
    for query in (row.space.overlapping, row.space.touching, lambda box: row.space.cast(box, (1, 0))):
        with pytest.raises(CollisionTypeError, match=r"has no position; give a pair of both, such as \(Box\("):
            query(given)
    with pytest.raises(CollisionTypeError, match=r"the position of Box\(.*\) must be 2 or 3 numbers, or have x and y"):
        row.space.overlapping((Box(1, 1), Rect(0, 0, 1, 1)))
    with pytest.raises(CollisionValueError, match="bottom of the box is nan"):
        row.space.overlapping(Rect(0, 0, 1, math.nan))


def test_an_unknown_entity_is_refused(row: CollisionWorld) -> None:
    for question in (row.space.overlapping, row.space.touching, lambda id: row.space.cast(id, (1, 0))):
        with pytest.raises(UnknownEntity, match="77"):
            question(77)


def test_invalid_points_and_displacements_are_refused_by_name(row: CollisionWorld) -> None:
    with pytest.raises(CollisionValueError, match="y of the point is nan"):
        row.space.at(0, math.nan)
    with pytest.raises(CollisionValueError, match=r"displacement.x is inf"):
        row.space.cast(1, (math.inf, 0))
    with pytest.raises(CollisionTypeError, match="displacement must be"):
        row.space.cast(1, 3)  # type: ignore[arg-type]
