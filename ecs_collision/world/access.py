"""Guard of a world's calls: one thread at a time, and only reads during a frame or a hook."""

from __future__ import annotations

from threading import get_ident

from ecs_collision.errors import ReentryError


class Access:
    """Refuses calls that come in the middle of another.

    `active_thread` is the thread that applies changes, runs a frame, calls the hook or delivers events; 0 if none does.
    Meanwhile other threads are refused, and while `in_hook` or `in_frame` is set that thread may only read.
    """

    __slots__ = ("active_thread", "in_frame", "in_hook")

    def __init__(self) -> None:
        self.active_thread = 0
        self.in_frame = self.in_hook = False

    def check(self, call: str) -> None:
        """Raise ReentryError inside `can_push`, which may only read, and during a frame."""
        if self.active_thread and self.may_only_read(call):
            when = "inside can_push, which may only read" if self.in_hook else "while a frame was in progress"
            raise ReentryError(f"{call} was called {when}; call it after the {'motion' if self.in_hook else 'frame'}")

    def may_only_read(self, call: str) -> bool:
        """Return whether the active thread may only read now; raises ReentryError for any other thread."""
        if self.active_thread != get_ident():
            raise ReentryError(
                f"{call} came from another thread in the middle of a frame or a motion; use a world from one thread at "
                "a time: take turns, with a lock around every frame, call and write"
            )
        return self.in_hook or self.in_frame
