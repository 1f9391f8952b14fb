"""An element of an XML file: reads its attributes, each checked, and every fault has its line and column."""

from __future__ import annotations

from array import array
from typing import Any

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import Source, decimal_of, place, shown, whole_of

REMEDY = "correct the file, or save it again with Tiled"

LARGEST = 10**15
"""The largest number read, where nothing narrower is asked: every whole number up to it is exact as a float."""


class Element:
    """An element: its attributes as written, its children and text, and where it starts.

    cells: of an element that holds tiles of a layer, their numbers; no element is made of each.
    """

    __slots__ = (
        "attributes", "cells", "children", "column", "line", "source", "tag", "text_column", "text_line", "texts",
    )  # fmt: skip

    def __init__(self, source: Source, tag: str, attributes: dict[str, str], line: int, column: int) -> None:
        self.source, self.tag, self.attributes = source, tag, attributes
        self.line, self.column = line, column
        self.children: list[Any] = []
        self.texts: list[str] = []
        self.text_line, self.text_column = line, column
        self.cells: array[int] | None = None

    @property
    def content(self) -> str:
        """The text directly inside it."""
        return "".join(self.texts)

    def error(self, found: str, expected: str, remedy: str | None = None, *, key: str | None = None) -> LevelError:
        """Return the refusal of this element, or of an attribute, which has no place of its own."""
        return self.source.error(found, expected, remedy or REMEDY, line=self.line, column=self.column)

    def error_in_text(self, offset: int, found: str, expected: str, remedy: str | None = None) -> LevelError:
        """Return the refusal of what stands at an offset of its text."""
        line, column = place(self.content, offset)
        column += self.text_column - 1 if line == 1 else 0
        return self.source.error(found, expected, remedy or REMEDY, line=self.text_line + line - 1, column=column)

    def lacks(self, key: str, expected: str) -> LevelError:
        """Return the refusal of an element without an attribute."""
        return self.error(f"<{self.tag}> without {key}", f"{key}, {expected}")

    def wrong(self, key: str, expected: str) -> LevelError:
        """Return the refusal of an attribute."""
        return self.error(f"{key}={shown(self.attributes[key])}", expected)

    def has(self, key: str) -> bool:
        """Return whether an attribute is there."""
        return key in self.attributes

    def whole(self, key: str, *, least: int = -LARGEST, most: int = LARGEST, default: int | None = None) -> int:
        """Return a whole number from `least` to `most`."""
        text = self.attributes.get(key)
        expected = _between("a whole number", least, most)
        if text is None:
            if default is None:
                raise self.lacks(key, expected)
            return default
        value = whole_of(text)
        if value is None or not least <= value <= most:
            raise self.wrong(key, expected)
        return value

    def number(self, key: str, *, least: float = -LARGEST, default: float | None = None) -> float:
        """Return a finite number, from `least` on."""
        text = self.attributes.get(key)
        expected = _between("a number", least, LARGEST)
        if text is None:
            if default is None:
                raise self.lacks(key, expected)
            return default
        value = decimal_of(text)
        if value is None or not least <= value <= LARGEST:
            raise self.wrong(key, expected)
        return value

    def text(self, key: str, *, among: tuple[str, ...] = (), default: str | None = None) -> str:
        """Return a text, one of `among` where they are given."""
        expected = f"one of {', '.join(map(repr, among))}" if among else "a text"
        text = self.attributes.get(key)
        if text is None:
            if default is None:
                raise self.lacks(key, expected)
            return default
        if among and text not in among:
            raise self.wrong(key, expected)
        return text

    def flag(self, key: str, *, default: bool) -> bool:
        """Return whether something is so: 1 or 0."""
        text = self.attributes.get(key)
        if text is None:
            return default
        if text not in ("0", "1"):
            raise self.wrong(key, "1 or 0")
        return text == "1"

    def refer(self, key: str) -> Source:
        """Return the file an attribute names."""
        return self.source.refer(self.text(key), line=self.line, column=self.column)

    def all(self, tag: str) -> list[Any]:
        """Return the children of a tag."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> Any | None:
        """Return the child of a tag, None where there is none; two are refused."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].error(f"a second <{tag}> in a <{self.tag}>", "one")
        return found[0] if found else None


def tagged(tag: str) -> str:
    """Return the tag of an element nobody knows as it may stand in a message."""
    return f"<{tag}>" if len(tag) <= 60 and tag.isprintable() else f"an element {shown(tag)}"


def _between(kind: str, least: float, most: float) -> str:
    if -least == most == LARGEST:
        return kind
    return f"{kind} from {least} on" if most == LARGEST else f"{kind} from {least} to {most}"
