"""Characters on slopes, steps and ledges: games against an expectation (rule M4)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from movement_games import COLLIDERS, UNIT, Actor, Game, standing

from ecs_collision import Inertia

SHAPES = pytest.mark.parametrize("collider", COLLIDERS)
ANGLES = pytest.mark.parametrize("degrees", [10, 30, 44])


def _on_slope(degrees: float, collider: str, at: float, **options: Any) -> tuple[Game, Actor]:
    """Return a game in which a character has come to rest on a slope, `at` units along it."""
    game = Game()
    game.slope(degrees, length=24)
    angle = math.radians(degrees)
    actor = game.actor(at * math.cos(angle), -at * math.sin(angle) - 1.25, collider, **options)
    game.run(40)
    assert actor.character.on_floor
    return game, actor


@SHAPES
@ANGLES
def test_a_character_that_lands_on_a_slope_stays_there_M4(degrees, collider):
    game, actor = _on_slope(degrees, collider, 6)
    place, angle = actor.at, math.radians(degrees)
    assert actor.character.floor_normal == pytest.approx((-math.sin(angle), -math.cos(angle), 0), abs=1e-6)
    assert place[0] == pytest.approx(6 * math.cos(angle), abs=4 * UNIT), "it lands where it falls"
    for _ in game.steps(100):
        assert place == actor.at
        assert (True, False, 0) == (actor.character.on_floor, actor.character.on_wall, actor.velocity.y)
    assert game.world.stats.moved == 0


@SHAPES
@ANGLES
@pytest.mark.parametrize("speed", [4, -4])
def test_a_character_walks_a_slope_at_constant_speed_M4(degrees, collider, speed):
    game, actor = _on_slope(degrees, collider, 12)
    actor.walk = speed
    angle, start = math.radians(degrees), actor.at
    for step in game.steps(100):
        assert (True, False) == (actor.character.on_floor, actor.character.on_wall)
        way = speed * step / 64
        expected = (start[0] + way * math.cos(angle), start[1] - way * math.sin(angle))
        assert actor.at == pytest.approx(expected, abs=0.001), step
    actor.walk = actor.velocity.x = 0
    game.step()
    place = actor.at
    game.run(30)
    assert place == actor.at


@SHAPES
@pytest.mark.parametrize("degrees", [50, 60, 80])
def test_a_character_slides_down_what_is_too_steep_M4(degrees, collider):
    game = Game()
    angle = math.radians(degrees)
    game.slope(degrees, length=24)
    away = (-math.sin(angle) * 0.75, -math.cos(angle) * 0.75)
    actor = game.actor(12 * math.cos(angle) + away[0], -12 * math.sin(angle) + away[1], collider)
    before = actor.at
    for _ in game.steps(40):
        assert not actor.character.on_floor
        assert before[0] >= actor.at[0]
        assert before[1] < actor.at[1]
        before = actor.at
    assert actor.transform.x < 12 * math.cos(angle) - 0.5
    assert actor.character.on_wall


@SHAPES
@pytest.mark.parametrize("step_height", [0.0, 0.25])
@pytest.mark.parametrize("degrees", [50, 60, 80])
def test_what_is_too_steep_cannot_be_climbed_M4(degrees, step_height, collider):
    """A step height is for ledges: a steep slope has no edge with a floor behind it."""
    game = Game()
    game.floor()
    game.slope(degrees)
    actor = game.actor(-2, -0.5, collider, step_height=step_height)
    game.step()
    actor.walk = 6
    game.run(20)
    for _ in game.steps(100):
        assert actor.transform.y > -0.55
    assert actor.character.on_wall


@SHAPES
@pytest.mark.parametrize(("max_slope", "climbs"), [(31, True), (29, False)])
def test_max_slope_decides_M4(collider, max_slope, climbs):
    game = Game()
    game.floor()
    game.slope(30)
    actor = game.actor(-1.5, -0.5, collider, max_slope=math.radians(max_slope))
    game.step()
    actor.walk = 4
    game.run(64)
    assert climbs == (actor.transform.y < -0.9)
    assert climbs == (not actor.character.on_wall)


@SHAPES
@ANGLES
def test_a_character_goes_through_a_valley_M4(degrees, collider):
    """Down, over the bottom and up again without a stop or a jump."""
    game = Game()
    game.slope(degrees, left=True)
    game.slope(degrees)
    angle = math.radians(degrees)
    actor = game.actor(-4 * math.cos(angle), -4 * math.sin(angle) - 1.5, collider)
    game.run(40)
    start = actor.at
    actor.walk = 4
    before = start
    for _ in game.steps(128):
        assert (True, False) == (actor.character.on_floor, actor.character.on_wall)
        assert actor.at[0] > before[0]
        assert math.dist(before, actor.at) <= 1 / 16 + 0.001, "never faster than it walks"
        before = actor.at
    assert actor.at[0] == pytest.approx(-start[0], abs=0.9), "8 units of walking, less what the bottom cuts off"


@SHAPES
@ANGLES
def test_a_character_keeps_to_the_floor_over_a_hilltop_M4(degrees, collider):
    game = Game()
    angle = math.radians(degrees)
    game.slope(degrees, x=-12 * math.cos(angle), y=12 * math.sin(angle))
    game.slope(degrees, x=12 * math.cos(angle), y=12 * math.sin(angle), left=True)
    actor = game.actor(-4 * math.cos(angle), 4 * math.sin(angle) - 1.5, collider)
    game.run(40)
    start = actor.at
    actor.walk = 4
    for _ in game.steps(128):
        assert actor.character.on_floor
        assert not actor.character.on_wall
    assert actor.at[0] == pytest.approx(-start[0], abs=0.6)
    assert actor.at[1] == pytest.approx(start[1], abs=0.6)


@SHAPES
def test_a_character_with_snap_0_flies_over_a_hilltop_M4(collider):
    game = Game()
    angle = math.radians(30)
    game.slope(30, x=-12 * math.cos(angle), y=12 * math.sin(angle))
    game.slope(30, x=12 * math.cos(angle), y=12 * math.sin(angle), left=True)
    actor = game.actor(-1, 0.5 - 1.5, collider, snap=0)
    game.run(40)
    assert actor.character.on_floor
    actor.walk = 8
    assert not all(actor.character.on_floor for _ in game.steps(40))


@SHAPES
@ANGLES
def test_a_character_walks_from_the_ground_onto_a_slope_and_back_M4(degrees, collider):
    game = Game()
    game.floor()
    game.slope(degrees)
    actor = game.actor(-2, -0.5, collider)
    game.step()
    for walk in (4, -4):
        actor.walk = walk
        before = actor.at
        for step in game.steps(96):
            assert (True, False) == (actor.character.on_floor, actor.character.on_wall), (walk, step)
            assert 0.02 < math.dist(before, actor.at) <= 1 / 16 + 0.001
            before = actor.at
    assert actor.at == pytest.approx((-2, -0.5), abs=0.1)


@ANGLES
def test_a_jump_from_a_slope_is_as_high_as_from_the_ground_M4(degrees):
    game, actor = _on_slope(degrees, "box", 8)
    before = actor.transform.y
    actor.character.jump(8)
    heights = [before - actor.transform.y for _ in game.steps(40)]
    assert max(heights) == 1
    assert actor.character.on_floor
    assert actor.transform.y == before


# Ledges.


@SHAPES
@pytest.mark.parametrize(("ledge", "goes"), [(0.25, True), (0.25 + 2 * UNIT, False), (0.125, True), (0.5, False)])
def test_a_ledge_of_step_height_is_stepped_up_and_no_higher_M4(collider, ledge, goes):
    game, actor = standing(collider, step_height=0.25)
    game.box(2, -ledge, 4, ledge)
    actor.walk = 4
    game.run(64)
    if goes:
        assert actor.transform.y == -0.5 - ledge
        assert actor.transform.x == pytest.approx(4, abs=0.13)
        assert (True, False) == (actor.character.on_floor, actor.character.on_wall)
    else:
        assert actor.transform.y == -0.5 or collider != "box"
        assert actor.transform.x < 2
        assert actor.character.on_floor
        assert actor.character.on_wall


def test_without_step_height_the_lowest_ledge_of_a_box_stops_M4():
    game, actor = standing("box")
    game.box(2, -2 * UNIT, 4, 2 * UNIT)
    actor.walk = 4
    game.run(64)
    assert actor.at == (2 - 0.375, -0.5)


def test_a_step_costs_no_speed_M4():
    game, actor = standing(step_height=0.25)
    game.box(2, -0.25, 4, 0.25)
    actor.walk = 4
    for step in game.steps(64):
        assert actor.at == (step / 16, -0.5 if step <= 26 else -0.75)
        assert (4, 0) == (actor.velocity.x, actor.velocity.y)
        assert (True, False) == (actor.character.on_floor, actor.character.just_landed)


@pytest.mark.parametrize(("ceiling", "goes"), [(1.25, True), (1.25 - UNIT, False)])
def test_there_is_no_step_up_under_a_low_ceiling_M4(ceiling, goes):
    game, actor = standing(step_height=0.25)
    game.box(2, -0.25, 4, 0.25)
    game.box(1.9375, -ceiling - 1, 4, 1)
    actor.walk = 4
    game.run(64)
    assert actor.at == ((4, -0.75) if goes else (2 - 0.375, -0.5))
    assert goes != actor.character.on_wall


def test_there_is_no_step_up_into_a_second_wall_behind_the_edge_M4():
    game, actor = standing(step_height=0.25)
    game.box(2, -0.25, 4, 0.25)
    game.box(2, -2, 4, 1.75)
    actor.walk = 4
    for _ in game.steps(64):
        assert actor.transform.y == -0.5
    assert actor.at == (2 - 0.375, -0.5)
    assert actor.character.on_wall


@SHAPES
def test_a_character_walks_stairs_up_and_down_M4(collider):
    game, actor = standing(collider, step_height=0.25)
    for number in range(8):
        game.box(2 + number, -0.25 * (number + 1), 10, 0.25)
    actor.walk = 4
    highest = actor.transform.y
    for _ in game.steps(160):
        assert (True, False) == (actor.character.on_floor, actor.character.on_wall)
        assert actor.transform.y <= highest
        highest = actor.transform.y
    assert actor.transform.y == -2.5
    assert actor.transform.x == pytest.approx(10, abs=0.6)
    actor.walk = -4
    for step in game.steps(176):
        assert actor.character.on_floor, step
        assert not actor.character.on_wall
    assert actor.transform.y == -0.5


def test_a_box_with_step_height_goes_stairs_exactly_M4():
    game, actor = standing(step_height=0.25)
    for number in range(8):
        game.box(2 + number, -0.25 * (number + 1), 10, 0.25)
    actor.walk = 4
    for step in game.steps(160):
        front = step / 16 + 0.375
        stairs = max(0, min(8, math.ceil(front - 2)))
        assert actor.at == (step / 16, -0.5 - 0.25 * stairs)


def test_a_character_does_not_step_up_in_the_air_or_after_a_jump_M4():
    game, actor = standing(step_height=0.25)
    game.box(1, -0.25, 4, 0.25)
    actor.character.jump(2)  # 1/16 high
    actor.walk = 4
    for _ in game.steps(7):
        assert not actor.character.on_floor
        assert actor.transform.x <= 0.625


def test_a_crate_of_step_height_is_pushed_or_stepped_on_M4():
    """A light crate is pushed; a heavy one of step height is a ledge."""
    for inertia, expected in ((1.0, (4, -0.5)), (9.0, (4, -0.75))):
        game, actor = standing(step_height=0.25)
        crate = game.box(2, -0.25, 4, 0.25, inertia=Inertia(inertia))
        actor.walk = 4
        game.run(64)
        assert actor.at == expected
        assert (game.at(crate)[0] > 4) == (inertia < 5)


def test_snap_draws_down_to_ledges_up_to_its_height_M4():
    for drop, snaps in ((0.25, True), (0.25 + 1 / 64, False)):
        game = Game()
        game.floor(-20, 0)
        game.floor(-20, 50, y=drop)
        actor = game.actor(-0.5, -0.5, snap=0.25)
        game.step()
        actor.walk = 4
        floors = [actor.character.on_floor for _ in game.steps(14)]
        assert floors == [True] * 13 + [snaps]
        assert actor.transform.y == (-0.25 if snaps else -0.5 + 1 / 256)
