"""Recorded Fish Fillets games, replayed: compounds, all or nothing, and a game that does its own gravity.

A fish pushes whatever its power reaches: its force is power + 0.5, a light object's inertia is 1, a heavy one's 2.
What is fixed, and the other fish, have no `Inertia` and so cannot be pushed (rule P3). Things fall because the game
moves them down, all or nothing: such a move fails exactly when the thing is held up, by itself or through what it
would push ahead, by something that has no inertia. A fish whose goal is out swims on by itself once it touches the
edge of the grid; the edges stand on a layer that it no longer meets then (rule P14).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecs_collision.components import BoxCollider, CompoundCollider, Inertia, Motion, Static, Transform
from ecs_collision.demo.replays import DIRECTIONS, Outcome, ReplayFileError, field, moves_of, read_records
from ecs_collision.world import CollisionWorld

FIXED = 3
FALL_FORCE = 3.0
"""More than the heaviest object: what falls takes along whatever is under it and held by nothing."""

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
        except ReplayFileError as problem:
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


class FishGame:
    """A level in a world of its own: a body a model, and the edges of the grid."""

    def __init__(self, record: FishRecord) -> None:
        self._size = (record.width, record.height)
        self.world = CollisionWorld(all_or_nothing=True)
        self._models: dict[int, Model] = {}
        self._transforms: dict[int, Transform] = {}
        self._colliders: dict[int, CompoundCollider] = {}
        for model in record.models:
            self._add(model)
        self._things = {entity for entity, model in self._models.items() if not model.power and model.weight < FIXED}
        self._fish = {model.power: entity for entity, model in self._models.items() if model.power}
        self._faces = {entity: self._models[entity].faces for entity in self._fish.values()}
        self._leavers = [entity for entity, model in self._models.items() if model.goes_out]
        self._add_edges()
        self._settle(self._things)

    def _add(self, model: Model) -> None:
        transform, collider = Transform(model.x, model.y), CompoundCollider.from_cells(model.cells)
        entity = self.world.add(
            transform=transform,
            collider=collider,
            inertia=None if model.power or model.weight == FIXED else Inertia(model.weight),
            motion=Motion(force=model.power + 0.5) if model.power else None,
            static=Static() if model.weight == FIXED else None,
        )
        self._models[entity], self._transforms[entity], self._colliders[entity] = model, transform, collider

    def _add_edges(self) -> None:
        width, height = self._size
        for x, y, hx, hy in (
            (-0.5, height / 2, 0.5, height / 2),
            (width + 0.5, height / 2, 0.5, height / 2),
            (width / 2, -0.5, width / 2, 0.5),
            (width / 2, height + 0.5, width / 2, 0.5),
        ):
            self.world.add(transform=Transform(x, y), collider=BoxCollider(hx, hy, layer="edge"), static=Static())

    def step(self, letter: str) -> Outcome:
        """Play one letter (small: the small fish): turn, or move and let the level settle. A turn is a frame."""
        fish = self._fish[2 if letter.isupper() else 1]
        if fish not in self._transforms:
            return Outcome(False, None)
        dx, dy = DIRECTIONS[letter.lower()]
        if dx and self._faces[fish] != (faces := "left" if dx < 0 else "right"):
            self._faces[fish] = faces
            return Outcome(True, None)
        near = self.world.touching(fish)
        result = self.world.move(fish, dx, dy)
        if result:
            # Where nothing was pushed, only what touched the fish may have lost its hold.
            self._settle(self._things if result.pushed else self._things & set(near))
            self._leave()
        self.world.step()
        return Outcome(bool(result), result)

    def is_won(self) -> bool:
        """Return whether all that must leave have left."""
        return not self._leavers

    def places(self) -> dict[int, tuple[float, float]]:
        """Return where every model stands that has not left, by entity."""
        return {entity: (transform.x, transform.y) for entity, transform in self._transforms.items()}

    def _settle(self, loose: set[int]) -> None:
        """Let what nothing holds fall, one cell a round, until nothing falls; only `loose` may fall in the first."""
        while self._fall(loose):
            loose = self._things

    def _fall(self, loose: set[int]) -> bool:
        fallen: set[int] = set()
        for entity in sorted(loose):
            if entity not in fallen:
                result = self.world.move(entity, dy=1, force=FALL_FORCE)
                if result:
                    fallen.update((entity, *result.pushed))
        return bool(fallen)

    def _leave(self) -> None:
        for entity in tuple(self._leavers):
            outwards = self._outwards(entity)
            if outwards:
                self._colliders[entity].mask = ("default",)
                self._swim_out(entity, outwards)

    def _outwards(self, entity: int) -> Cell | None:
        """Return the direction of the edge that one of its cells touches, or None."""
        left, top, right, bottom = self._extent(entity)
        width, height = self._size
        for touches, direction in (
            (left <= 0, "l"),
            (right >= width, "r"),
            (top <= 0, "u"),
            (bottom >= height, "d"),
        ):
            if touches:
                return DIRECTIONS[direction]
        return None

    def _extent(self, entity: int) -> tuple[float, float, float, float]:
        cells, transform = self._models[entity].cells, self._transforms[entity]
        columns, rows = [column for column, _ in cells], [row for _, row in cells]
        x, y = transform.x, transform.y
        return x + min(columns), y + min(rows), x + max(columns) + 1, y + max(rows) + 1

    def _swim_out(self, entity: int, outwards: Cell) -> None:
        while self._is_in_grid(entity):
            if not self.world.move(entity, *outwards):
                return
            self._settle(self._things)
        self.world.remove(entity)
        self._leavers.remove(entity)
        del self._transforms[entity]
        self._things.discard(entity)
        self._settle(self._things)

    def _is_in_grid(self, entity: int) -> bool:
        left, top, right, bottom = self._extent(entity)
        width, height = self._size
        return left < width and right > 0 and top < height and bottom > 0
