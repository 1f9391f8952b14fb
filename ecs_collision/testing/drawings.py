"""Drawings of boards: reading them, comparing two of them, and describing the differences.

A drawing has rows of letters and, below them, notes: lines that begin with ";". A note gives the position of a body
that is not on whole cells ("; crate at 2.5 1.5"), or the meaning of a letter that is not in the legend ("; 1 = $ _").
Positions are never rounded, so the printed form of a board is itself a drawing that equals it. Drawings are read as
levels, with their own legend or the default one.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.levels import Level, parse_level
from ecs_collision.levels.load import Options
from ecs_collision.levels.registry import BUILTIN_COMPONENTS, Registry
from ecs_collision.levels.source import source_of
from ecs_collision.levels.text.legend import read_legend
from ecs_collision.testing.messages import count_text, hide_traceback, truncate
from ecs_collision.testing.scene_pictures import LETTERS, distinct_letters

__tracebackhide__ = hide_traceback

Cell = tuple[int, int]
"""Column and row, from 0."""

Content = tuple[str, ...]
"""The contents of a cell: the letters of its things, sorted; "entity-7" for a body that is not in the level."""

NOTE = ";"
PARTLY: Content = ("partly",)
"""The contents of a cell that only holds a part of an off-grid body."""


MAX_LISTED = 6
"""Maximum number of cells listed one by one."""

MAX_WIDTH = 100
"""Two pictures that are wider than this together are printed one below the other."""

_DEFINITION = re.compile(r"(\S) =((?: \S+)*)")
_FREE_LETTERS = f"{LETTERS}0"


class Drawing(NamedTuple):
    """The rows of a drawing, and its notes without their ";"."""

    rows: tuple[str, ...]
    notes: tuple[str, ...]


def read_drawing(text: str) -> Drawing:
    """Return the rows and notes of a text, without common indentation and without blank lines and spaces at the ends.

    An empty first column or row must therefore be drawn with points.
    """
    if not isinstance(text, str):
        raise CollisionTypeError(f"a drawing must be a str, not {text!r}; give rows of letters")
    lines = text.split("\n")
    notes = [" ".join(line.strip()[1:].split()) for line in lines if line.lstrip().startswith(NOTE)]
    drawn = "\n".join(line for line in lines if not line.lstrip().startswith(NOTE))
    rows = [line.rstrip() for line in textwrap.dedent(drawn).split("\n")]
    first = next((number for number, row in enumerate(rows) if row), len(rows))
    while rows and not rows[-1]:
        rows.pop()
    return Drawing(tuple(rows[first:]), tuple(note for note in notes if note))


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The meanings of letters: the letters of single things, sorted, for a letter that stands for several or none.

    kinds: names for messages. blank: the letter of an empty cell.
    """

    meanings: Mapping[str, Content]
    kinds: Mapping[str, str]
    blank: str = "."

    def meaning(self, letter: str) -> Content | None:
        """Return the contents a letter stands for, or None if it is unknown."""
        return self.meanings.get(letter, () if letter in " ." else None)

    def letters(self) -> dict[Content, str]:
        """Return the letter of each content that has one; the first one declared wins."""
        found: dict[Content, str] = {}
        for letter, content in self.meanings.items():
            found.setdefault(content, letter)
        return found | {(): self.blank}

    def text_of(self, content: Content) -> str:
        """Return a content in words."""
        if content == PARTLY:
            return "part of an off-grid body"
        words = [f"{letter} {self.kinds[letter]}" if letter in self.kinds else letter for letter in content]
        return " with ".join(words) or "nothing"

    def with_notes(self, notes: Iterable[str]) -> tuple[Alphabet, frozenset[str]]:
        """Return the alphabet extended by the letters that notes define, and the remaining notes."""
        own, rest = {}, set()
        for note in notes:
            match = _DEFINITION.fullmatch(note)
            if match is None:
                rest.add(note)
                continue
            letter, content = match[1], tuple(sorted(match[2].split()))
            known = self.meaning(letter)
            if known is not None and known != content:
                raise CollisionValueError(
                    f"the note '; {note}' contradicts the legend, where {letter!r} is {self.text_of(known)}; "
                    "use a letter that is not in the legend"
                )
            own[letter] = content
        return Alphabet({**self.meanings, **own}, self.kinds, self.blank), frozenset(rest)


def contents(rows: Sequence[str], alphabet: Alphabet) -> dict[Cell, Content]:
    """Return the non-empty cells of a drawing; raises CollisionValueError for an unknown letter."""
    found: dict[Cell, Content] = {}
    partly = partly_letter(alphabet)
    for row, text in enumerate(rows):
        for column, letter in enumerate(text):
            content = PARTLY if letter == partly else alphabet.meaning(letter)
            if content is None:
                names = (f"{each!r} {alphabet.kinds.get(each, '')}".rstrip() for each in alphabet.meanings)
                fit = letter if letter.isprintable() and letter not in " ;" else "D"
                raise CollisionValueError(
                    f"the drawing has the unknown letter {letter!r} at column {column}, row {row} (from 0); known are "
                    f"{', '.join(names)}, and ' ' or '.' for an empty cell; add it to the legend, as in "
                    f'legend="{fit} door: Static"'
                )
            if content:
                found[column, row] = content
    return found


def partly_letter(alphabet: Alphabet) -> str:
    """Return the letter for cells with parts of off-grid bodies: one that the legend does not use."""
    return next(letter for letter in "~?%&!" + _FREE_LETTERS if letter not in alphabet.meanings)


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of the cells of a board, by column and row from 0, and notes for off-grid bodies."""

    alphabet: Alphabet
    cells: Mapping[Cell, Content]
    off_grid: tuple[str, ...]
    size: tuple[int, int]

    def drawing(self) -> Drawing:
        """Return the drawing. Contents without a letter get a number and a note with its meaning."""
        letters = self.alphabet.letters() | {PARTLY: partly_letter(self.alphabet)}
        free = (mark for mark in _FREE_LETTERS if mark not in self.alphabet.meanings)
        notes = []
        edge = self.alphabet.blank
        # Leading spaces would be read as indentation, and a blank first row would be skipped.
        if edge == " " and (all(column for column, _ in self.cells) or all(row for _, row in self.cells)):
            edge = "." if self.alphabet.meaning(".") == () else next(free)
            notes += [f"{edge} ="] if edge != "." else []
        in_order = sorted(self.cells, key=lambda cell: (cell[1], cell[0]))
        for content in dict.fromkeys(self.cells[cell] for cell in in_order):
            if content not in letters:
                letters[content] = next(free, "?")
                notes.append(f"{letters[content]} = {' '.join(content)}")
        columns, rows = self.size
        drawn = [[letters[self.cells.get((column, row), ())] for column in range(columns)] for row in range(rows)]
        drawn = [[edge if row[0] == " " else row[0], *row[1:]] for row in drawn]
        return Drawing(tuple("".join(row).rstrip() for row in drawn), (*notes, *self.off_grid))

    def __str__(self) -> str:
        rows, notes = self.drawing()
        return "\n".join([*rows, *(f"{NOTE} {note}" for note in notes)])

    def __repr__(self) -> str:
        return f"Picture({str(self).replace(chr(10), '|')!r})"

    def difference(self, other: str | Picture) -> list[str]:
        """Return lines that describe how the picture differs from a drawing or another picture; none if it does not."""
        if isinstance(other, Picture):
            expected, rows, off_grid, word = other.cells, other.drawing().rows, frozenset(other.off_grid), "the other"
        else:
            rows, notes = read_drawing(other)
            alphabet, off_grid = self.alphabet.with_notes(notes)
            expected, word = contents(rows, alphabet), "expected"
        cells = {cell for cell in {*self.cells, *expected} if self.cells.get(cell) != expected.get(cell)}
        missing, unexpected = off_grid - {*self.off_grid}, [note for note in self.off_grid if note not in off_grid]
        if not (cells or missing or unexpected):
            return []
        count = len(missing) + len(unexpected)
        parts = [count_text(len(cells), "cell differs", "cells differ")] if cells else []
        parts += [count_text(count, "note differs", "notes differ")] if count else []
        lines = [f"the board differs from the drawing: {', '.join(parts)}"]
        lines += _side_by_side(self.drawing().rows, rows, cells, ("found", word))
        text_of = self.alphabet.text_of
        cell_lines = [
            f"  {cell}: found {text_of(self.cells.get(cell, ()))}, {word} {text_of(expected.get(cell, ()))}"
            for cell in sorted(cells, key=lambda cell: (cell[1], cell[0]))
        ]
        lines += truncate(cell_lines, MAX_LISTED)
        lines += [f"  found, but not {word}: {note}" for note in unexpected]
        return lines + [f"  {word}, but not found: {note}" for note in sorted(missing)]


def _side_by_side(
    found: Sequence[str], other: Sequence[str], cells: Iterable[Cell], titles: tuple[str, str]
) -> list[str]:
    """Return two drawings side by side, or one below the other if they are wide, with differing cells marked."""
    marked: dict[int, set[int]] = {}
    for column, row in cells:
        marked.setdefault(row, set()).add(column)
    pairs = list(zip_longest(found, other, fillvalue=""))
    marks = ["".join("^" if column in marked.get(row, ()) else " " for column in range(max(marked.get(row, {-1})) + 1))
             for row in range(len(pairs))]  # fmt: skip
    width = max(len(titles[0]), *(max(len(left), len(mark)) for (left, _), mark in zip(pairs, marks, strict=True)), 0)
    if 2 * width > MAX_WIDTH:
        return [line for side, title in enumerate(titles) for line in
                (f"  {title}", *_marked([pair[side] for pair in pairs], marks))]  # fmt: skip
    lines = [f"  {titles[0]:<{width}}   {titles[1]}"]
    for (left, right), mark in zip(pairs, marks, strict=True):
        lines.append(f"  {left:<{width}}   {right}".rstrip())
        lines += [f"  {mark:<{width}}   {mark}"] if mark else []
    return lines


def _marked(rows: Iterable[str], marks: Iterable[str]) -> Iterable[str]:
    for row, mark in zip(rows, marks, strict=True):
        yield f"  {row}".rstrip()
        if mark:
            yield f"  {mark}"


# Levels of drawings.

LEGEND = """
# wall: Static
@ player: Motion(1.5)
$ crate: Inertia(1)
_ plate: Trigger
* = $ _
+ = @ _
"""
"""The default meanings of letters; "." and " " are empty."""

USUAL_LETTERS = {"wall": "#", "walls": "#", "player": "@", "crate": "$", "box": "$", "goal": ".", "plate": "_"}
"""The letters of kinds in levels that were not drawn with letters, as in Sokoban."""

Legend = str | Mapping[str, str] | None
"""Lines as in a level, or a dict from letters to their meanings: {"D": "door: Static"}."""

_IS_LEVEL = re.compile(r"^map( +at .*)? *$", re.MULTILINE)


def level_of(drawing: str, legend: Legend, components: Mapping[str, Any] | None) -> tuple[Level, Alphabet]:
    """Return the level of a drawing, or of a text that is a whole level, and the alphabet it is drawn with."""
    if not isinstance(drawing, str):
        raise CollisionTypeError(f"a board is made from a drawing, a Level or a path, not from {drawing!r}")
    text = textwrap.dedent(drawing)
    if _IS_LEVEL.search(text):
        if legend is not None:
            raise CollisionValueError("this is a whole level with its own legend; leave the legend argument out")
        level = parse_level(text, components=components, name="board")
        return level, alphabet_of(level)
    rows, notes = read_drawing(drawing)
    if notes:
        raise CollisionValueError(
            f"the drawing has the note '; {notes[0]}', but a new board has bodies on whole cells only; move bodies "
            "with board.teleport(name, x, y) afterwards"
        )
    lines = _legend_lines(legend)
    options = Options(registry=Registry(components) if components else BUILTIN_COMPONENTS)
    source = source_of("\n".join(lines), "legend")
    read = read_legend(source, enumerate(lines, 1), options)
    alphabet = _alphabet(read.kinds, read.together)
    if not contents(rows, alphabet):
        raise CollisionValueError("the drawing is empty; draw a letter of the legend, such as '@'")
    text = "\n".join(["title: board", "legend", *lines, "map", *rows])
    return parse_level(text, components=components, name="board"), replace(alphabet, blank=_blank(rows, alphabet))


def alphabet_of(level: Level) -> Alphabet:
    """Return the alphabet of a level: the letters it was drawn with, else one letter for each kind."""
    if level.letters is not None:
        return _alphabet(level.letters.kinds, level.letters.together)
    kinds = {letter: kind for kind, letter in kind_letters(level).items()}
    usual = {"*": ("$", "."), "+": ("@", ".")} | ({"*": ("$", "_"), "+": ("@", "_")} if "_" in kinds else {})
    return _alphabet(
        kinds, {letter: stack for letter, stack in usual.items() if letter not in kinds and kinds.keys() >= {*stack}}
    )


def _alphabet(kinds: Mapping[str, str], together: Mapping[str, tuple[str, ...]]) -> Alphabet:
    single: dict[str, tuple[str, ...]] = {letter: (letter,) for letter in kinds}
    return Alphabet(single | {letter: tuple(sorted(stack)) for letter, stack in together.items()}, kinds, " ")


def kind_letters(level: Level) -> dict[str, str]:
    """Return a distinct letter for each kind: the usual one, one from its name, or any."""
    kinds = dict.fromkeys(thing.kind for thing in level.things)
    usual = {kind: USUAL_LETTERS[kind.lower()] for kind in kinds if kind.lower() in USUAL_LETTERS}
    return distinct_letters(kinds, usual, "".join(map(chr, range(0x41, 0x24F))))


def _legend_lines(legend: Legend) -> list[str]:
    """Return the lines of a legend: those given, and the default ones for letters that are not redefined."""
    if isinstance(legend, Mapping):
        given = [f"{letter} {meaning}" for letter, meaning in legend.items()]
    elif legend is None or isinstance(legend, str):
        given = [line for line in textwrap.dedent(legend or "").splitlines() if line.strip()]
    else:
        sample = '"D door: Static", or {"D": "door: Static"}'
        raise CollisionTypeError(f"legend is {legend!r}; give lines such as {sample}")
    own = {line[0]: line for line in given}
    lines = given + [line for line in LEGEND.split("\n") if line and line[0] not in own]
    stacks = {line[0] for line in lines if line[1:3] == " ="}
    return [line for line in lines if line in given or line[0] not in stacks or stacks.isdisjoint(line[3:].split())]


def _blank(rows: tuple[str, ...], alphabet: Alphabet) -> str:
    """Return the letter for an empty cell: a space if the drawing has spaces and no points."""
    drawn = "".join(rows)
    return " " if "." in alphabet.meanings or ("." not in drawn and " " in drawn) else "."
