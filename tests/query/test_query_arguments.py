"""Arguments of queries: what may be given for points, boxes and directions, and the messages of refusals (L3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy
import pytest
from query_scenes import a_world

from ecs_collision import (
    Box,
    CastHit,
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Sphere,
    Transform,
    UnknownEntity,
)
from ecs_collision.query.arguments import BoxLike

NAN, INF, FAR = math.nan, math.inf, 2.0**37
TYPE, VALUE = CollisionTypeError, CollisionValueError
ORIGIN, RIGHT = (0, 0), (1, 0)
ONE, TWO = [ORIGIN], [ORIGIN, ORIGIN]


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


@pytest.fixture
def world() -> CollisionWorld:
    """Boxes from x 0 to 1 and from x 1 to 2, each a unit high."""
    return a_world(((0, 0), (1, 1)), ((1, 0), (2, 1)))


# What may be given.


def test_points_and_directions_may_be_anything_with_x_and_y(world: CollisionWorld) -> None:
    space = world.space
    expected = space.ray((-1, 0.5), RIGHT)
    assert expected is not None
    for point in ([-1, 0.5], (-1, 0.5, 0), numpy.array([-1, 0.5]), Position(-1, 0.5), Transform(-1, 0.5)):
        given: Any = point
        for way in ([1, 0], SimpleNamespace(x=1, y=0, z=0), numpy.array([1, 0])):
            assert expected == space.ray(given, way)  # type: ignore[arg-type]
        assert not space.line_of_sight(given, (3, 0.5)) and not space.line_of_sight((3, 0.5), given)
        assert (1.0, [1]) == (space.nearest(given)[0].distance, space.overlapping_circle(given, 1.5))
    for inside in ((0.5, 0.5), [0.5, 0.5, 0.0], Position(0.5, 0.5), Transform(0.5, 0.5)):
        given = inside
        assert [1] == space.at(given)
    assert [] == space.at(Position(0.5, 0.5), z=7.0)


def test_a_box_may_be_a_pair_of_any_points_a_rectangle_or_a_part_with_its_position(world: CollisionWorld) -> None:
    boxes: list[BoxLike] = [
        ((0.0, 0.0), (1.0, 1.0)),
        ([0.0, 0.0], [1.0, 1.0]),
        (Position(0.0, 0.0), Position(1.0, 1.0)),
        (Transform(0.0, 0.0, -0.5), Transform(1.0, 1.0, 0.5)),
        Rect(0.0, 0.0, 1.0, 1.0),
        Rect(0.0, 1.0, 1.0, 0.0),
        (Box(0.5, 0.5), (0.5, 0.5)),
        (Box(0.5, 0.5), Position(0.5, 0.5)),
        (Box(0.5, 0.5, offset=(0.25, 0.5)), (0.25, 0.0, 0.0)),
    ]
    for box in boxes:
        assert ([1], [2]) == (world.space.overlapping(box), world.space.touching(box)), box
        assert CastHit(1, 0.0, 0.0, (0, 0, 0), (0.5, 0.5, 0)) == world.space.cast(box, (1.0, 0.0)), box
        assert CastHit(2, 0.0, 0.0, (-1, 0, 0), (1, 0.5, 0)) == world.space.cast(box, Position(1, 0), ignore=[1]), box


# What is refused.

POINTS: dict[str, tuple[Any, type[CollisionError], str]] = {
    "nan": ((NAN, 0), VALUE, "{0}.x is nan; give a finite number"),
    "inf": ((0, -INF), VALUE, "{0}.y is -inf; give a finite number"),
    "far": ((0, 0, FAR), VALUE, "{0}.z is 137438953472.0, but it must be at most"),
    "text": ("ab", TYPE, "{0} must be an entity id, .* not 'ab'; give numbers"),
    "of one": ((1,), TYPE, r"{0} must be an entity id, .* not \(1,\); give numbers"),
    "of four": ((1,) * 4, TYPE, r"{0} must be an entity id, .* not \(1, 1, 1, 1\); give"),
    "None": (None, TYPE, "{0} must be an entity id, .* not None; give numbers"),
    "float": (1.5, TYPE, "{0} must be an entity id, .* not 1.5; give numbers"),
    "bool": (True, TYPE, "{0} must be an entity id, .* not True; give numbers"),
    "of texts": (("1", 0), TYPE, "{0}.x must be a number, not '1'; give"),
    "unknown": (77, UnknownEntity, "entity 77 is not a body of this world: it needs"),
}
"""A point, the error, and its words, in which {0} is the name of the argument."""

TAKING_POINTS: dict[str, tuple[str, Any]] = {
    "ray": ("origin", lambda space, point, **more: space.ray(point, RIGHT, **more)),
    "ray_all": ("origin", lambda space, point, **more: space.ray_all(point, RIGHT, **more)),
    "line_of_sight": ("a", lambda space, point, **more: space.line_of_sight(point, ORIGIN, **more)),
    "line_of_sight to": ("b", lambda space, point, **more: space.line_of_sight(ORIGIN, point, **more)),
    "nearest": ("point", lambda space, point, **more: space.nearest(point, **more)),
    "overlapping_circle": ("centre", lambda space, point, **more: space.overlapping_circle(point, 1, **more)),
}


@pytest.mark.parametrize(("name", "query"), TAKING_POINTS.values(), ids=TAKING_POINTS)
def test_a_bad_point_is_refused_by_name_and_changes_nothing_L3(world: CollisionWorld, name: str, query: Any) -> None:
    before = world.state_hash()
    for point, error, words in POINTS.values():
        for filters in ({}, {"where": bool}, {"layers": "default"}):
            with pytest.raises(error, match=words.format(name)) as caught:
                query(world.space, point, **filters)
            assert isinstance(caught.value, CollisionError)
    assert before == world.state_hash()


REFUSED: dict[str, list[tuple[Any, type[CollisionError], str]]] = {
    "ray": [
        ((ORIGIN, (0, NAN)), VALUE, "direction.y is nan; give a finite number"),
        ((ORIGIN, (INF, 0)), VALUE, "direction.x is inf; give a finite number"),
        ((ORIGIN, 1), TYPE, r"direction must be \(dx, dy\) or .* not 1; give numbers"),
        ((ORIGIN, (1, "0")), TYPE, "direction.y must be a number, not '0'; give"),
        ((ORIGIN, RIGHT, NAN), VALUE, "max_distance is nan; give"),
        ((ORIGIN, RIGHT, -0.5), VALUE, "max_distance is -0.5; give 0 or more"),
        ((ORIGIN, RIGHT, "9"), TYPE, "max_distance must be a number, not '9'; give"),
        ((ORIGIN, RIGHT, True), TYPE, "max_distance must be a number, not True; give"),
    ],
    "ray_many": [
        ((TWO, ONE), TYPE, r"origins has shape \(2, 2\) and directions \(1, 2\); give one"),
        ((ONE, [(0, 0, 0)]), TYPE, r"origins has shape \(1, 2\) and directions \(1, 3\); give one"),
        ((ORIGIN, RIGHT), TYPE, r"origins must be an array of numbers of shape \(m, 2\) or"),
        (([(0,) * 4],) * 2, TYPE, r"origins must be .* not \[\(0, 0, 0, 0\)\]"),
        ((ONE, [("a", "b")]), TYPE, "directions must be an array of numbers"),
        ((None, ONE), TYPE, "origins must be an array of numbers of shape .* not None"),
        (([(True, False)], ONE), TYPE, "origins must be an array of numbers"),
        ((numpy.ma.ones((1, 2)), ONE), TYPE, "origins must be .* not a masked one; give"),
        (([*ONE, (0, NAN)], TWO), VALUE, r"origins\[1\].y is nan; give a finite number"),
        (([*TWO, (FAR, 0)], ONE * 3), VALUE, r"origins\[2\].x is 137438953472.0, but it must"),
        ((TWO, [*ONE, (NAN, 0)]), VALUE, r"directions\[1\].x is nan; give a finite"),
        ((ONE, [(0, FAR)]), VALUE, r"directions\[0\].y is 137438953472.0, but it must be at"),
        ((TWO, TWO, [1, 2, 3]), TYPE, r"max_distance must be .* not \[1, 2, 3\]"),
        ((ONE, ONE, "9"), TYPE, "max_distance must be .* not '9'"),
        ((ONE, ONE, [True]), TYPE, r"max_distance must be .* not \[True\]"),
        ((ONE, ONE, numpy.ma.ones(1)), TYPE, "max_distance must be .* not a masked one; give"),
        ((ONE, ONE, NAN), VALUE, "max_distance.* is nan; give"),
        ((ONE * 3, ONE * 3, [1, -7, 3]), VALUE, r"max_distance\[1\] is -7.0; give 0 or"),
    ],
    "nearest": [
        ((ORIGIN, 0), VALUE, "k is 0, but it must be at least 1"),
        ((ORIGIN, 2.0), TYPE, "k must be a whole number, not 2.0; give"),
        ((ORIGIN, True), TYPE, "k must be a whole number, not True; give"),
        ((ORIGIN, INF), TYPE, "k must be a whole number, not inf; give"),
        ((ORIGIN, 1, NAN), VALUE, "max_distance is nan; give"),
        ((ORIGIN, 1, -1), VALUE, "max_distance is -1.*; give 0 or more"),
        ((ORIGIN, 1, None), TYPE, "max_distance must be a number, not None; give"),
    ],
    "overlapping_circle": [
        ((ORIGIN, NAN), VALUE, "radius is nan; give a finite number"),
        ((ORIGIN, INF), VALUE, "radius is inf; give a finite number"),
        ((ORIGIN, -0.5), VALUE, "radius is -0.5, but it must not be negative"),
        ((ORIGIN, FAR), VALUE, "radius is 137438953472.0, but it must be at most"),
        ((ORIGIN, "1"), TYPE, "radius must be a number, not '1'; give"),
    ],
    "frustum": [
        ((None,), TYPE, "planes must be .* not None; give a list of at least one"),
        (([],), TYPE, r"planes must be .* not \[\]; give a list of at least one"),
        (((1, 0, 0),), TYPE, r"but planes\[0\] is 1; give 3 numbers in 2D, 4 in"),
        (([(1, 0, 0), (1, 0)],), TYPE, r"but planes\[1\] is \(1, 0\); give 3 numbers in 2D, 4 in 3D"),
        (([(1, 0, 0), (0, 0.0, 5)],), VALUE, r"planes\[1\] has the normal 0, which has no direction; give one"),
        (([(1, NAN, 0)],), VALUE, r"planes\[0\].ny is nan; give a finite number"),
        (([(1, 1, 0, INF)],), VALUE, r"planes\[0\].d is inf; give a finite number"),
        (([(1, 1, FAR, 0)],), VALUE, r"planes\[0\].nz is 137438953472.0, but it must be at most"),
        (([(1, "1", 0)],), TYPE, r"planes\[0\].ny must be a number, not '1'; give"),
        ((numpy.ma.array([(1, 0, 0)]),), TYPE, "planes must be .* not a masked one"),
    ],
    "at": [
        ((0, NAN), VALUE, "y of the point is nan"),
        ((0.25,), TYPE, "y of the point must be a number, not None"),
    ],
    "cast": [
        ((1, (INF, 0)), VALUE, "displacement.x is inf"),
        ((1, 3), TYPE, "displacement must be"),
        ((Sphere(1), RIGHT), TYPE, r"Sphere\(1.0.*\) has no position; give"),
        (((Sphere(1), 5), RIGHT), TYPE, r"the position of Sphere\(1.0.*\) must be 2 or 3 numbers"),
    ],
}


@pytest.mark.parametrize("query", REFUSED)
def test_bad_arguments_are_refused_by_name_and_change_nothing_L3(world: CollisionWorld, query: str) -> None:
    before = world.state_hash()
    for args, error, words in REFUSED[query]:
        for filters in ({}, {"where": bool}, {"layers": "default"}):
            with pytest.raises(error, match=words) as caught:
                getattr(world.space, query)(*args, **filters)
            assert isinstance(caught.value, CollisionError)
    assert before == world.state_hash()


BOXES: list[tuple[Any, type[Exception], str]] = [
    (((0, 0), (NAN, 1)), VALUE, "hi.x of the box is nan"),
    (((0, -INF), (1, 1)), VALUE, "lo.y of the box is -inf; give a finite number"),
    (((0, 0), (1, -1)), VALUE, "ends before it begins: lo.y is 0.0, hi.y -1.0; swap them"),
    (((0, 0), (1, 1, 1)), TYPE, "pair .lo, hi. of corners of 2 or 3 numbers"),
    ((0, 0, 1, 1), TYPE, "give for example"),
    (((0,), (1,)), TYPE, "give for example"),
    (True, TYPE, "give for example"),
    (((0, "1"), (1, 1)), TYPE, "lo.y of the box must be a number, not '1'"),
    (Rect(0, 0, 1, NAN), VALUE, "bottom of the box is nan"),
    (Box(1, 1), TYPE, r"has no position; give a pair of both, such as \(Box\("),
    ((Box(1, 1), Rect(0, 0, 1, 1)), TYPE, r"the position of Box\(.*\) must be 2 or 3 numbers, or have x and y"),
    (77, UnknownEntity, "77"),
]


def test_a_bad_box_is_refused_by_name_L3(world: CollisionWorld) -> None:
    for query in (world.space.overlapping, world.space.touching, lambda box: world.space.cast(box, RIGHT)):
        for box, error, words in BOXES:
            with pytest.raises(error, match=words):
                query(box)


def test_a_z_that_is_given_twice_is_refused(world: CollisionWorld) -> None:
    with pytest.raises(CollisionTypeError, match=r"has a z of its own, and z=7.0 was given; give one"):
        world.space.at((0.25, 0.0, 0.0), z=7.0)
