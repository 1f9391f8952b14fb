"""A puzzle of a user with its script, level and solver, as both type checkers must accept it and as it must run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ecs_collision import BoxCollider, CollisionSystem, CollisionWorld, Inertia, LeftReason, Motion, Puzzle, StopReason
from ecs_collision.game import Game, NamedEvent, Turn
from ecs_collision.levels import Level, Thing, load_levels, parse_level, spawn, write_text
from ecs_collision.plays import Play, Verdict, parse_play, play_text, record, verify
from ecs_collision.puzzles import names, path
from ecs_collision.solver import Outcome, Solution, solve

LEVEL = """
title: Two rooms
win: all crate on goal

legend
# wall: Static
@ player: Motion(force=2)
$ crate: Inertia(1)
o goal: Trigger

map
#######
#@ $ o#
#######
"""

heard: list[str] = []


def script(puzzle: Puzzle) -> None:
    @puzzle.on_enter("goal", by="crate")
    def enter(event: NamedEvent) -> None:
        trigger: str = event.trigger
        other: str = event.other
        frame: int = event.frame
        heard.append(f"{other} {trigger} {frame}")

    @puzzle.on_leave()
    def leave(event: NamedEvent) -> None:
        heard.append("moved" if event.reason is LeftReason.MOVED else "gone")

    @puzzle.on_push("crate")
    def push(event: NamedEvent) -> None:
        displacement: tuple[float, float, float] = event.displacement
        heard.append(f"{event.by} {event.entity} {displacement[0]:g}")

    @puzzle.on_block()
    def block(event: NamedEvent) -> None:
        blocker: str | None = event.blocker
        heard.append(f"{event.entity} {blocker} {event.axis} {event.reason is StopReason.FORCE}")

    @puzzle.before("X")
    def wait(letter: str) -> bool:
        puzzle.state["waited"] = letter
        return True

    @puzzle.on_turn
    def count(turn: Turn) -> None:
        heard.append(turn.letter)

    @puzzle.on_solved
    def solved() -> None:
        heard.append("solved")

    puzzle.controls = {**puzzle.controls, "r": ("player", 1, 0)}
    count(Turn("L", puzzle.things.names))
    solved()
    heard.clear()


def can_push(pusher: str, pushed: str, axis: str, force: float) -> bool | None:
    return None if pusher != pushed and axis and force else False


level: Level = parse_level(LEVEL, kinds={"wall": {"Static": True}}, name="two rooms")
thing: Thing = level["crate"]
kind: str = thing.kind
fields = thing.fields("Inertia")
weight = None if fields is None else fields["value"]
text: str = write_text(level)

with Puzzle(
    level,
    script=script,
    can_push=can_push,
    undo_limit=100,
    undo_bytes=2**20,
    world_name="two rooms",
    rule="sum",
    axis_order="xyz",
    overlap_policy="leave",
    bounds=((0, 0), (7, 3)),
) as puzzle:
    turn: Turn = puzzle.turn("R")
    turns: list[Turn] = puzzle.play("RX")
    events: list[NamedEvent] = turns[0].events
    inertia: Inertia | None = puzzle.get("crate", Inertia)
    motion = puzzle.get("player", Motion)
    collider = puzzle.get("crate", BoxCollider)
    assert inertia is not None and motion is not None and collider is not None
    force: float = motion.force + inertia.x + collider.hx
    puzzle.set("crate", Inertia, value=1)
    puzzle.move("player", dx=0, force=1, rule="each")
    entity: int = puzzle.entity("player")
    entities: Mapping[str, int] = puzzle.entities
    cell: tuple[int, int] = puzzle.cell("player")
    solved: bool = puzzle.solved
    done: int = puzzle.undo(2) + puzzle.redo()
    system: CollisionSystem = puzzle.system
    puzzle.win = lambda: puzzle.solved
    puzzle.win = "all crate on goal"
    letters: str = puzzle.moves
    data: bytes = puzzle.snapshot()
    puzzle.restore(data)


game = Game(path(names()[0]), undo_limit=3, max_chain=None)
solution: Solution = solve(game, max_states=10_000, seconds=60.0, is_dead=lambda game: len(game.moves) > 100)
if solution.outcome is Outcome.SOLVED and solution.moves is not None:
    game.play(solution.moves)
play: Play = record(game, "first_push.txt")
again: Play = parse_play(play_text(play))
world = CollisionWorld()
ids: dict[str, int] = spawn(level, world)
levels: list[Level] = load_levels(Path(path("first_push")), components={"Player": dict})
placed = CollisionSystem(rule="sum").spawn(level, at=(3, 0), ignore={"rule"})
crate: int = placed["crate"]
place: Sequence[float] = placed.at
placed.remove(immediate=True)


def problem_of(play: Play) -> str | None:
    verdict: Verdict = verify(play, scripts=False)
    return None if verdict else verdict.problem
