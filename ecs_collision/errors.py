"""Exceptions; each is also the built-in kind that a Python programmer would catch.

Every message names the thing (entity, component, field), the value found and the remedy. The rules (docs/rules.md) say
what is refused: values in L3, combinations of components in E8, shared components and worlds in E6 and E4, plans in
P17, calls inside handlers and hooks in T8 and P15, snapshots in N1.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable
from functools import partial, wraps
from types import ModuleType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


class CollisionError(Exception):
    """Base class of every error that this package raises on purpose."""


class CollisionValueError(CollisionError, ValueError):
    """An invalid value of a body, query or setting."""


class CollisionTypeError(CollisionError, TypeError):
    """A value of the wrong type."""


class CollisionAttributeError(CollisionError, AttributeError):
    """An attribute that cannot be assigned or deleted."""


class UnknownEntity(CollisionError, KeyError):
    """An entity that is not a body of this world, or that made no motion in the frame whose results are read."""

    def __str__(self) -> str:
        """Return the plain message; `KeyError` would quote it."""
        return str(self.args[0]) if self.args else ""


class InvalidChanges(CollisionValueError):
    """Changes that cannot be applied; none was applied.

    `problems` lists all of them, each with entity, component, field, value and remedy.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        several = "\n  - ".join([f"{len(problems)} changes cannot be applied:", *problems])
        super().__init__(problems[0] if len(problems) == 1 else several)

    def __reduce__(self) -> tuple[type[InvalidChanges], tuple[tuple[str, ...]]]:
        """Pickle as the problems; the message is derived from them."""
        return (type(self), (self.problems,))


class LevelError(CollisionValueError):
    """A level, play or script file that is refused; nothing was loaded.

    `file` names the file. `line` and `column` (from 1) or `pointer` (a JSON pointer, "" is the whole document) give the
    place, if known. `found` and `expected` say what is wrong, `remedy` what to do. `expected` is empty if `found` says
    both.
    """

    def __init__(
        self,
        file: str,
        *,
        found: str,
        expected: str,
        remedy: str,
        line: int | None = None,
        column: int | None = None,
        pointer: str | None = None,
    ) -> None:
        self.file, self.line, self.column, self.pointer = file, line, column, pointer
        self.found, self.expected, self.remedy = found, expected, remedy
        place = "".join(f":{number}" for number in (line, column) if number is not None)
        if pointer is not None:
            place += f" at {_legible(pointer) or 'the root'}"
        wrong = f"found {found}; expected {expected}" if expected else found
        super().__init__(f"{file}{place}: {wrong}; {remedy}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the fields; the message is derived from them."""
        fields = ("found", "expected", "remedy", "line", "column", "pointer")
        return (partial(LevelError, self.file, **{name: getattr(self, name) for name in fields}), ())


def _legible(pointer: str, limit: int = 300) -> str:
    """Return a pointer for a message: one line, shortened to its end."""
    shown = pointer if pointer.isprintable() else ascii(pointer)
    return shown if len(shown) <= limit else "..." + shown[-limit:]


class SnapshotError(CollisionValueError):
    """A snapshot that cannot be restored here: damaged, or of another version, other bodies or other settings."""


class WorldError(CollisionError, RuntimeError):
    """A call while another esper world is current, or a second system in one world (E4)."""


class StalePlan(CollisionError, RuntimeError):
    """A plan that was committed after the world had changed."""


class ReentryError(CollisionError, RuntimeError):
    """A call that a handler or a hook may not make, or a call from another thread during any call (T8)."""


class EndlessTurn(CollisionError, RuntimeError):
    """A turn of a game in which something changed in every round, so that it did not end; it was rolled back."""


class InvariantError(CollisionError, RuntimeError):
    """`check()` found an inconsistent state. This is a bug in the package; please report it."""


class LatticeWarning(UserWarning):
    """The size or offset of a collider or part is no multiple of 2**-16, so it was rounded (rules L1 and H2)."""


class SetupWarning(UserWarning):
    """Something that will do less than the code asks for.

    A CollisionSystem was never added to an esper world (rule E4), or it joined one in which no entity has an id that a
    subscription matches (rule T3). Or a body has a rotation, but its collider has a box, which does not turn (rule E8).
    """


def warn_caller(message: str, category: type[Warning]) -> None:
    """Give a warning at the line outside of this package and of esper that led here."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _INSIDE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra of this package; in a checkout, `-e .` stands for its name."""
    return f"pip install 'ecs-collision[{extra}]' (in a checkout: pip install -e '.[{extra}]')"


class MissingExtra(CollisionError, ImportError):
    """A module is not installed; the message has the command that installs it."""


def extra(module: str, purpose: str, command: str = how_to_install("play")) -> ModuleType:
    """Return a module of an extra; raises MissingExtra with its purpose and how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        name = module.partition(".")[0]
        raise MissingExtra(f"{purpose} needs {name}, which is not installed; run: {command}") from missing


_INSIDE = (__name__.partition(".")[0], "esper")


def explained(usage: str) -> Callable[[Function], Function]:
    """Return a decorator: a call whose arguments do not fit raises CollisionTypeError, which says to write `usage`."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except TypeError as error:
                if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # the function was entered
                    raise
                raise CollisionTypeError(f"{error}; write {usage}") from None

        return call  # type: ignore[return-value]

    return decorate
