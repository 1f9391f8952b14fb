"""The esper world a system lives in, and who lives in which (rule E4).

A world's name may be deleted and used again. What tells worlds apart is a public table esper keeps for
each, `process_times`: the same object for as long as the world exists.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import esper


class Home:
    """One esper world: the one that was current when this was made."""

    __slots__ = ("_mark", "name")

    def __init__(self) -> None:
        self.name = esper.current_world
        self._mark = esper.process_times

    @property
    def is_current(self) -> bool:
        """Whether this world is the current one."""
        return esper.process_times is self._mark

    def enter(self) -> bool:
        """Make this world current; False, and nothing changed, if it was deleted."""
        if self.is_current:
            return True
        before = esper.current_world
        if self.name not in esper.list_worlds():
            return False
        esper.switch_world(self.name)
        if not self.is_current:
            esper.switch_world(before)
        return self.is_current

    @contextmanager
    def visit(self) -> Iterator[bool]:
        """Make this world current for a while; gives False, without switching, if it was deleted."""
        before = esper.current_world
        try:
            yield self.enter()
        finally:
            go_to(before)


def go_to(name: str) -> None:
    """Make a world current, unless it was deleted meanwhile: switching would make an empty one."""
    if name != esper.current_world and name in esper.list_worlds():
        esper.switch_world(name)


class Inhabitant(Protocol):
    """What lives in an esper world and may be asked to leave."""

    def lives_in(self) -> Home | None:
        """Return its world, None once that world is deleted or it is no longer registered there."""
        ...

    def close(self) -> None:
        """Leave the world."""
        ...


_inhabitants: weakref.WeakSet[Inhabitant] = weakref.WeakSet()


def settle_down(newcomer: Inhabitant) -> Home | None:
    """Return a home for a newcomer in the current world, or None if somebody lives there; those gone are closed."""
    for other in list(_inhabitants):
        home = other.lives_in()
        if home is None:
            other.close()
        elif home.is_current and other is not newcomer:
            return None
    _inhabitants.add(newcomer)
    return Home()


def move_out(inhabitant: Inhabitant) -> None:
    """Forget an inhabitant."""
    _inhabitants.discard(inhabitant)
