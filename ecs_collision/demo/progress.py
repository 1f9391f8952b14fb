"""A progress bar of one line: redrawn in a terminal, a line every tenth where the output goes to a file."""

from __future__ import annotations

from typing import TextIO

from ecs_collision.writing import shown_on

BAR_WIDTH = 40
NOTE_WIDTH = 20


class Progress:
    """Counts up to `total` and shows it on `stream`; `close()` ends the line."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = max(total, 1)
        self._stream = stream
        self._redraws = stream.isatty()
        self._done = 0
        self._shown = ""

    def advance(self, note: str = "") -> None:
        """Count one more and show `note` beside the bar."""
        self._done = min(self._done + 1, self._total)
        if self._redraws:
            self._show("\r" + self._bar() + f" {shown_on(self._stream, note[:NOTE_WIDTH]):<{NOTE_WIDTH}}")
        elif self._done * 10 // self._total > (self._done - 1) * 10 // self._total:
            self._show(f"  {self._done:>4} of {self._total}\n")

    def close(self) -> None:
        """Leave the bar behind on a line of its own."""
        if self._redraws and self._shown:
            self._show("\r" + self._bar() + " " * (NOTE_WIDTH + 1) + "\n")

    def _bar(self) -> str:
        filled = BAR_WIDTH * self._done // self._total
        return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {self._done}/{self._total}"

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._shown = text
            self._stream.write(text)
            self._stream.flush()
