"""Decodes untrusted JSON into plain data, or raises an error with the position of the fault.

It uses the decoder of the standard library, in C, after a scan for deep nesting and long numbers. Only a rejected file
is read a second time, slowly, to find the position.

Not used: msgspec, which decodes twice as fast but silently accepts duplicate keys and reports no lines; a parser of
this package, which would run Python code for every token.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from ecs_collision.errors import LevelError
from ecs_collision.levels.limits import MAX_DEPTH
from ecs_collision.levels.source import Source, line_and_column, shown

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
    if brackets:
        _check_depth(source, text, remedy)
    long = b"0" * MAX_DIGITS
    if long in data.translate(_DIGITS_TO_ZERO) and long in _STRING.sub(b"", data).translate(_DIGITS_TO_ZERO):
        _check_digits(source, text, remedy)


def _check_depth(source: Source, text: str, remedy: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += _BRACKETS.get(token[0][0], 0)
        if depth > MAX_DEPTH:
            expected = f"at most {MAX_DEPTH} nested arrays and objects"
            line, column = line_and_column(text, token.start())
            raise source.error(f"{token[0]!r} inside {MAX_DEPTH} others", expected, remedy, line=line, column=column)


def _check_digits(source: Source, text: str, remedy: str) -> None:
    for token in _TOKEN.finditer(text):
        if token[0].isdecimal() and len(token[0]) >= MAX_DIGITS:
            line, column = line_and_column(text, token.start())
            found, expected = f"a number of {len(token[0])} digits", f"less than {MAX_DIGITS}"
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
