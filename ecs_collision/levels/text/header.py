"""The settings at the head of a text level: `key: value` lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.errors import CollisionError
from ecs_collision.levels.settings import check_gravity, check_settings
from ecs_collision.levels.source import Source, short, shown
from ecs_collision.levels.value_parser import Words, meaning
from ecs_collision.settings import LEVEL_SETTINGS

TEXTS = ("title", "author", "note")
"""Keys whose values are texts, whatever they look like."""

KEYS = (*TEXTS, "win", "gravity", *LEVEL_SETTINGS)
"""Keys that mean something here; any other is a property of the level."""

_KEY = re.compile(r"[^\W\d][\w \-]*")
_COMMENT = re.compile(r'((?:"[^"]*"|(?! ;).)*)')
_SHORTEST = 5
"""The fewest letters of a key of ours that another may be taken for a slip of."""

_NEARLY = {nearly: known for known in reversed(KEYS) for nearly in (f"{known}s", known)}
"""Keys of ours by how else they are written, but for capitals."""


@dataclass(slots=True)
class Header:
    """What the head of a level says; `win_at` is the line of the condition to win, and the column before it."""

    title: str | None = None
    win: str | None = None
    win_at: tuple[int, int] = (0, 0)
    gravity: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)


def read_header(source: Source, lines: Iterable[tuple[int, str]]) -> Header:
    """Return what these lines say, each given with its number."""
    header = Header()
    seen: dict[str, int] = {}
    notes: list[str] = []
    for number, text in lines:
        words = Words(source, number, text)
        if not words.next():
            continue
        source.spend("properties", line=number)
        key = _key(words)
        if key in seen and key != "note":
            raise words.error(
                f"{key!r} again", f"each key once (it is in line {seen[key]})", "remove one", text.index(key) + 1
            )
        seen[key] = number
        if key == "note":
            words.next()
            notes.append(_text(words))
            header.properties.setdefault(key, "")
        else:
            _take(header, words, key)
    if notes:
        header.properties["note"] = "\n".join(notes)
    return header


def _key(words: Words) -> str:
    """Return the key of a line and read on to its value."""
    column = words.column
    before, colon, value = words.text.partition(":")
    key = before.strip(" ")
    if not colon or not _KEY.fullmatch(key):
        raise words.error(
            shown(words.text.strip(), 30), "'key: value', or 'legend', 'map' or 'things' alone on its line",
            "write settings as in 'rule: sum', and ';' before a comment",
        )  # fmt: skip
    words.at = len(words.text) - len(value.lstrip(" "))
    if key in ("legend", "map", "things"):
        raise words.error(f"'{key}:'", f"{key!r} alone on its line", "remove the colon", column)
    if key not in KEYS:
        slips = (known for known in KEYS if len(known) >= _SHORTEST and is_slip(key, known))
        meant = _NEARLY.get(key.lower()) or next(slips, None)
        if meant is not None:
            raise words.error(
                f"the key {key!r}", f"{meant!r}, or a key less like it", "mend it, or choose another name", column
            )
    return key


def _take(header: Header, words: Words, key: str) -> None:
    words.next()
    column = words.column
    if key == "win":
        header.win, header.win_at = _raw(words), (words.line, column - 1)
        if not header.win:
            raise words.error("no condition", "what wins the level", 'write it as in "win: all crate on goal"', column)
        return
    value = _text(words) if key in TEXTS else _value(words)
    try:
        if key == "gravity":
            header.gravity = check_gravity(value)
        elif key in LEVEL_SETTINGS:
            header.settings[key] = value
            check_settings(header.settings)
    except CollisionError as problem:
        raise words.error(short(problem), f"a value for {key!r}", "see docs/levels.md", column) from problem
    if key == "title":
        header.title = str(value)
    elif key not in KEYS or key in TEXTS:
        header.properties[key] = value


def _raw(words: Words) -> str:
    """Return the rest of the line without its comment; one may not begin within quotes."""
    words.next()
    match = _COMMENT.match(words.text, words.at)
    text = "" if match is None or words.at_comment() else match[0]
    words.at = len(words.text)
    return text.strip()


def _text(words: Words) -> str:
    if words.next() != '"':
        return _raw(words)
    text = words.quoted()
    words.end("put nothing behind the quotes, or quotes around it all")
    return text


def _value(words: Words) -> Any:
    if words.next() not in ('"', "["):
        return meaning(_raw(words))
    value = words.value()
    words.end("put nothing behind the value, or quotes around it all")
    return value


def is_slip(key: str, known: str) -> bool:
    """Return whether a key is another but for one letter missing, added or changed, or two exchanged; not the first."""
    if key[0] != known[0] or key == known or abs(len(key) - len(known)) > 1:
        return False
    begin = end = 0
    while begin < min(len(key), len(known)) and key[begin] == known[begin]:
        begin += 1
    while end < min(len(key), len(known)) - begin and key[-1 - end] == known[-1 - end]:
        end += 1
    one, other = key[begin : len(key) - end], known[begin : len(known) - end]
    return max(len(one), len(other)) == 1 or (len(one) == 2 and one == other[::-1])
