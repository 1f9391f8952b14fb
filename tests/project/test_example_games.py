"""The games of examples/arena, before and after: they play alike, and docs/your_game.md shows what differs."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from types import ModuleType

import esper
import pytest
from material import HOUSE

from ecs_collision import CollisionSystem
from ecs_collision.debug import LOOKS
from ecs_collision.testing.worlds import isolated

ARENA = HOUSE / "examples" / "arena"
PAGE = (HOUSE / "docs" / "your_game.md").read_text(encoding="utf-8")
SOURCES = {name: (ARENA / f"{name}.py").read_text(encoding="utf-8").splitlines() for name in ("before", "after")}
KEYS = {"D": (0, 1), "U": (0, -1), "L": (-1, 0), "R": (1, 0), ".": (0, 0)}
TO_THE_FIRST_COIN = "26D 26R"
ROUND_THE_LIFT = "25R 110D 350. 120D"
OTHER_COINS = "25L 40D 242R 54L 15U"
SHOTS = "63U " + 11 * "15.* "
THROUGH_THE_DOOR = "80R 60U 400."


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame = importlib.import_module("pygame")
    pygame.display.init()
    pygame.font.init()
    with isolated():
        yield pygame
    pygame.quit()


def play(game, script: str) -> None:
    """Play words such as "26D*": 26 frames with the key down; a star shoots in the first of them."""
    for frames, key, star in re.findall(r"(\d+)([DULR.])(\*?)", script):
        for frame in range(int(frames)):
            game.update(1 / 60, *KEYS[key], shoot=bool(star) and frame == 0)


def state_of(module: ModuleType, game) -> tuple[int, int, int, tuple[float, float]]:
    """Return coins, shots and hits, and the position of the player in whole pixels."""
    player = esper.component_for_entity(game.player, module.Player)
    at = esper.component_for_entity(game.player, getattr(module, "Position", None) or module.Transform)
    return player.coins, player.kills, player.hits, (round(at.x), round(at.y))


def game_module(name: str) -> ModuleType:
    return importlib.import_module(f"examples.arena.{name}")


def test_the_game_needs_no_advice_but_on_the_bullets_that_come_later(pygame):
    module = game_module("after")
    game = module.Game()
    game.update(1 / 60, 0, 0)
    system = esper.get_processor(CollisionSystem)
    (advice,) = system.doctor()
    assert advice.endswith(
        ": its mask names the layer 'bullet', which no body has; correct it, unless such bodies come later"
    )
    game.update(1 / 60, 0, 0, shoot=True)
    assert [] == system.doctor()


@pytest.mark.parametrize("name", SOURCES)
def test_a_game_is_played_to_its_end(pygame, name):
    module = game_module(name)
    game = module.Game()
    found = []
    for script in (TO_THE_FIRST_COIN, ROUND_THE_LIFT, OTHER_COINS, SHOTS, THROUGH_THE_DOOR):
        play(game, script)
        found.append(state_of(module, game))
    assert [
        (1, 0, 0, (113, 113)),
        (1, 0, 0, (176, 299)),
        (3, 0, 0, (367, 336)),
        (3, 1, 0, (367, 179)),
        (3, 1, 1, (48, 48)),
    ] == found


@pytest.mark.parametrize("name", SOURCES)
def test_a_game_draws_what_the_camera_sees(pygame, name):
    module = game_module(name)
    game, surface = module.Game(), pygame.Surface(module.VIEW)
    play(game, "26R")
    game.draw(surface)
    assert [pygame.Color(color) for color in ("#5cb0ff", "#464e68", "#fad05c")] == [
        surface.get_at(place) for place in ((113, 48), (8, 8), (112, 112))
    ]
    play(game, ROUND_THE_LIFT + OTHER_COINS)
    game.draw(surface)
    assert pygame.Color("#5cb0ff") == surface.get_at((320, 336))


@pytest.mark.parametrize("name", SOURCES)
def test_a_game_runs_in_a_window_until_it_is_closed(pygame, name):
    module = game_module(name)
    pygame.display.set_mode(module.VIEW)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    module.main()
    assert len(esper.get_component(module.Bullet)) == 1


def test_a_key_shows_the_debug_view_over_the_game(pygame, monkeypatch):
    module = game_module("after")
    window = pygame.display.set_mode(module.VIEW)
    pictures = []
    monkeypatch.setattr(pygame.display, "flip", lambda: pictures.append(tuple(window.get_at((8, 8)))[:3]))
    keys = [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F1)]
    monkeypatch.setattr(pygame.event, "get", lambda: keys if len(pictures) < 2 else [pygame.event.Event(pygame.QUIT)])
    module.main()
    colours = [tuple(pygame.Color(colour))[:3] for colour in (LOOKS["static"].fill, module.COLORS["wall"])]
    assert colours == pictures[:2]


def test_the_lines_that_the_page_shows_as_removed_and_added_are_those_of_the_games():
    shown = [line for block in re.findall(r"^```diff\n(.*?)^```$", PAGE, re.M | re.S) for line in block.splitlines()]
    removed, added, kept = ([line[1:] for line in shown if line[0] == sign] for sign in "-+ ")
    assert len(shown) > 50
    assert [] == [line for line in removed + kept if line not in SOURCES["before"]]
    assert [] == [line for line in added + kept if line not in SOURCES["after"]]
    assert [] == [line for line in removed if line.strip() and line in SOURCES["after"]]


def test_the_page_counts_the_lines_of_the_games():
    shown = {name: int(count) for name, count in re.findall(r"arena/(\w+)\.py .*?(\d+) lines", PAGE)}
    assert {name: len(lines) for name, lines in SOURCES.items()} == shown
    starts = {"before": "def overlap(", "after": "class Movement("}
    counted = {}
    for name, lines in SOURCES.items():
        (first,) = [number for number, line in enumerate(lines) if line.startswith(starts[name])]
        counted[name] = lines.index("class Game:") - first
    assert f"from {counted['before']} lines to {counted['after']}" in PAGE
