"""Terminal support: single keys."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import sys
from typing import Any

from ecs_collision.errors import extra

_KEY = re.compile(r"\x1b(?:[\[O][0-9;]*[A-Za-z~])?|.", re.DOTALL)
"""A key: the escape sequence of an arrow or function key, or a character."""

_KEY_TIMEOUT = 0.05
"""Seconds to wait for the rest of an escape sequence."""


class Keyboard:
    """Reads single keys; as a context manager it turns off echo and line buffering of the terminal.

    Keys are read by `readchar`, except where `termios` exists: there its reader drops keys typed since the last one, so
    fast players would lose moves. In that case this class reads the terminal and takes only the names of keys from
    `readchar`.
    """

    def __init__(self) -> None:
        readchar = extra("readchar", "playing in a terminal")
        key = readchar.key
        self._names = {
            key.LEFT: "left", key.RIGHT: "right", key.UP: "up", key.DOWN: "down",
            "\x1bOD": "left", "\x1bOC": "right", "\x1bOA": "up", "\x1bOB": "down",
            "\x7f": "undo", "\x08": "undo", "\x1a": "undo", "\x19": "redo", "\x04": "quit",
        }  # fmt: skip
        self._next = readchar.readkey
        self._mode: Any = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._typed = ""

    def __enter__(self) -> Keyboard:
        with contextlib.suppress(ImportError):
            import termios
            import tty

            self._mode = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
            self._next = self._read_key
        return self

    def __exit__(self, *problem: object) -> None:
        if self._mode is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._mode)

    def read(self) -> str:
        """Return the next key: a character, or the name of an arrow key or command; "quit" at the end of the input."""
        pressed: str = self._next()
        return self._names.get(pressed, pressed) if pressed else "quit"

    def _read_key(self) -> str:
        """Return the next key that was typed, "" at the end."""
        if not self._typed and not self._receive():
            return ""
        while self._typed in ("\x1b", "\x1b[", "\x1bO") and select.select([sys.stdin], [], [], _KEY_TIMEOUT)[0]:
            if not self._receive():
                break
        found = _KEY.match(self._typed)
        assert found is not None
        self._typed = self._typed[found.end() :]
        return found[0]

    def _receive(self) -> bool:
        """Wait for input, at least one whole character; return False at the end."""
        while data := os.read(sys.stdin.fileno(), 1024):
            self._typed += self._decoder.decode(data)
            if self._typed:
                return True
        return False
