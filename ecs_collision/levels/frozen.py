"""Immutable plain data: the values of a level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ecs_collision.fixed_point import instance_of

Value: TypeAlias = "bool | int | float | str | tuple[Value, ...] | FrozenMap | None"
"""Values of a property."""


class FrozenMap(Mapping[str, Value]):
    """An immutable, hashable mapping, equal to a dict with the same items.

    Lists become tuples and dicts become FrozenMaps. `types.MappingProxyType` does neither, and cannot be pickled.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any] = {}) -> None:
        instance_of(items, Mapping, "items", "give a mapping")
        self._items = {str(key): frozen(value) for key, value in items.items()}

    def __getitem__(self, key: str) -> Value:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (FrozenMap, (self._items,))

    def __repr__(self) -> str:
        return repr(self._items)


def frozen(value: Any) -> Value:
    """Return the immutable form of a value."""
    if isinstance(value, Mapping):
        return value if isinstance(value, FrozenMap) else FrozenMap(value)
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value  # type: ignore[no-any-return]
