"""The base class of the parts of a compound, which are immutable values."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar, dataclass_transform

from ecs_collision.errors import CollisionTypeError

Kind = TypeVar("Kind")
Part = TypeVar("Part", bound="PartValue")


@dataclass_transform(frozen_default=True)
def immutable(kind: type[Kind]) -> type[Kind]:
    """Return the class; type checkers refuse to assign its fields."""
    return kind


class PartValue:
    """Base class of parts: immutable, final, equal if their fields are."""

    __slots__ = ()
    _arguments: ClassVar[tuple[str, ...]] = ()
    """The arguments of the constructor, in order."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.__module__.startswith(__package__ + "."):
            base = cls.__mro__[1].__name__
            raise CollisionTypeError(
                f"{cls.__name__} subclasses {base}, but {base} is final; keep your own data beside it"
            )

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._arguments])

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self).__name__
        if name in self.__slots__:
            raise CollisionTypeError(
                f"{kind}.{name} cannot be assigned: {_article(kind)} is immutable; make a new {kind} instead"
            )
        fields = ", ".join(self._arguments[:-1]) + f" and {self._arguments[-1]}"
        raise AttributeError(f"{kind} has no field {name!r}; it has {fields}")

    def __delattr__(self, name: str) -> None:
        kind = type(self).__name__
        raise CollisionTypeError(f"{kind}.{name} cannot be deleted: {_article(kind)} is immutable")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._values())

    def __repr__(self) -> str:
        texts = []
        for name in self._arguments:
            value = getattr(self, name)
            if name == "offset":
                texts.append(f"offset={value!r}")
            elif name != "rotation":
                texts.append(repr(value))
            elif value is not None:
                texts.append(f"rotation={value!r}")
        return f"{type(self).__name__}({', '.join(texts)})"


def moved(part: Part, x: float, y: float) -> Part:
    """Return a part with another offset."""
    values = dict(zip(part._arguments, part._values(), strict=True))
    across, down, z = values["offset"]
    return type(part)(**values | {"offset": (across + x, down + y, z)})


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind}"
