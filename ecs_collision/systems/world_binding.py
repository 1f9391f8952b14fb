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

    __slots__ = ("identity", "name")

    def __init__(self) -> None:
        self.name = esper.current_world
        self.identity = esper.process_times

    @property
    def is_current(self) -> bool:
        """Whether this world is the current one."""
        return esper.process_times is self.identity

    def make_current(self) -> bool:
        """Make this world current; False if it was deleted, and then another of its name may be current."""
        if not self.is_current and self.name in esper.list_worlds():
            esper.switch_world(self.name)
        return self.is_current

    @contextmanager
    def visit(self) -> Iterator[bool]:
        """Make this world current for a while; gives False if it was deleted."""
        before = esper.current_world
        try:
            yield self.make_current()
        finally:
            try:
                switch_to(before)
            except BaseException:  # broken off on its way
                switch_to(before)
                raise


def switch_to(name: str) -> None:
    """Make a world current, unless it was deleted meanwhile: switching would make an empty one."""
    if name != esper.current_world and name in esper.list_worlds():
        esper.switch_world(name)


class WorldBound(esper.Processor):
    """A processor that lives in one esper world at a time, the only one of its sort there.

    It moves in when it is added or first used. Closed, or no longer registered, it has moved out.
    """

    def __init__(self) -> None:
        self._binding: WorldBinding | None = None
        self._priority = 0
        self._registered = False
        self._closed = False

    def _reset(self) -> None:
        """Start anew, in another world or in the same after having been closed."""
        raise NotImplementedError  # pragma: no cover - for the heir

    def _unbind(self) -> None:
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
        binding, self._binding = self._binding, None
        self._closed, self._registered = True, False
        _bound_systems.discard(self)
        if binding is None:
            return
        with binding.visit() as exists:
            if exists and not self._is_unregistered():
                esper.remove_processor(type(self))
        self._unbind()

    def _is_bound(self) -> bool:
        """Return whether its world still exists, and it is registered there or never was."""
        if self._binding is None:
            return False
        with self._binding.visit() as exists:
            return exists and not (self._registered and self._is_unregistered())

    def _is_unregistered(self) -> bool:
        return esper.get_processor(type(self)) is not self

    def _require_binding(self) -> WorldBinding:
        """Return its world, which is the current one; moves in at the first use, else raises WorldError."""
        binding = self._binding
        if binding is None:
            if self._closed:
                raise WorldError(
                    "this CollisionSystem is closed; add it to a world again with esper.add_processor, or make another"
                )
            binding = self._bind()
        if not binding.is_current:
            raise WorldError(_wrong_world_message(binding))
        if not self._is_unregistered():
            self._registered = True
        elif self._registered:
            raise WorldError(
                f"this CollisionSystem is no longer registered in the esper world {binding.name!r}; "
                "add it again with esper.add_processor, or use the one that took its place"
            )
        return binding

    def _register(self) -> None:
        """Become registered in the current world; raises WorldError where that cannot be."""
        if self._binding is not None and not self._binding.is_current and not self._is_bound():
            self.close()
        binding = self._binding
        if binding is None:
            self._bind()
        elif not binding.is_current:
            raise WorldError(
                f"this CollisionSystem belongs to the esper world {binding.name!r} and cannot be added to "
                f"{esper.current_world!r} as well; close() it first or make another"
            )
        elif self._registered and not self._is_unregistered():
            raise WorldError(f"this CollisionSystem is registered in the esper world {binding.name!r} already")
        self._registered = True

    def _bind(self) -> WorldBinding:
        """Make the current world its own; those who have left their worlds are closed first."""
        for other in list(_bound_systems):
            if not other._is_bound():
                other.close()
            elif other._binding is not None and other._binding.is_current:
                raise WorldError(
                    f"the esper world {esper.current_world!r} has a CollisionSystem already; use it or close() it first"
                )
        if self._closed:
            self._reset()
            self._closed = False
        _bound_systems.add(self)
        self._binding = WorldBinding()
        return self._binding


_bound_systems: weakref.WeakSet[WorldBound] = weakref.WeakSet()


def _wrong_world_message(binding: WorldBinding) -> str:
    current = esper.current_world
    with binding.visit() as exists:
        if exists:
            return (
                f"this CollisionSystem belongs to the esper world {binding.name!r}, but {current!r} is current; "
                f"call esper.switch_world({binding.name!r}) first, or make another CollisionSystem for {current!r}"
            )
    return (
        f"this CollisionSystem belongs to an esper world {binding.name!r} that was deleted, and {current!r} is "
        "current; make another CollisionSystem for it"
    )
