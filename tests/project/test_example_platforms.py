"""The games of examples/platformer.py and examples/shooter.py, played without a window by scripted input."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import esper
import pytest

from ecs_collision import Character, Path, Transform
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


def run(game: Any, frames: int, dx: int = 0, dy: int = 0, **first: Any) -> tuple[float, float]:
    """Hold keys for some frames, and press others in the first of them; returns where the hero is."""
    for frame in range(frames):
        game.update(1 / 60, dx, dy, **(first if frame == 0 else {}))
    return place(game)


@pytest.mark.filterwarnings("ignore")  # the ramps are off the lattice
def test_the_platformer_is_played_to_its_flag(pygame: ModuleType):
    game = game_of("platformer")
    hero = esper.component_for_entity(game.hero, Character)
    assert run(game, 30) == (1.5, 10.56)
    assert run(game, 30, 1)[1] < 9.8 and hero.on_floor  # up the ramp
    assert run(game, 40, 1, jump=True)[1] == 7.56 and game.coins == 1  # through the platform and on to it
    assert run(game, 50, 0, 1) == (8.29, 10.56)  # down through it
    x, y = run(game, 95, 1)  # up the steps without a jump
    assert y == 10.31 and 17 < x < 18.5 and game.falls == 0
    (lift,) = [entity for entity, _ in esper.get_component(Path)]
    game.system.teleport(game.hero, 21.5, 7.0)
    run(game, 40)
    assert hero.on_floor and hero.floor == lift
    above = set()
    for _ in range(200):  # up and down again
        run(game, 1)
        above.add(esper.component_for_entity(game.hero, Transform).y - esper.component_for_entity(lift, Transform).y)
        assert hero.on_floor and hero.floor == lift
    assert above == {-0.6875}
    game.system.teleport(game.hero, 25.375, 9.5)
    run(game, 20)
    (crate,) = [each for each, color in game.looks.items() if color == "#b0703c"]
    run(game, 60, 1)  # the crate is pushed off the edge and falls
    assert esper.component_for_entity(crate, Transform).x > 29.5
    run(game, 30)
    assert esper.component_for_entity(crate, Transform).y == 10.5
    game.system.teleport(game.hero, 31.5, 7.5)
    run(game, 60, 1, -1)  # the ladder
    assert place(game)[1] < 6
    run(game, 40, 1)
    x, _ = place(game)
    assert hero.floor_velocity == (-2.0, 0.0, 0.0)  # the belt
    assert run(game, 30)[0] == pytest.approx(x - 1, abs=0.01)
    for _ in range(6):
        run(game, 40, 1, jump=True)
    assert game.has_won
    surface = pygame.Surface((800, 416))
    game.draw(surface)
    assert len({surface.get_at((x, y))[:3] for x in range(0, 800, 8) for y in range(0, 416, 8)}) > 4


@pytest.mark.filterwarnings("ignore")
def test_lava_and_the_start_of_the_platformer(pygame: ModuleType):
    game = game_of("platformer")
    game.system.teleport(game.hero, 20.5, 9.0)
    assert run(game, 60) == (1.5, 10.56)
    assert game.falls == 1


def test_the_shooter_is_played_to_its_exit(pygame: ModuleType):
    game = game_of("shooter")
    red = next(guard for guard in game.guards if game.looks[guard] == "#e85a60")
    run(game, 100, 0, 1)
    game.shoot(1.5, 0.5)  # it bounces between two walls, and its life ends
    run(game, 89)
    assert [] != [each for each in game.looks if esper.entity_exists(each) and game.looks[each] == "#ffffff"]
    run(game, 2)
    assert [] == [each for each in game.looks if esper.entity_exists(each) and game.looks[each] == "#ffffff"]
    for _ in range(12):
        at = esper.component_for_entity(red, Transform)
        game.shoot(at.x, at.y)
        run(game, 30)
        if red not in game.guards:
            break
    assert red not in game.guards and len(game.guards) == 2  # the others are ghosts
    assert not esper.entity_exists(game.door) and not game.has_won
    run(game, 30, 0, 1)
    run(game, 200, 1)
    run(game, 60, 0, -1)
    assert game.has_won
    surface = pygame.Surface((640, 352))
    game.draw(surface)
    assert surface.get_at((5, 5))[:3] == (0x46, 0x4E, 0x68)
