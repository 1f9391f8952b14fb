"""Interrupts plain code of one file after a number of lines, as Ctrl+C or a full memory can."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupted(BaseException):
    """Raised in the interrupted code; not an Exception, like KeyboardInterrupt."""


@contextmanager
def interrupted_after(lines: int, *files: str) -> Iterator[list[bool]]:
    """Raise Interrupted before a line of these files, after so many others; yields a list that is then not empty.

    Has no effect on compiled code. The caller's code ends there, without an exception.
    """
    left, reached = lines, []

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(files):
            return None
        if event == "line":
            left -= 1
            if left < 0 and not reached:
                reached.append(True)
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield reached
    except Interrupted:
        pass
    finally:
        sys.settrace(before)
