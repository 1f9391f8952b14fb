"""What goes wrong, each error also being the built-in kind a Python programmer would catch.

Every message names the thing (entity, component, field), the value found and the next step. The rules (docs/rules.md)
say what is refused: values by L3, combinations of components by E8, components and worlds that are shared by E6 and E4,
plans by P17, calls inside handlers and hooks by T8 and P15, snapshots by N1.
"""

from __future__ import annotations

from functools import partial
from typing import Any


class CollisionError(Exception):
    """The root of every error this package raises on purpose."""


class CollisionValueError(CollisionError, ValueError):
    """A value that no body, question or setting may have."""


class CollisionTypeError(CollisionError, TypeError):
    """A value of the wrong type."""


class CollisionAttributeError(CollisionError, AttributeError):
    """An attribute that cannot be assigned or deleted."""


class UnknownEntity(CollisionError, KeyError):
    """An entity that is no body of this world."""

    def __str__(self) -> str:
        """Return the plain text: `KeyError` would show it in quotes."""
        return str(self.args[0]) if self.args else ""


class InvalidChanges(CollisionValueError):
    """Changes that cannot be applied; nothing of them was applied.

    `problems` lists every one, each with entity, component, field, value and remedy.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        several = "\n  - ".join([f"{len(problems)} changes cannot be applied:", *problems])
        super().__init__(problems[0] if len(problems) == 1 else several)

    def __reduce__(self) -> tuple[type[InvalidChanges], tuple[tuple[str, ...]]]:
        """Pickle by the problems, from which the text is made again."""
        return (type(self), (self.problems,))


class LevelError(CollisionValueError):
    """A level, play or script file that is refused; nothing of it was loaded.

    `file` names the file, `line` and `column` (from 1) or `pointer` (a JSON pointer, "" is the whole document) the
    place in it, where known; `found` and `expected` say what is wrong and `remedy` what to do.
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
        super().__init__(f"{file}{place}: found {found}; expected {expected}; {remedy}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the fields, from which the text is made again."""
        fields = ("found", "expected", "remedy", "line", "column", "pointer")
        return (partial(LevelError, self.file, **{name: getattr(self, name) for name in fields}), ())


def _legible(pointer: str, most: int = 300) -> str:
    """Return a pointer as it may stand in a message: in one line, its end where it is long."""
    shown = pointer if pointer.isprintable() else ascii(pointer)
    return shown if len(shown) <= most else "..." + shown[-most:]


class SnapshotError(CollisionValueError):
    """A snapshot that cannot be restored here: damaged, of another version, other bodies or another configuration."""


class WorldError(CollisionError, RuntimeError):
    """A call in the wrong esper world, or a second system in one."""


class StalePlan(CollisionError, RuntimeError):
    """A plan committed after the world had changed."""


class ReentryError(CollisionError, RuntimeError):
    """A call that a handler or a hook may not make."""


class EndlessTurn(CollisionError, RuntimeError):
    """A turn of a game that does not come to rest; it was undone."""


class InvariantError(CollisionError, RuntimeError):
    """`check()` found the state inconsistent: a bug in this package, please report it."""


class LatticeWarning(UserWarning):
    """A size that does not lie on the lattice was rounded inward; given once in a process (rule L1)."""
