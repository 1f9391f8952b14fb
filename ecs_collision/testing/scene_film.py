"""The film of a scene: what its acts do, played in a world of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath

from ecs_collision.debug.film import Film, Json
from ecs_collision.testing.scene_replay import Player
from ecs_collision.testing.scenes import Scene

NAMES, PICTURE = "names: ", "at the start:"
"""What the lines of the head begin with that name the bodies, and that come before the pictures."""

_NAME = re.compile(r"(\d+) is (.+?)(?=, \d+ is |$)")


def film_of_scene(scene: Scene, *, at_end: bool = False) -> tuple[Json, str | None]:
    """Return the film of a scene, and the first difference from what was recorded, or None.

    at_end: the page opens at the end, where a test failed, and not at the start. It opens at a difference, if there is
    one.
    """
    player = Player(scene)
    film = Film(player.world, PurePath(scene.name).name, _said(scene), _names(scene))
    problems: list[str] = []
    for played in player.play():
        if played.problem is not None:
            problems.append(played.problem)
            film.note(f"not as recorded: {played.problem}")
    end = player.end_problem()
    if end is not None:
        problems.append(end)
        film.note(f"not as recorded: {end}")
    if at_end and not problems:
        film.open_at = film.last
    return film.data(), problems[0] if problems else None


def _said(scene: Scene) -> list[str]:
    """Return the lines at the head of a scene that say something, without names and pictures."""
    end = scene.remarks.index(PICTURE) if PICTURE in scene.remarks else len(scene.remarks)
    return [line for line in scene.remarks[:end] if line and not line.startswith(NAMES)]


def _names(scene: Scene) -> Callable[[int], str]:
    """Return the names of the bodies that stand at the head of the scene of a game."""
    lines = [line.removeprefix(NAMES) for line in scene.remarks if line.startswith(NAMES)]
    names = {int(id): name for line in lines for id, name in _NAME.findall(line)}
    return lambda entity: names.get(entity, f"entity {entity}")
