"""The command line: `python -m ecs_collision demo`, `play`, `replay`, `verify`, `solve` and `doctor`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ecs_collision.console import commands
from ecs_collision.console.writing import visible
from ecs_collision.demo.doctor import report
from ecs_collision.demo.fish import FishGame, read_fish
from ecs_collision.demo.replays import Tally, replay
from ecs_collision.demo.sokoban import SokobanGame, read_sokoban
from ecs_collision.demo.story import tell_story
from ecs_collision.errors import CollisionError

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 when all went well, 1 when something was found wrong, 2 for wrong input."""
    chosen = _parser().parse_args(arguments)
    try:
        status = _run(chosen)
        sys.stdout.flush()
    except CollisionError as problem:
        print(f"error: {visible(str(problem))}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; what is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return status


def _run(chosen: argparse.Namespace) -> int:
    if chosen.command == "doctor":
        return _doctor()
    if chosen.command == "demo":
        return _demo(chosen.sokoban, chosen.fish)
    return FINE if commands.run(chosen) else FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ecs_collision", description="Collisions and pushes for esper.")
    known = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_commands(known)
    demo = known.add_parser("demo", help="play a small puzzle in the terminal, or replay recorded games")
    source = demo.add_mutually_exclusive_group()
    source.add_argument("--sokoban", type=Path, metavar="FILE.json", help="replay recorded Sokoban games")
    source.add_argument("--fish", type=Path, metavar="FILE.json", help="replay recorded Fish Fillets games")
    known.add_parser("doctor", help="say what is installed and whether the kernels are compiled")
    return parser


def _demo(sokoban: Path | None, fish: Path | None) -> int:
    if sokoban is not None:
        return _tell(replay(read_sokoban(sokoban), SokobanGame, sys.stdout))
    if fish is not None:
        return _tell(replay(read_fish(fish), FishGame, sys.stdout))
    return FINE if tell_story(sys.stdout) else FAILED


def _tell(tally: Tally) -> int:
    print("\n".join(tally.lines()))
    return FINE if tally.all_is_well() else FAILED


def _doctor() -> int:
    lines, is_healthy = report()
    print("\n".join(lines))
    return FINE if is_healthy else FAILED


if __name__ == "__main__":
    sys.exit(main())
