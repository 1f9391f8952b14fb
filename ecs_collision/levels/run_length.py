"""Run lengths, as in `4#-3(2#.)`: read with every length known before anything is made of it, and written."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import MOST_DEPTH, Source, shown

_TOKEN = re.compile(r"([0-9]*)([^0-9]?)", re.ASCII)


_LETTERS = "letters out of run lengths"


def expand(source: Source, line: int, text: str) -> str:
    """Return a line with its run lengths written out; raises LevelError where there is no room for what comes of it.

    A number repeats the next character, or the group in parentheses behind it; groups may lie in each other.
    O(length of the result) for each depth.
    """
    source.spend("letters of run lengths", len(text), line=line)
    expansion = _Expansion(source, line)
    for token in _TOKEN.finditer(text):
        digits, letter = token.groups()
        column = token.start() + 1
        if letter == "(":
            expansion.open(expansion.times(digits, column), token.start(2) + 1)
        elif letter == ")":
            expansion.close(digits, column)
        elif letter:
            expansion.put(letter, expansion.times(digits, column), column)
        elif digits:
            raise expansion.refused(
                f"the run length {shown(digits)} at the end of the line", "something to repeat behind it",
                "write what is repeated, as in 4#", column,
            )  # fmt: skip
    return expansion.finished()


class _Group(NamedTuple):
    """A group that is still open: what came before it, how often the group comes, and where."""

    before: list[str]
    times: int
    column: int


class _Expansion:
    """One line as it is written out."""

    def __init__(self, source: Source, line: int) -> None:
        self._source, self._line = source, line
        self._groups: list[_Group] = []
        self._pieces: list[str] = []

    def refused(self, found: str, expected: str, remedy: str, column: int) -> LevelError:
        return self._source.error(found, expected, remedy, line=self._line, column=column)

    def times(self, digits: str, column: int) -> int:
        """Return a run length; one of too many digits counts as a billion, which no level has room for."""
        times = 1 if not digits else int(digits) if len(digits) <= 9 else 10**9
        if times == 0:
            raise self.refused("the run length 0", "1 or more", "leave out what shall not be there", column)
        return times

    def put(self, text: str, times: int, column: int) -> None:
        """Add a text some times; too much of it is refused before it is made."""
        self._source.spend(_LETTERS, times * len(text), line=self._line, column=column)
        self._pieces.append(text * times)

    def open(self, times: int, column: int) -> None:
        if len(self._groups) >= MOST_DEPTH:
            raise self.refused(f"more than {MOST_DEPTH} groups in each other", "fewer", "write groups out", column)
        self._groups.append(_Group(self._pieces, times, column))
        self._pieces = []

    def close(self, digits: str, column: int) -> None:
        if not self._groups or digits:
            raise self.refused(
                f"{shown(digits + ')')}", "')' only where it closes a group", "write groups as in 3(2#-)", column
            )
        group, text = self._groups.pop(), "".join(self._pieces)
        self._pieces = group.before
        self.put(text, group.times, group.column)

    def finished(self) -> str:
        if self._groups:
            raise self.refused(
                "a '(' that is never closed", "')' in the same line", "close the group", self._groups[-1].column
            )
        return "".join(self._pieces)


def shorten(row: str) -> str:
    """Return a row with run lengths in place of two or more equal characters."""
    counted = ((letter, sum(1 for _ in same)) for letter, same in groupby(row))
    return "".join(letter if count == 1 else f"{count}{letter}" for letter, count in counted)
