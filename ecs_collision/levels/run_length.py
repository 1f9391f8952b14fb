"""Expands and writes run lengths, as in `4#-3(2#.)`. Lengths are checked before anything is created."""

from __future__ import annotations

import re
from itertools import groupby

from ecs_collision.errors import LevelError
from ecs_collision.levels.limits import MAX_DEPTH
from ecs_collision.levels.source import Source, shown

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


def compress(row: str) -> str:
    """Return a row with two or more equal characters replaced by run lengths."""
    counted = ((letter, sum(1 for _ in same)) for letter, same in groupby(row))
    return "".join(letter if count == 1 else f"{count}{letter}" for letter, count in counted)
