"""Text for whatever terminal there is: everything that may come from a file is written through `visible`."""

from __future__ import annotations

from typing import TextIO

from ecs_collision.picture import in_ascii


def visible(text: str) -> str:
    """Return a text as one line that gives no orders to a terminal, whatever it holds.

    Line ends and tabs become blanks, so that no name can forge a line; "?" stands for other control characters, for
    characters that turn the direction of writing, and for halves of a surrogate pair, which no terminal can be sent.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " if letter in "\n\r\t" else "?" for letter in text)


class Writer:
    """Writes lines to a stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, *lines: str) -> None:
        """Write texts, each as one line, in ASCII where the stream knows no other characters."""
        for line in map(visible, lines):
            try:
                line.encode(self._stream.encoding or "utf-8")
            except UnicodeEncodeError:
                line = in_ascii(line)
            self._stream.write(line + "\n")
        self._stream.flush()

    def draw(self, picture: str) -> None:
        """Write a picture of ours, which has lines of its own."""
        self.write(*picture.split("\n"))
