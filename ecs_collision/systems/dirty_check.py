# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Checks whether anything happened in esper since the last detection, ahead of every frame, move and query.

It runs so often that it must cost no more than a query: 0.1 us compiled. If it finds no change, no other check is
needed. Otherwise its owner runs the full detection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]



class EsperNames(NamedTuple):
    """The names of esper's tables in a namespace: see `esper_internals.ESPER_NAMES`."""

    world: str
    """An object that differs for every world."""
    dirty: str
    """Whether the lists are out of date."""
    lists: str
    """Entities by kind: a new list after every structural change."""
    marked: str
    """The entities marked for deletion."""
    processors: str
    """The processor of each type."""


class Owner(Protocol):
    """Is called when something may have changed."""

    def _detect_changes(self) -> None:
        """Detect and stage the changes."""


@cython.final
@cython.cclass
class DirtyCheck:
    """Calling it calls `owner._detect_changes`, unless nothing changed since the check was armed.

    `owner` is a weak reference: the check does not keep it alive, and does nothing once the owner is gone.
    """

    def __init__(
        self, owner: Callable[[], Owner | None], names: EsperNames, namespace: dict[str, Any], sentinel: type
    ) -> None:
        self._owner = owner
        self._namespace = namespace
        self._names: tuple[str, ...] = tuple(names)
        self._sentinel_kind = sentinel
        self._world: object = None
        self._sentinel: object = None
        self._marked_count = 0

    def arm(self, world: object, sentinel: object, marked_count: int) -> None:
        """Store the reference state: this world, this list of the sentinel kind and this number of marked entities."""
        self._world, self._sentinel, self._marked_count = world, sentinel, marked_count

    def disarm(self) -> None:
        """Report a change on every call until armed again."""
        self._world = None

    def __call__(self) -> None:
        """Call the owner, unless nothing changed."""
        owner = self._owner()
        if owner is not None and not self._is_unchanged(owner):
            owner._detect_changes()

    @cython.cfunc
    @cython.inline
    def _is_unchanged(self, owner: object) -> cython.bint:
        """Return whether world, processor, entities and components are as they were when the check was armed."""
        namespace: dict[str, Any] = self._namespace
        names: tuple[str, ...] = self._names
        if self._world is None or namespace[names[0]] is not self._world or namespace[names[1]]:
            return False
        lists: dict[type, object] = namespace[names[2]]
        marked: set[int] = namespace[names[3]]
        processors: dict[type, object] = namespace[names[4]]
        return (
            lists.get(self._sentinel_kind) is self._sentinel
            and len(marked) == self._marked_count
            and processors.get(type(owner)) is owner
        )
