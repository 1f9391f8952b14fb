"""Parses values, and parts such as `Inertia(x=2), colour=red`, in text levels and scene files.

Errors have a line and column. Values are numbers, true, false, none (or Python's spelling of them), strings, and lists
in brackets. A string needs quotes only if it would read as something else. There are no expressions, and nothing is
evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ecs_collision.errors import CollisionError, CollisionValueError, LevelError
from ecs_collision.levels.limits import MAX_DEPTH
from ecs_collision.levels.registry import Registry
from ecs_collision.levels.source import (
    VALID_NAME,
    Source,
    decimal_of,
    integer_of,
    name_problem,
    said_by,
    shown,
)

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_BARE = re.compile(r'(?:(?! ;)[^,:=()\[\]"])*')
WORD = re.compile(r"[^\W\d]\w*", re.ASCII)
_FIELD = re.compile(r"(\w+) *=")
_LIKE_A_NUMBER = re.compile(r"[+\-.]*[0-9]", re.ASCII)
WORDS: dict[str, bool | None] = {
    "true": True, "True": True, "false": False, "False": False, "none": None, "None": None,
}  # fmt: skip
"""Words that are not strings, in the spelling of this format and of Python."""


QUOTE_REMEDY = 'write text in double quotes, as in "3 wide"'


class LinePart(NamedTuple):
    """One part of a line.

    form: "component" (the value is its fields), "property" (with its value), or "word" (no value).
    """

    form: str
    word: str
    column: int
    value: Any = None


class ValueParser:
    """A line and the current position in it."""

    def __init__(self, source: Source, line: int, text: str, start: int = 0) -> None:
        self.source, self.line, self.text, self.at = source, line, text, start

    @property
    def column(self) -> int:
        """Column of the next character, from 1."""
        return self.at + 1

    def error(self, found: str, expected: str, remedy: str, column: int | None = None) -> LevelError:
        """Return an error at a column, by default the current one."""
        return self.source.error(found, expected, remedy, line=self.line, column=column or self.column)

    def next(self) -> str:
        """Skip spaces and return the next character without consuming it; "" at the end or before a comment."""
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        return "" if self.at_comment() else self.text[self.at : self.at + 1]

    def at_comment(self) -> bool:
        """Return whether a comment starts here: ';' at the start of the line or after a space."""
        return self.text[self.at : self.at + 1] == ";" and self.text[self.at - 1 : self.at] in ("", " ")

    def accept(self, symbol: str) -> bool:
        """Consume a symbol if it is next, and return whether it was."""
        if self.next() != symbol:
            return False
        self.at += 1
        return True

    def expect(self, symbol: str, remedy: str) -> None:
        """Consume a symbol; raises LevelError if another comes next."""
        if not self.accept(symbol):
            raise self.unexpected(f"{symbol!r}", remedy)

    def unexpected(self, expected: str, remedy: str) -> LevelError:
        """Return an error about the rest of the line."""
        rest = self.text[self.at :] if self.next() else ""
        return self.error(shown(rest.strip(), 30) if rest else "the end of the line", expected, remedy)

    def end(self, remedy: str) -> None:
        """Raise LevelError unless the line ends here."""
        if self.next():
            raise self.unexpected("the end of the line", remedy)

    def bare(self) -> str:
        """Return the stripped text up to the next symbol, comment or end."""
        self.next()
        if self.at_comment():
            return ""
        match = _BARE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match[0].strip() if match else ""

    def quoted(self) -> str:
        """Read a string in double quotes, with JSON escapes."""
        match = _QUOTED.match(self.text, self.at)
        try:
            text: str = json.loads(match[0] if match else "")
            text.encode("utf-8")
        except ValueError as problem:
            raise self.error(
                shown(self.text[self.at :], 30), "a text in double quotes",
                'close the quotes, and write \\" and \\\\ for quotes and backslashes inside',
            ) from problem  # fmt: skip
        self.at += len(match[0]) if match else 0
        return text

    def name(self, what: str, remedy: str) -> str:
        """Read a name, quoted or bare."""
        is_quoted = self.next() == '"'
        column = self.column
        name = self.quoted() if is_quoted else self.bare()
        if not name.strip():
            raise self.unexpected(what, remedy)
        return self.check_name(name, column)

    def check_name(self, name: str, column: int) -> str:
        """Return a name; raises LevelError if it is too long or not printable."""
        problem = name_problem(name)
        if problem:
            raise self.error(problem, VALID_NAME, "choose another", column)
        return name

    def value(self, depth: int = 0) -> Any:
        """Read a value: a list in brackets, a quoted string or a bare value."""
        self.source.limit("values", line=self.line)
        symbol = self.next()
        if symbol == "[":
            return self._list(depth)
        if symbol == '"':
            return self.quoted()
        column = self.column
        text = self.bare()
        if not text:
            raise self.unexpected("a value", "write a number, a text, true, false, none or [a list]")
        return self._meaning(text, column)

    def _list(self, depth: int) -> list[Any]:
        if depth >= MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} nested lists", "fewer", "write a flatter list")
        self.expect("[", "start the list with '['")
        items: list[Any] = []
        while not self.accept("]"):
            items.append(self.value(depth + 1))
            if self.next() != "]":
                self.expect(",", "separate the items of a list by commas and close it with ']'")
        return items

    def _meaning(self, text: str, column: int) -> Any:
        value = bare_value(text)
        if isinstance(value, str) and _LIKE_A_NUMBER.match(value):
            raise self.error(shown(text), "a number, such as 2, 0.5 or -1.25e3", QUOTE_REMEDY, column)
        return value

    def parts(self) -> list[LinePart]:
        """Read all parts to the end of the line: `Name`, `Name(value)`, `Name(field=value, ...)`, `key=value`."""
        found: list[LinePart] = []
        while True:
            self.next()
            self.source.limit("values", line=self.line)
            column = self.column
            word = self._word("a component, or key=value")
            if self.next() == "(":
                found.append(LinePart("component", word, column, self._fields()))
            elif self.accept("="):
                found.append(LinePart("property", word, column, self.value()))
            else:
                found.append(LinePart("word", word, column))
            if not self.next():
                return found
            self.expect(",", "separate parts by commas")

    def _word(self, expected: str) -> str:
        match = WORD.match(self.text, self.at)
        if match is None or not self.next():
            raise self.unexpected(expected, "write Name, Name(value), Name(field=value) or key=value")
        self.at = match.end()
        return match[0]

    def _fields(self) -> dict[str, Any]:
        """Read fields in parentheses, by name. A bare first field has the name ""."""
        self.expect("(", "start the fields with '('")
        fields: dict[str, Any] = {}
        while not self.accept(")"):
            self.next()
            start = self.column
            match = _FIELD.match(self.text, self.at)
            if match:
                self.at = match.end()
            elif fields:
                raise self.unexpected("field=value", "name every field but the first")
            field = match[1] if match else ""
            if field in fields:
                raise self.error(f"the field {field!r} twice", "each field once", "remove one", start)
            fields[field] = self.value()
            if self.next() != ")":
                self.expect(",", "separate fields by commas and close them with ')'")
        return fields

    def component(self, registry: Registry, part: LinePart) -> Any:
        """Return the checked fields of a component; raises LevelError if it or a field is invalid."""

        def read(fields: dict[str, Any]) -> Any:
            if "" in fields:
                first = registry.first_field(part.word)
                if first in fields:
                    raise CollisionValueError(f"the field {first!r} is given twice")
                fields = {first: fields.pop(""), **fields}
            return registry.read(part.word, fields)

        return self.build(part, read)

    def build(self, part: LinePart, make: Callable[[dict[str, Any]], Any]) -> Any:
        """Return the result of `make` for the fields of a part; turns its errors into LevelError."""
        try:
            return make(dict(part.value or {}))
        except (CollisionError, TypeError, ValueError) as problem:
            what = str(problem) if part.word in str(problem) else f"{part.word}: {problem}"
            raise self.error(*said_by(what, "correct it, or remove it"), part.column) from problem


def bare_value(text: str) -> Any:
    """Return the number, boolean or None that a bare text stands for, or the text itself."""
    if text in WORDS:
        return WORDS[text]
    whole = integer_of(text)
    if whole is not None:
        return whole
    decimal = decimal_of(text)
    return text if decimal is None else decimal


def format_value(value: bool | str | None) -> str:
    """Return the text of a boolean, None or string, quoted if it would read as something else."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return value if value.isidentifier() and bare_value(value) == value else quoted(value)


def quoted(text: str) -> str:
    """Return a string in double quotes, with JSON escapes."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
