"""Recorded Fish Fillets games, replayed on `Game`: compounds, all or nothing, gravity, and two who are controlled.

A fish pushes whatever its power reaches: its force is power + 0.5, a light object's inertia is 1, a heavy one's 2.
What is fixed, and the other fish, have no `Inertia` and so cannot be pushed (rule P3) and hold up what lies on them.
A fish whose goal is out swims on by itself once it touches the edge of the grid; the edges stand on a layer that it no
longer meets then (rule P14).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecs_collision.components import Box, CompoundCollider
from ecs_collision.demo.replays import Outcome, ReplayFileError, field, moves_of, read_records
from ecs_collision.errors import CollisionError
from ecs_collision.levels import FrozenMap, Game, Level, Thing, Turn

FIXED = 3
FISH = {1: "small", 2: "big"}
"""Power to the name of a fish."""

EDGES = {"left edge": (-1, 0), "right edge": (1, 0), "top edge": (0, -1), "bottom edge": (0, 1)}
"""Name of an edge of the grid to the way out over it."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Model:
    """A thing of a level: its cells from (x, y), y growing downwards; a fish has power, a wall has weight 3."""

    x: int
    y: int
    cells: tuple[Cell, ...]
    weight: int
    power: int
    faces: str
    goes_out: bool


@dataclass(frozen=True, slots=True)
class FishRecord:
    """A level and the recorded moves that win it."""

    name: str
    width: int
    height: int
    models: tuple[Model, ...]
    moves: str


def read_fish(path: Path) -> list[FishRecord]:
    """Return the games of a JSON file: a list of objects with `level`, `w`, `h`, `models` and `moves`."""
    return read_records(path, parse_fish)


def parse_fish(game: dict[str, Any]) -> FishRecord:
    """Return one recorded game; raises ReplayFileError saying what is wrong with it."""
    models: list[Model] = []
    for number, model in enumerate(field(game, "models", list), start=1):
        try:
            models.append(_parse_model(model))
        except CollisionError as problem:
            raise ReplayFileError(f"model {number}: {problem}") from problem
    if sorted(model.power for model in models if model.power) != [1, 2]:
        raise ReplayFileError("the level needs one fish of power 1 and one of power 2")
    width, height = field(game, "w", int), field(game, "h", int)
    if width < 1 or height < 1:
        raise ReplayFileError(f"the grid must be at least 1 by 1, found {width} by {height}")
    moves = moves_of(game, "moves", "lrudLRUD")
    return FishRecord(field(game, "level", str), width, height, tuple(models), moves)


def _parse_model(model: object) -> Model:
    if not isinstance(model, dict):
        raise ReplayFileError("expected an object")
    cells = field(model, "cells", list)
    if not cells or not all(_is_cell(cell) for cell in cells):
        raise ReplayFileError("field 'cells' must be a list of [column, row], at least one")
    weight, power, faces = field(model, "weight", int), field(model, "power", int), field(model, "faces", str)
    if weight not in (1, 2, FIXED) or power not in (0, 1, 2) or faces not in ("left", "right"):
        raise ReplayFileError("'weight' must be 1, 2 or 3, 'power' 0, 1 or 2, 'faces' left or right")
    goal = model.get("goal")
    if goal not in (None, "out"):
        raise ReplayFileError(f"field 'goal' must be null or 'out', found {goal!r}")
    places = tuple((column, row) for column, row in cells)
    return Model(field(model, "x", int), field(model, "y", int), places, weight, power, faces, goal == "out")


def _is_cell(cell: object) -> bool:
    return isinstance(cell, list) and len(cell) == 2 and all(type(index) is int for index in cell)


def level_of(record: FishRecord) -> Level:
    """Return the level of a recorded game: a thing a model, and the edges of the grid."""
    models = [_thing(f"model {number}", model) for number, model in enumerate(record.models, start=1)]
    width, height = record.width, record.height
    edges = [
        _edge("left edge", -0.5, height / 2, 0.5, height / 2),
        _edge("right edge", width + 0.5, height / 2, 0.5, height / 2),
        _edge("top edge", width / 2, -0.5, width / 2, 0.5),
        _edge("bottom edge", width / 2, height + 0.5, width / 2, 0.5),
    ]
    settings = FrozenMap({"all_or_nothing": True})
    return Level(record.name, (width, height), (*models, *edges), settings, gravity="D", source=record.name)


def _thing(name: str, model: Model) -> Thing:
    components: dict[str, Any] = {"Inertia": {"value": model.weight}}
    if model.power:
        name, components = FISH[model.power], {"Motion": {"force": model.power + 0.5}}
    elif model.weight == FIXED:
        components = {"Static": {}}
    boxes = CompoundCollider.from_cells(model.cells).parts
    kind = "leaver" if model.goes_out else "model"
    return Thing(name, kind, (model.x, model.y, 0.0), boxes, FrozenMap(components))


def _edge(name: str, x: float, y: float, hx: float, hy: float) -> Thing:
    components = FrozenMap({"Static": {}, "Collider": {"layer": "edge"}})
    return Thing(name, "edge", (x, y, 0.0), (Box(hx, hy),), components)


def swim(game: Game, faces: dict[str, str]) -> None:
    """Script a level: two fish, which turn before they swim, and whatever has to leave by the edge."""
    game.control("small", "lrud")
    game.control("big", "LRUD")
    game.state["faces"] = faces
    leavers = [thing.name for thing in game.level.things if thing.kind == "leaver"]

    @game.before("lrLR")
    def turn_round(letter: str) -> bool:
        fish, way = "big" if letter.isupper() else "small", letter.upper()
        turns = game.is_enabled(fish) and game.state["faces"][fish] != way
        if turns:
            game.state["faces"][fish] = way
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
        if not game.move(name, dx, dy):
            return
        game.settle()
    game.disable(name)
    game.settle()


class FishGame:
    """A recorded level being played, on a `Game` or a `Puzzle`."""

    def __init__(self, record: FishRecord, on: type[Game] = Game) -> None:
        faces = {FISH[model.power]: model.faces[0].upper() for model in record.models if model.power}
        self.game = on(level_of(record), script=lambda game: swim(game, faces), undo_limit=0)
        self.game.start()

    def step(self, letter: str) -> Outcome:
        """Play one letter (small: the small fish): turn, or move and let the level settle."""
        turn = self.game.turn(letter)
        return Outcome(turn.moved, turn.result)

    def is_won(self) -> bool:
        """Return whether all that must leave have left."""
        return self.game.solved
