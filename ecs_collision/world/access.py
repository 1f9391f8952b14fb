"""Who may call a world now: one thread at a time, and whatever is in the middle of a frame or a hook may only read."""

from __future__ import annotations

from threading import get_ident

from ecs_collision.errors import ReentryError


class Access:
    """Refuses calls that come in the middle of another.

    `active_thread` is the thread that applies changes, does a frame, asks the hook or has its events delivered; 0 while none
    does. Other threads are refused then, and so is its own where it may only read: `in_hook`, and `in_frame`.
    """

    __slots__ = ("active_thread", "in_frame", "in_hook")

    def __init__(self) -> None:
        self.active_thread = 0
        self.in_frame = self.in_hook = False

    def check(self, call: str) -> None:
        """Raise ReentryError inside `can_push`, which may only read, and in the middle of a frame."""
        if self.active_thread and self.may_only_read(call):
            when = "inside can_push, which may only read" if self.in_hook else "while a frame was in progress"
            raise ReentryError(f"{call} was called {when}; call it after the {'motion' if self.in_hook else 'frame'}")

    def may_only_read(self, call: str) -> bool:
        """Return whether the thread at work may only read now; raises ReentryError for any other thread."""
        if self.active_thread != get_ident():
            raise ReentryError(
                f"{call} came from another thread in the middle of a frame or a motion; use a world from one thread at "
                "a time: take turns, with a lock around every frame, call and write"
            )
        return self.in_hook or self.in_frame
