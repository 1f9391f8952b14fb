"""Play files: a level, moves, and their result, as text.

    ; a comment on its own line
    level: doors.txt
    which: 2
    script: no
    moves: RRUUL
           LDD
    solved: yes
    end: 3f2a97c01be45d68

    events
    2 player pushed crate 1
    2 crate 1 entered plate

    places
    crate 1 at 4.5 2.5

A move is one character; "." waits. `which` selects one of several levels in a file, by number or title. `script` says
whether the script doors.py next to the level is used. `end` is the state hash at the end. `places` lists the bodies
that are not at their initial positions.

A play proves that a level can be solved and serves as a test: `verify` replays it and compares. Play files are
untrusted like levels: the format is strict and bounded, and references cannot leave the folder.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ecs_collision.errors import CollisionValueError, LevelError
from ecs_collision.fixed_point import instance_of
from ecs_collision.levels.files import write_atomically
from ecs_collision.levels.level import listed
from ecs_collision.levels.source import (
    Source,
    decimal_of,
    integer_of,
    is_plain_reference,
    open_source,
    shown,
    source_of,
)

MAX_MOVES = 100_000
"""Maximum number of moves in a play, which limits a replay to a few seconds."""

LINE_WIDTH = 60
"""Moves per line in a written play."""

A_PLAY = "give a Play, such as read_play(path) or record(game, level)"
"""What to do where something else is given."""

EVENT_WORDS = ("pushed", "entered", "left", "blocked", "came into contact with", "lost contact with")
"""The verbs of event lines."""


class PlayEvent(NamedTuple):
    """An event of a turn, counted from 1: "crate 1 entered plate"."""

    turn: int
    text: str

    def __str__(self) -> str:
        return f"{self.turn} {self.text}"


class Place(NamedTuple):
    """The final position of a thing."""

    name: str
    position: tuple[float, float, float]

    def __str__(self) -> str:
        numbers = self.position if self.position[2] else self.position[:2]
        return f"{self.name} at {' '.join(repr(number).removesuffix('.0') for number in numbers)}"


@dataclass(frozen=True, slots=True)
class Play:
    """A recorded play.

    level: the file of its level.
    moves: the letters played.
    solved: whether they solve it.
    end: the final state hash, in hexadecimal digits.
    which: which level of the file, by title or number; None if it has one.
    script: whether the level's script is used.
    events, places: None if they are missing in the file; then they are not compared.
    source: the file it was read from.
    """

    level: str
    moves: str
    solved: bool
    end: str
    which: str | int | None = None
    script: bool = False
    events: tuple[PlayEvent, ...] | None = None
    places: tuple[Place, ...] | None = None
    source: Source | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, (kind, words) in _FIELD_KINDS.items():
            instance_of(getattr(self, name), kind, f"Play.{name}", f"give {words}")
        for each in self.events or ():
            instance_of(each, PlayEvent, "an item of Play.events", "give events as PlayEvent(turn, text)")

    @property
    def name(self) -> str:
        """The name of its file, for messages."""
        return self.source.name if self.source is not None else "play"


_FIELD_KINDS: dict[str, tuple[Any, str]] = {
    "level": (str, "the path of the level file as a str"),
    "moves": (str, "letters as a str"),
    "solved": (bool, "True or False"),
    "end": (str, "a state hash as a str"),
    "which": (str | int | None, "the number or the title of a level, or None"),
    "script": (bool, "True or False"),
    "events": (tuple | None, "a tuple of events, or None"),
    "places": (tuple | None, "a tuple of places, or None"),
}


def read_play(path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None) -> Play:
    """Return the play in a file; raises LevelError with the position of the first fault.

    root: the folder that the reference to the level may not leave; None means the folder of the file.
    """
    return play_of(open_source(path, root, expected="a play"))


def parse_play(text: str | bytes, name: str = "play") -> Play:
    """Return the play in a text. It cannot be replayed, because no file leads to its level; see `read_play`."""
    return play_of(source_of(text, name))


def play_of(source: Source) -> Play:
    """Return the play in a file that is already open."""
    return _Reader(source).play()


def play_text(play: Play) -> str:
    """Return a play as text; raises CollisionValueError for names that do not fit into a line."""
    instance_of(play, Play, "play", A_PLAY)
    lines = [f"level: {play.level}"]
    if play.which is not None:
        lines.append(f"which: {play.which}")
    lines.append(f"script: {_YES_NO[play.script]}")
    wrapped = [play.moves[at : at + LINE_WIDTH] for at in range(0, len(play.moves), LINE_WIDTH)] or [""]
    lines.append("\n       ".join([f"moves: {wrapped[0]}".rstrip(), *wrapped[1:]]))
    lines += [f"solved: {_YES_NO[play.solved]}", f"end: {play.end}"]
    for section, entries in (("events", play.events), ("places", play.places)):
        if entries is not None:
            lines += ["", section, *map(str, entries)]
    text = "\n".join(lines) + "\n"
    try:
        is_same = parse_play(text) == play
    except LevelError:
        is_same = False
    if not is_same:
        raise CollisionValueError(
            f"the play of {shown(play.level)} cannot be written: a name in it contains a line end, outer spaces or "
            "other text that does not fit into a line; rename the thing"
        )
    return text


def write_play(play: Play, path: str | os.PathLike[str]) -> None:
    """Write a play to a file. An existing file is replaced in one step."""
    write_atomically(path, play_text(play))


_KEY = re.compile(r"([A-Za-z]+) *: *")
_EVENT = re.compile(rf"([0-9]{{1,7}}) (\S.* (?:{'|'.join(EVENT_WORDS)}) \S.*)", re.ASCII)
_PLACE = re.compile(r"(\S.*) at (\S+) (\S+)(?: (\S+))?")
_HASH = re.compile(r"[0-9a-f]{8,128}", re.ASCII)

_KEYS = ("level", "which", "script", "moves", "solved", "end")
_REQUIRED = ("level", "moves", "solved", "end")
_YES_NO = {True: "yes", False: "no"}


class _Reader:
    """Reads a play file line by line; errors have a line and column."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.values: dict[str, str] = {}
        self.key = ""
        self.moves: list[str] = []
        self.move_count = 0
        self.events: list[PlayEvent] = []
        self.places: list[Place] = []
        self.sections: list[str] = []
        self.number = 0

    def play(self) -> Play:
        text = self.source.text()
        self.source.limit("lines", text.count("\n") + 1, line=1, column=1)
        for line in text.split("\n"):
            self.number += 1
            self._line(line.rstrip(" "))
        self._check_keys()
        values, which = self.values, self.values.get("which")
        number = None if which is None else integer_of(which)
        return Play(
            level=values["level"], moves="".join(self.moves), solved=values["solved"] == "yes", end=values["end"],
            which=which if number is None else number, script=values.get("script") == "yes",
            events=tuple(self.events) if "events" in self.sections else None,
            places=tuple(self.places) if "places" in self.sections else None, source=self.source,
        )  # fmt: skip

    def _line(self, line: str) -> None:
        if not line.isprintable():
            column = next(at for at, letter in enumerate(line, start=1) if not letter.isprintable())
            raise self._error(
                f"the character {line[column - 1]!r}", "printable characters", "remove it; indent with spaces",
                column,
            )  # fmt: skip
        if not line or line.startswith(";"):
            return
        if line in ("events", "places"):
            self._check_keys()
            if line in self.sections:
                raise self._error(f"a second section {line!r}", "one of them", "combine them")
            self.sections.append(line)
        elif self.sections:
            if self.sections[-1] == "events":
                self._event(line)
            else:
                self._place(line)
        elif not line.startswith(" "):
            self._value(line)
        elif self.key == "moves":
            self._add_moves(line, 1)
        else:
            raise self._error("an indented line", "'key: value'", "only moves can continue on the next line")

    def _check_keys(self) -> None:
        missing = [key for key in _REQUIRED if key not in self.values]
        if missing:
            raise self._error(f"no {missing[0]!r}", f"the keys {listed(_REQUIRED)}", f"add a line '{missing[0]}: ...'")

    def _value(self, line: str) -> None:
        match = _KEY.match(line)
        if match is None:
            raise self._error(
                f"the line {shown(line)}", "'key: value', 'events' or 'places'", f"the keys are {listed(_KEYS)}"
            )
        key, value, column = match[1], line[match.end() :], match.end() + 1
        if key not in _KEYS:
            raise self._error(f"the unknown key {shown(key)}", f"one of {listed(_KEYS)}", "rename or remove it")
        if key in self.values:
            raise self._error(f"a second {key!r}", "one of them", "remove one; more moves go on an indented line")
        self.key, self.values[key] = key, value
        if key == "moves":
            self._add_moves(value, column)
        elif key in ("script", "solved") and value not in ("yes", "no"):
            raise self._error(f"{key}: {shown(value)}", "yes or no", "write one of the two", column)
        elif key == "end" and not _HASH.fullmatch(value):
            expected = "a state hash, 8 to 128 digits of 0-9 and a-f"
            raise self._error(shown(value), expected, "record the play again", column)
        elif key == "which" and not value:
            raise self._error("nothing", "the number or title of a level", "remove the line to use the first", column)
        elif key == "level" and not is_plain_reference(value):
            raise self._error(
                f"the reference {shown(value)}", "a relative path with '/' to a level file",
                "name the file relative to the play", column,
            )  # fmt: skip

    def _add_moves(self, text: str, column: int) -> None:
        for match in re.finditer(r"[^ ]+", text):
            self.moves.append(match[0])
            self.move_count += len(match[0])
            if self.move_count > MAX_MOVES:
                raise self._error(f"more than {MAX_MOVES} moves", "fewer", "split the play", column + match.start())

    def _event(self, line: str) -> None:
        match = _EVENT.fullmatch(line)
        if match is None:
            expected = "'TURN NAME VERB NAME' with a verb from " + listed(EVENT_WORDS)
            raise self._error(shown(line), expected, "record the play again")
        turn, before = int(match[1]), self.events[-1].turn if self.events else 1
        if not before <= turn <= self.move_count:
            raise self._error(
                f"turn {turn}", f"a turn from {before} to {self.move_count}, the number of moves",
                "sort the events by turn, or record the play again",
            )  # fmt: skip
        self.events.append(PlayEvent(turn, match[2]))

    def _place(self, line: str) -> None:
        match = _PLACE.fullmatch(line)
        numbers = [decimal_of(text) for text in match.groups("0")[1:]] if match else []
        if match is None or None in numbers:
            raise self._error(shown(line), "'NAME at X Y' with finite numbers", "record the play again")
        x, y, z = (number or 0.0 for number in numbers)
        self.places.append(Place(match[1], (x, y, z)))

    def _error(self, found: str, expected: str, remedy: str, column: int = 1) -> LevelError:
        return self.source.error(found, expected, remedy, line=self.number, column=column)
