"""An element of an XML file: reads and checks attributes; errors have a line and column."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import LARGEST, Source, decimal_of, integer_of, line_and_column, range_text, shown

REMEDY = "correct the file, or save it again with Tiled"


class Element:
    """An element: its attributes as written, its children and text, and its position.

    cells: the gids of the tiles in a layer, which are not created as elements.
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
        """Return an error about this element or an attribute. Attributes have no position of their own."""
        return self.source.error(found, expected, remedy or REMEDY, line=self.line, column=self.column)

    def error_in_text(self, offset: int, found: str, expected: str, remedy: str | None = None) -> LevelError:
        """Return an error about an offset in its text."""
        line, column = line_and_column(self.content, offset)
        column += self.text_column - 1 if line == 1 else 0
        return self.source.error(found, expected, remedy or REMEDY, line=self.text_line + line - 1, column=column)

    def unexpected(self, key: str, expected: str) -> LevelError:
        """Return an error about an attribute."""
        return self.error(f"{key}={shown(self.attributes[key])}", expected)

    def has(self, key: str) -> bool:
        """Return whether an attribute exists."""
        return key in self.attributes

    def _read(self, key: str, expected: str, default: Any, read: Callable[[str], Any]) -> Any:
        """Return the result of `read` for an attribute, or the default. None from `read` is an error."""
        text = self.attributes.get(key)
        if text is None and default is None:
            raise self.error(f"<{self.tag}> without {key}", f"{key}, {expected}")
        value = default if text is None else read(text)
        if value is None:
            raise self.unexpected(key, expected)
        return value

    def integer(self, key: str, *, minimum: int = -LARGEST, maximum: int = LARGEST, default: int | None = None) -> int:
        """Return an integer from `minimum` to `maximum`."""

        def read(text: str) -> int | None:
            value = integer_of(text)
            return value if value is not None and minimum <= value <= maximum else None

        return int(self._read(key, range_text("a whole number", minimum, maximum), default, read))

    def number(self, key: str, *, minimum: float = -LARGEST, default: float | None = None) -> float:
        """Return a finite number of at least `minimum`."""

        def read(text: str) -> float | None:
            value = decimal_of(text)
            return value if value is not None and minimum <= value <= LARGEST else None

        return float(self._read(key, range_text("a number", minimum, LARGEST), default, read))

    def text(self, key: str, *, among: tuple[str, ...] = (), default: str | None = None) -> str:
        """Return a string, one of `among` if given."""
        expected = f"one of {', '.join(map(repr, among))}" if among else "a text"
        return str(self._read(key, expected, default, lambda text: text if not among or text in among else None))

    def flag(self, key: str, *, default: bool) -> bool:
        """Return a boolean, written as 1 or 0."""
        return bool(self._read(key, "1 or 0", default, {"0": False, "1": True}.get))

    def open_reference(self, key: str) -> Source:
        """Open the file that an attribute names."""
        return self.source.open_reference(self.text(key), line=self.line, column=self.column)

    def all(self, tag: str) -> list[Any]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> Any | None:
        """Return the only child with a tag, or None; raises LevelError for a second one."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].error(f"a second <{tag}> in a <{self.tag}>", "one")
        return found[0] if found else None


def tagged(tag: str) -> str:
    """Return an arbitrary tag in a form that is safe for messages."""
    return f"<{tag}>" if len(tag) <= 60 and tag.isprintable() else f"an element {shown(tag)}"
