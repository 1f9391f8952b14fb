"""Reads Sokoban levels: XSB and SOK files with one or more boards, with or without run lengths.

A board consists of lines that contain only `#@+$*. -_`, the alternative letters `pPbBo` and run lengths; its first line
contains a wall. All other lines are metadata (see `sok_metadata`). A board line with one invalid letter is an error: as
metadata it would silently split the board in two.
"""

from __future__ import annotations

import re
from functools import partial

from ecs_collision.errors import LevelError
from ecs_collision.levels.conditions import quoted
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.grids import UNIT_BOXES, Run, position_and_boxes, rectangles_of, runs_in
from ecs_collision.levels.kinds import present
from ecs_collision.levels.level import Level, Thing, names_for
from ecs_collision.levels.limits import MAX_DEPTH, check_size
from ecs_collision.levels.load import Options
from ecs_collision.levels.sokoban.sok_metadata import Metadata, comment_lines, gap_of, metadata_of
from ecs_collision.levels.source import Source, shown

COMPONENTS = {
    "wall": FrozenMap({"Static": {}}),
    "player": FrozenMap({"Motion": {"force": 1.5}}),
    "crate": FrozenMap({"Inertia": {"value": 1.0}}),
    "goal": FrozenMap({"Trigger": {}}),
}
"""The components of the kinds. With the rule "sum", a force of 1.5 moves one crate of inertia 1, but not two."""

SETTINGS = FrozenMap({"rule": "sum"})
KINDS = {
    "#": ("wall",), "@": ("player",), "+": ("player", "goal"), "$": ("crate",), "*": ("crate", "goal"), ".": ("goal",),
}  # fmt: skip
"""The kinds on a cell, by letter."""

_PLAIN = str.maketrans("-_pPbBo", "  @+$*.")
"""Alternative letters of some collections to the standard ones."""

_PLAYER = re.compile(r"[@+pP]")
_ROW = re.compile(r"[ #@+$*.\-_]+")
_INVALID = re.compile(r"[^ #@+$*.\-_pPbBo0-9()|]")
_RUNS = re.compile(r"[0-9()|]")
_LIKE_A_ROW = re.compile(r"[\s\-_0-9(]*#")
_LIKE_A_FIRST_ROW = re.compile(r"[\s\-_0-9(]*(##|[0-9]#)")

Lines = list[tuple[int, str]]
"""Lines with their numbers."""


def read_xsb(source: Source, options: Options) -> list[Level]:
    """Return the levels of an XSB or SOK file; raises LevelError with the position of the first fault."""
    boards, board_metadata = _split(source)
    if not boards:
        raise source.error(
            "no board", "lines of '#', '@', '$' and '.'",
            "draw one, or give the file the suffix of its format, such as .tmx", line=1, column=1,
        )  # fmt: skip
    options.defined.update(COMPONENTS)
    chosen = {kind: _chosen(kind, own, options) for kind, own in COMPONENTS.items()}
    return [
        _level(source, chosen, _rows(source, board), {"title": f"level {number}"} | metadata)
        for number, (board, metadata) in enumerate(zip(boards, board_metadata, strict=True), 1)
    ]


def _split(source: Source) -> tuple[list[Lines], list[Metadata]]:
    """Return the lines and the metadata of each board."""
    lines = source.lines(tabs=True)
    commented = comment_lines(lines)
    boards: list[Lines] = []
    gaps: list[list[tuple[str, bool]]] = [[]]
    is_open = False
    for number, line in enumerate(lines):
        if number in commented or not _is_row(source, number + 1, line, is_open):
            gaps[-1].append((line, number in commented))
            is_open = False
            continue
        if not is_open or _starts_new_board(boards[-1], line):
            boards.append([])
            gaps.append([])
        boards[-1].append((number + 1, line))
        is_open = True
    return boards, metadata_of([gap_of(gap) for gap in gaps])


def _is_row(source: Source, number: int, line: str, is_open: bool) -> bool:
    """Return whether a line belongs to a board, given whether the line above does.

    Raises LevelError for a board line with an invalid letter.
    """
    if _ROW.fullmatch(line) and line.strip():
        return is_open or "#" in line
    invalid = _INVALID.search(line)
    if (_LIKE_A_ROW if is_open else _LIKE_A_FIRST_ROW).match(line):
        if invalid is None:
            return True
        raise source.error(
            f"{shown(invalid[0])} in a board", "only # @ + $ * . - _ and spaces, or p P b B o, or run lengths",
            "correct the letter, or start the line with ';' if it is a comment",
            line=number, column=invalid.start() + 1,
        )  # fmt: skip
    return invalid is None and "#" in line and not line[-1:].isdigit()


def _starts_new_board(board: Lines, line: str) -> bool:
    """Return whether a line is a complete board in run lengths that follows another board."""
    return "|" in line and _PLAYER.search(line) is not None and any(_PLAYER.search(text) for _, text in board)


def _rows(source: Source, board: Lines) -> Lines:
    """Return the rows of a board with their lines: run lengths expanded, alternative letters replaced."""
    source.limit("levels", line=board[0][0], column=1)
    rows: Lines = []
    for number, line in board:
        text = expand(source, number, line) if _RUNS.search(line) else line
        source.limit("lines", text.count("|"), line=number)
        pieces = text.translate(_PLAIN).split("|")
        rows += [(number, piece.rstrip()) for piece in (pieces if pieces[-1] else pieces[:-1])]
    filled = [index for index, (_, text) in enumerate(rows) if text]
    rows = rows[filled[0] : filled[-1] + 1]
    _check_player(source, board, rows)
    columns = max(len(text) for _, text in rows)
    check_size(columns, len(rows), partial(source.error, line=board[0][0]))
    return rows


def _check_player(source: Source, board: Lines, rows: Lines) -> None:
    """Raise LevelError unless a board has exactly one player."""
    found = [number for number, text in rows for letter in text if letter in "@+"]
    if len(found) == 1:
        return
    expected, remedy = "exactly one player, '@' or '+' on a goal", "draw one player in each board"
    if not found:
        raise source.error("a board without a player", expected, remedy, line=board[0][0], column=1)
    columns = [match.start() + 1 for match in _PLAYER.finditer(dict(board)[found[1]])]
    same_line = found[0] == found[1] and len(columns) > 1
    raise source.error("a second player", expected, remedy, line=found[1], column=columns[1 if same_line else 0])


def _chosen(kind: str, own: FrozenMap, options: Options) -> tuple[str, FrozenMap]:
    """Return the kind and the components of the things of a kind; those of the program replace the usual ones."""
    choice = options.choose(kind)
    return choice.kind, present({**(choice.defaults or own), **choice.overrides})


def _level(source: Source, chosen: dict[str, tuple[str, FrozenMap]], rows: Lines, metadata: Metadata) -> Level:
    walls: list[Run] = []
    placed: list[tuple[str, int, int]] = []
    for row, (line, text) in enumerate(rows):
        for letter, left, right in runs_in(text):
            if letter == "#":
                source.limit("boxes", line=line)
                walls.append(Run(row, left, right))
                placed += [("wall", row, left)] * (len(walls) == 1)
            elif letter != " ":
                source.limit("things", (right - left) * len(KINDS[letter]), line=line)
                placed += [(kind, row, column) for column in range(left, right) for kind in KINDS[letter]]
    position, boxes = position_and_boxes(rectangles_of(walls))
    kinds = [kind for kind, _, _ in placed]
    things = [
        Thing(name, chosen[kind][0], position, boxes, chosen[kind][1])
        if kind == "wall"
        else Thing(name, chosen[kind][0], (column + 0.5, row + 0.5, 0.0), UNIT_BOXES, chosen[kind][1])
        for name, (kind, row, column) in zip(names_for([chosen[kind][0] for kind in kinds]), placed, strict=True)
    ]
    return Level(
        title=metadata.pop("title"),
        size=(max(len(text) for _, text in rows), len(rows)),
        things=tuple(things),
        settings=SETTINGS,
        properties=FrozenMap(metadata),
        win=_win(kinds.count("crate"), kinds.count("goal"), chosen["crate"][0], chosen["goal"][0]),
        source=source.name,
        form="xsb",
    )


def _win(crates: int, goals: int, crate: str, goal: str) -> str | None:
    """Return the win condition: all crates on goals or, with fewer goals than crates, a crate on every goal."""
    if not crates or not goals:
        return None
    how_many = "all" if goals >= crates else f"{goals}"
    return f"{how_many} {quoted(crate)} on {quoted(goal)}"


_TOKEN = re.compile(r"([0-9]*)([^0-9()]+|[()]|$)", re.ASCII)
"""A length, and what it repeats: the first of these letters, or a group."""


def expand(source: Source, line: int, text: str) -> str:
    """Return a line with its run lengths expanded; raises LevelError above a limit.

    A number repeats the next character or group in parentheses; groups may be nested. O(length of the result) per level
    of nesting.
    """
    pieces: list[str] = []
    groups: list[tuple[list[str], int, int]] = []  # of each open group: preceding text, repetitions, column

    def make_error(found: str, expected: str, remedy: str, column: int) -> LevelError:
        return source.error(found, expected, remedy, line=line, column=column)

    for token in _TOKEN.finditer(text):
        digits, letters = token.groups()
        letter, column = letters[:1], token.start() + 1
        source.limit("runs of equal cells", line=line, column=column)
        # More digits count as a billion, which exceeds every limit.
        count = 1 if not digits else int(digits) if len(digits) <= 9 else 10**9
        if letter == ")":
            if not groups or digits:
                raise make_error(
                    f"{shown(digits + ')')}", "')' only where it closes a group", "write groups as in 3(2#-)", column
                )
            repeated = "".join(pieces)
            pieces, count, column = groups.pop()
        elif letter and not count:
            raise make_error("the run length 0", "1 or more", "remove it", column)
        elif letter == "(":
            if len(groups) >= MAX_DEPTH:
                raise make_error(f"more than {MAX_DEPTH} nested groups", "fewer", "write groups out", column)
            groups.append((pieces, count, token.start(2) + 1))
            pieces = []
            continue
        elif digits and not letter:
            raise make_error(
                f"the run length {shown(digits)} at the end of the line", "something to repeat after it",
                "write what is repeated, as in 4#", column,
            )  # fmt: skip
        else:
            repeated = letter
        source.limit("cells", count * len(repeated) + len(letters[1:]), line=line, column=column)
        pieces.append(repeated * count + letters[1:])
    if groups:
        raise make_error("an unclosed '('", "')' in the same line", "close the group", groups[-1][2])
    return "".join(pieces)
