# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Whether nothing happened in esper since the last look: the check ahead of every frame, move and question.

It is asked so often that its price is that of a question: 0.1 us compiled. What it finds unchanged needs no other
check; where anything differs, its owner looks for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.sealing import seal


class EsperNames(NamedTuple):
    """What the tables of the current world are called in a namespace: see `tables.NAMES`."""

    world: str
    """An object that is another in every world."""
    dirty: str
    """Whether the lists are out of date."""
    lists: str
    """Entities by kind: a new list after every structural change."""
    marked: str
    """The entities marked for deletion."""
    processors: str
    """The processor of each type."""


class Owner(Protocol):
    """Who is told."""

    def _detect_changes(self) -> None:
        """Look at what has changed."""


@cython.final
@cython.cclass
class DirtyCheck:
    """Calling it tells the owner to take notice, unless everything is as it was when the watch was set.

    `owner` is a weak reference: a watch keeps nobody alive, and tells nobody when the owner is gone.
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
        """DirtyCheck from now on: in this world, with this list of the sentinel's kind and so many marked entities."""
        self._world, self._sentinel, self._marked_count = world, sentinel, marked_count

    def disarm(self) -> None:
        """Find everything changed from now on, until set again."""
        self._world = None

    def __call__(self) -> None:
        """Tell the owner, unless nothing changed."""
        owner = self._owner()
        if owner is not None and not self._is_unchanged(owner):
            owner._detect_changes()

    @cython.cfunc
    @cython.inline
    def _is_unchanged(self, owner: object) -> cython.bint:
        """Whether the owner's world is current, the owner its processor, and no entity came, went or changed."""
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


seal(DirtyCheck)
