"""Writes levels as XSB, with or without run lengths."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ecs_collision.fixed_point import flag
from ecs_collision.levels.grids import Cell
from ecs_collision.levels.level import Level
from ecs_collision.levels.load import Options
from ecs_collision.levels.round_trip import cells_of, check_reads_back, levels_in, write_error
from ecs_collision.levels.sokoban.reading import COMPONENTS, KINDS, read_xsb
from ecs_collision.levels.source import Source

_LETTERS = {frozenset(kinds): letter for letter, kinds in KINDS.items()}
_KEYS = {
    "author": "Author", "collection": "Collection", "copyright": "Copyright", "email": "Email", "homepage": "Homepage",
    "date": "Date", "id": "Id", "difficulty": "Difficulty",
}  # fmt: skip
FORM = "XSB"


def write_xsb(levels: Level | Iterable[Level], *, run_lengths: bool = False) -> str:
    """Return levels as an XSB file that reads back equal; raises CollisionValueError for what it cannot express.

    run_lengths: write each board in one line, as in `5#|#@$.#|5#`, with `-` for floor.
    """
    written = levels_in(levels)
    in_one_line = flag(run_lengths, "run_lengths")
    text = "\n".join(_board(level, in_one_line) + _metadata_lines(level) for level in written)
    if written:
        check_reads_back(written, FORM, lambda: read_xsb(Source("written", text.encode("utf-8")), Options()))
    return text


def _board(level: Level, run_lengths: bool) -> str:
    on: dict[Cell, set[str]] = {}
    for thing in level.things:
        expected = COMPONENTS.get(thing.kind)
        if thing.components != expected:
            remedy = "XSB supports only wall, player, crate and goal, with their usual components"
            found = dict(thing.components)
            raise write_error(level, FORM, f"{thing.name!r} is of kind {thing.kind!r} with {found!r}", remedy)
        for cell in cells_of(level, thing, FORM):
            on.setdefault(cell, set()).add(thing.kind)
    rows: list[dict[int, str]] = [{} for _ in range(level.size[1])]
    for (row, column), kinds in on.items():
        letter = _LETTERS.get(frozenset(kinds))
        if letter is None or row >= len(rows):
            raise write_error(
                level, FORM, f"{' and '.join(sorted(kinds))} on column {column + 1}, row {row + 1}",
                "put at most a player or a crate on a goal",
            )  # fmt: skip
        rows[row][column] = letter
    lines = [_line(row, "-" if run_lengths else " ") for row in rows]
    if run_lengths:
        return "|".join(_compressed(line) for line in lines) + "\n"
    first = next((number for number, line in enumerate(lines) if "#" in line), 0)
    lines[: first + 1] = ["|".join(lines[: first + 1])]
    return "".join(f"{line or '-'}\n" for line in lines)


def _line(letters: dict[int, str], floor: str) -> str:
    return "".join(letters.get(column, floor) for column in range(max(letters, default=-1) + 1))


def _metadata_lines(level: Level) -> str:
    lines = [f"Title: {level.title}"]
    for property, value in level.properties.items():
        if property == "note":
            lines += ["Comment:", str(value), "Comment-End:"]
        elif property == "solution":
            lines.append(f"Solution: {value}")
        elif property in _KEYS:
            lines.append(f"{_KEYS[property]}: {value}")
        else:
            raise write_error(
                level, FORM, f"its property {property!r}", f"XSB knows {', '.join(_KEYS)}, note and solution"
            )
    return "\n".join(lines) + "\n"


def _compressed(row: str) -> str:
    """Return a row with two or more equal characters replaced by run lengths."""
    counted = ((letter, sum(1 for _ in same)) for letter, same in groupby(row))
    return "".join(letter if count == 1 else f"{count}{letter}" for letter, count in counted)
