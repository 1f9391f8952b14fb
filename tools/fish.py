"""Recorded Fish Fillets games, replayed on `Game`: `python -m tools.fish FILE.json`.

These games have compounds, all-or-nothing motions, gravity, and two controlled bodies. The file is a list of objects
with `level` (the name), `w`, `h`, `models` and `moves`; a model has `x`, `y` (downwards), `cells`, `weight`, `power`,
`faces` and `goal`.

The force of a fish is its power + 0.5; the inertia of a light object is 1, of a heavy one 2. Fixed objects and the
other fish have no `Inertia`, so they cannot be pushed (rule P3) and support what lies on them. A fish whose goal is
"out" leaves by itself when it touches the edge of the grid: the edges are on a layer that it then no longer meets
(rule P14).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

from ecs_collision.components import Box, CompoundCollider
from ecs_collision.game import Game, Turn
from ecs_collision.levels import FrozenMap, Level, Thing
from tools.replays import Outcome, run

FIXED = 3
FISH = {1: "small", 2: "big"}
"""Names of the fish by power."""

EDGES = {"left edge": (-1, 0), "right edge": (1, 0), "top edge": (0, -1), "bottom edge": (0, 1)}
"""Direction out of the grid by the name of the edge."""


@dataclass(frozen=True, slots=True)
class FishRecord:
    """A level, the directions that its fish face at the start, and the recorded moves that win it."""

    level: Level
    faces: dict[str, str]
    moves: str


def parse_fish(game: dict[str, Any]) -> FishRecord:
    """Return one recorded game."""
    faces = {FISH[model["power"]]: model["faces"][0].upper() for model in game["models"] if model["power"]}
    return FishRecord(level_of(game), faces, game["moves"])


def level_of(game: dict[str, Any]) -> Level:
    """Return the level of a recorded game: one thing per model, and the edges of the grid."""
    models = [_thing(f"model {number}", model) for number, model in enumerate(game["models"], start=1)]
    width, height = game["w"], game["h"]
    edges = [
        _edge("left edge", -0.5, height / 2, 0.5, height / 2),
        _edge("right edge", width + 0.5, height / 2, 0.5, height / 2),
        _edge("top edge", width / 2, -0.5, width / 2, 0.5),
        _edge("bottom edge", width / 2, height + 0.5, width / 2, 0.5),
    ]
    settings = FrozenMap({"all_or_nothing": True})
    return Level(game["level"], (width, height), (*models, *edges), settings, gravity="D", source=game["level"])


def _thing(name: str, model: dict[str, Any]) -> Thing:
    components: dict[str, Any] = {"Inertia": {"value": model["weight"]}}
    if model["power"]:
        name, components = FISH[model["power"]], {"Motion": {"force": model["power"] + 0.5}}
    elif model["weight"] == FIXED:
        components = {"Static": {}}
    boxes = CompoundCollider.from_cells([(column, row) for column, row in model["cells"]]).parts
    kind = "leaver" if model["goal"] == "out" else "model"
    return Thing(name, kind, (model["x"], model["y"], 0.0), boxes, FrozenMap(components))


def _edge(name: str, x: float, y: float, hx: float, hy: float) -> Thing:
    components = FrozenMap({"Static": {}, "Collider": {"layer": "edge"}})
    return Thing(name, "edge", (x, y, 0.0), (Box(hx, hy),), components)


def swim(game: Game, faces: dict[str, str]) -> None:
    """Script a level: two fish that turn before they swim, and things that must leave over the edge."""
    game.control("small", "lrud")
    game.control("big", "LRUD")
    game.state["faces"] = dict(faces)
    leavers = [thing.name for thing in game.level.things if thing.kind == "leaver"]

    @game.before("lrLR")
    def turn_round(letter: str) -> bool:
        fish, direction = "big" if letter.isupper() else "small", letter.upper()
        turns = game.is_enabled(fish) and game.state["faces"][fish] != direction
        if turns:
            game.state["faces"][fish] = direction
        return turns

    @game.on_turn
    def leave(turn: Turn) -> None:
        for name in leavers:
            edges = [edge for edge in game.touching(name) if edge in EDGES] if game.is_enabled(name) else []
            if edges:
                game.set(name, "Collider", mask=("default",))
                _swim_out(game, name, *EDGES[edges[0]])

    game.win_when(lambda: not any(game.is_enabled(name) for name in leavers))


def _swim_out(game: Game, name: str, dx: int, dy: int) -> None:
    grid = ((0, 0), game.level.size)
    while game.id(name) in game.world.space.overlapping(grid):
        if game.move(name, dx, dy).blocked:
            return
        game.settle()
    game.disable(name)
    game.settle()


class FishGame:
    """A recorded level, played on a `Game` or a `Puzzle`."""

    def __init__(self, record: FishRecord, on: type[Game] = Game) -> None:
        self.game = on(record.level, script=partial(swim, faces=record.faces), undo_limit=0)
        self.game.start()

    def step(self, letter: str) -> Outcome:
        """Play one letter (lower case: the small fish): turn, or move and let the level settle."""
        turn = self.game.turn(letter)
        return Outcome(turn.moved, turn.result)

    def is_won(self) -> bool:
        """Return whether everything that must leave has left."""
        return self.game.solved


if __name__ == "__main__":
    sys.exit(run(parse_fish, FishGame))
