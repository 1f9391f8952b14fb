"""The base class of components."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar

from ecs_collision.components.fields import Bound
from ecs_collision.components.schema import Field
from ecs_collision.errors import CollisionTypeError

AnyComponent = TypeVar("AnyComponent", bound="Component")


class Component(Bound):
    """Base class of all components: final, copied as values, bound to at most one body."""

    __slots__ = ()
    _schema: ClassVar[tuple[Field[Any, Any], ...]] = ()
    _values: ClassVar[tuple[str, ...]] = ()
    """The slots that are copied and pickled."""
    _derived: ClassVar[tuple[str, ...]] = ()
    """The slots for values that are derived from the fields."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.__module__.startswith(__package__ + "."):
            base = cls.__mro__[1].__name__
            raise CollisionTypeError(
                f"{cls.__name__} subclasses {base}, but components are final: esper finds components by their "
                f"exact class; keep your own data in a component of your own beside {base}"
            )

    def _state(self) -> tuple[Any, ...]:
        """Return the values of all slots, in the order of `_values`."""
        return tuple([getattr(self, name) for name in self._values])

    def _restore(self, values: tuple[Any, ...]) -> None:
        """Set the values of an unbound component."""
        for name, value in zip(self._values, values, strict=True):
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as values; the copy belongs to no entity."""
        return (_rebuild, (type(self), self._state()))

    def copy(self) -> Self:
        """Return an equal component that belongs to no entity."""
        return _rebuild(type(self), self._state())

    def __repr__(self) -> str:
        shown_fields = []
        for each in self._schema:
            value = getattr(self, each.name)
            if each.repr_style != "non_default" or value != each.default:
                shown_fields.append(_text(value) if each.repr_style == "value" else f"{each.name}={_text(value)}")
        return f"{type(self).__name__}({', '.join(shown_fields)})"


def _rebuild(cls: type[AnyComponent], values: tuple[Any, ...]) -> AnyComponent:
    component = cls.__new__(cls)
    component._clear_binding()
    component._restore(values)
    return component


def _text(value: Any) -> str:
    """Return a value as `repr` shows it; sets are sorted, because their own order differs from run to run."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(map(repr, sorted(value))) + "}" if value else "()"
    if isinstance(value, tuple) and not isinstance(value[0], float):  # boxes, not a vector
        value = [*value]
    return repr(value)
