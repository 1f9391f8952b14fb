"""Parses untrusted XML into a tree whose elements store their line and column.

`defusedxml` hardens the parser of the standard library: no document type, no entities, nothing external. One line is
blanked out first: the document type of old Tiled versions, which declares nothing. ElementTree's own tree is not used
because it does not store positions, which errors need.
"""

from __future__ import annotations

import re
from array import array
from typing import Any, Generic, TypeVar

import numpy as np

from ecs_collision.errors import LevelError, how_to_install
from ecs_collision.levels.source import MAX_DEPTH, Source, integer_of, shown
from ecs_collision.levels.tiled.xml_element import REMEDY, Element, tagged

_KNOWN_DOCTYPE = re.compile(
    r'\s*(?:<\?xml[^>]*\?>\s*)?(<!DOCTYPE\s+\w+\s+SYSTEM\s+"http://(?:www\.)?mapeditor\.org/dtd/1\.0/\w+\.dtd"\s*>)'
)
_OF_CELLS = frozenset({"data", "chunk"})
_WITH_TEXT = frozenset({"data", "chunk", "property", "item", "text"})

ElementT = TypeVar("ElementT", bound=Element)


def read_xml(source: Source, kind: type[ElementT]) -> ElementT:
    """Return the root of an XML file, with elements of class `kind`; raises LevelError with the position of a fault.

    The file must be UTF-8, nested at most 2 * `MAX_DEPTH` deep, and within the budget.
    """
    text = source.text()
    bare = _KNOWN_DOCTYPE.match(text)
    if bare:
        text = text[: bare.start(1)] + re.sub(r"[^\n]", " ", bare[1]) + text[bare.end(1) :]
    _charge_attributes(source, text)
    builder = _Builder(source, kind)
    parser = _parser(source, builder)
    builder.parser = parser.parser
    builder.parser.buffer_text = False  # otherwise the position of a text is that of what follows it
    builder.parser.XmlDeclHandler = builder.declared
    return _parsed(source, builder, parser, text)


def _charge_attributes(source: Source, text: str) -> None:
    """Charge the attributes before parsing, because the parser creates all attributes of an element at once.

    Their number is at most half the number of quotes.
    """
    letters = np.frombuffer(source.data, np.uint8)
    quotes = np.count_nonzero((letters == ord('"')) | (letters == ord("'")))

    def make_error(found: str, expected: str, remedy: str) -> LevelError:
        return source.error(found, expected, remedy, line=text.count("\n") + 1)

    source.budget.charge("attributes", int(quotes) // 2, make_error)


def _parsed(source: Source, builder: _Builder[ElementT], parser: Any, text: str) -> ElementT:
    from defusedxml.common import DefusedXmlException

    try:
        parser.feed(text)  # in one call: with several, the parser restarts a long tag each time
        root: ElementT = parser.close()
    except SyntaxError as problem:
        line, column = problem.position  # type: ignore[attr-defined]
        reason = str(problem).partition(":")[0]
        raise source.error(
            f"malformed XML ({reason})", "XML as Tiled writes it", REMEDY, line=line, column=column + 1
        ) from None
    except DefusedXmlException as problem:
        what = type(problem).__name__.removesuffix("Forbidden")
        found = {"DTD": "a document type", "Entities": "an entity"}.get(what, "a reference to something external")
        line, column = builder.place()
        raise source.error(
            found, "XML without declarations", "remove the declaration", line=line, column=column
        ) from None
    return root


def _parser(source: Source, builder: _Builder[Any]) -> Any:
    try:
        from defusedxml.ElementTree import DefusedXMLParser
    except ImportError as problem:
        raise source.error(
            "XML, but the module defusedxml is missing", "defusedxml", how_to_install("levels")
        ) from problem
    return DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)


class _Builder(Generic[ElementT]):
    """Creates the elements during parsing, with the positions from the parser."""

    def __init__(self, source: Source, kind: type[ElementT]) -> None:
        self.parser: Any = None
        self._source, self._kind = source, kind
        self._root: ElementT | None = None
        self._open: list[ElementT] = []
        self._cell = kind(source, "cell", {}, 0, 0)  # represents every tile of a layer; its children are ignored

    def place(self) -> tuple[int, int]:
        """Return the current line and column, from 1."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def declared(self, version: str, encoding: str | None, standalone: int) -> None:
        """Raise LevelError for a declared encoding other than UTF-8."""
        if encoding is not None and encoding.lower() not in ("utf-8", "utf8", "us-ascii"):
            line, column = self.place()
            raise self._source.error(
                f"the encoding {shown(encoding)}", "UTF-8", "save the file as UTF-8", line=line, column=column
            )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Start an element."""
        parent = self._open[-1] if self._open else None
        if parent is not None and tag == "tile" and parent.tag in _OF_CELLS:
            self._add_tile(parent, attributes)
            self._open.append(self._cell)
            return
        element = self._kind(self._source, tag, attributes, *self.place())
        self._source.budget.charge("elements", 1, element.error)
        if len(self._open) >= 2 * MAX_DEPTH:
            raise element.error(f"{tagged(tag)} inside {2 * MAX_DEPTH} others", "fewer", "make the file flatter")
        if parent is None:
            self._root = element
        else:
            parent.children.append(element)
        self._open.append(element)

    def _add_tile(self, parent: Element, attributes: dict[str, str]) -> None:
        """Store the tile of a cell without creating an element."""
        self._source.budget.charge("tile elements", 1, parent.error)
        if parent.cells is None:
            parent.cells = array("I")
        gid = integer_of(attributes.get("gid", "0"))
        if gid is None or not 0 <= gid < 2**32:
            tile = Element(self._source, "tile", attributes, *self.place())
            raise tile.unexpected("gid", f"a whole number from 0 to {2**32 - 1}")
        parent.cells.append(gid)

    def end(self, tag: str) -> None:
        """End an element."""
        self._open.pop()

    def data(self, text: str) -> None:
        """Store text of elements in which text has a meaning."""
        element = self._open[-1]
        if element.tag in _WITH_TEXT:
            if not element.texts:
                element.text_line, element.text_column = self.place()
            self._source.budget.charge("text pieces", 1, element.error)
            element.texts.append(text)

    def close(self) -> ElementT:
        """Return the root."""
        assert self._root is not None, "the parser refuses a file without a root"
        return self._root
