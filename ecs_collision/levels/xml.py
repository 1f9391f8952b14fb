"""Parses untrusted XML into a tree whose elements store their line and column.

`defusedxml` hardens the parser of the standard library: no document type, no entities, nothing external. One line is
blanked out first: the document type of old Tiled versions, which declares nothing. ElementTree's own tree is not used
because it does not store positions, which errors need.
"""

from __future__ import annotations

import re
from typing import Any

from ecs_collision.errors import LevelError, how_to_install
from ecs_collision.levels.limits import MAX_DEPTH
from ecs_collision.levels.source import Source, shown

_KNOWN_DOCTYPE = re.compile(
    r'\s*(?:<\?xml[^>]*\?>\s*)?(<!DOCTYPE\s+\w+\s+SYSTEM\s+"http://(?:www\.)?mapeditor\.org/dtd/1\.0/\w+\.dtd"\s*>)'
)


class Element:
    """An element: its tag, attributes as written, children, the text directly inside it, and its position."""

    __slots__ = ("attributes", "children", "column", "line", "source", "tag", "text")

    def __init__(self, source: Source, tag: str, attributes: dict[str, str], line: int, column: int) -> None:
        self.source, self.tag, self.attributes = source, tag, attributes
        self.line, self.column = line, column
        self.children: list[Element] = []
        self.text = ""

    def error(self, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error about this element."""
        return self.source.error(found, expected, remedy, line=self.line, column=self.column)

    def all(self, tag: str) -> list[Element]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]


def read_xml(source: Source, remedy: str) -> Element:
    """Return the root of an XML file; raises LevelError with the position of a fault.

    The file must be UTF-8, nested at most 2 * `MAX_DEPTH` deep, and within the limits. `remedy` is that of errors in
    the syntax.
    """
    text = source.text()
    bare = _KNOWN_DOCTYPE.match(text)
    if bare:
        text = text[: bare.start(1)] + re.sub(r"[^\n]", " ", bare[1]) + text[bare.end(1) :]
    # The parser creates all attributes of an element at once. There are at most half as many as quotes.
    source.limit("attributes", (text.count('"') + text.count("'")) // 2, line=text.count("\n") + 1)
    try:
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import DefusedXMLParser
    except ImportError as problem:
        raise source.error(
            "XML, but the module defusedxml is missing", "defusedxml", how_to_install("levels")
        ) from problem
    builder = _Builder(source)
    parser = DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    builder.parser = parser.parser
    builder.parser.XmlDeclHandler = builder.declared
    try:
        parser.feed(text)  # in one call: with several, the parser restarts a long tag each time
        root: Element = parser.close()
    except SyntaxError as problem:
        line, column = problem.position  # type: ignore[attr-defined]
        reason = str(problem).partition(":")[0]
        raise source.error(
            f"malformed XML ({reason})", "XML as Tiled writes it", remedy, line=line, column=column + 1
        ) from None
    except DefusedXmlException as problem:
        what = type(problem).__name__.removesuffix("Forbidden")
        found = {"DTD": "a document type", "Entities": "an entity"}.get(what, "a reference to something external")
        raise builder.error(found, "XML without declarations", "remove the declaration") from None
    return root


class _Builder:
    """Creates the elements during parsing, with the positions from the parser."""

    def __init__(self, source: Source) -> None:
        self.parser: Any = None
        self._source = source
        self._root: Element | None = None
        self._open: list[Element] = []
        self._texts: list[str] = []

    def _place(self) -> tuple[int, int]:
        """Return the current line and column, from 1."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def error(self, found: str, expected: str, remedy: str) -> LevelError:
        """Return an error at the current position."""
        return Element(self._source, "", {}, *self._place()).error(found, expected, remedy)

    def declared(self, version: str, encoding: str | None, standalone: int) -> None:
        """Raise LevelError for a declared encoding other than UTF-8."""
        if encoding is not None and encoding.lower() not in ("utf-8", "utf8", "us-ascii"):
            raise self.error(f"the encoding {shown(encoding)}", "UTF-8", "save the file as UTF-8")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Start an element."""
        self._end_text()
        element = Element(self._source, tag, attributes, *self._place())
        self._source.limit("elements", 1, element.error)
        if len(self._open) >= 2 * MAX_DEPTH:
            raise element.error(f"{tagged(tag)} inside {2 * MAX_DEPTH} others", "fewer", "make the file flatter")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def end(self, tag: str) -> None:
        """End an element."""
        self._end_text()
        self._open.pop()

    def data(self, text: str) -> None:
        """Store a piece of text."""
        self._texts.append(text)

    def _end_text(self) -> None:
        if self._texts:
            self._open[-1].text += "".join(self._texts)
            self._texts.clear()

    def close(self) -> Element:
        """Return the root."""
        assert self._root is not None, "the parser refuses a file without a root"
        return self._root


def tagged(tag: str) -> str:
    """Return an arbitrary tag in a form that is safe for messages."""
    return f"<{tag}>" if len(tag) <= 60 and tag.isprintable() else f"an element {shown(tag)}"
