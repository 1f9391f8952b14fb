"""Failures on purpose: at the n-th call of a function of the package, at the n-th growth of an array, in handlers.

A failure comes at the entry of a function, where an interrupt by the user, a time-out or a full stack would come as
well. Left out are functions of others (esper, the standard library, tests), what fails there is theirs to mend, and
generators: they are entered once more when they are thrown away, and what they raise then reaches nobody.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import ecs_collision
from ecs_collision.kernels import columns

PACKAGE = str(Path(ecs_collision.__file__).parent)


class Fault(Exception):
    """An error that nobody expects."""


class Halt(BaseException):
    """What is no Exception, as KeyboardInterrupt is not."""


class Failing:
    """Raises an error at the n-th call of a function of the package while it is switched on; 0: only counts."""

    def __init__(self, number: int = 0, error: type[BaseException] = Fault) -> None:
        self.number, self.error = number, error
        self.calls = 0
        self.place = ""

    @property
    def came(self) -> bool:
        """Whether the failure has come."""
        return bool(self.place)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event != "call" or code.co_flags & inspect.CO_GENERATOR or not code.co_filename.startswith(PACKAGE):
            return
        self.calls += 1
        if self.calls == self.number:
            self.place = where(frame)
            raise self.error(self.place)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count, and fail when it is time."""
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(None)


def where(frame: FrameType | None, depth: int = 8) -> str:
    """Return the functions that lead to a frame, the innermost first."""
    names: list[str] = []
    while frame is not None and len(names) < depth:
        if frame.f_code.co_filename.startswith(PACKAGE):
            names.append(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(names)


def failed(action: Callable[[], Any], failing: Failing) -> bool:
    """Do something with a failure under way; returns whether it was broken off by that failure."""
    try:
        with failing.on():
            action()
    except failing.error:
        return True
    except ExceptionGroup as group:
        assert all(isinstance(error, failing.error) for error in group.exceptions)
        return True
    return False


class Starving(Failing):
    """Raises MemoryError at the n-th growth of an array, by whatever grows arrays in the modules of the package."""

    def __init__(self, number: int = 0) -> None:
        super().__init__(number, MemoryError)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count, and fail when it is time."""
        before = [(module, name, getattr(module, name)) for module, name in growers()]
        for module, name, grower in before:
            setattr(module, name, self._hungry(grower))
        try:
            yield
        finally:
            for module, name, grower in before:
                setattr(module, name, grower)

    def _hungry(self, grower: Callable[..., Any]) -> Callable[..., Any]:
        def grow(*arguments: Any) -> Any:
            self.calls += 1
            if self.calls == self.number:
                self.place = where(sys._getframe(1)) or "a compiled kernel"
                raise MemoryError(self.place)
            return grower(*arguments)

        return grow


def growers() -> Iterable[tuple[Any, str]]:
    """Return by module and name what makes arrays longer, or new ones for more than there was."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("ecs_collision."):
            if callable(getattr(module, "longer", None)) and not name.endswith("columns"):
                yield module, "longer"
            if callable(getattr(module, "zeros", None)):
                yield module, "zeros"
    yield columns, "longer"


def points(total: int, most: int) -> list[int]:
    """Return numbers from 1 to `total`, all of them or so many spread evenly."""
    step = max(1, total // max(1, most))
    return [*range(1, total + 1, step)]


class Raising(Failing):
    """Raises errors at some of the times that handlers or hooks ask for it, by `tick`."""

    now: ClassVar[Raising | None] = None

    def __init__(self, number: int = 0, error: type[BaseException] = Fault, *more: int) -> None:
        super().__init__(number, error)
        self.numbers = {number, *more}

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count, and fail when it is time."""
        Raising.now = self
        try:
            yield
        finally:
            Raising.now = None

    @classmethod
    def tick(cls, *anything: object) -> None:
        """Be a handler or a hook, or a part of one."""
        if cls.now is not None:
            cls.now.calls += 1
            if cls.now.calls in cls.now.numbers:
                cls.now.place = f"call {cls.now.calls} of a handler"
                raise cls.now.error(cls.now.place)
