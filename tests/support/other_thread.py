"""Makes calls in another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable


def in_other_thread(call: Callable[[], object]) -> BaseException | None:
    """Make a call in another thread while this one waits; returns its exception."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised[0] if raised else None
