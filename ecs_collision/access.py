# cython: language_level=3, auto_pickle=False, nonecheck=True
"""The guard of a world's calls: one thread at a time, and only reads during a frame or a hook (T8).

`asking` and `changing` decorate the public calls. Those that take less time than a decorator call `enter` themselves,
and end with `depth -= 1`. CPython switches threads and raises interrupts only where Python code calls a function or
repeats a loop, so nothing comes between a comparison and an assignment here, in compiled or plain form. Only hot files
call `enter`: in Python code an interrupt could follow its return.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if TYPE_CHECKING or not cython.compiled:
    from threading import get_ident
else:
    from cython.cimports.cpython.pythread import PyThread_get_thread_ident as get_ident

from ecs_collision.errors import ReentryError

Call = TypeVar("Call", bound=Callable[..., Any])


@cython.final
@cython.cclass
class Access:
    """Which thread is in a call of a world, and in how many, one inside the other.

    During a frame and in `can_push` that thread may only read; in the delivery of events it may not step or save.
    """

    __slots__ = ("_thread", "depth", "in_delivery", "in_frame", "in_hook")

    def __init__(self) -> None:
        self._thread = self.depth = 0
        self.in_delivery = self.in_frame = self.in_hook = False

    def enter(self) -> cython.int:
        """Begin a call, which ends with `depth -= 1`; raises ReentryError if another thread is in one."""
        thread: cython.longlong = get_ident()
        if self.depth != 0 and self._thread != thread:
            self._refuse_thread()
        self._thread = thread
        self.depth += 1
        return 0

    def check_thread(self) -> cython.int:
        """Raise ReentryError if another thread is in a call."""
        if self.depth != 0 and self._thread != cython.cast(cython.longlong, get_ident()):
            self._refuse_thread()
        return 0

    def __enter__(self) -> None:
        """Begin a call, which ends with the block."""
        self.enter()

    def __exit__(self, *raised: object) -> None:
        """End the call."""
        self.depth -= 1

    def _refuse_thread(self) -> NoReturn:
        raise ReentryError(
            "another thread is in the middle of a call of this world; use a world from one thread at a time: take "
            "turns, with a lock around every frame, call and write"
        )

    def refuse_changes(self, call: str) -> cython.int:
        """Raise ReentryError inside `can_push`, which may only read, and during a frame."""
        if self.in_frame or self.in_hook:
            when = "inside can_push, which may only read" if self.in_hook else "while a frame was in progress"
            raise ReentryError(f"{call} was called {when}; call it after the {'motion' if self.in_hook else 'frame'}")
        return 0


def asking(call: Call) -> Call:
    """Decorate a method of an object with an `_access`: another thread may make no call meanwhile."""
    return _guarded(call, None)


def changing(call: Call) -> Call:
    """Decorate as `asking`, a method that changes the world or copies it: refused during a frame and in a hook."""
    return _guarded(call, call.__name__.strip("_"))


def _guarded(call: Call, name: str | None) -> Call:
    @wraps(call)
    def guarded(self: Any, *args: Any, **named: Any) -> Any:
        access: Access = self._access
        access.enter()
        try:
            if name is not None:
                access.refuse_changes(name)
            return call(self, *args, **named)
        finally:
            access.depth -= 1

    return guarded  # type: ignore[return-value]
