"""Typed access to an untrusted JSON document: every value is checked, every error has a JSON pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Self

from ecs_collision.errors import LevelError
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.json import decode_json, pointer_to
from ecs_collision.levels.level import listed
from ecs_collision.levels.limits import LARGEST
from ecs_collision.levels.source import Source, range_text, shown


def read_json(source: Source, remedy: str = "correct the file, or save it again from its editor") -> Node:
    """Return the root of a JSON file; raises LevelError with the position of the first fault.

    `remedy` is the default remedy of errors in this file.
    """
    return Node(source, decode_json(source, remedy), remedy)


class Node:
    """A value in a document. Its methods read and check members; errors have the JSON pointer of the member.

    The methods take an object key or an array index, or None for the value itself. `default` replaces a missing or null
    member; without a default that is an error.
    """

    __slots__ = ("_key", "_parent", "remedy", "source", "value")

    def __init__(
        self, source: Source, value: Any, remedy: str, parent: Node | None = None, key: str | int | None = None
    ) -> None:
        self.source, self.value, self.remedy = source, value, remedy
        self._parent, self._key = parent, key

    @property
    def pointer(self) -> str:
        """The JSON pointer of this value (RFC 6901), "" for the document."""
        keys: list[str | int | None] = []
        node: Node = self
        while node._parent is not None:
            keys.append(node._key)
            node = node._parent
        return pointer_to(*reversed(keys))

    def error(self, found: str, expected: str, remedy: str | None = None) -> LevelError:
        """Return an error about this value."""
        return self.source.error(found, expected, remedy or self.remedy, pointer=self.pointer)

    def unexpected(self, expected: str, remedy: str | None = None) -> LevelError:
        """Return an error that describes this value as found."""
        return self.error(describe(self.value), expected, remedy)

    def limit(self, what: str, count: int = 1) -> None:
        """Count items before they are created; raises LevelError above their limit."""
        self.source.limit(what, count, self.error)

    def find(self, key: str | int | None) -> Self | None:
        """Return a member, or None if it is missing or null."""
        if key is None:
            return self if self.value is not None else None
        if isinstance(key, int):
            inside = key < len(self._array())
        else:
            inside = key in self._object()
        if not inside or self.value[key] is None:
            return None
        return self._member(self.value[key], key)

    def _member(self, value: Any, key: str | int | None) -> Self:
        return type(self)(self.source, value, self.remedy, self, key)

    def has(self, key: str) -> bool:
        """Return whether a member exists and is not null."""
        return self._object().get(key) is not None

    def at(self, key: str | int) -> Self:
        """Return an existing member, null included."""
        return self._member(self.value[key], key)

    def get(self, key: str | int, expected: str = "a value") -> Self:
        """Return a required member."""
        return self.find(key) or self._missing(key, expected)

    def each(self, key: str | int | None = None, *, maximum: int = LARGEST, optional: bool = False) -> Iterator[Self]:
        """Yield the items of an array. An `optional` array may be missing or null."""
        node = self.find(key)
        if node is None:
            if optional:
                return
            node = self._missing(key, "an array")
        if len(node._array()) > maximum:
            raise node.unexpected(f"an array of at most {maximum}")
        for index, value in enumerate(node.value):
            yield node._member(value, index)

    def count(self, key: str) -> int:
        """Return the length of an array, 0 if it is missing or null."""
        node = self.find(key)
        return len(node._array()) if node is not None else 0

    def items(self, key: str | int | None = None, *, optional: bool = False) -> Iterator[tuple[str, Self]]:
        """Yield the keys and members of an object. An `optional` object may be missing or null."""
        node = self.find(key)
        if node is None:
            if optional:
                return
            node = self._missing(key, "an object")
        for name, value in node._object().items():
            yield name, node._member(value, name)

    def _read(self, key: str | int | None, expected: str, default: Any, fits: Callable[[Any], bool]) -> Any:
        """Return the value of a member if `fits` accepts it, or the default if it is missing."""
        node = self.find(key)
        if node is None:
            return default if default is not None else self._missing(key, expected)
        if not fits(node.value):
            raise node.unexpected(expected)
        return node.value

    def integer(
        self,
        key: str | int | None = None,
        *,
        minimum: int = -LARGEST,
        maximum: int = LARGEST,
        default: int | None = None,
    ) -> int:
        """Return an integer from `minimum` to `maximum`, written without a fraction."""
        expected = range_text("a whole number", minimum, maximum)
        found = self._read(key, expected, default, lambda value: type(value) is int and minimum <= value <= maximum)
        return int(found)

    def number(
        self, key: str | int | None = None, *, minimum: float = -LARGEST, maximum: float = LARGEST,
        default: float | None = None,
    ) -> float:  # fmt: skip
        """Return a finite number from `minimum` to `maximum`."""
        expected = range_text("a number", minimum, maximum)
        found = self._read(
            key, expected, default, lambda value: type(value) in (int, float) and minimum <= value <= maximum
        )
        return float(found)

    def text(
        self, key: str | int | None = None, *, among: tuple[str, ...] = (), maximum: int = LARGEST,
        default: str | None = None,
    ) -> str:  # fmt: skip
        """Return a string of at most `maximum` characters, one of `among` if given."""
        expected = f"one of {listed(among, 20)}" if among else "a text"
        found = self._read(key, expected, default, lambda value: type(value) is str and (not among or value in among))
        if len(found) > maximum:
            raise (self.find(key) or self).error(f"a text of {len(found)} characters", f"a text of at most {maximum}")
        return str(found)

    def flag(self, key: str | int | None = None, *, default: bool | None = None) -> bool:
        """Return a boolean."""
        return bool(self._read(key, "true or false", default, lambda value: type(value) is bool))

    def integers(
        self, key: str | int | None = None, *, count: int | None = None, minimum: int = -LARGEST, maximum: int = LARGEST
    ) -> list[int]:
        """Return an array of integers, exactly `count` of them if given. Fast for millions."""
        node = self.find(key) or self._missing(key, "an array of whole numbers")
        values = node._array()
        if count is not None and len(values) != count:
            raise node.unexpected(f"an array of {count}")
        if set(map(type, values)) - {int} or (values and not minimum <= min(values) <= max(values) <= maximum):
            unexpected = (
                at for at, item in enumerate(values) if type(item) is not int or not minimum <= item <= maximum
            )
            node.integer(next(unexpected), minimum=minimum, maximum=maximum)
        return values

    def plain(self, key: str | int | None = None) -> Value:
        """Return a member as immutable data, or None if it is missing. All numbers in it are checked."""
        node = self.find(key)
        if node is None:
            return None
        if type(node.value) is list:
            return tuple([item if _is_plain(item) else node.plain(at) for at, item in enumerate(node.value)])
        if type(node.value) is dict:
            members = node.value.items()
            return FrozenMap({name: item if _is_plain(item) else node.plain(name) for name, item in members})
        if type(node.value) in (int, float):
            node.number()
        value: Value = node.value
        return value

    def open_reference(self, key: str | int | None = None) -> Source:
        """Open the file that a member names."""
        node = self.find(key) or self._missing(key, "the path of a file")
        return self.source.open_reference(node.text(), pointer=node.pointer)

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.unexpected("an object")
        return self.value

    def _array(self) -> list[Any]:
        if type(self.value) is not list:
            raise self.unexpected("an array")
        return self.value

    def _missing(self, key: str | int | None, expected: str) -> NoReturn:
        if key is None:
            raise self.unexpected(expected)
        there = isinstance(self.value, dict) and key in self.value
        found = "null" if there else "nothing"
        raise self._member(None, key).error(found, expected)


def _is_plain(value: Any) -> bool:
    """Return whether a value has no members and, if it is a number, is in range."""
    kind = type(value)
    if kind is int or kind is float:
        return -LARGEST <= value <= LARGEST  # type: ignore[no-any-return]
    return kind is str or kind is bool or value is None


def describe(value: object) -> str:
    """Return a description of a JSON value for messages."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return shown(value)
