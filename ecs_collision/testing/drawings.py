"""Drawings of boards as texts: how they are read, how two of them are compared, and what is said of the difference.

A drawing has rows of letters and, below them, notes: lines that begin with ";". A note says of a body that is not on
cells where it is ("; crate at 2.5 1.5"), or what a letter stands for that the legend does not have ("; 1 = $ _").
Nothing is rounded to be drawn, and what a board prints can be compared with as it is. Drawings are read as
levels, with a legend of their own or the usual one.
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
from ecs_collision.levels.source import Source
from ecs_collision.levels.text.legend import read_legend
from ecs_collision.testing.messages import count_text, hide_traceback, truncate

__tracebackhide__ = hide_traceback

Cell = tuple[int, int]
"""Column and row, from 0."""

Content = tuple[str, ...]
"""What is on a cell: the letters of its things, sorted; "entity-7" for one that no level has."""

NOTE = ";"
PARTLY: Content = ("partly",)
"""What is on a cell that nothing is on but a part of something between cells."""


MAX_LISTED = 6
"""So many differing cells are told of one by one."""

MAX_WIDTH = 100
"""Pictures that together are wider stand below each other."""

_DEFINITION = re.compile(r"(\S) =((?: \S+)*)")
_FREE_LETTERS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0"


class Drawing(NamedTuple):
    """The rows of a drawing, and its notes without their ";"."""

    rows: tuple[str, ...]
    notes: tuple[str, ...]


def read_drawing(text: str) -> Drawing:
    """Return the rows and notes of a text: without what its lines are indented by alike, and blanks at their ends.

    So a first column or row that is empty throughout must be drawn with points.
    """
    if not isinstance(text, str):
        raise CollisionTypeError(f"a drawing is a text, not {text!r}; give rows of letters in a str")
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
    """What letters stand for: the letters of single things, sorted; of several or of none. `kinds` are for messages.

    blank: how an empty cell is drawn.
    """

    meanings: Mapping[str, Content]
    kinds: Mapping[str, str]
    blank: str = "."

    def meaning(self, letter: str) -> Content | None:
        """Return what a letter stands for, None for one that is not known."""
        return self.meanings.get(letter, () if letter in " ." else None)

    def letters(self) -> dict[Content, str]:
        """Return the letter of each content that has one, the first that was declared."""
        found: dict[Content, str] = {}
        for letter, content in self.meanings.items():
            found.setdefault(content, letter)
        return found | {(): self.blank}

    def text_of(self, content: Content) -> str:
        """Return a content in words."""
        if content == PARTLY:
            return "a part of what is not on a cell"
        words = [f"{letter} {self.kinds[letter]}" if letter in self.kinds else letter for letter in content]
        return " with ".join(words) or "nothing"

    def with_notes(self, notes: Iterable[str]) -> tuple[Alphabet, frozenset[str]]:
        """Return the alphabet with the letters that notes define, and the notes that define none."""
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
                    f"the note '; {note}' says otherwise than the legend, where {letter!r} is {self.text_of(known)}; "
                    "take a letter that the legend does not have"
                )
            own[letter] = content
        return Alphabet({**self.meanings, **own}, self.kinds, self.blank), frozenset(rest)


def contents(rows: Sequence[str], alphabet: Alphabet) -> dict[Cell, Content]:
    """Return what the cells of a drawing hold that hold something; raises naming a letter that is not known."""
    found: dict[Cell, Content] = {}
    partly = partly_letter(alphabet)
    for row, text in enumerate(rows):
        for column, letter in enumerate(text):
            content = PARTLY if letter == partly else alphabet.meaning(letter)
            if content is None:
                names = (f"{each!r} {alphabet.kinds.get(each, '')}".rstrip() for each in alphabet.meanings)
                fit = letter if letter.isprintable() and letter not in " ;" else "D"
                raise CollisionValueError(
                    f"the drawing has the letter {letter!r} at column {column}, row {row} (from 0), which stands for "
                    f"nothing; there are {', '.join(names)}, and ' ' or '.' for nothing; add it to the legend, as in "
                    f'legend="{fit} door: Static"'
                )
            if content:
                found[column, row] = content
    return found


def partly_letter(alphabet: Alphabet) -> str:
    """Return the letter that marks what is between cells: one that the legend does not use."""
    return next(letter for letter in "~?%&!" + _FREE_LETTERS if letter not in alphabet.meanings)


@dataclass(frozen=True, slots=True)
class Picture:
    """What is on the cells of a board, columns and rows from 0, and what is on none: notes of where that is."""

    alphabet: Alphabet
    cells: Mapping[Cell, Content]
    off_grid: tuple[str, ...]
    size: tuple[int, int]

    def drawing(self) -> Drawing:
        """Return it as it is drawn; what has no letter gets a number, and a note of what it stands for."""
        letters = self.alphabet.letters() | {PARTLY: partly_letter(self.alphabet)}
        free = (mark for mark in _FREE_LETTERS if mark not in self.alphabet.meanings)
        notes = []
        edge = self.alphabet.blank
        # Blanks alone would be taken for indentation, and for an empty line before the drawing.
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
        """Return the lines that tell how it differs from a drawing or another picture, none where it does not."""
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
        lines = [f"the board is not as drawn: {', '.join(parts)}"]
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
    """Return two drawings side by side, or one below the other where they are wide, with differing cells marked."""
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
"""What letters mean unless the legend that is given says otherwise; "." and " " are empty."""

USUAL_LETTERS = {"wall": "#", "walls": "#", "player": "@", "crate": "$", "box": "$", "goal": ".", "plate": "_"}
"""The letters of kinds in levels that were not drawn with letters, as Sokoban has them."""

Legend = str | Mapping[str, str] | None
"""Lines as in a level, or letters to what stands behind them: {"D": "door: Static"}."""

_IS_LEVEL = re.compile(r"^map( +at .*)? *$", re.MULTILINE)


def level_of(drawing: str, legend: Legend, components: Mapping[str, Any] | None) -> tuple[Level, Alphabet]:
    """Return the level of a drawing, or of a text that is a whole level, and the letters it is drawn with."""
    if not isinstance(drawing, str):
        raise CollisionTypeError(f"a board is made of a drawing, a Level or a path, not of {drawing!r}")
    text = textwrap.dedent(drawing)
    if _IS_LEVEL.search(text):
        if legend is not None:
            raise CollisionValueError("this is a whole level with a legend of its own; give no legend beside it")
        level = parse_level(text, components=components, name="board")
        return level, alphabet_of(level)
    rows, notes = read_drawing(drawing)
    if notes:
        raise CollisionValueError(
            f"the drawing has the note '; {notes[0]}', but a board is made of letters on cells; give letters in the "
            "legend, and put things elsewhere with board.teleport(name, x, y)"
        )
    lines = _legend_lines(legend)
    options = Options(registry=Registry(components) if components else BUILTIN_COMPONENTS)
    source = Source("legend", "\n".join(lines).encode())
    read = read_legend(source, enumerate(lines, 1), options)
    alphabet = _alphabet(read.kinds, read.together)
    if not contents(rows, alphabet):
        raise CollisionValueError("the drawing has nothing in it; draw a letter of the legend, such as '@'")
    text = "\n".join(["title: board", "legend", *lines, "map", *rows])
    return parse_level(text, components=components, name="board"), replace(alphabet, blank=_blank(rows, alphabet))


def alphabet_of(level: Level) -> Alphabet:
    """Return the letters of a level: those it was drawn with, else one for each kind."""
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
    """Return a letter for each kind, no two alike: the usual one, one of its own, or any."""
    letters: dict[str, str] = {}
    kinds = list(dict.fromkeys(thing.kind for thing in level.things))
    for kind in kinds:
        usual = USUAL_LETTERS.get(kind.lower())
        if usual is not None and usual not in letters.values():
            letters[kind] = usual
    for kind in kinds:
        own = f"{kind.upper()}{kind.lower()}" + "".join(map(chr, range(0x41, 0x24F)))
        free = (letter for letter in own if letter.isalnum() and letter not in letters.values())
        letters.setdefault(kind, next(free))
    return letters


def _legend_lines(legend: Legend) -> list[str]:
    """Return the lines of a legend: those given, and the usual ones of letters that they leave."""
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
    """Return how the drawing draws nothing: with blanks if it has those and no points."""
    drawn = "".join(rows)
    return " " if "." in alphabet.meanings or ("." not in drawn and " " in drawn) else "."
