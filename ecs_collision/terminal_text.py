"""Output for terminals: all text that may come from a file is written through `visible`."""

from __future__ import annotations

from typing import TextIO

from ecs_collision.picture import in_ascii


def visible(text: str) -> str:
    """Return a text as one line without control characters.

    Line ends and tabs become spaces, so a name cannot fake a line of output. "?" replaces other control characters,
    characters that change the direction of writing, and unpaired surrogates, which cannot be encoded.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " if letter in "\n\r\t" else "?" for letter in text)


class Writer:
    """Writes lines to a stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, *lines: str) -> None:
        """Write texts, one line each, in ASCII if the stream cannot encode other characters."""
        for line in map(visible, lines):
            try:
                line.encode(self._stream.encoding or "utf-8")
            except UnicodeEncodeError:
                line = in_ascii(line)
            self._stream.write(line + "\n")
        self._stream.flush()

    def draw(self, picture: str) -> None:
        """Write a picture of several lines."""
        self.write(*picture.split("\n"))
