"""Malicious JSON, independent of the format: each is a valid document with one change in its text."""

from __future__ import annotations

import json
from typing import Any

from hostile.cases import Case, Many, given


def cases(kind: str, main: str, good: dict[str, Any], files: dict[str, bytes], number: str, word: str) -> list[Case]:
    """Return the cases; `number` and `word` are pointers to a whole number that must be true and to a string."""
    text = json.dumps(good, indent=1)
    number_key, word_key = number.rpartition("/")[2], word.rpartition("/")[2]
    whole, letters = at(good, number), at(good, word)
    old_number, old_word = f'"{number_key}": {whole}', f'"{word_key}": "{letters}"'
    assert old_number in text and old_word in text
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in number_key)

    def raw(name: str, data: str | bytes | Many, *says: str, **more: Any) -> Case:
        return given(f"{kind}: {name}", main, data, *says, files=files, **more)

    def odd(name: str, old: str, new: str, *says: str, **more: Any) -> Case:
        return raw(name, text.replace(old, new, 1), *says, **more)

    def count(name: str, new: str, *says: str, **more: Any) -> Case:
        return odd(name, old_number, f'"{number_key}": {new}', *says, **more)

    def says(name: str, new: str, *words: str, **more: Any) -> Case:
        return odd(name, old_word, f'"{word_key}": {new}', *words, **more)

    place = number
    return [
        count("NaN", "NaN"),
        count("10^999", "1e999"),
        count("a whole number that is a fraction", f"{whole}.5", pointer=place),
        count("a whole number with a point", f"{whole}.0", accepted="either"),
        count("a truth for a number", "true", pointer=place),
        count("null for a number", "null", pointer=place),
        count("ten thousand digits", "1" * 10_000),
        says("null for a string", "null", accepted="either"),
        says("a lone surrogate", '"\\ud800"', accepted="no"),
        odd("the same key twice, once escaped", old_number,
            f'{old_number},\n "{escaped}": 999', number_key),
        odd("a key that is a dunder", old_number, f'{old_number},\n "__class__": "os.system"', accepted="yes"),
        odd("a key of no letters", old_number, f'{old_number},\n "": 1', accepted="yes"),
        odd("a key with slashes", old_number, f'{old_number},\n "a/b~c": 1', accepted="yes"),
        odd("a key of a terminal sequence", old_number, f'{old_number},\n "\\u001b[2J": 1', accepted="either"),
        raw("an empty document", "", whole=True),
        raw("cut in the middle", text[: len(text) // 2]),
        raw("a list for a document", "[]", pointer=""),
        raw("an object of nothing", "{}"),
        raw("a byte order mark before the document", b"\xef\xbb\xbf" + text.encode(), accepted="either"),
        raw("UTF-16 for a document", text.encode("utf-16")),
        raw("invalid UTF-8 behind the document", text.encode() + b"\n\xff"),
        raw("line ends of Windows in a document", text.replace("\n", "\r\n"), accepted="yes"),
        raw("a document on one line", json.dumps(good), accepted="yes"),
        raw("lists in lists, a hundred thousand", Many("[", 100_000, text[:-1] + ',"deep": ', "]" * 100_000 + "}")),
        raw("empty lists, many", Many("[],", 100_000, text[:-1] + ',"many": [', "[]]}"), accepted="either"),
        raw("a key again and again", Many('"k": 1,', 70_000, text[:-1] + ",", '"l": 1}')),
        raw("a string of eight million letters", Many("a", 8_000_000, text[:-1] + ',"long": "', '"}'), accepted="yes"),
        raw("a string of escapes", Many("\\u001b", 1_000_000, text[:-1] + ',"long": "', '"}'), accepted="either"),
        given(f"{kind}: a file over 16 MiB", main, Many(" ", 17 * 2**20), "bytes", whole=True),
    ]  # fmt: skip


def at(document: Any, pointer: str) -> Any:
    """Return the value at a pointer."""
    for step in pointer.split("/")[1:]:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document
