"""The esper world a system lives in, and who lives in which (rule E4).

A world's name may be deleted and used again. What tells worlds apart is a public table esper keeps for
each, `process_times`: the same object for as long as the world exists.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import esper

from ecs_collision.errors import WorldError


class WorldBinding:
    """One esper world: the one that was current when this was made."""

    __slots__ = ("mark", "name")

    def __init__(self) -> None:
        self.name = esper.current_world
        self.mark = esper.process_times

    @property
    def is_current(self) -> bool:
        """Whether this world is the current one."""
        return esper.process_times is self.mark

    def enter(self) -> bool:
        """Make this world current; False if it was deleted, and then another of its name may be current."""
        if not self.is_current and self.name in esper.list_worlds():
            esper.switch_world(self.name)
        return self.is_current

    @contextmanager
    def visit(self) -> Iterator[bool]:
        """Make this world current for a while; gives False if it was deleted."""
        before = esper.current_world
        try:
            yield self.enter()
        finally:
            try:
                go_to(before)
            except BaseException:  # broken off on its way
                go_to(before)
                raise


def go_to(name: str) -> None:
    """Make a world current, unless it was deleted meanwhile: switching would make an empty one."""
    if name != esper.current_world and name in esper.list_worlds():
        esper.switch_world(name)


class Resident(esper.Processor):
    """A processor that lives in one esper world at a time, the only one of its sort there.

    It moves in when it is added or first used. Closed, or no longer registered, it has moved out.
    """

    def __init__(self) -> None:
        self._home: WorldBinding | None = None
        self._priority = 0
        self._registered = False
        self._closed = False

    def _move_in(self) -> None:
        """Start anew, in another world or in the same after having been closed."""
        raise NotImplementedError  # pragma: no cover - for the heir

    def _move_out(self) -> None:
        """Let go of everything that belongs to the world."""
        raise NotImplementedError  # pragma: no cover - for the heir

    @property
    def priority(self) -> int:
        """The priority esper sorts by, given to `esper.add_processor`."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        """Move in: esper sets this when, and only when, a processor is added."""
        self._register()
        self._priority = value

    def close(self) -> None:
        """Leave the esper world: unregister, and free its components for another system.

        Subscriptions bound to entities end. The system may be added again, here or elsewhere, and starts anew.
        """
        home, self._home = self._home, None
        self._closed, self._registered = True, False
        _residents.discard(self)
        if home is None:
            return
        with home.visit() as there:
            if there and not self._is_missing():
                esper.remove_processor(type(self))
        self._move_out()

    def _lives(self) -> bool:
        """Return whether its world still exists, and it is registered there or never was."""
        if self._home is None:
            return False
        with self._home.visit() as there:
            return there and not (self._registered and self._is_missing())

    def _is_missing(self) -> bool:
        return esper.get_processor(type(self)) is not self

    def _be_at_home(self) -> WorldBinding:
        """Return its world, which is the current one; moves in at the first use, else raises WorldError."""
        home = self._home
        if home is None:
            if self._closed:
                raise WorldError(
                    "this CollisionSystem is closed; add it to a world again with esper.add_processor, or make another"
                )
            home = self._settle()
        if not home.is_current:
            raise WorldError(_elsewhere(home))
        if not self._is_missing():
            self._registered = True
        elif self._registered:
            raise WorldError(
                f"this CollisionSystem is no longer registered in the esper world {home.name!r}; "
                "add it again with esper.add_processor, or use the one that took its place"
            )
        return home

    def _register(self) -> None:
        """Become registered in the current world; raises WorldError where that cannot be."""
        if self._home is not None and not self._home.is_current and not self._lives():
            self.close()
        home = self._home
        if home is None:
            self._settle()
        elif not home.is_current:
            raise WorldError(
                f"this CollisionSystem belongs to the esper world {home.name!r} and cannot be added to "
                f"{esper.current_world!r} as well; close() it first or make another"
            )
        elif self._registered and not self._is_missing():
            raise WorldError(f"this CollisionSystem is registered in the esper world {home.name!r} already")
        self._registered = True

    def _settle(self) -> WorldBinding:
        """Make the current world its own; those who have left their worlds are closed first."""
        for other in list(_residents):
            if not other._lives():
                other.close()
            elif other._home is not None and other._home.is_current:
                raise WorldError(
                    f"the esper world {esper.current_world!r} has a CollisionSystem already; use it or close() it first"
                )
        if self._closed:
            self._move_in()
            self._closed = False
        _residents.add(self)
        self._home = WorldBinding()
        return self._home


_residents: weakref.WeakSet[Resident] = weakref.WeakSet()


def _elsewhere(home: WorldBinding) -> str:
    current = esper.current_world
    with home.visit() as there:
        if there:
            return (
                f"this CollisionSystem belongs to the esper world {home.name!r}, but {current!r} is current; "
                f"call esper.switch_world({home.name!r}) first, or make another CollisionSystem for {current!r}"
            )
    return (
        f"this CollisionSystem belongs to an esper world {home.name!r} that was deleted, and {current!r} is "
        "current; make another CollisionSystem for it"
    )
