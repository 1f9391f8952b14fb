"""Writes levels as text files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ecs_collision.levels.level import Level, names_for
from ecs_collision.levels.load import Options
from ecs_collision.levels.registry import BUILTIN_COMPONENTS, Registry
from ecs_collision.levels.round_trip import cells_of, check_reads_back, levels_in, write_error
from ecs_collision.levels.source import Source
from ecs_collision.levels.text.header import TEXTS
from ecs_collision.levels.text.legend import grouping_by_default
from ecs_collision.levels.text.letter_layout import LetterMap, Symbol, maps_of, symbols_of
from ecs_collision.levels.text.reading import read_text
from ecs_collision.levels.value_parser import WORD, bare_value, format_value, quoted

FORM = "text"
CONVENTIONAL = {
    ("wall",): "#", ("player",): "@", ("crate",): "$", ("box",): "$", ("goal",): ".",
    ("crate", "goal"): "*", ("box", "goal"): "*", ("player", "goal"): "+",
}  # fmt: skip
"""Conventional letters, by the kinds on a cell."""

FLOOR = "_"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijknopqrsuvwxyz0123456789&%!?*+~=^<>/|'$@#,:{}[]()-"
"""Available letters. A row cannot be mistaken for a heading: no letter with which a heading starts is included."""

FURTHER_LETTERS = range(0xC0, 0x3000)
"""Further letters for levels with many symbols."""

_BARE = re.compile(r"(?!(legend|things|map|title)\b)[^\W\d_][\w\-]*( [\w\-]+)*", re.ASCII)


def write_text(levels: Level | Iterable[Level]) -> str:
    """Return levels as a text file that reads back equal; raises CollisionValueError for what it cannot express."""
    written = levels_in(levels)
    text = "\n".join("".join(f"{line}\n" for line in _Writer(level).lines()) for level in written)
    if written:
        known = {name for level in written for thing in level.things for name in thing.components}
        options = Options(registry=Registry({name: dict for name in known if name not in BUILTIN_COMPONENTS}))
        check_reads_back(written, FORM, lambda: read_text(Source("written", text.encode("utf-8")), options))
    return text


class _Writer:
    """Writes one level."""

    def __init__(self, level: Level) -> None:
        self._level = level
        cells = [cells_of(level, thing, FORM) for thing in level.things]
        symbols = symbols_of(level.things, cells)
        self._maps = maps_of(symbols, cells)
        self._letters: dict[tuple[Symbol, ...], str] = {}
        for symbol in symbols:
            self._give_letter((symbol,))
        for drawn in self._maps:
            for stack in drawn.cells.values():
                self._give_letter(tuple(stack))

    def _give_letter(self, stack: tuple[Symbol, ...]) -> None:
        if stack in self._letters:
            return
        taken = set(self._letters.values())
        kinds = tuple(symbol.kind for symbol in stack)
        initial = kinds[0][:1] if len(kinds) == 1 else ""
        preferred = [CONVENTIONAL.get(kinds, ""), initial.upper(), initial]
        usual = [letter for letter in preferred if letter and letter in LETTERS + "."]
        further = (chr(number) for number in FURTHER_LETTERS if chr(number).isalpha())
        for letters in (usual, LETTERS, further):
            for letter in letters:
                if letter not in taken:
                    self._letters[stack] = letter
                    return
        raise write_error(self._level, FORM, f"more than {len(taken)} different cells", "split the level")

    def lines(self) -> Iterator[str]:
        """Yield the lines of the level."""
        yield from self._header()
        yield from ("", "legend", *self._legend())
        size = self._level.size
        for number, drawn in enumerate(self._maps):
            yield ""
            yield from _map(drawn, self._letters, size if number == 0 else None)
        things = list(self._things())
        if things:
            yield from ("", "things", *things)

    def _header(self) -> Iterator[str]:
        level = self._level
        yield f"title: {_text(level.title)}"
        if level.win is not None:
            yield f"win: {level.win}"
        if level.gravity is not None:
            yield f"gravity: {level.gravity}"
        for key, value in {**level.settings, **level.properties}.items():
            if key == "note" and isinstance(value, str):
                yield from (f"note: {_text(line)}" for line in value.split("\n"))
            elif key in TEXTS and isinstance(value, str):
                yield f"{key}: {_text(value)}"
            else:
                yield f"{key}: {self._value(value, key)}"

    def _legend(self) -> Iterator[str]:
        symbols = [symbol for (symbol, *others) in self._letters if not others]
        for stack, letter in self._letters.items():
            if len(stack) > 1:
                yield f"{letter} = {' '.join(self._letters[(symbol,)] for symbol in stack)}"
                continue
            symbol = stack[0]
            parts = [self._component(name, fields) for name, fields in symbol.components.items()]
            parts += [self._property(symbol, key, value) for key, value in symbol.properties.items()]
            parts += [symbol.grouping] if symbol.grouping != grouping_by_default(symbol.components) else []
            plain = not parts and sum(other.kind == symbol.kind for other in symbols) == 1
            yield f"{letter} {_name(symbol.kind)}" + ("" if plain else f": {', '.join(parts)}".rstrip())
        if _is_smaller(self._maps[0], self._level.size):
            yield f"{FLOOR} ="

    def _things(self) -> Iterator[str]:
        """Yield a line for each thing whose name is not its default name."""
        usual = names_for([thing.kind for thing in self._level.things])
        for thing, name in zip(self._level.things, usual, strict=True):
            if thing.name != name:
                yield f"{_name(name)} = {_name(thing.name)}"

    def _component(self, name: str, fields: object) -> str:
        if not isinstance(fields, Mapping) or not fields:
            return name
        if list(fields) == [BUILTIN_COMPONENTS.first_field(name)]:
            return f"{name}({self._value(fields[next(iter(fields))], name)})"
        return f"{name}({', '.join(f'{key}={self._value(value, key)}' for key, value in fields.items())})"

    def _property(self, symbol: Symbol, key: str, value: object) -> str:
        if not WORD.fullmatch(key) or key in BUILTIN_COMPONENTS:
            raise write_error(
                self._level, FORM, f"the property {key!r} of {symbol.kind!r}", "name the property with one word"
            )
        return f"{key}={self._value(value, key)}"

    def _value(self, value: Any, what: str) -> str:
        if value is None or isinstance(value, bool | str):
            return format_value(value)
        if isinstance(value, int | float) and bare_value(repr(value)) == value:
            return repr(value)
        if isinstance(value, tuple):
            return f"[{', '.join(self._value(item, what) for item in value)}]"
        raise write_error(
            self._level, FORM, f"{what!r} with the value {value!r}",
            "a text level can contain numbers of up to 15 digits, strings, true, false, none and lists",
        )  # fmt: skip


def _map(drawn: LetterMap, letters: dict[tuple[Symbol, ...], str], size: tuple[int, int] | None) -> Iterator[str]:
    """Yield the heading and rows of a map: of the whole level if `size` is given, else from the first used cell."""
    on = {cell: letters[tuple(stack)] for cell, stack in drawn.cells.items()}
    top, remaining = min((row for row, _ in on), default=0), min((column for _, column in on), default=0)
    if size is None:
        yield f"map at {remaining + 1} {top + 1}"
    else:
        top = remaining = 0
        if _is_smaller(drawn, size):
            on[(size[1] - 1, size[0] - 1)] = FLOOR
        yield "map"
    rows: dict[int, dict[int, str]] = {}
    for (row, column), letter in on.items():
        rows.setdefault(row, {})[column] = letter
    for row in range(top, max(rows) + 1):
        there = rows.get(row, {})
        yield "".join(there.get(column, " ") for column in range(remaining, max(there, default=remaining - 1) + 1))


def _is_smaller(drawn: LetterMap, size: tuple[int, int]) -> bool:
    """Return whether the map leaves the last row or column of the level empty."""
    return max(row for row, _ in drawn.cells) < size[1] - 1 or max(column for _, column in drawn.cells) < size[0] - 1


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else quoted(name)


def _text(text: str) -> str:
    """Return a title or similar text, quoted if it would read as something else."""
    is_plain = text == text.strip() and text.isprintable() and " ;" not in text and text[:1] not in ("", ";", '"')
    return text if is_plain else quoted(text)
