"""What goes wrong, each error also being the built-in kind a Python programmer would catch.

Every message names the thing (entity, component, field), the value found and the next step.
"""

from __future__ import annotations


class CollisionError(Exception):
    """The root of every error this package raises on purpose."""


class CollisionValueError(CollisionError, ValueError):
    """A value that no body, question or setting may have."""


class CollisionTypeError(CollisionError, TypeError):
    """A value of the wrong type."""


class UnknownEntity(CollisionError, KeyError):
    """An entity that is no body of this world."""

    def __str__(self) -> str:
        """Return the plain text: `KeyError` would show it in quotes."""
        return str(self.args[0]) if self.args else ""


class TakeInError(CollisionValueError):
    """Changes that cannot be taken in; nothing of them was applied.

    `problems` lists every one, each with entity, component, field, value and remedy.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        if len(problems) == 1:
            text = problems[0]
        else:
            text = f"{len(problems)} changes cannot be taken in:\n" + "\n".join(
                f"  - {problem}" for problem in problems
            )
        super().__init__(text)

    def __reduce__(self) -> tuple[type[TakeInError], tuple[tuple[str, ...]]]:
        """Pickle by the problems, from which the text is made again."""
        return (type(self), (self.problems,))


class WorldError(CollisionError, RuntimeError):
    """A call in the wrong esper world, or a second system in one."""


class StalePlan(CollisionError, RuntimeError):
    """A plan committed after the world had changed."""


class ReentryError(CollisionError, RuntimeError):
    """A call that a handler or a hook may not make."""


class InvariantError(CollisionError, RuntimeError):
    """`check()` found the state inconsistent: a bug in this package, please report it."""


class LatticeWarning(UserWarning):
    """A size that does not lie on the lattice was rounded inward; given once in a process (rule L1)."""
