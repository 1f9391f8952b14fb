"""The solver on the smallest of the recorded Sokoban levels: its solutions, and the cost of a state."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from typing import Any

from benchmarks import recorded
from benchmarks.harness import duration
from benchmarks.report import Report
from ecs_collision.game import Game
from ecs_collision.levels import Level, parse_level
from ecs_collision.solver.fewest_pushes import Outcome, Solution, solve
from ecs_collision.solver.sokoban import SokobanSearch, sokoban_level

LEVELS = 50
"""How many levels: those with the fewest crates, and among these with the fewest floor cells."""

ON_ENGINE = 10
"""How many of them are also searched on the engine."""

MAX_ON_ENGINE = 5_000
"""States after which the search on the engine gives up."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A level, its size, and its recorded solution as (pushes, steps)."""

    name: str
    level: Level
    crates: int
    floor: int
    recorded: tuple[int, int]


def recordings(count: int) -> list[Recording]:
    """Return the smallest of the recorded levels."""
    found: list[tuple[int, int, str, Level, str]] = []
    for game in json.loads(recorded.GAMES.read_bytes()):
        level = parse_level(game["level"], "xsb")
        sokoban = sokoban_level(level)
        assert sokoban is not None, f"{game['id']} is no plain Sokoban level"
        floor = SokobanSearch(sokoban).floor_count
        found.append((len(sokoban.crates), floor, game["id"], level, game["lurd"]))
    smallest = sorted(found, key=lambda entry: entry[:3])[:count]
    return [
        Recording(name, level, crates, floor, _cost(level, moves)) for crates, floor, name, level, moves in smallest
    ]


def _cost(level: Level, moves: str) -> tuple[int, int]:
    """Return the pushes and steps of a recorded solution, which must solve its level."""
    game = Game(level, undo_limit=0)
    pushes = sum(turn.result is not None and bool(turn.result.pushed) for turn in game.play(moves.upper()))
    assert game.solved, f"{level.title} is not solved by its recording"
    return pushes, len(moves) - pushes


def solving() -> Report:
    """Measure the solver for each level and for each state."""
    columns = (
        "level",
        "crates",
        "floor",
        "recorded pushes, steps",
        "found",
        "states",
        "time",
        "on the engine: states",
        "time",
    )
    report = Report("solve", "the smallest recorded Sokoban levels, solved", columns)
    if not recorded.GAMES.is_file():
        report.title += (
            f": skipped, there is no {recorded.GAMES.parent.parent.name}/data/{recorded.GAMES.name} beside the project"
        )
        return report
    found: list[tuple[Recording, Solution]] = []
    engine: list[tuple[Solution, Solution]] = []
    for number, recording in enumerate(recordings(LEVELS)):
        quick = solve(recording.level)
        found.append((recording, quick))
        slow = solve(recording.level, quick=False, max_states=MAX_ON_ENGINE) if number < ON_ENGINE else None
        if slow is not None:
            engine.append((quick, slow))
        report.rows.append(_row(recording, quick, slow))
    _judge(report, found, engine)
    return report


def _row(recording: Recording, quick: Solution, slow: Solution | None) -> tuple[Any, ...]:
    output = ("", "") if slow is None else (f"{slow.states:,}", duration(slow.seconds))
    recorded_as, found_as = (
        f"{pushes}, {steps}" for pushes, steps in (recording.recorded, (quick.pushes, quick.steps))
    )
    size = (recording.name, str(recording.crates), str(recording.floor))
    return (*size, recorded_as, found_as, f"{quick.states:,}", duration(quick.seconds), *output)


def _judge(report: Report, found: list[tuple[Recording, Solution]], engine: list[tuple[Solution, Solution]]) -> None:
    """Add the limits."""
    no_more = all(quick and quick.pushes <= recording.recorded[0] for recording, quick in found)
    report.limit(f"{len(found)} levels are solved, none with more pushes than its recording", no_more)
    same = all((a.pushes, a.steps) == (b.pushes, b.steps) for a, b in engine if b.outcome is not Outcome.GAVE_UP)
    report.limit("the engine's search finds as few pushes and steps", same)
    seconds = [quick.seconds for _, quick in found]
    report.figures["a level"] = statistics.median(seconds)
    report.figures["a state"] = sum(seconds) / sum(quick.states for _, quick in found)
    report.figures["a state, on the engine"] = sum(b.seconds for _, b in engine) / sum(b.states for _, b in engine)
    report.title += f"; a state takes {duration(report.figures['a state'])}, on the engine "
    report.title += duration(report.figures["a state, on the engine"])
