"""`ramp`: where its surface is, and characters that walk on and off it without a stop (rule M4)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from movement_games import COLLIDERS, UNIT, Game

from ecs_collision import CollisionTypeError, CollisionValueError, Static, ramp

RISES = [(4, 1), (2, 1), (3, 2), (3, 2.9), (5.3, 1.7), (7, 0.1), (0.9, 0.7), (2, 0.3)]
"""Lengths and heights of ramps, some of them off the lattice."""


def corners(of: tuple[Any, Any]) -> list[tuple[float, float]]:
    """Return the two corners of the surface of a ramp that rises to the right or to the left, the left one first."""
    at, box = of
    x, y = math.cos(at.angle), math.sin(at.angle)
    return [(at.x + sign * box.hx * x + box.hy * y, at.y + sign * box.hx * y - box.hy * x) for sign in (-1, 1)]


@pytest.mark.parametrize("length, height", RISES)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_surface_of_a_ramp_leads_from_point_to_point_less_a_few_units(length, height, sign):
    start, end = (0.5, 7.25), (0.5 + sign * length, 7.25 - height)
    made = ramp(start, end)
    for found, point, to in zip(corners(made), sorted([start, end]), (1, -1), strict=True):
        assert found == pytest.approx(point, abs=3 * UNIT)
        x, y, sine, cosine = found[0] - point[0], found[1] - point[1], math.sin(made[0].angle), math.cos(made[0].angle)
        assert x * sine - y * cosine <= 1e-9, "it is not above the point"
        assert to * (x * cosine + y * sine) >= -1e-9, "it is not beyond the point"
    assert (made[1].hy, made[1].hz) == (pytest.approx(0.5, abs=2 * UNIT), 0.5)
    other = ramp(end, start)
    assert (made[0].position, made[1].hx) == (other[0].position, other[1].hx)


@pytest.mark.parametrize(
    "up, below", [("up", (2, 1.25)), ("down", (2, 0.75)), ((-1, 0), (2.25, 1)), ("right", (1.75, 1))]
)
def test_a_ramp_lies_on_the_side_away_from_up(up, below):
    at, box = ramp((1, 2), (3, 0), 0.5, up)
    assert (at.x - 2) * (below[0] - 2) >= 0 and (at.y - 1) * (below[1] - 1) >= 0
    assert math.hypot(at.x - 2, at.y - 1) == pytest.approx(0.25, abs=2 * UNIT) == box.hy


def test_a_level_ramp_is_exact():
    at, box = ramp((1, 2), (4, 2), 0.5)
    assert (at.position, at.angle, box.hx, box.hy) == ((2.5, 2.25, 0.0), 0.0, 1.5, 0.25)


@pytest.mark.parametrize(
    ("joined", "shift", "sign"),
    [
        ("beside", 0.0, 1),
        ("sunk", 0.3, -1),
        *(
            pytest.param(*each, marks=pytest.mark.soak)
            for each in (("beside", 0.0, -1), ("sunk", 0.3, 1), ("beside", 0.3, 1), ("sunk", 0.0, -1))
        ),
    ],
)
@pytest.mark.parametrize("collider", COLLIDERS)
@pytest.mark.parametrize("length, height", RISES)
def test_a_character_walks_over_a_ramp_without_a_stop(collider, length, height, joined, shift, sign):
    """It walks up from one floor to another that is higher, and down again."""
    game, bottom, top = Game(), 8.0, round((8.0 - height) / UNIT) * UNIT
    ends = sorted([shift, shift + sign * round(length / UNIT) * UNIT])
    low, high = (bottom, top) if sign > 0 else (top, bottom)
    under = 3.0 if joined == "sunk" else 0.0
    game.floor(ends[0] - 9, ends[0] + (under if sign > 0 else 0), low)
    game.floor(ends[1] - (under if sign < 0 else 0), ends[1] + 9, high)
    made = ramp((ends[0], low), (ends[1], high))
    game.world.add(transform=made[0], collider=made[1], static=Static())
    actor = game.actor(ends[0] - 2, low - 0.5, collider)
    game.run(3)
    for speed, goal in ((4, ends[1] + 2), (-4, ends[0] - 2)):
        actor.walk, steps = speed, 0
        while (goal - actor.at[0]) * speed > 0:
            before = actor.at
            game.step()
            way = math.hypot(actor.at[0] - before[0], actor.at[1] - before[1])
            assert (actor.character.on_floor, actor.character.on_wall) == (True, False), actor.at
            assert way > 0.6 * 4 / 64, (actor.at, way)
            steps += 1
            assert steps < 400


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (((1, 2), (1, 5)), "give two points in the plane, one not straight above the other"),
        (((1, 2), (1, 2)), r"cannot lead from \(1.0, 2.0, 0.0\) to \(1.0, 2.0, 0.0\)"),
        (((1, 2), (3, 2), 1, "left"), r"up=\(-1.0, 0.0, 0.0\)"),
        (((1, 2), (3, 2), 1, (0, 0, 1)), "in the plane"),
        (((1, 2), (3, 4, 1)), "in the plane"),
        (((1, 2), (3, 4), 0), "thickness of ramp"),
        (((1, 2), (3, 4), float("inf")), "thickness of ramp"),
        (((1, 2), (3, 4), 1, "north"), "up of ramp"),
        (((1, 2), (3, float("nan"))), r"end of ramp\(\) y"),
        (((1, 2, 3, 4), (3, 3)), "start of ramp"),
    ],
)
def test_a_ramp_that_cannot_be_is_refused_with_what_to_give(arguments, problem):
    with pytest.raises(CollisionValueError, match=problem):
        ramp(*arguments)


def test_arguments_of_other_kinds_are_refused():
    with pytest.raises(CollisionTypeError, match=r"write ramp\(\(x, y\), \(x, y\), thickness=1.0\)"):
        ramp((1, 2))
    with pytest.raises(CollisionTypeError, match="end of ramp"):
        ramp((1, 2), 3)
