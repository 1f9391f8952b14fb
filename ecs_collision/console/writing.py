"""Text for whatever terminal there is."""

from __future__ import annotations

from typing import TextIO

from ecs_collision.picture import in_ascii


def visible(text: str) -> str:
    """Return a text with "?" for what could be an order to the terminal; names in a file may hold anything."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)


class Writer:
    """Writes lines to a stream, in ASCII where it knows no other characters."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, *lines: str) -> None:
        """Write lines."""
        for line in lines:
            self._stream.write(self.shown(line) + "\n")
        self._stream.flush()

    def shown(self, text: str) -> str:
        """Return a text as this stream can show it."""
        text = visible(text)
        try:
            text.encode(self._stream.encoding or "utf-8")
        except UnicodeEncodeError:
            return in_ascii(text)
        return text
