"""The header of a text level: `key: value` lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.errors import CollisionError
from ecs_collision.levels.level_properties import (
    MAX_COMPARED_KEYS,
    check_gravity,
    check_settings,
    similar_key_fault,
)
from ecs_collision.levels.source import Source, said_by, shown
from ecs_collision.levels.value_parser import ValueParser, bare_value
from ecs_collision.settings import LEVEL_SETTINGS
from ecs_collision.similar import similar_name

TEXTS = ("title", "author", "note")
"""Keys whose values are always strings."""

KEYS = (*TEXTS, "win", "gravity", *LEVEL_SETTINGS)
"""Keys with a meaning; any other key is a property of the level."""

_KEY = re.compile(r"[^\W\d][\w \-]*")
_COMMENT = re.compile(r'((?:"[^"]*"|(?! ;).)*)')


@dataclass(slots=True)
class Header:
    """The header of a level; `win_at` is the line of the win condition and the column before it."""

    title: str | None = None
    win: str | None = None
    win_at: tuple[int, int] = (0, 0)
    gravity: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)


def read_header(source: Source, lines: Iterable[tuple[int, str]]) -> Header:
    """Return the header from these lines with their numbers."""
    header = Header()
    seen: dict[str, int] = {}
    notes: list[str] = []
    for number, text in lines:
        parser = ValueParser(source, number, text)
        if not parser.next():
            continue
        key = _key(parser, len(header.properties))
        if key in seen and key != "note":
            raise parser.error(
                f"a second {key!r}", f"each key once (it is in line {seen[key]})", "remove one", text.index(key) + 1
            )
        seen[key] = number
        if key == "note":
            parser.next()
            notes.append(_text(parser))
            header.properties.setdefault(key, "")
        else:
            _store(header, parser, key)
    if notes:
        header.properties["note"] = "\n".join(notes)
    return header


def _key(parser: ValueParser, property_count: int) -> str:
    """Return the key of a line and move the parser to its value."""
    column = parser.column
    before, colon, value = parser.text.partition(":")
    key = before.strip(" ")
    if not colon or not _KEY.fullmatch(key):
        raise parser.error(
            shown(parser.text.strip(), 30), "'key: value', or 'legend', 'map' or 'things' alone on its line",
            "write settings as in 'rule: sum', and ';' before a comment",
        )  # fmt: skip
    parser.at = len(parser.text) - len(value.lstrip(" "))
    if key in ("legend", "map", "things"):
        raise parser.error(f"'{key}:'", f"{key!r} alone on its line", "remove the colon", column)
    if key not in KEYS and property_count < MAX_COMPARED_KEYS:
        meant = similar_name(key, KEYS)
        if meant is not None:
            raise parser.error(*similar_key_fault("key", key, meant), column)
    return key


def _store(header: Header, parser: ValueParser, key: str) -> None:
    parser.next()
    column = parser.column
    if key == "win":
        header.win, header.win_at = _raw(parser), (parser.line, column - 1)
        if not header.win:
            raise parser.error("no condition", "a win condition", 'write for example "win: all crate on goal"', column)
        return
    value = _text(parser) if key in TEXTS else _value(parser)
    try:
        if key == "gravity":
            header.gravity = check_gravity(value)
        elif key in LEVEL_SETTINGS:
            header.settings[key] = value
            check_settings(header.settings)
    except CollisionError as problem:
        raise parser.error(*said_by(problem, "see docs/levels.md"), column) from problem
    if key == "title":
        header.title = str(value)
    elif key not in KEYS or key in TEXTS:
        header.properties[key] = value


def _raw(parser: ValueParser) -> str:
    """Return the rest of the line without its comment. ';' inside quotes starts no comment."""
    parser.next()
    match = _COMMENT.match(parser.text, parser.at)
    text = "" if match is None or parser.at_comment() else match[0]
    parser.at = len(parser.text)
    return text.strip()


def _text(parser: ValueParser) -> str:
    if parser.next() != '"':
        return _raw(parser)
    text = parser.quoted()
    parser.end("remove what follows the quotes, or quote the whole text")
    return text


def _value(parser: ValueParser) -> Any:
    if parser.next() not in ('"', "["):
        return bare_value(_raw(parser))
    value = parser.value()
    parser.end("remove what follows the value, or quote the whole text")
    return value
