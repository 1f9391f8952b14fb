"""Runs commands in this process, and finds all their file arguments in the parser of the command line."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ecs_collision.__main__ import main, parser
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.plays.files import play_text
from ecs_collision.plays.replaying import record

LEVEL = "title: {0}\nauthor: someone\nnote: {0}\nwin: all crate on goal\n\nlegend\n# wall: Static\n"
LEVEL += "@ player: Motion(force=1.5)\n"
LEVEL += "$ crate: Inertia(1)\n. goal: Trigger\n\nmap\n#######\n#@ $ .#\n#######\n"
BOARD = "#######\n#@ $ .#\n#######\n"
SCENE = """\
ecs_collision scene 1
; a remark
settings: rule=sum

bodies
1 at 0.0 0.0 0.0: BoxCollider(hx=0.5, hy=0.5), Motion(force=2.0, asked=[0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0])
2 at 2.0 0.0 0.0: BoxCollider(hx=0.5, hy=0.5, layer="soft", mask=["default", "soft"]), Inertia(value=1.0)
3 at 5.0 0.0 0.0: CompoundCollider(parts=[[0.5, 0.5, 0.5, 0.0, 0.0, 0.0]]), Trigger(linger=3, swept=true)
4 at 0.0 5.0 0.0: BoxCollider(hx=0.5, hy=0.5), Sleeping(after=2), Inertia(x=1.0)
6 at 0.0 9.0 0.0: BoxCollider(hx=0.5, hy=0.5), Velocity(x=1.0), Mass(value=1.0), Contact

acts
request 1 by 1.0 0.0 0.0
frame
keep 1
move 1 by 1.0 0.5 0.0: force=1.5, rule=each
plan 2 by -1.0 0.0 0.0
take in
  add 5 at 9.0 9.0 0.0: BoxCollider(hx=0.5, hy=0.5), Inertia(value=1.0)
  place 4 at 1.0 6.0 0.0
take in
  write 2: Inertia(value=2.0)
  give 4: Motion(force=1.0)
  take 4: Sleeping
  remove 5
frame
take in
  take 4: Motion
  give 4: Sleeping(after=2)
back to 1
impulse 6 by 1.0 0.0 0.0 at 0.5 9.0 0.0
step dynamics: dt=0.5, gravity=[0.0, 10.0, 0.0], substeps=4
frame
done
"""


def control_characters(text: str) -> list[str]:
    """Return the characters of a text that must not be sent to a terminal, except line ends."""
    return [letter for letter in text if not letter.isprintable() and letter != "\n"]


@dataclass(frozen=True)
class CommandResult:
    """The exit code and output of a command."""

    status: int
    out: str
    err: str

    def faults(self) -> list[str]:
        """Return violations of the rules for every command."""
        found = [f"it writes {letter!r}" for letter in control_characters(self.out + self.err)]
        errors = self.err.splitlines()
        if self.status == 2 and not (len(errors) == 1 and errors[0].startswith("error: ")):
            found.append(f"an error must be one line, not {self.err[:300]!r}")
        if self.status in (0, 1) and errors:
            found.append(f"it returns {self.status} and writes {self.err[:300]!r}")
        if self.status not in (0, 1, 2, 130):
            found.append(f"it returns {self.status}")
        return found


class Streams(NamedTuple):
    """The three streams of a command; None if closed."""

    stdin: Any
    stdout: Any
    stderr: Any


def streams(keys: bytes = b"", encoding: str = "utf-8") -> Streams:
    """Return streams like those that Python creates for pipes: encoding errors raise."""
    return Streams(
        io.TextIOWrapper(io.BytesIO(keys), encoding="utf-8"),
        io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n", write_through=True),
        io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n", write_through=True),
    )


def run(arguments: list[str], through: Streams | None = None) -> CommandResult:
    """Run a command with these streams; exceptions propagate, except the exit for invalid arguments."""
    given = streams() if through is None else through
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = given
    try:
        status = main(arguments)
    except SystemExit as ended:
        status = int(str(ended.code))
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    return CommandResult(status, *(_written(stream) for stream in given[1:]))


def _written(stream: Any) -> str:
    raw = getattr(stream, "buffer", None)
    return raw.getvalue().decode(stream.encoding) if isinstance(raw, io.BytesIO) else ""


# The commands and their file arguments.


class FileArgument(NamedTuple):
    """An argument that names a file or folder: its command, its option or "", and its name in the help."""

    command: str
    option: str
    metavar: str


def commands() -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of all commands, by name."""
    (known,) = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(known.choices)


def file_arguments() -> Iterator[FileArgument]:
    """Yield every argument of a command that names a file or folder."""
    for name, command in commands().items():
        for action in command._actions:
            if action.type is Path or action.dest == "level":
                yield FileArgument(name, action.option_strings[0] if action.option_strings else "", str(action.metavar))


VALID_CALLS = {
    "demo": [], "doctor": ["LEVEL"], "play": ["LEVEL"], "replay": ["FILE", "--delay", "0"],
    "verify": ["DIR", "--jobs", "1"], "solve": ["LEVEL", "--max-states", "20"],
}  # fmt: skip
"""A valid call of each command; a word in capitals stands for a file."""

FILES = {
    "LEVEL": ("level.txt", "level.xsb"), "FILE": ("good.play", "good.scene"), "DIR": ("", "good.play"),
    "--save": ("new.play",), "--html": ("new.html",), "--kinds": ("kinds.json",),
}  # fmt: skip
"""Valid files for an argument, by its option or its name in the help; "" is the folder of all."""


@cache
def good_play() -> str:
    """Return the text of a play of the board."""
    game = Game(parse_level(BOARD, "xsb", name="level.xsb"))
    game.play("RRR")
    return play_text(record(game, "level.xsb"))


def write_files(folder: Path) -> Path:
    """Write the valid files to a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "level.txt").write_text(LEVEL.format("A corridor"), encoding="utf-8")
    (folder / "level.xsb").write_text(BOARD, encoding="utf-8")
    (folder / "good.play").write_text(good_play(), encoding="utf-8")
    (folder / "good.scene").write_text(SCENE, encoding="utf-8")
    (folder / "kinds.json").write_text('{"class:crate": {"Inertia": 1}}', encoding="utf-8")
    return folder


def call(folder: Path, command: str, file: str | None = None) -> list[str]:
    """Return the arguments of a valid call in a folder, with `file` in place of the first file."""
    words = [str(folder / FILES[word][0]) if word in FILES else word for word in VALID_CALLS[command]]
    if file is not None:
        words[0] = file
    return [command, *words]


def calls(folder: Path, argument: FileArgument, file: str) -> list[str]:
    """Return the arguments of a valid call with a file for one argument."""
    if not argument.option:
        return call(folder, argument.command, file)
    return [*call(folder, argument.command), argument.option, file]


def valid_files(argument: FileArgument) -> tuple[str, ...]:
    """Return the names of valid files for an argument."""
    return FILES[argument.option or argument.metavar]
