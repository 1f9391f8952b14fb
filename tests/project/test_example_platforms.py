"""The games of examples/platformer.py and examples/shooter.py, played without a window by scripted input."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

import esper
import pytest

from ecs_collision import Character, Transform
from ecs_collision.testing.worlds import isolated


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for name in ("SDL_VIDEODRIVER", "SDL_AUDIODRIVER"):
        monkeypatch.setenv(name, "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame = importlib.import_module("pygame")
    pygame.display.init()
    pygame.font.init()
    with isolated():
        yield pygame
    pygame.quit()


def game_of(name: str) -> Any:
    return importlib.import_module(f"examples.{name}").Game()


def place(game: Any) -> tuple[float, float]:
    """Return the position of the hero, rounded to hundredths."""
    at = esper.component_for_entity(game.hero, Transform)
    return round(at.x, 2), round(at.y, 2)


def run(game: Any, steps: int, dx: int = 0, dy: int = 0, rate: int = 60, **first: Any) -> tuple[float, float]:
    """Hold keys for some steps, and press others in the first frame of them; returns where the hero is."""
    end = game.system.stats.frame + steps
    while game.system.stats.frame < end:
        game.update(1 / rate, dx, dy, **first)
        first = {}
    assert game.system.stats.frame == end
    return place(game)


def run_at(rate: int, game: Any, steps: int, dx: int = 0, dy: int = 0, **first: Any) -> tuple[float, float]:
    """Return what `run` does with that many frames in a second."""
    return run(game, steps, dx, dy, rate, **first)


def looking(game: Any, color: str) -> list[int]:
    """Return the entities that are drawn in a colour and still exist."""
    return [each for each, look in game.looks.items() if look == color and esper.entity_exists(each)]


RATES = pytest.mark.parametrize("rate", [30, 60, 144, 240, 1000])
"""Frames in a second: with 30 each runs two steps, so all lengths in the scripts are even; with 1000 few run one."""


@RATES
def test_the_platformer_is_played_to_its_flag(pygame: ModuleType, rate: int):
    game, run = game_of("platformer"), partial(run_at, rate)
    hero = esper.component_for_entity(game.hero, Character)
    ((crate,), (lift,)) = (looking(game, color) for color in ("#b0703c", "#68a096"))
    crate_at, lift_at, hero_at = (esper.component_for_entity(each, Transform) for each in (crate, lift, game.hero))
    assert run(game, 30) == (1.5, 10.56)
    assert run(game, 20, -1) == (0.38, 10.56) and hero.on_wall  # the bounds of the world
    assert run(game, 42, 1)[1] < 9.8 and hero.on_floor and hero.floor_normal[0] < -0.4  # up the ramp
    assert run(game, 40, 1, jump=True)[1] == 7.56 and game.coins == 1  # through the platform and on to it
    assert run(game, 50, 0, 1)[1] == 10.56  # down through it
    assert run(game, 96, 1)[1] == 10.31  # up the steps without a jump
    assert run(game, 40, 1, jump=True)[0] > 21 and game.falls == 0  # over the lava
    run(game, 30)
    run(game, 16, 1, jump=True)
    run(game, 20)
    heights = set()
    for _ in range(30):
        run(game, 2)
        heights.add(hero_at.y - lift_at.y)
        assert hero.floor == lift
    assert heights == {-0.6875}
    assert run(game, 50, 1, jump=True)[0] > 28 and game.coins == 2  # from the lift to a coin
    run(game, 30)
    run(game, 38, -1)  # the crate is pushed off the edge
    run(game, 30)
    assert (crate_at.x, crate_at.y) == (24.5, 10.5)
    assert run(game, 90, 1) == (32.62, 10.56)
    run(game, 50, 0, -1)
    assert run(game, 10) == run(game, 20) and not hero.on_floor  # it holds on to the ladder
    run(game, 30, 0, -1)
    x, y = run(game, 20, 1, -1)
    assert x > 34 and y == 5.56 and hero.floor_velocity == (-2.0, 0.0, 0.0)
    run(game, 30)
    x, _ = run(game, 38, 1)
    assert run(game, 16)[0] == pytest.approx(x - 16 * 2 / 60, abs=0.01)  # the belt
    assert run(game, 30, jump=True)[1] == 3.56 and game.coins == 3
    run(game, 26, 0, 1)
    run(game, 28, 1)
    run(game, 2)
    assert not game.has_won
    assert run(game, 60, 1)[0] > 42 and game.has_won and game.falls == 0  # past the press
    assert place(game) == (42.96, 5.56)


@RATES
def test_a_press_that_lets_go_of_the_ladder_waits_for_a_step(pygame: ModuleType, rate: int):
    game = game_of("platformer")
    for _ in range(4):
        game.system.teleport(game.hero, 32.5, 8.5)
        run(game, 10, 0, -1, rate)
        _, y = run(game, 10, rate=rate)
        assert run(game, 10, rate=rate, jump=True)[1] > y, "it falls"


@pytest.mark.parametrize("at", [(20.5, 9.0), (39.5, 5.0)], ids=["lava", "press"])
def test_what_ends_the_hero_of_the_platformer_sends_it_to_the_start(pygame: ModuleType, at):
    game = game_of("platformer")
    run(game, 10)
    game.system.teleport(game.hero, *at)
    run(game, 120)
    assert place(game) == (1.5, 10.56) and game.falls == 1


def test_the_flag_of_the_platformer_asks_for_all_coins(pygame: ModuleType):
    game = game_of("platformer")
    game.system.teleport(game.hero, 41.5, 5.5)
    run(game, 10)
    assert looking(game, "#7fe07f") and not game.has_won


@RATES
def test_the_shooter_is_played_to_its_exit(pygame: ModuleType, rate: int):
    game, run = game_of("shooter"), partial(run_at, rate)
    run(game, 90, 0, 1)
    assert len(game.guards) == 2
    game.shoot(12.5, 8.5)
    run(game, 30)
    game.shoot(12.5, 8.0)  # through the ghost
    run(game, 30)
    assert len(game.guards) == 1 and len(looking(game, "#8a93b8")) == 2
    run(game, 100, 1)
    assert run(game, 40, 0, -1)[1] == 7.38  # the wall
    run(game, 36, 1)
    run(game, 80, 0, -1)
    run(game, 48, 1)
    assert looking(game, "#b0703c") and not game.has_won
    game.shoot(17.5, 2.6)
    run(game, 90)
    assert [] == looking(game, "#e85a60") == looking(game, "#b0703c")
    run(game, 48, -1)
    run(game, 90, 0, 1)
    run(game, 96, 1)
    run(game, 6, 0, -1)
    assert not game.has_won
    assert run(game, 40, 1) == (18.62, 8.38) and game.has_won


def test_a_bullet_of_the_shooter_bounces_until_its_life_ends(pygame: ModuleType):
    game = game_of("shooter")
    run(game, 90, 0, 1)
    bullet = game.shoot(1.5, 0.5)
    hits = []
    for _ in range(89):
        run(game, 1)
        hits += [(hit.response, hit.normal[1]) for hit in game.system.results[bullet].hits]
    assert set(hits) == {("bounce", 1.0), ("bounce", -1.0)} and len(hits) > 3
    assert looking(game, "#ffffff") == [bullet]
    run(game, 1)
    assert looking(game, "#ffffff") == []


def test_a_guard_of_the_shooter_sends_the_hero_back(pygame: ModuleType):
    game = game_of("shooter")
    game.system.teleport(game.hero, 12.5, 5.0)
    run(game, 10)
    assert place(game) != (1.5, 1.5)
    run(game, 110)
    assert place(game) == (1.5, 1.5)


def test_the_crate_of_the_shooter_is_pushed(pygame: ModuleType):
    game = game_of("shooter")
    game.system.teleport(game.hero, 2.0, 5.5)
    assert run(game, 60, 1)[0] > 6
    crate = looking(game, "#9a7b4f")[0]
    assert esper.component_for_entity(crate, Transform).x > 7


@pytest.mark.parametrize("name", ["platformer", "shooter"])
def test_a_game_draws_its_hero_where_it_is(pygame: ModuleType, name: str):
    game, surface = game_of(name), pygame.Surface((800, 416))
    run(game, 30)
    game.draw(surface)
    x, y = place(game)
    assert surface.get_at((round(x * 32), round(y * 32)))[:3] == (0x5C, 0xB0, 0xFF)


@pytest.mark.parametrize("name", ["platformer", "shooter"])
def test_a_key_shows_and_hides_the_debug_view_over_a_game(pygame: ModuleType, monkeypatch, name: str):
    module = importlib.import_module(f"examples.{name}")
    drawn: list[bool] = []
    frames: list[bool] = []
    monkeypatch.setattr(module.with_pygame, "debug_draw", lambda *arguments: drawn.append(True))
    monkeypatch.setattr(pygame.display, "flip", lambda: frames.append(bool(drawn)) or drawn.clear())
    keys = [[], [pygame.K_F1], [], [pygame.K_F1, pygame.K_SPACE]]
    event = pygame.event.Event
    click = event(pygame.MOUSEBUTTONDOWN, pos=(100, 100), button=1)
    monkeypatch.setattr(
        pygame.event,
        "get",
        lambda: (
            [event(pygame.KEYDOWN, key=key) for key in keys[len(frames)]] + [click]
            if len(frames) < len(keys)
            else [event(pygame.QUIT)]
        ),
    )
    module.main()
    assert frames == [False, True, True, False]
