"""Failures on purpose: at the n-th call of a function of the package, at the n-th growth of an array, in handlers.

A failure occurs at the entry of a function, as an interrupt by the user, a time-out or a full stack would. Functions
outside the package are left out, and so are generators: they are entered again when they are discarded, and exceptions
raised then are ignored.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, ClassVar, TypeVar

import ecs_collision
from ecs_collision.bodies import columns

PACKAGE = str(Path(ecs_collision.__file__).parent)
KERNELS = {str(path.with_suffix(".py")) for path in Path(PACKAGE).rglob("*.pxd")}
"""The files whose functions can be compiled."""


EXIT = contextlib._GeneratorContextManager.__exit__.__code__
"""The code that ends a `with` statement."""


class Fault(Exception):
    """An unexpected error."""


class Halt(BaseException):
    """An error that is not an Exception, like KeyboardInterrupt."""


Site = tuple[str, CodeType, int, CodeType | None, int]
"""An event, its function and line, and the function and line of the caller."""


class Failing:
    """Raises an error at the n-th point, a call of a function of the package, while it is on; 0 only counts.

    With `site` it fails at the first point of that site. `sites` are those reached, in that order.
    """

    def __init__(self, number: int = 0, error: type[BaseException] = Fault, site: Site | None = None) -> None:
        self.number, self.error, self.site = number, error, site
        self._code = None if site is None else site[1]
        self.calls = 0
        self.place = ""
        self.sites: dict[Site, None] = {}

    @property
    def came(self) -> bool:
        """Whether the failure has occurred."""
        return bool(self.place)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and (self._code is None or frame.f_code is self._code) and is_ours(frame.f_code):
            self._meet(frame, event)

    def _meet(self, frame: FrameType, event: str) -> None:
        """Count a point, and raise if it is the one to fail at."""
        self.calls += 1
        if self.calls == self.number or (not self.number and self._is_there(frame, event)):
            self.place = f"{event}: {where(frame)}"
            raise self.error(self.place)

    def _is_there(self, frame: FrameType, event: str) -> bool:
        site = site_of(frame, event)
        if self.site is None:
            self.sites[site] = None
        return site == self.site and not self.place

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count points and fail at one; garbage collection is off, because it would call code of older worlds."""
        collects = gc.isenabled()
        gc.disable()
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(None)
            if collects:
                gc.enable()


def site_of(frame: FrameType, event: str) -> Site:
    """Return the site of an event in a frame."""
    caller = frame.f_back
    return (event, frame.f_code, frame.f_lineno, caller and caller.f_code, caller.f_lineno if caller else 0)


def is_ours(code: CodeType) -> bool:
    """Return whether code is a function of the package and not a generator."""
    return code.co_filename.startswith(PACKAGE) and not code.co_flags & inspect.CO_GENERATOR


class Interrupted(Failing):
    """Raises an error at the n-th place where CPython checks for signals.

    These are the entry of a function, the return from a C function (a built-in one or a compiled kernel), the next
    round of a loop, and the end of a `with` statement.
    """

    def __init__(self, number: int = 0, error: type[BaseException] = Halt, site: Site | None = None) -> None:
        super().__init__(number, error, site)
        self._lines: dict[FrameType, int] = {}

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if self._code is not None and code is not self._code:
            return
        ends = event == "return" and (code is EXIT or returns_to_python(frame))
        if ends or (event == "call" and is_ours(code)):
            self._meet(frame, event)
        elif event == "c_return" and is_ours(code):
            self._meet(frame, f"{event} of {getattr(argument, '__name__', argument)}")

    def _follow(self, frame: FrameType, event: str, argument: object) -> Any:
        """Find the next round of a loop: the next line is not further down."""
        if event == "call":
            if not is_ours(frame.f_code):
                return None
            self._lines[frame] = frame.f_lineno
        elif event == "line":
            before, self._lines[frame] = self._lines[frame], frame.f_lineno
            if frame.f_lineno <= before:
                self._meet(frame, "loop")
        elif event == "return":
            del self._lines[frame]
        return self._follow

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count points and fail at one."""
        before = sys.gettrace()  # such as a coverage tool
        sys.settrace(self._follow)
        try:
            with super().on():
                yield
        finally:
            sys.settrace(before)
            self._lines.clear()


def returns_to_python(frame: FrameType) -> bool:
    """Return whether a kernel returns to Python code."""
    caller = frame.f_back
    return caller is not None and frame.f_code.co_filename in KERNELS and caller.f_code.co_filename not in KERNELS


def where(frame: FrameType | None, depth: int = 8) -> str:
    """Return the functions that led to a frame, innermost first."""
    names: list[str] = []
    while frame is not None and len(names) < depth:
        if frame.f_code.co_filename.startswith(PACKAGE):
            names.append(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(names)


def failed(action: Callable[[], Any], failing: Failing) -> bool:
    """Run an action with a failure; returns whether the failure stopped it."""
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
    """Raises MemoryError at the n-th growth of an array in the modules of the package."""

    def __init__(self, number: int = 0) -> None:
        super().__init__(number, MemoryError)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count points and fail at one."""
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
    """Return by module and name the functions that lengthen or create arrays."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("ecs_collision."):
            if callable(getattr(module, "longer", None)) and not name.endswith("columns"):
                yield module, "longer"
            if callable(getattr(module, "zeros", None)):
                yield module, "zeros"
    yield columns, "longer"


F = TypeVar("F", bound=Failing)


def every(kind: Callable[..., F], *more: Any, step: int = 1) -> Iterator[F]:
    """Yield a failure at each point in turn, or at every n-th, n = `step`; the last one has no point left.

    Points are counted during the action, so none is left out. Run the action once without a failure first, because
    imports at first use would be points in one run only.
    """
    for number in itertools.count(1, step):
        failing = kind(number, *more)
        yield failing
        if not failing.came:
            return


class Raising(Failing):
    """Raises errors at some of the calls of `tick`, which handlers and hooks make."""

    now: ClassVar[Raising | None] = None

    def __init__(self, number: int = 0, error: type[BaseException] = Fault, *more: int) -> None:
        super().__init__(number, error)
        self.numbers = {number, *more}

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count points and fail at one."""
        Raising.now = self
        try:
            yield
        finally:
            Raising.now = None

    @classmethod
    def tick(cls, *anything: object) -> None:
        """Count a call of a handler or hook, and fail at some."""
        if cls.now is not None:
            cls.now.calls += 1
            if cls.now.calls in cls.now.numbers:
                cls.now.place = f"call {cls.now.calls} of a handler"
                raise cls.now.error(cls.now.place)
