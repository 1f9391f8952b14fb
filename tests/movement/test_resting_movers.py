"""Movers that lie or stand still: no event, no result, and the same steps after a restore (rules M1 and N1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from movement_games import G, Game

from ecs_collision import (
    Blocked,
    BoxCollider,
    Carries,
    CollisionWorld,
    FellAsleep,
    Motion,
    Mover,
    OneWay,
    Path,
    Sleeping,
    Static,
    Transform,
    Velocity,
)


def _mover(game: Game, x: float, y: float, *speed: float, **parts: Any) -> int:
    """Add a body of 1 x 1 with a velocity by its low corner."""
    return game.box(x, y, 1, 1, **{"motion": Motion(force=5), "velocity": Velocity(*speed), **parts})


def _on(x: float, **parts: Any) -> Callable[[Game], object]:
    """Return a call that adds a platform with a mover and a character over it, which fall onto it."""

    def add(game: Game) -> None:
        game.box(x - 2, 0, 4, 1, **{name: part.copy() for name, part in parts.items()})
        _mover(game, x - 1.5, -2.5)
        game.actor(x + 1, -1.75)

    return add


def _lift(game: Game) -> None:
    path = Path([(0, 0.5), (0, 4), (3, 4)], 2, loop="back")
    game.box(-2, 0, 4, 1, motion=Motion(9), path=path, carries=Carries("up"))
    _mover(game, -1.5, -2.5)
    game.actor(1, -1.5)


def _beside_a_wall(game: Game) -> None:
    game.floor()
    game.box(3, -5, 1, 5)
    _mover(game, 1.75, -1, 4)
    game.actor(2.5, -3, velocity=Velocity(4, 0))


def _without_gravity(game: Game) -> None:
    game.floor()
    _mover(game, 0, -1, 0, 2, mover=Mover(gravity=0))
    game.actor(3, -0.5, mover=Mover(gravity=0), velocity=Velocity(0, 2))


def _bullet(game: Game) -> None:
    game.floor()
    _mover(game, 0, -2, 0, 1, mover=Mover("stop", straight=True))


PLACES: dict[str, Callable[[Game], object]] = {
    "floor": _on(0),
    "platform that is passed from below": _on(0, static=Static(), one_way=OneWay("up")),
    "belt that stands still": _on(0, static=Static(), velocity=Velocity()),
    "belt": _on(0, static=Static(), velocity=Velocity(0.5, 0)),
    "lift": _lift,
    "wall": _beside_a_wall,
    "no gravity": _without_gravity,
    "bullet": _bullet,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "sequential": {},
    "front_first": {"order": "front_first"},
    "add": {"forces": "add"},
    "hook": {"can_push": lambda *_: None},
}


def _a_game(place: str, setting: str) -> Game:
    game = Game(world=CollisionWorld(**SETTINGS[setting]))
    PLACES[place](game)
    return game


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("place", PLACES)
def test_the_steps_after_a_restore_and_another_mover_give_the_same_events_M1_N1(place, setting):
    game, other, crowded = (_a_game(place, setting) for _ in range(3))
    for each in (game, crowded):
        each.run(40)
    other.world.restore(game.world.snapshot())
    stranger = _mover(crowded, 500, 0, mover=Mover(gravity=0))
    for step in range(1, 30):
        if step == 9:
            crowded.world.remove(stranger)
        for each in (game, other, crowded):
            each.step()
        assert game.events == other.events == crowded.events, step
        assert game.world.results == other.world.results == crowded.world.results
        assert game.world.snapshot() == other.world.snapshot()


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("place", ["floor", "platform that is passed from below", "belt that stands still"])
def test_who_comes_to_lie_there_is_blocked_once_M1(place, setting):
    game = _a_game(place, setting)
    blocked = []
    for _ in game.steps(40):
        blocked += [event for event in game.events if isinstance(event, Blocked) and event.direction[1] > 0]
    assert len(blocked) == len({event.entity for event in blocked}) == 2
    assert (game.events, dict(game.world.results)) == ([], {})
    game.gravity = (0.0, G / 2)
    game.step()
    assert (game.events, dict(game.world.results)) == ([], {})


def test_who_is_pressed_into_a_corner_by_gravity_alone_is_silent_M1():
    game = Game(gravity=(G, G))
    game.floor()
    game.box(2, -3, 1, 3)
    _mover(game, 1, -1)
    game.step()
    assert game.events == []


def test_a_jump_against_a_ceiling_and_a_way_into_a_wall_are_no_rest_M1():
    game = Game()
    game.floor()
    game.box(-2, -2, 4, 1)
    game.box(0.375, -1, 1, 1)
    actor = game.actor(0, -0.5)
    game.run(5)
    actor.character.jump(8)
    game.step()
    assert [event.direction for event in game.events if isinstance(event, Blocked)] == [(0, -1, 0)]
    game.run(5)
    actor.velocity.x = 4
    game.step()
    assert [event.direction for event in game.events if isinstance(event, Blocked)] == [(1, 0, 0)]
    assert game.world.results[actor.entity].blocked


def test_a_wall_is_met_only_while_a_character_goes_into_it_M3():
    game = Game()
    game.floor()
    game.box(0.375, -2, 1, 2)
    actor = game.actor(0, -0.5)
    actor.walk = 4
    game.run(3)
    assert actor.character.on_wall
    actor.walk = 0
    game.run(3)
    assert (True, False) == (actor.character.on_floor, actor.character.on_wall)


@pytest.mark.parametrize(("gravity", "gone", "falls"), [((G, 0), "wall", True), ((0, 0), "floor", False)])
def test_a_character_at_rest_sees_what_holds_it_go_M1(gravity, gone, falls):
    game = Game()
    game.gravity = (0, G)
    held = {"floor": game.floor(), "wall": game.box(0.375, -2, 1, 2)}
    actor = game.actor(0, -0.5)
    game.run(3)
    game.gravity = gravity
    game.run(3)
    assert actor.character.on_floor
    game.world.remove(held[gone])
    game.run(2)
    assert falls == (actor.transform.x > 0)
    assert actor.character.on_floor == (gone == "wall")


def test_a_step_too_short_to_fall_a_unit_goes_on_as_after_a_restore_M1_N1():
    games = [_a_game("floor", "sequential") for _ in range(2)]
    games[0].run(60)
    games[1].world.restore(games[0].world.snapshot())
    for rate in (5000, 5000, 5000, 64, 64, 5000, 64):
        for game in games:
            game.rate = rate
            game.step()
        assert games[0].events == games[1].events
        assert games[0].world.snapshot() == games[1].world.snapshot()


def test_a_body_that_lies_there_falls_asleep_in_the_same_frame_after_a_restore_M1_S2():
    games = []
    for _ in range(2):
        game = Game()
        game.floor()
        game.world.add(
            transform=Transform(0, -0.5), collider=BoxCollider(0.5, 0.5), motion=Motion(1), velocity=Velocity(),
            sleeping=Sleeping(after=8),
        )  # fmt: skip
        games.append(game)
    games[0].run(5)
    games[1].world.restore(games[0].world.snapshot())
    slept = []
    for _ in range(9):
        for game in games:
            game.step()
        assert games[0].events == games[1].events
        assert games[0].world.snapshot() == games[1].world.snapshot()
        slept += [event for event in games[0].events if isinstance(event, FellAsleep)]
    assert len(slept) == 1
