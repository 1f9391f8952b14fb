"""Recorded Sokoban games through `system.move`; creating the levels is not timed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import esper

from benchmarks.harness import Case, duration, interleaved
from benchmarks.report import Report
from benchmarks.scenes import Scene
from ecs_collision import CollisionSystem, Transform
from ecs_collision.levels.spawning import parts_of
from tools.sokoban import SokobanRecord, parse_sokoban

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "sokoban.json"
STEPS = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}
TARGET = 5e-6
ROUNDS = 3
FIRST: int | None = None
"""How many of the games are played; all by default."""


@dataclass(slots=True)
class Level:
    """A level in an esper world, and the steps that solve it."""

    scene: Scene
    crates: list[Transform]
    goals: frozenset[tuple[float, float]]
    steps: list[tuple[int, int]]

    def is_won(self) -> bool:
        """Return whether every crate is on a goal."""
        return all((crate.x, crate.y) in self.goals for crate in self.crates)


def set_up(number: int, record: SokobanRecord) -> Level:
    """Return a level in its own world: all walls are one static compound."""
    name = f"sokoban {number}"
    esper.switch_world(name)
    system = CollisionSystem(rule="sum")
    esper.add_processor(system)
    entities: dict[str, int] = {}
    crates: list[Transform] = []
    for thing in record.level.things:
        parts = parts_of(record.level, thing, {})
        if thing.kind != "goal":
            entities[thing.name] = esper.create_entity(*(part for part in parts if part is not None))
        if thing.kind == "crate" and parts.transform is not None:
            crates.append(parts.transform)
    esper.process()
    goals = frozenset(thing.position[:2] for thing in record.level.things if thing.kind == "goal")
    steps = [STEPS[letter] for letter in record.moves]
    return Level(Scene(name, system, entities["player"]), crates, goals, steps)


class Replay:
    """All games, created for each run and played one after another, with or without a frame after each move."""

    def __init__(self, records: Sequence[SokobanRecord], frames: bool) -> None:
        self.records, self.frames = records, frames
        self.levels: list[Level] = []
        self.refused = self.solved = 0

    def set_up(self) -> None:
        """Create the levels."""
        self.take_down()
        self.levels = [set_up(number, record) for number, record in enumerate(self.records)]

    def take_down(self) -> None:
        """Delete the worlds."""
        esper.switch_world("default")
        for level in self.levels:
            esper.delete_world(level.scene.world)
        self.levels = []

    def play(self) -> None:
        """Make every recorded move."""
        refused = 0
        for level in self.levels:
            level.scene.enter()
            move, player, process = level.scene.system.move, level.scene.mover, esper.process
            if self.frames:
                for dx, dy in level.steps:
                    refused += move(player, dx, dy).blocked
                    process()
            else:
                for dx, dy in level.steps:
                    refused += move(player, dx, dy).blocked
        self.refused = refused

    def check(self, _result: object) -> None:
        """Count the levels that were solved."""
        self.solved = sum(level.is_won() for level in self.levels)
        self.take_down()


def sokoban() -> Report:
    """Measure the time for each move of recorded games."""
    report = Report("sokoban", "recorded Sokoban games through system.move", ("a move", "median", "fastest", "slowest"))
    if not GAMES.is_file():
        report.title += f": skipped, there is no {GAMES.parent.parent.name}/data/{GAMES.name} beside the project"
        return report
    records = [parse_sokoban(game) for game in json.loads(GAMES.read_text(encoding="utf-8"))[:FIRST]]
    moves = sum(len(record.moves) for record in records)
    replays = {"alone": Replay(records, False), "and a frame after each move": Replay(records, True)}
    cases = [Case(label, replay.play, 1, replay.set_up, replay.check) for label, replay in replays.items()]
    for timing in interleaved(cases, ROUNDS):
        seconds = [value / moves for value in (timing.median, timing.fastest, timing.slowest)]
        report.rows.append((timing.label, *map(duration, seconds)))
        report.figures[timing.label] = seconds[0]
    outcome = {(replay.solved, replay.refused) for replay in replays.values()}
    report.limit(
        f"{len(records)} games of {moves:,} moves are solved, no move is refused", outcome == {(len(records), 0)}
    )
    report.within("a move of a recorded Sokoban game", report.figures["alone"], TARGET)
    return report
