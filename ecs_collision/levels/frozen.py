"""Plain data that cannot change: what a level is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Value: TypeAlias = "bool | int | float | str | tuple[Value, ...] | FrozenMap | None"
"""What a property may hold."""


class FrozenMap(Mapping[str, Value]):
    """A mapping that cannot change, equal to a dict of the same items; hashable, and it can be pickled.

    Lists given become tuples and dicts become such maps. `types.MappingProxyType` does neither, nor can it be pickled.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any] = {}) -> None:
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
    """Return a value in the form that cannot change."""
    if isinstance(value, Mapping):
        return value if isinstance(value, FrozenMap) else FrozenMap(value)
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value  # type: ignore[no-any-return]
