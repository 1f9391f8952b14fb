"""Binds a processor to one esper world, and keeps track of the systems that are bound (rule E4).

The name of a deleted world may be used again. A world is identified by `process_times`, a public table of esper that is
the same object as long as the world exists.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import esper

from ecs_collision.access import Access, asking
from ecs_collision.errors import CollisionTypeError, WorldError


class WorldBinding:
    """A reference to the esper world that was current when it was created."""

    __slots__ = ("identity", "name")

    def __init__(self) -> None:
        self.name = esper.current_world
        self.identity = esper.process_times

    @property
    def is_current(self) -> bool:
        """Whether this world is the current one."""
        return esper.process_times is self.identity

    def make_current(self) -> bool:
        """Make this world current; False if it was deleted (another world may have its name by now)."""
        if not self.is_current and self.name in esper.list_worlds():
            esper.switch_world(self.name)
        return self.is_current

    @contextmanager
    def visit(self) -> Iterator[bool]:
        """Make this world current inside a `with` block; yields False if it was deleted."""
        before = esper.current_world
        try:
            yield self.make_current()
        finally:
            try:
                switch_to(before)
            except BaseException:  # interrupted: try once more
                switch_to(before)
                raise


def switch_to(name: str) -> None:
    """Make a world current, unless it was deleted: esper would create an empty one."""
    if name != esper.current_world and name in esper.list_worlds():
        esper.switch_world(name)


class ProcessorType(type):
    """Refuses to add a class as a processor, where esper would overwrite `priority` for all instances."""

    def __setattr__(cls, name: str, value: object) -> None:
        """Set an attribute of the class; raises CollisionTypeError for `priority`, which `add_processor` sets."""
        if name == "priority":
            raise CollisionTypeError(
                f"{cls.__name__} is a class; add an instance: esper.add_processor({cls.__name__}())"
            )
        super().__setattr__(name, value)


class WorldBound(esper.Processor, metaclass=ProcessorType):
    """A processor that is bound to one esper world at a time, where it is the only one of its class.

    It is bound when it is added or first used, and unbound when it is closed or no longer registered.
    """

    _access: Access

    def __init__(self) -> None:
        self._binding: WorldBinding | None = None
        self._priority = 0
        self._registered = False
        self._closed = False

    def _reset(self) -> None:
        """Start empty, when bound again after `close`."""
        raise NotImplementedError  # pragma: no cover - abstract

    def _unbind(self) -> None:
        """Release everything that belongs to the world."""
        raise NotImplementedError  # pragma: no cover - abstract

    @property
    def priority(self) -> int:
        """The priority esper sorts by, given to `esper.add_processor`."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        """Register the system: esper sets the priority when, and only when, a processor is added."""
        self._register()
        self._priority = value

    @asking
    def close(self) -> None:
        """Unbind from the esper world: unregister, and free its components for another system.

        Subscriptions bound to entities end. The system may be added again, here or elsewhere, and is empty then.
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
        """Return whether its world exists, and it is registered there or never was."""
        if self._binding is None:
            return False
        with self._binding.visit() as exists:
            return exists and not (self._registered and self._is_unregistered())

    def _is_unregistered(self) -> bool:
        return esper.get_processor(type(self)) is not self

    def _require_binding(self) -> WorldBinding:
        """Return its world, which is current; binds at the first use. Raises WorldError otherwise."""
        binding = self._binding
        if binding is None:
            if self._closed:
                raise WorldError(
                    "this CollisionSystem is closed; add it again with esper.add_processor, or create another one"
                )
            binding = self._bind()
        if not binding.is_current:
            raise WorldError(_wrong_world_message(binding))
        if not self._is_unregistered():
            self._registered = True
        elif self._registered:
            raise WorldError(
                f"this CollisionSystem is no longer registered in the esper world {binding.name!r}; "
                "add it again with esper.add_processor, or use the system that replaced it"
            )
        return binding

    def _register(self) -> None:
        """Register in the current world; raises WorldError if that is not possible."""
        if self._binding is not None and not self._binding.is_current and not self._is_bound():
            self.close()
        binding = self._binding
        if binding is None:
            self._bind()
        elif not binding.is_current:
            raise WorldError(
                f"this CollisionSystem belongs to the esper world {binding.name!r} and cannot be added to "
                f"{esper.current_world!r} too; close() it first or create another one"
            )
        elif self._registered and not self._is_unregistered():
            raise WorldError(f"this CollisionSystem is already registered in the esper world {binding.name!r}")
        self._registered = True

    def _bind(self) -> WorldBinding:
        """Bind to the current world; systems that are no longer bound are closed first."""
        for other in list(_bound_systems):
            if not other._is_bound():
                other.close()
            elif other._binding is not None and other._binding.is_current:
                raise WorldError(
                    f"the esper world {esper.current_world!r} already has a CollisionSystem; use it or close() it first"
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
                f"call esper.switch_world({binding.name!r}) first, or create another CollisionSystem for {current!r}"
            )
    return (
        f"this CollisionSystem belongs to the deleted esper world {binding.name!r}, and {current!r} is "
        "current; create another CollisionSystem for it"
    )
