"""JSON nobody vouches for becomes plain data, whole, or a refusal with its place.

The decoder is that of the standard library. msgspec decodes twice as fast, but takes the last of two equal keys without
a word, and its errors tell no line, some no place; finding equal keys behind its back costs more than the hook that
sees them here (a project of 400 kB: 8 ms against 6). A parser of our own would have every place at hand, at the price
of Python for every token. So the decoder in C reads what is well, after a scan that bounds what it can cost, and only a
file that is refused is looked through again, slowly, for the place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import MAX_DEPTH, Source, place, shown

MAX_DIGITS = 400
"""The most digits of a number; the time to read one grows with their square."""

_BRACKETS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ALL_BUT_BRACKETS = bytes(code for code in range(256) if code not in _BRACKETS)
_OF_NUMBERS = np.isin(np.arange(256), list(b"0123456789.eE+-"))
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_KEY_OR_TEXT = re.compile(rb'"([^"]*+)"[ \t\n\r]*+:|"[^"]*+"')
_PIECE = 2**18
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]|[0-9]++', re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_NO_HALVES = re.compile(
    r"[^\\]*+(?:\\(?:[^u]|u(?![dD][89a-fA-F])|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F])[^\\]*+)*+", re.DOTALL
)
"""All of a text in which every escaped half of a surrogate pair has its other half."""


def decoded(source: Source, remedy: str) -> Any:
    """Return the data of a JSON file; raises LevelError with the place of the first fault found.

    Refused are: text that is not UTF-8, equal keys in one object, NaN and infinity, halves of a surrogate pair, nesting
    deeper than `MAX_DEPTH`, more parts than the budget has room for. Time and memory are bounded before anything is
    decoded.
    """
    text = source.text()
    _bound(source, text, remedy)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise _no_json(source, text, remedy, problem) from None
    except _NoDataError:
        value = _NoDataError  # the error holds all that was read: what looks for the fault comes when it is gone
    if value is _NoDataError:
        _refuse_word_or_twin(source, text, remedy)
    whole = _NO_HALVES.match(text)
    if whole is None or whole.end() < len(text):
        _refuse_half(source, value, remedy)
    return value


def pointer_to(*keys: str | int | None) -> str:
    """Return the JSON pointer (RFC 6901) of the keys that lead from the root to a value."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


class _NoDataError(Exception):
    """Something that the decoder would take but no JSON may hold; it is looked for afterwards."""


class _Pairs(list[tuple[str, Any]]):
    """An object with its equal keys."""


class _Word(str):
    """NaN or an infinity."""

    __slots__ = ()


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _NoDataError
    return made


def _refused_word(word: str) -> NoReturn:
    raise _NoDataError


_DECODER = json.JSONDecoder(object_pairs_hook=_object_of, parse_constant=_refused_word)
_SLOW_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=_Word)


def _bound(source: Source, text: str, remedy: str) -> None:
    """Refuse what would cost the decoder too much: depth, parts, long numbers. Looks outside of strings only.

    Up to the first fault of syntax every other quote that is not escaped ends a string; behind it this scan may see
    other strings than a reader, but the decoder never gets there.
    """
    data = source.data.replace(b"\\\\", b"").replace(b'\\"', b"")
    is_outside = _outside_of_texts(data)
    outside = np.frombuffer(data, np.uint8)[is_outside].tobytes().translate(None, b" \t\n")
    keys = outside.count(b":")
    source.spend("arrays and objects", outside.count(b"[") + outside.count(b"{"), pointer="")
    source.spend("texts", max(0, data.count(b'"') // 2 - keys), pointer="")
    source.spend("members of objects", keys, pointer="")
    source.spend("members of arrays", outside.count(b","), pointer="")
    source.spend("long numbers", _long_numbers(outside), pointer="")
    _spend_keys(source, data, is_outside)
    brackets = outside.translate(None, _ALL_BUT_BRACKETS)
    if max(accumulate(map(_BRACKETS.__getitem__, brackets)), default=0) > MAX_DEPTH:
        _refuse_depth(source, text, remedy)
    if b"0" * MAX_DIGITS in outside.translate(_DIGITS_TO_ZERO):
        _refuse_digits(source, text, remedy)


def _outside_of_texts(data: bytes) -> NDArray[np.bool_]:
    """Return which bytes are not between quotes. `split` would make an object of each piece, many times the file."""
    quotes = np.frombuffer(data, np.uint8) == ord('"')
    is_outside: NDArray[np.bool_] = ~(np.logical_xor.accumulate(quotes) | quotes)
    return is_outside


def _spend_keys(source: Source, data: bytes, is_outside: NDArray[np.bool_]) -> None:
    """Take the room for keys, those of one text once: the decoder makes one object of them.

    The file is cut into pieces, outside of texts, for all keys at once might take too much room here.
    """
    known = {b""}
    start = 0
    while start < len(data):
        end = start + _PIECE
        end = end + int(is_outside[end:].argmax()) if is_outside[end:].any() else len(data)
        before = len(known)
        known.update(_KEY_OR_TEXT.findall(data[start:end]))
        source.spend("keys", len(known) - before, pointer="")
        start = end


def _long_numbers(outside: bytes) -> int:
    """Return how many numbers have three letters or more: the others are objects that Python has already."""
    letters = np.frombuffer(outside, np.uint8)
    is_of_number = _OF_NUMBERS[letters]
    return int(np.count_nonzero(~is_of_number[:-3] & is_of_number[1:-2] & is_of_number[2:-1] & is_of_number[3:]))


def _refuse_depth(source: Source, text: str, remedy: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += _BRACKETS.get(ord(token[0][0]), 0)
        if depth > MAX_DEPTH:
            expected = f"at most {MAX_DEPTH} arrays and objects in each other"
            line, column = place(text, token.start())
            raise source.error(f"{token[0]!r} inside {MAX_DEPTH} others", expected, remedy, line=line, column=column)


def _refuse_digits(source: Source, text: str, remedy: str) -> None:
    for token in _TOKEN.finditer(text):
        if token[0].isdecimal() and len(token[0]) >= MAX_DIGITS:
            line, column = place(text, token.start())
            found, expected = f"a number of {len(token[0])} digits", f"less than {MAX_DIGITS}"
            raise source.error(found, expected, remedy, line=line, column=column)


def _no_json(source: Source, text: str, remedy: str, problem: json.JSONDecodeError) -> LevelError:
    found = shown(text[problem.pos : problem.pos + 20]) if problem.pos < len(text) else "the end of the file"
    return source.error(f"{found} ({problem.msg})", "JSON", remedy, line=problem.lineno, column=problem.colno)


def _refuse_word_or_twin(source: Source, text: str, remedy: str) -> NoReturn:
    """Refuse the first NaN, infinity or key that comes twice in its object, or what is no JSON behind it."""
    try:
        root = _SLOW_DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise _no_json(source, text, remedy, problem) from None
    for way, value in _walk(root):
        if isinstance(value, _Word):
            raise source.error(str(value), "a finite number", remedy, pointer=pointer_to(*_keys(way)))
        if isinstance(value, _Pairs):
            twice = _twice([key for key, _ in value])
            if twice is not None:
                found = f"the key {shown(twice)} twice"
                raise source.error(found, "every key once", remedy, pointer=pointer_to(*_keys(way), twice))
    raise AssertionError("one of them was found before")


def _twice(keys: list[str]) -> str | None:
    """Return the first key that comes a second time."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return None


def _refuse_half(source: Source, root: Any, remedy: str) -> NoReturn:
    """Refuse the first text with half of a surrogate pair: it could not be written as UTF-8."""
    for way, value in _walk(root):
        for text in value if isinstance(value, dict) else [value]:
            if isinstance(text, str) and _HALF.search(text):
                found = f"half of a surrogate pair in {shown(text)}"
                raise source.error(found, "text that can be written as UTF-8", remedy, pointer=pointer_to(*_keys(way)))
    raise AssertionError("one was found before")


Way = tuple["Way", str | int] | None
"""How to get to a value: the way to what it is in, and its key or index there; None for the document."""


def _keys(way: Way) -> list[str | int]:
    """Return the keys of a way, from the document on."""
    keys: list[str | int] = []
    while way is not None:
        way, key = way
        keys.append(key)
    return keys[::-1]


def _walk(root: Any) -> Iterator[tuple[Way, Any]]:
    """Yield every array, object and text with the way to it, in the order of the document."""
    yield None, root
    stack: list[tuple[Way, Iterator[tuple[str | int, Any]]]] = [(None, _members(root))]
    while stack:
        way, members = stack[-1]
        for key, value in members:
            if isinstance(value, _LOOKED_AT):
                yield (way, key), value
                if value and not isinstance(value, str):
                    stack.append(((way, key), _members(value)))
                    break
        else:
            stack.pop()


_LOOKED_AT = (str, dict, list)


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return iter(value.items())
    if isinstance(value, _Pairs):
        return iter(value)
    return enumerate(value) if isinstance(value, list) else iter(())
