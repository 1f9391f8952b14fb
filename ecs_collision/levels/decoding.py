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

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import MOST_DEPTH, Source, place, shown

MOST_PARTS = 2**21
"""The most arrays, objects and texts, keys too, of a document: they cost far more memory than bytes in the file."""

MOST_DIGITS = 400
"""The most digits of a number; the time to read one grows with their square."""

_BRACKETS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ALL_BUT_BRACKETS = bytes(code for code in range(256) if code not in _BRACKETS)
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[0-9]+', re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")


def decoded(source: Source, remedy: str) -> Any:
    """Return the data of a JSON file; raises LevelError with the place of the first fault found.

    Refused are: text that is not UTF-8, equal keys in one object, NaN and infinity, halves of a surrogate pair, nesting
    deeper than `MOST_DEPTH`, more than `MOST_PARTS` parts. Time and memory are bounded before anything is decoded.
    """
    text = source.text()
    _bound(source, text, remedy)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise _no_json(source, text, remedy, problem) from None
    except _NoDataError:
        _refuse_word_or_twin(source, text, remedy)
    if re.search(r"\\u[dD][89a-fA-F]", text):
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
    texts = data.count(b'"') // 2
    outside = b"".join(data.split(b'"')[::2]) if texts <= MOST_PARTS else b""
    parts = texts + outside.count(b"[") + outside.count(b"{")
    if parts > MOST_PARTS:
        found = f"{parts} arrays, objects and texts"
        raise source.error(found, f"at most {MOST_PARTS}", "divide the file into several", pointer="")
    brackets = outside.translate(None, _ALL_BUT_BRACKETS)
    if max(accumulate(map(_BRACKETS.__getitem__, brackets)), default=0) > MOST_DEPTH:
        _refuse_depth(source, text, remedy)
    if b"0" * MOST_DIGITS in outside.translate(_DIGITS_TO_ZERO):
        _refuse_digits(source, text, remedy)


def _refuse_depth(source: Source, text: str, remedy: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += _BRACKETS.get(ord(token[0][0]), 0)
        if depth > MOST_DEPTH:
            expected = f"at most {MOST_DEPTH} arrays and objects in each other"
            line, column = place(text, token.start())
            raise source.error(f"{token[0]!r} inside {MOST_DEPTH} others", expected, remedy, line=line, column=column)


def _refuse_digits(source: Source, text: str, remedy: str) -> None:
    for token in _TOKEN.finditer(text):
        if token[0].isdecimal() and len(token[0]) >= MOST_DIGITS:
            line, column = place(text, token.start())
            found, expected = f"a number of {len(token[0])} digits", f"less than {MOST_DIGITS}"
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
    for keys, value in _walk(root):
        if isinstance(value, _Word):
            raise source.error(str(value), "a finite number", remedy, pointer=pointer_to(*keys))
        seen: set[str] = set()
        for key, _ in value if isinstance(value, _Pairs) else ():
            if key in seen:
                raise source.error(
                    f"the key {shown(key)} twice", "every key once", remedy, pointer=pointer_to(*keys, key)
                )
            seen.add(key)
    raise AssertionError("one of them was found before")


def _refuse_half(source: Source, root: Any, remedy: str) -> None:
    """Refuse the first text with half of a surrogate pair: it could not be written as UTF-8."""
    for keys, value in _walk(root):
        for text in value if isinstance(value, dict) else [value]:
            if isinstance(text, str) and _HALF.search(text):
                found = f"half of a surrogate pair in {shown(text)}"
                raise source.error(found, "text that can be written as UTF-8", remedy, pointer=pointer_to(*keys))


def _walk(value: Any, keys: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield every value with the keys that lead to it, in the order of the document; as deep as documents may be."""
    yield keys, value
    if isinstance(value, dict | _Pairs):
        for key, item in value.items() if isinstance(value, dict) else value:
            yield from _walk(item, (*keys, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, (*keys, index))
