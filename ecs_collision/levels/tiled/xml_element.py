"""An element of an XML file: reads its attributes, each checked, and every fault has its line and column."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import LARGEST, Source, decimal_of, integer_of, line_and_column, range_text, shown

REMEDY = "correct the file, or save it again with Tiled"


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
        line, column = line_and_column(self.content, offset)
        column += self.text_column - 1 if line == 1 else 0
        return self.source.error(found, expected, remedy or REMEDY, line=self.text_line + line - 1, column=column)

    def unexpected(self, key: str, expected: str) -> LevelError:
        """Return the refusal of an attribute."""
        return self.error(f"{key}={shown(self.attributes[key])}", expected)

    def has(self, key: str) -> bool:
        """Return whether an attribute is there."""
        return key in self.attributes

    def _read(self, key: str, expected: str, default: Any, read: Callable[[str], Any]) -> Any:
        """Return what `read` makes of an attribute, or the default where there is none; what it makes None is wrong."""
        text = self.attributes.get(key)
        if text is None and default is None:
            raise self.error(f"<{self.tag}> without {key}", f"{key}, {expected}")
        value = default if text is None else read(text)
        if value is None:
            raise self.unexpected(key, expected)
        return value

    def integer(self, key: str, *, minimum: int = -LARGEST, maximum: int = LARGEST, default: int | None = None) -> int:
        """Return a whole number from `minimum` to `maximum`."""

        def read(text: str) -> int | None:
            value = integer_of(text)
            return value if value is not None and minimum <= value <= maximum else None

        return int(self._read(key, range_text("a whole number", minimum, maximum), default, read))

    def number(self, key: str, *, minimum: float = -LARGEST, default: float | None = None) -> float:
        """Return a finite number, from `minimum` on."""

        def read(text: str) -> float | None:
            value = decimal_of(text)
            return value if value is not None and minimum <= value <= LARGEST else None

        return float(self._read(key, range_text("a number", minimum, LARGEST), default, read))

    def text(self, key: str, *, among: tuple[str, ...] = (), default: str | None = None) -> str:
        """Return a text, one of `among` where they are given."""
        expected = f"one of {', '.join(map(repr, among))}" if among else "a text"
        return str(self._read(key, expected, default, lambda text: text if not among or text in among else None))

    def flag(self, key: str, *, default: bool) -> bool:
        """Return whether something is so: 1 or 0."""
        return bool(self._read(key, "1 or 0", default, {"0": False, "1": True}.get))

    def open_reference(self, key: str) -> Source:
        """Return the file an attribute names."""
        return self.source.open_reference(self.text(key), line=self.line, column=self.column)

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
