# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Binds components to rows of a world, where their writes are recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython
if cython.compiled:
    from cython.cimports.ecs_collision.components.dirty_transforms import DirtyTransforms
else:
    from ecs_collision.components.dirty_transforms import DirtyTransforms

from ecs_collision.components.dirty_transforms import REWRITTEN
from ecs_collision.errors import CollisionAttributeError, CollisionTypeError

_REWRITTEN = cython.declare(cython.int, REWRITTEN)


@cython.cclass
class Bound:
    """Base of components, which can be bound to a row; `_entity` and `_dirty_transforms` are None while unbound."""

    __slots__ = ("_dirty_transforms", "_entity", "_row")

    @cython.ccall
    def _clear_binding(self) -> cython.void:
        """Make the component unbound."""
        self._entity = None
        self._row = -1
        self._dirty_transforms = None

    def _init_binding(self) -> None:
        """Make the component unbound, as the first step of `__init__`; raises if it belongs to an entity."""
        entity = getattr(self, "_entity", None)  # in plain Python a new component has no such attribute yet
        if entity is not None:
            name = type(self).__name__
            raise CollisionTypeError(
                f"{name}.__init__ was called on the {name} of entity {entity}; assign its fields instead, or make a "
                f"new {name} and give that to the entity"
            )
        self._clear_binding()

    def _refuse(self, name: str, remedy: str) -> None:
        """Raise an error: the attribute cannot be assigned or deleted."""
        whose = "" if self._entity is None else f" of entity {self._entity}"
        raise CollisionAttributeError(f"{type(self).__name__}.{name}{whose} cannot be {remedy}")

    @cython.ccall
    def _unbind(self) -> cython.void:
        """Unbind the component and keep its values."""
        self._clear_binding()

    @cython.ccall
    def _bind(self, entity: object, row: cython.int, dirty_transforms: DirtyTransforms) -> cython.void:
        """Bind the component to a row of a world."""
        self._entity = entity  # type: ignore[assignment]
        self._row = row
        self._dirty_transforms = dirty_transforms  # type: ignore[assignment]

    @cython.ccall
    def _note_write(self) -> cython.void:
        """Record the write in the world that owns the component, if any; refused in a call of another thread."""
        if self._dirty_transforms is not None:
            self._dirty_transforms.access.check_thread()
            self._dirty_transforms.add(self._row, _REWRITTEN)
