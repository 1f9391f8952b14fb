"""Steps of movement of bodies with a Mover: the velocity follows what their line met (rules M1, M9 and M10)."""

from __future__ import annotations

from typing import Any

import pytest
from movement_games import UNIT, Game

from ecs_collision import BoxCollider, Character, Crossed, Motion, Mover, SphereCollider, Transform, Velocity


def _bullet(game: Game, x: float, y: float, speed: tuple[float, float], half: float = 0.25, **parts: Any) -> Any:
    velocity = Velocity(*speed)
    parts.setdefault("mover", Mover("stop", straight=True, gravity=0))
    parts.setdefault("collider", BoxCollider(half, half))
    entity = game.world.add(transform=Transform(x, y), motion=Motion(force=5), velocity=velocity, **parts)
    return entity, velocity


@pytest.mark.parametrize("offset, end", [(0, 19.5), (1, 9.5)])
def test_a_bullet_passes_a_gap_one_unit_wider_and_stops_at_an_edge_M10(offset, end):
    game = Game()
    half = 0.5
    game.box(10, -5.5 - UNIT, 1, 5)
    game.box(10, 0.5, 1, 5)
    game.box(20, -5, 1, 10)
    bullet, velocity = _bullet(game, 0, offset * UNIT, (640, 0), half)
    game.run(1)
    assert game.at(bullet)[:2] == ((10.0, 0.0) if offset == 0 else (end, UNIT))
    game.run(3)
    assert game.at(bullet)[:2] == (end, offset * UNIT)
    assert (velocity.x, velocity.y) == (0, 0)


@pytest.mark.parametrize("shape", ["box", "ball"])
def test_a_ball_between_walls_keeps_its_energy_for_a_thousand_steps_M9(shape):
    game = Game()
    game.box(-6, -5, 1, 10)
    game.box(5, -5, 1, 10)
    collider = BoxCollider(0.5, 0.5) if shape == "box" else SphereCollider(0.5)
    mover = Mover("bounce", straight=True, gravity=0)
    ball, velocity = _bullet(game, 0, 0, (100, 0), collider=collider, mover=mover)
    turns, before = 0, velocity.x
    for _ in game.steps(1000):
        assert abs(velocity.x) == 100
        assert abs(game.at(ball)[0]) <= 4.5
        turns, before = turns + (velocity.x != before), velocity.x
    assert abs(turns - 1000 * 100 / 64 / 9) <= 1
    assert velocity.y == game.at(ball)[1] == 0


@pytest.mark.parametrize("straight", [True, False])
def test_each_bounce_keeps_the_share_of_the_restitution_M9(straight):
    game = Game()
    game.box(-6, -5, 1, 10)
    game.box(5, -5, 1, 10)
    mover = Mover("bounce", straight=straight, restitution=0.5, gravity=0)
    _, velocity = _bullet(game, 0, 0, (64, 0), mover=mover)
    speeds = [velocity.x]
    for _ in game.steps(150):
        if velocity.x != speeds[-1]:
            speeds.append(velocity.x)
    assert speeds[:4] == [64, -32, 16, -8]


@pytest.mark.parametrize("response, after", [("stop", (0, 0)), ("push", (0, 0)), ("slide", (0, 64))])
def test_a_stop_ends_the_velocity_and_a_slide_only_its_part_into_the_wall_M9(response, after):
    game = Game()
    game.box(2, -20, 1, 40)
    mover = Mover(response, straight=True, gravity=0)
    bullet, velocity = _bullet(game, 0, 0, (128, 64), mover=mover)
    game.run(2)
    assert game.at(bullet)[0] == 1.75
    assert (velocity.x, velocity.y) == after


def test_a_character_crosses_ghosts_and_stands_on_the_floor_M9():
    game = Game()
    game.floor()
    ghost = game.crate(2, -1, layer="ghost")
    crate = game.crate(6, -1)
    hero = game.actor(0, -0.5, mover=Mover(responses={"ghost": "cross"}))
    hero.walk, crossed = 8.0, []
    for _ in game.steps(64):
        crossed += [(event.entity, event.other) for event in game.events if isinstance(event, Crossed)]
    assert crossed == [(hero.entity, ghost)]
    assert game.at(ghost)[0] == 2.5
    assert game.at(crate)[0] == hero.at[0] + 0.875 > 6.5
    assert hero.character.on_floor
    assert hero.at[1] == -0.5


@pytest.mark.parametrize("response", ["stop", "slide", "bounce"])
def test_a_character_does_not_push_what_it_slides_along_M9(response):
    game = Game()
    game.floor()
    crate = game.crate(2, -1, layer="glass")
    hero = game.actor(0, -0.5, mover=Mover(responses={"glass": response}))
    hero.walk = 8.0
    game.run(32)
    assert game.at(crate)[0] == 2.5
    assert hero.at == (1.625, -0.5)


def test_a_straight_character_moves_as_a_plain_mover_M10():
    game = Game()
    game.crate(2, -0.5)
    hero = Character()
    velocity = Velocity(128, 0)
    mover = Mover(straight=True, gravity=0)
    entity = game.world.add(
        transform=Transform(0, 0),
        collider=BoxCollider(0.5, 0.5),
        motion=Motion(force=5),
        velocity=velocity,
        character=hero,
        mover=mover,
    )
    game.run(2)
    assert game.at(entity)[:2] == (1.5, 0)
    assert velocity.x == 0
