# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The two comparisons that find what happened in esper: whether anything did, and which components are others.

`DirtyCheck` runs ahead of every frame, move and query, so it must cost no more than a query: 0.1 us compiled. If it
finds no change, no other check is needed. Otherwise its owner runs the full detection.

`ComponentDiff` finds the keys whose values changed, in one pass over plain dicts that compares identities. A table maps
keys to rows; a row maps kinds to values (an entity's components by type). The diff stores the values of certain kinds
for each key and reports the keys for which they are no longer the same.

It is exact. Not taken: comparing key sets and counting new values, which misses values that existed before and were
exchanged between two keys or put back. As plain Python a pass costs 200 ns a key or more. Compiled it costs some 35 ns,
mostly waiting for memory; so keys are processed in blocks, and the processor fetches many rows at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.cpython.dict import PyDict_GetItemWithError, PyDict_Next
    from cython.cimports.cpython.ref import PyObject
    from cython.cimports.ecs_collision.systems.comparisons import fetch, fetch_values

from ecs_collision.bodies.columns import RowById
from ecs_collision.components import COMPONENT_TYPES, Collider
from ecs_collision.components.parts import BODY_KINDS, Parts

_COLLIDERS = tuple(kind for kind in COMPONENT_TYPES if issubclass(kind, Collider))


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


Row = dict[type, object]
"""The values of one key, by kind."""
Table = dict[int, Row]
Listed = dict[type, set[int]]
"""The keys that have a kind, as the owner of the table lists them."""

_BLOCK = cython.declare(cython.Py_ssize_t, 32)
"""Number of keys in a block, the length of its arrays; a processor fetches ten to twenty cache lines at a time."""


@cython.cclass
class ComponentDiff:
    """The known values of each key, for a few kinds.

    `counts[kind]` is the number of keys that have one. A key must be listed under a kind exactly when its row has that
    kind, as in esper. The values of a key are `Parts` where these are all, each under its own class; else kind, value,
    kind, value ... in a tuple. Keys and values are two lists, in no order, with the place of each key in `_index`: half
    the memory of a dict.
    """

    def __init__(self, kinds: tuple[type, ...]) -> None:
        self.counts: dict[type, int] = dict.fromkeys(kinds, 0)
        self._keys: list[int] = []
        self._values: list[Any] = []
        self._index = RowById()

    def __len__(self) -> int:
        """Return the number of known keys."""
        return len(self._keys)

    def __iter__(self) -> Iterator[int]:
        """Iterate the known keys."""
        return iter(self._keys)

    def __contains__(self, key: int) -> bool:
        """Return whether the key has known values."""
        return key in self._index

    def known(self, key: int) -> Any:
        """Return the values of a key as they are stored; an empty tuple for an unknown one."""
        at = self._index.get(key)
        return () if at is None else self._values[at]

    def parts(self, key: int) -> Parts | None:
        """Return the values of a key, if they are stored as Parts."""
        known = self.known(key)
        return known if type(known) is Parts else None

    def store(self, key: int, row: Row | None, parts: Parts | None = None) -> bool:
        """Store the current values of a row, or remove the key if there are none.

        parts: the values as they will be stored, if they can be; returns whether they were.
        """
        counts = self.counts
        fits: cython.bint = parts is not None
        count: cython.int = 0
        for kind in _kinds_in(self.known(key)):
            counts[kind] -= 1
        for kind, value in row.items() if row else ():
            if kind in counts:
                counts[kind] += 1
                count += 1
                fits = fits and type(value) is kind
        if fits and count == len(parts.rest) + (parts.kinds & 1) + (parts.kinds >> 1 & 1):  # type: ignore[union-attr]
            self._put(key, parts)
            return True
        pairs = [each for each in row.items() if each[0] in counts] if row else []
        self._put(key, tuple(chain.from_iterable(pairs)))
        return False

    def _put(self, key: int, known: Any) -> None:
        """Store the values of a key; none removes it, and the last key takes its place."""
        at = self._index.get(key)
        if at is None and known:
            self._index[key] = len(self._keys)
            self._keys.append(key)
            self._values.append(known)
        elif known:
            self._values[at] = known
        elif at is not None:
            del self._index[key]
            last, value = self._keys.pop(), self._values.pop()
            if last != key:
                self._keys[at], self._values[at], self._index[last] = last, value, at

    def changed(self, table: Table) -> list[int]:
        """Return the keys whose known values are not all the same, in no order. O(known keys).

        Kinds that were added do not count: see `gained`.
        """
        return self._changed_compiled(table) if cython.compiled else self._changed_plain(table)

    def _changed_plain(self, table: Table) -> list[int]:
        """Compute `changed` in plain Python."""
        found: list[int] = []
        for key, known in zip(self._keys, self._values, strict=True):
            row = table.get(key)
            if row is None or not has_pairs(row, tuple(_pairs_of(known))):
                found.append(key)
        return found

    def gained(self, table: Table, listed: Listed) -> set[int]:
        """Return the keys listed under a kind that they were not known to have.

        Store the lost values first, so that equal counts mean equal sets. O(kinds) if nothing was gained, O(new keys)
        if only new keys gained something, else O(listed keys).
        """
        found: set[int] = set()
        fresh: list[int] | None = None
        for kind, count in self.counts.items():
            now = listed.get(kind)
            if now is not None and len(now) != count:
                fresh = self._new_keys(table) if fresh is None else fresh
                gained = [key for key in fresh if key in now]
                if count + len(gained) != len(now):
                    gained = [key for key in now if kind not in _kinds_in(self.known(key))]
                found.update(gained)
        return found

    def miscounted(self) -> list[type]:
        """Return the kinds whose count is not that of the known values; for checks."""
        known = Counter([kind for known in self._values for kind in _kinds_in(known)])
        return [kind for kind, count in self.counts.items() if known[kind] != count]

    def _new_keys(self, table: Table) -> list[int]:
        """Return the keys that were added to the table after all known keys."""
        found: list[int] = []
        for key in reversed(table):
            if key in self._index:
                break
            found.append(key)
        return found

    def _changed_compiled(self, table: dict) -> list:  # type: ignore[type-arg]
        """Compute `changed` at C level. This method is only ever called compiled."""
        found: list = []  # type: ignore[type-arg]
        if cython.compiled:
            first: cython.Py_ssize_t
            at: cython.Py_ssize_t
            count: cython.Py_ssize_t
            for at in range(len(BODY_KINDS)):
                self.kind_at[at] = cython.cast(cython.pointer[PyObject], BODY_KINDS[at])
            for at in range(len(_COLLIDERS)):
                self.colliders[at] = cython.cast(cython.pointer[PyObject], _COLLIDERS[at])
            for first in range(0, len(self._keys), _BLOCK):
                count = self._fetch_block(table, first)
                for at in range(count):
                    if not self._is_unchanged(self.block_rows[at], self.block_values[at]):
                        found.append(cython.cast(object, self.block_keys[at]))
        return found

    def _is_unchanged(self, row: cython.pointer[PyObject], known: cython.pointer[PyObject]) -> cython.bint:  # type: ignore[name-defined]
        """Return whether a row has the known values, by identity. This method is only ever called compiled."""
        if cython.compiled:
            if row == cython.NULL:
                return False
            if type(cython.cast(object, known)) is Parts:
                return self._has_parts(row, cython.cast(Parts, known))
        return has_pairs(cython.cast(object, row), cython.cast(object, known))

    def _has_parts(self, row: cython.pointer[PyObject], parts: Parts) -> cython.bint:  # type: ignore[name-defined]
        """Return whether a row has these parts under their kinds, by identity; it reads none of the components.

        This method is only ever called compiled.
        """
        if cython.compiled:
            place: cython.Py_ssize_t = 0
            kind: cython.pointer[PyObject] = cython.NULL
            value: cython.pointer[PyObject] = cython.NULL
            at: cython.Py_ssize_t
            bit: cython.Py_ssize_t
            rest: tuple = parts.rest  # type: ignore[type-arg]
            left: cython.Py_ssize_t = len(rest) + (parts.kinds & 1) + (parts.kinds >> 1 & 1)
            while left > 0 and PyDict_Next(
                cython.cast(object, row), cython.address(place), cython.address(kind), cython.address(value)
            ):
                if value == cython.cast(cython.pointer[PyObject], parts.transform):
                    left -= kind == self.kind_at[0]
                elif value == cython.cast(cython.pointer[PyObject], parts.collider):
                    for at in range(8):
                        left -= kind == self.colliders[at]
                else:
                    bit = 1
                    for at in range(len(rest)):
                        bit += 1
                        while not parts.kinds >> bit & 1:
                            bit += 1
                        if value == cython.cast(cython.pointer[PyObject], rest[at]):
                            left -= kind == self.kind_at[bit]
            return left == 0
        return False

    def _fetch_block(self, table: dict, first: cython.Py_ssize_t) -> cython.Py_ssize_t:  # type: ignore[type-arg]
        """Read the next keys, their values and rows (NULL for a missing key); return how many there were.

        This method is only ever called compiled.
        """
        count: cython.Py_ssize_t = 0
        if cython.compiled:
            at: cython.Py_ssize_t
            while count < _BLOCK and first + count < len(self._keys):
                self.block_keys[count] = cython.cast(cython.pointer[PyObject], self._keys[first + count])
                self.block_values[count] = cython.cast(cython.pointer[PyObject], self._values[first + count])
                fetch(self.block_values[count])
                self.block_rows[count] = PyDict_GetItemWithError(table, cython.cast(object, self.block_keys[count]))
                fetch(self.block_rows[count])
                count += 1
            for at in range(count):
                if self.block_rows[at] != cython.NULL:
                    fetch_values(self.block_rows[at])
                if type(cython.cast(object, self.block_values[at])) is Parts:
                    fetch(cython.cast(cython.pointer[PyObject], cython.cast(Parts, self.block_values[at]).rest))
        return count


def has_pairs(row: dict, pairs: tuple) -> cython.bint:  # type: ignore[type-arg]
    """Return whether a row has each value under its kind, by identity."""
    return all(row.get(kind) is value for kind, value in zip(pairs[::2], pairs[1::2], strict=True))


def _pairs_of(known: Any) -> Iterable[object]:
    """Return stored values with the kind before each."""
    return chain.from_iterable([(type(value), value) for value in known.present]) if type(known) is Parts else known


def _kinds_in(known: Any) -> Sequence[type]:
    """Return the kinds of stored values."""
    return [*map(type, known.present)] if type(known) is Parts else known[::2]
