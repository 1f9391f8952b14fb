"""Decodes untrusted JSON, and gives typed access to it: every value is checked, every error has a JSON pointer.

It uses the decoder of the standard library, in C, after a scan for deep nesting and long numbers. Only a rejected file
is read a second time, slowly, to find the position.

Not used: msgspec, which decodes twice as fast but silently accepts duplicate keys and reports no lines; a parser of
this package, which would run Python code for every token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Self

from ecs_collision.errors import LevelError
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.level import listed
from ecs_collision.levels.limits import LARGEST, MAX_DEPTH
from ecs_collision.levels.source import Source, line_and_column, range_text, shown

MAX_DIGITS = 400
"""Limit on the digits of a number; the time to read one grows with their square."""

_BRACKETS = {"[": 1, "{": 1, "]": -1, "}": -1}
_ALL_BUT_BRACKETS_AND_QUOTES = bytes(code for code in range(256) if chr(code) not in (*_BRACKETS, '"'))
_BRACES_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")
_STRING = re.compile(rb'"[^"]*+"?')
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]|[0-9]++', re.DOTALL)
_NO_LONE_SURROGATES = re.compile(
    r"[^\\]*+(?:\\(?:[^u]|u(?![dD][89a-fA-F])|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F])[^\\]*+)*+", re.DOTALL
)
"""Matches a whole text in which every escaped surrogate belongs to a pair."""


def decode_json(source: Source, remedy: str) -> Any:
    """Return the data of a JSON file; raises LevelError with the position of a fault.

    Errors are: text that is not UTF-8, duplicate keys in an object, NaN and infinity, lone surrogates, nesting deeper
    than `MAX_DEPTH`, and long numbers.
    """
    text = source.text()
    _check_cost(source, text, remedy)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise _syntax_error(source, text, remedy, problem) from None
    except _RejectedValueError:
        value = _RejectedValueError  # search after this block: the exception keeps all decoded data alive
    if value is _RejectedValueError:
        _raise_non_finite_or_duplicate(source, text, remedy)
    valid = _NO_LONE_SURROGATES.match(text)
    end = valid.end() if valid else 0
    if end < len(text):
        line, column = line_and_column(text, end)
        raise source.error(
            f"half of a surrogate pair, {shown(text[end : end + 6])}", "text that can be written as UTF-8", remedy,
            line=line, column=column,
        )  # fmt: skip
    return value


def pointer_to(*keys: str | int | None) -> str:
    """Return the JSON pointer (RFC 6901) of the keys from the root to a value."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


class _RejectedValueError(Exception):
    """A value that the decoder would accept but JSON does not allow; its position is found afterwards."""


class _ObjectItems(list[tuple[str, Any]]):
    """The items of an object, with duplicate keys."""

    __slots__ = ()


class _NonFinite(str):
    """NaN or infinity."""

    __slots__ = ()


def _unique_items(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _RejectedValueError
    return result


def _reject_constant(word: str) -> NoReturn:
    raise _RejectedValueError


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_items, parse_constant=_reject_constant)
_SLOW_DECODER = json.JSONDecoder(object_pairs_hook=_ObjectItems, parse_constant=_NonFinite)


def _check_cost(source: Source, text: str, remedy: str) -> None:
    """Raise LevelError for deep nesting and long numbers, before the decoder reads them.

    The scan of brackets is exact up to the first syntax error; the decoder does not read beyond that.
    """
    data = source.data.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = data.translate(_BRACES_TO_BRACKETS, _ALL_BUT_BRACKETS_AND_QUOTES)
    brackets = _STRING.sub(b"", brackets.replace(b'""', b""))
    for _ in range(MAX_DEPTH):  # each round removes the innermost brackets
        brackets = brackets.replace(b"[]", b"")
    if brackets or b"0" * MAX_DIGITS in data.translate(_DIGITS_TO_ZERO):
        _check_tokens(source, text, remedy)


def _check_tokens(source: Source, text: str, remedy: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += _BRACKETS.get(token[0][0], 0)
        if depth > MAX_DEPTH:
            found, expected = (
                f"{token[0]!r} inside {MAX_DEPTH} others",
                f"at most {MAX_DEPTH} nested arrays and objects",
            )
        elif token[0].isdecimal() and len(token[0]) >= MAX_DIGITS:
            found, expected = f"a number of {len(token[0])} digits", f"less than {MAX_DIGITS}"
        else:
            continue
        line, column = line_and_column(text, token.start())
        raise source.error(found, expected, remedy, line=line, column=column)


def _syntax_error(source: Source, text: str, remedy: str, problem: json.JSONDecodeError) -> LevelError:
    found = shown(text[problem.pos : problem.pos + 20]) if problem.pos < len(text) else "the end of the file"
    return source.error(f"{found} ({problem.msg})", "JSON", remedy, line=problem.lineno, column=problem.colno)


def _raise_non_finite_or_duplicate(source: Source, text: str, remedy: str) -> NoReturn:
    """Raise LevelError for the first NaN, infinity, duplicate key or syntax error."""
    try:
        root = _SLOW_DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise _syntax_error(source, text, remedy, problem) from None
    _check(source, remedy, root, ())
    raise AssertionError("the decoder found a fault that is missing here")


def _check(source: Source, remedy: str, value: Any, path: tuple[str | int, ...]) -> None:
    """Raise LevelError for the first NaN, infinity or duplicate key in a value; its depth is limited."""
    if isinstance(value, _NonFinite):
        raise source.error(str(value), "a finite number", remedy, pointer=pointer_to(*path))
    members: Any = value
    if isinstance(value, _ObjectItems):
        seen: set[str] = set()
        for key, _ in value:
            if key in seen:
                found = f"the key {shown(key)} twice"
                raise source.error(found, "every key once", remedy, pointer=pointer_to(*path, key))
            seen.add(key)
    else:
        members = enumerate(value)
    for key, member in members:
        if isinstance(member, list | _NonFinite):
            _check(source, remedy, member, (*path, key))


def read_json(source: Source, remedy: str = "correct the file, or save it again from its editor") -> Node:
    """Return the root of a JSON file; raises LevelError with the position of the first fault.

    `remedy` is the default remedy of errors in this file.
    """
    return Node(source, decode_json(source, remedy), remedy)


class Node:
    """A value in a document. Its methods read and check members; errors have the JSON pointer of the member.

    The methods take an object key or an array index, or None for the value itself. `default` replaces a missing or null
    member; without a default that is an error.
    """

    __slots__ = ("_key", "_parent", "remedy", "source", "value")

    def __init__(
        self, source: Source, value: Any, remedy: str, parent: Node | None = None, key: str | int | None = None
    ) -> None:
        self.source, self.value, self.remedy = source, value, remedy
        self._parent, self._key = parent, key

    @property
    def pointer(self) -> str:
        """The JSON pointer of this value (RFC 6901), "" for the document."""
        keys: list[str | int | None] = []
        node: Node = self
        while node._parent is not None:
            keys.append(node._key)
            node = node._parent
        return pointer_to(*reversed(keys))

    def error(self, found: str, expected: str, remedy: str | None = None) -> LevelError:
        """Return an error about this value."""
        return self.source.error(found, expected, remedy or self.remedy, pointer=self.pointer)

    def unexpected(self, expected: str, remedy: str | None = None) -> LevelError:
        """Return an error that describes this value as found."""
        return self.error(describe(self.value), expected, remedy)

    def limit(self, what: str, count: int = 1) -> None:
        """Count items before they are created; raises LevelError above their limit."""
        self.source.limit(what, count, self.error)

    def find(self, key: str | int | None) -> Self | None:
        """Return a member, or None if it is missing or null."""
        if key is None:
            return self if self.value is not None else None
        if isinstance(key, int):
            inside = key < len(self._array())
        else:
            inside = key in self._object()
        if not inside or self.value[key] is None:
            return None
        return self._member(self.value[key], key)

    def _member(self, value: Any, key: str | int | None) -> Self:
        return type(self)(self.source, value, self.remedy, self, key)

    def has(self, key: str) -> bool:
        """Return whether a member exists and is not null."""
        return self._object().get(key) is not None

    def at(self, key: str | int) -> Self:
        """Return an existing member, null included."""
        return self._member(self.value[key], key)

    def get(self, key: str | int, expected: str = "a value") -> Self:
        """Return a required member."""
        return self.find(key) or self._missing(key, expected)

    def each(self, key: str | int | None = None, *, maximum: int = LARGEST, optional: bool = False) -> Iterator[Self]:
        """Yield the items of an array. An `optional` array may be missing or null."""
        node = self.find(key)
        if node is None:
            if optional:
                return
            node = self._missing(key, "an array")
        if len(node._array()) > maximum:
            raise node.unexpected(f"an array of at most {maximum}")
        for index, value in enumerate(node.value):
            yield node._member(value, index)

    def count(self, key: str) -> int:
        """Return the length of an array, 0 if it is missing or null."""
        node = self.find(key)
        return len(node._array()) if node is not None else 0

    def items(self, key: str | int | None = None, *, optional: bool = False) -> Iterator[tuple[str, Self]]:
        """Yield the keys and members of an object. An `optional` object may be missing or null."""
        node = self.find(key)
        if node is None:
            if optional:
                return
            node = self._missing(key, "an object")
        for name, value in node._object().items():
            yield name, node._member(value, name)

    def _read(self, key: str | int | None, expected: str, default: Any, fits: Callable[[Any], bool]) -> Any:
        """Return the value of a member if `fits` accepts it, or the default if it is missing."""
        node = self.find(key)
        if node is None:
            return default if default is not None else self._missing(key, expected)
        if not fits(node.value):
            raise node.unexpected(expected)
        return node.value

    def integer(
        self, key: str | int | None = None, *, minimum: int = -LARGEST, maximum: int = LARGEST,
        default: int | None = None,
    ) -> int:  # fmt: skip
        """Return an integer from `minimum` to `maximum`, written without a fraction."""
        expected = range_text("a whole number", minimum, maximum)
        found = self._read(key, expected, default, lambda value: type(value) is int and minimum <= value <= maximum)
        return int(found)

    def number(
        self, key: str | int | None = None, *, minimum: float = -LARGEST, maximum: float = LARGEST,
        default: float | None = None,
    ) -> float:  # fmt: skip
        """Return a finite number from `minimum` to `maximum`."""
        expected = range_text("a number", minimum, maximum)
        found = self._read(
            key, expected, default, lambda value: type(value) in (int, float) and minimum <= value <= maximum
        )
        return float(found)

    def text(
        self, key: str | int | None = None, *, among: tuple[str, ...] = (), maximum: int = LARGEST,
        default: str | None = None,
    ) -> str:  # fmt: skip
        """Return a string of at most `maximum` characters, one of `among` if given."""
        expected = f"one of {listed(among, 20)}" if among else "a text"
        found = self._read(key, expected, default, lambda value: type(value) is str and (not among or value in among))
        if len(found) > maximum:
            raise (self.find(key) or self).error(f"a text of {len(found)} characters", f"a text of at most {maximum}")
        return str(found)

    def flag(self, key: str | int | None = None, *, default: bool | None = None) -> bool:
        """Return a boolean."""
        return bool(self._read(key, "true or false", default, lambda value: type(value) is bool))

    def integers(
        self, key: str | int | None = None, *, count: int | None = None, minimum: int = -LARGEST, maximum: int = LARGEST
    ) -> list[int]:
        """Return an array of integers, exactly `count` of them if given. Fast for millions."""
        node = self.find(key) or self._missing(key, "an array of whole numbers")
        values = node._array()
        if count is not None and len(values) != count:
            raise node.unexpected(f"an array of {count}")
        if set(map(type, values)) - {int} or (values and not minimum <= min(values) <= max(values) <= maximum):
            odd = (at for at, item in enumerate(values) if type(item) is not int or not minimum <= item <= maximum)
            node.integer(next(odd), minimum=minimum, maximum=maximum)
        return values

    def plain(self, key: str | int | None = None) -> Value:
        """Return a member as immutable data, or None if it is missing. All numbers in it are checked."""
        node = self.find(key)
        if node is None:
            return None
        if type(node.value) is list:
            return tuple([item if _is_plain(item) else node.plain(at) for at, item in enumerate(node.value)])
        if type(node.value) is dict:
            members = node.value.items()
            return FrozenMap({name: item if _is_plain(item) else node.plain(name) for name, item in members})
        if type(node.value) in (int, float):
            node.number()
        value: Value = node.value
        return value

    def open_reference(self, key: str | int | None = None) -> Source:
        """Open the file that a member names."""
        node = self.find(key) or self._missing(key, "the path of a file")
        return self.source.open_reference(node.text(), pointer=node.pointer)

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.unexpected("an object")
        return self.value

    def _array(self) -> list[Any]:
        if type(self.value) is not list:
            raise self.unexpected("an array")
        return self.value

    def _missing(self, key: str | int | None, expected: str) -> NoReturn:
        if key is None:
            raise self.unexpected(expected)
        there = isinstance(self.value, dict) and key in self.value
        found = "null" if there else "nothing"
        raise self._member(None, key).error(found, expected)


def _is_plain(value: Any) -> bool:
    """Return whether a value has no members and, if it is a number, is in range."""
    kind = type(value)
    if kind is int or kind is float:
        return -LARGEST <= value <= LARGEST  # type: ignore[no-any-return]
    return kind is str or kind is bool or value is None


def describe(value: object) -> str:
    """Return a description of a JSON value for messages."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return shown(value)
