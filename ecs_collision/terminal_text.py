"""Writes text to a terminal safely: everything that may come from a file goes through `visible`."""

from __future__ import annotations

from typing import TextIO

from ecs_collision.picture import in_ascii


def visible(text: str) -> str:
    """Return a text as one line without control sequences.

    Line ends and tabs become spaces, so no name can fake a line. Other control characters, characters that change the
    writing direction, and unpaired surrogates become "?".
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " if letter in "\n\r\t" else "?" for letter in text)


class Writer:
    """Writes lines to a stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, *lines: str) -> None:
        """Write texts as one line each, in ASCII if the stream cannot encode them."""
        for line in map(visible, lines):
            try:
                line.encode(self._stream.encoding or "utf-8")
            except UnicodeEncodeError:
                line = in_ascii(line)
            self._stream.write(line + "\n")
        self._stream.flush()

    def draw(self, picture: str) -> None:
        """Write a picture, which may have several lines."""
        self.write(*picture.split("\n"))
