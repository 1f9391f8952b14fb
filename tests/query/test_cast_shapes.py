"""The first body on the way of a shape of any kind (rule H8)."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CastHit,
    CollisionWorld,
    CompoundCollider,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Transform,
    Trigger,
)
from ecs_collision.query.arguments import part_of
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import placed
from ecs_collision.shapes.ray_entry import INSIDE

EIGHTH = math.pi / 4
ROOT = math.sqrt(0.5)


def body(world, x, y, collider, rotation=None, **more):
    return world.add(transform=Transform(x, y, rotation=rotation), collider=collider, **more)


def test_a_bullet_hits_the_true_shape_H8():
    world = CollisionWorld()
    ball = body(world, 10, 0, SphereCollider(2))
    space = world.space
    assert CastHit(ball, 0.375, 7.5, (-1.0, 0.0, 0.0), (8.0, 0.0, 0.0)) == space.cast((Sphere(0.5), (0, 0)), (20, 0))
    assert CastHit(ball, 0.375, 7.5, (-1.0, 0.0, 0.0), (8.0, 0.0, 0.0)) == space.cast((Box(0.5, 0.5), (0, 0)), (20, 0))
    corner = space.cast((Sphere(0.5), (0, 2.2)), (20, 0))
    assert 10 - math.sqrt(2.5**2 - 2.2**2) == pytest.approx(corner.distance, abs=1e-4)
    assert (-math.sqrt(2.5**2 - 2.2**2) / 2.5, 0.88, 0.0) == pytest.approx(corner.normal, abs=1e-4)
    assert space.cast((Sphere(0.5), (0, 2.5)), (20, 0)) is None  # touching it in passing
    assert space.cast((Sphere(0.5), (0, 2.25)), (20, 0)) is not None


BALL, BAR = SphereCollider(1), CapsuleCollider(0.5, 2, "x")


@pytest.mark.parametrize(
    "part, start, way, wall, rotation, point",
    [
        pytest.param(Box(1, 1), (0, 0), (9, 0), BoxCollider(1, 3), None, (4, 0), id="middle-of-the-common-area"),
        pytest.param(Box(1, 1), (0, 1.5), (9, 0), BoxCollider(1, 1), None, (4, 0.75), id="half-beside"),
        pytest.param(Box(1, 1), (3.5, 1.5), (9, 0), BoxCollider(1, 1), None, (4.25, 0.75), id="in-the-overlap"),
        pytest.param(Box(1, 1), (0, 0), (9, 0), BALL, None, (4, 0), id="box-and-ball"),
        pytest.param(Sphere(1), (0, 0), (9, 0), BALL, None, (4, 0), id="balls"),
        pytest.param(Sphere(1), (3.5, 0), (9, 0), BALL, None, (4.25, 0), id="balls-that-overlap"),
        pytest.param(Sphere(1), (0, 1), (9, 0), BoxCollider(1, 3), None, (4, 1), id="ball-and-face"),
        pytest.param(Sphere(1), (2, -9), (0, 9), BAR, None, (3 - 1 / 3, -math.sqrt(5) / 6), id="end-of-a-bar"),
        pytest.param(Capsule(0.5, 3, "x"), (2, -9), (0, 9), BAR, None, (4, -0.5), id="bars-side-by-side"),
        pytest.param(
            OrientedBox(1, 1, rotation=EIGHTH), (0, 0.5), (9, 0), BoxCollider(1, 3), None, (4, 0.5), id="corner"
        ),
        pytest.param(
            OrientedBox(1, 1),
            (0, 0.5),
            (9, 0),
            OrientedBoxCollider(2, 2),
            EIGHTH,
            (5 - 4 * ROOT, 0),
            id="corner-of-the-other",
        ),
        pytest.param(OrientedBox(1, 3, rotation=EIGHTH), (0, 0), (9, 0), BALL, None, None, id="face-and-ball"),
        pytest.param(Capsule(1, 2, "x", (0, 0), EIGHTH), (0, 2), (9, 0), BAR, EIGHTH, None, id="leaning-bars"),
        pytest.param(OrientedBox(1, 3, rotation=1.0), (0, 0), (9, 0), OrientedBoxCollider(1, 1), 1.0, None, id="faces"),
    ],
)
def test_the_point_is_where_the_parts_touch_H8(part, start, way, wall, rotation, point):
    world = CollisionWorld()
    met = world.add(transform=Transform(5, 0, rotation=rotation), collider=wall.copy())
    hit = world.space.cast((part, start), way)
    if point is not None:
        assert (*point, 0.0) == pytest.approx(hit.point, abs=1e-4)
    if hit.fraction:
        mover = CollisionWorld()
        there = [at + hit.fraction * step for at, step in zip(start, way, strict=True)]
        mover.add(transform=Transform(*there), collider=CompoundCollider([part]))
        inside, outside = (
            [at + way * each for at, each in zip(hit.point, hit.normal, strict=True)] for way in (-1e-3, 1e-3)
        )
        assert ([met], []) == (world.space.at(*inside), world.space.at(*outside))
        assert ([], [1]) == (mover.space.at(*inside), mover.space.at(*outside))


def test_an_entity_is_cast_with_all_its_parts_as_it_is_turned():
    world = CollisionWorld()
    parts = [Box(0.25, 0.25), Sphere(0.5, (0, 2))]
    hammer = body(world, 0, 0, CompoundCollider(parts), trigger=Trigger())
    wall = body(world, 4, 2, BoxCollider(0.5, 0.5))
    assert CastHit(wall, 0.375, 3.0, (-1.0, 0.0, 0.0), (3.5, 2.0, 0.0)) == world.space.cast(hammer, (8, 0))
    rod = body(world, 0, 5, CapsuleCollider(0.5, 2), math.pi / 2, trigger=Trigger())
    peg = body(world, 6, 5, SphereCollider(0.5))
    assert CastHit(peg, 0.375, 3.0, (-1.0, 0.0, 0.0), (5.5, 5.0, 0.0)) == world.space.cast(rod, (8, 0))
    assert world.space.cast((Sphere(0.5), (6, -5)), (0, 20)).entity == peg
    assert world.space.cast((Sphere(0.5), (6, -5)), (0, 20), ignore=[peg]) is None


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_point_that_reaches_the_edge_of_a_plate_does_not_meet_it_H8(mirrored: bool):
    world = CollisionWorld()
    world.add(transform=Transform(1, 2 if mirrored else 0), collider=BoxCollider(0, 1))
    assert world.space.cast(((0, 0, 0), (0, 0, 0)), (2, 2, 0)) is None
    assert world.space.cast(((0, 0, 0), (0, 0, 0)), (2, 2.5 if mirrored else 1.5, 0)) is not None


def test_what_is_met_first_is_the_body_with_the_lowest_id_among_equals():
    world = CollisionWorld()
    first = body(world, 4, -0.5, SphereCollider(0.5))
    body(world, 4, 0.5, SphereCollider(0.5))
    assert first == world.space.cast((Box(0.5, 1), (0, 0)), (8, 0)).entity


SHAPES = [
    lambda: (Box(1, 0.5), None),
    lambda: (Sphere(0.75), None),
    lambda: (Capsule(0.25, 1, "x"), None),
    lambda: (Capsule(0.5, 1), 0.5),
    lambda: (OrientedBox(1, 0.5), EIGHTH),
    lambda: (OrientedBox(0.5, 0.25), 2.0),
]


def turned(part, rotation):
    if rotation is None:
        return part
    fields = [part.radius, part.half_length, part.axis] if isinstance(part, Capsule) else [part.hx, part.hy, part.hz]
    return type(part)(*fields, rotation=rotation)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_body_on_the_way_is_the_one_that_is_met_first(seed):
    """Compared with all bodies one by one: none is lost between the sections of the way."""
    rng = random.Random(seed)
    met = 0
    for _ in range(12):
        world = CollisionWorld(bin_size=rng.choice([0.5, 1.0]))
        there = {}
        for _ in range(rng.randrange(5, 30)):
            shape, rotation = rng.choice(SHAPES)()
            x, y = rng.randrange(-60, 60) / 2, rng.randrange(-60, 60) / 2
            collider = CompoundCollider([turned(shape, rotation)])
            there[body(world, x, y, collider, trigger=Trigger())] = turned(shape, rotation), (x, y)
        for _ in range(10):
            shape, start = turned(*rng.choice(SHAPES[1:])()), (rng.randrange(-60, 60) / 2, rng.randrange(-60, 60) / 2)
            steps = (rng.randrange(-90, 90) / 2, rng.randrange(-90, 90) / 2)
            units = (round(steps[0] * 65536), round(steps[1] * 65536), 0)
            expected = []
            for entity, (other, place) in there.items():
                if isinstance(other, Box):
                    other = OrientedBox(other.hx, other.hy)
                a, b = placed(part_of((shape, start))), placed(part_of((other, place)))
                if a.radius + b.radius == 0 and not (a.is_turned or b.is_turned):
                    continue
                found = meeting(a, units, b)
                if found is not None:
                    expected.append((Fraction(0) if found[0] == INSIDE else Fraction(*found[0]), entity, found[1]))
            hit = world.space.cast((shape, start), steps, triggers=True)
            if not expected:
                assert hit is None
                continue
            when, entity, normal = min(expected)
            assert (float(when), entity, normal) == (hit.fraction, hit.entity, hit.normal)
            met += 1
    assert met > 20
