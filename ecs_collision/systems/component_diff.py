# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Finds the keys whose values changed, in one pass over plain dicts that compares identities.

A table maps keys to rows; a row maps kinds to values (an entity's components by type). The diff stores the values of
certain kinds for each key and reports the keys for which they are no longer the same.

It is exact. Not taken: comparing key sets and counting new values, which misses values that existed before and were
exchanged between two keys or put back. As plain Python a pass costs 200 ns a key or more. Compiled it costs 6 to 20 ns,
mostly waiting for memory:

- it guesses each key's position in the table from the last pass, so no key is hashed and no key object is read;
- CPython up to 3.13 gives a dict a new version number at every change (`ma_version_tag`), no two alike: a row with the
  known stamp is unchanged, at the price of one cache line. Otherwise the values are compared, each first at its last
  position in the row;
- keys are processed in blocks, first the table, then the rows, then the values, so that the processor prefetches many
  rows instead of waiting for one after the other.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.cpython.dict import PyDict_GetItemWithError, PyDict_Next
    from cython.cimports.cpython.ref import PyObject
    from cython.cimports.ecs_collision.systems.component_diff import fetch, fetch_values, stamp_of

from ecs_collision.sealing import seal

Row = dict[type, object]
"""The values of one key, by kind."""
Table = dict[int, Row]
Listed = dict[type, set[int]]
"""The keys that have a kind, as the owner of the table lists them."""

MAX_KINDS = 255
"""A tag has two bytes: the number of the kind (from 1) in the low one, the guessed position in the high one."""
_NO_GUESS = 255

_BLOCK = cython.declare(cython.Py_ssize_t, 32)
"""Number of keys in a block, the length of `block_rows`; a processor fetches ten to twenty cache lines at a time."""
_MOVED_SHARE = cython.declare(cython.Py_ssize_t, 16)
"""If more than one key in this many has moved, the table was rebuilt: all positions are read again."""


@cython.cclass
class ComponentDiff:
    """The known values of each key, for a few kinds.

    `known[kind]` is the set of keys that have one. A key must be listed under a kind exactly when its row has that
    kind, as in esper.

    For the last compiled pass, `moved_count` is the number of keys that were not at their positions, and
    `compared_count` the number of rows whose values were compared. Both are 0 if no known row was changed.
    """

    def __init__(self, kinds: tuple[type, ...], *, stamped: bool = True) -> None:
        """Start empty. `stamped=False` works as if dicts had no version stamps, with the same results."""
        if len(kinds) > MAX_KINDS:
            raise ValueError(f"a ComponentDiff compares at most {MAX_KINDS} kinds, not {len(kinds)}")
        self.known: dict[type, set[int]] = {kind: set() for kind in kinds}
        self.stride = len(kinds)
        self._pairs: dict[int, tuple[tuple[type, object], ...]] = {}  # strong references: an address stays unique
        # A copy for the compiled pass, by slot: the key's position in the table, the stamp of its row when the values
        # were last compared, and `stride` tags and addresses, one pair for each value.
        self._slots: dict[int, int] = {}
        self._stamped = stamped
        self._free_slots: list[int] = []
        self._keys: list[int | None] = []
        self._kind_numbers = {kind: number for number, kind in enumerate(kinds, 1)}
        self.kind_addresses = array("Q", [0] + [id(kind) for kind in kinds])
        self.key_addresses, self.stamps = array("Q"), array("Q")
        self.positions = array("q")
        self.tags = array("H")
        self.addresses = array("Q")
        self._end = self._previous_end = 0  # where the last pass ended in the table, and the pass before
        self.moved_count = self.compared_count = 0
        self._update_views()

    def _update_views(self) -> None:
        """Set the views again after arrays were replaced."""
        self.kind_addresses_view = self.kind_addresses
        self.key_addresses_view, self.stamps_view, self.positions_view = self.key_addresses, self.stamps, self.positions
        self.tags_view, self.addresses_view = self.tags, self.addresses

    def __len__(self) -> int:
        """Return the number of known keys."""
        return len(self._pairs)

    def __contains__(self, key: int) -> bool:
        """Return whether the key has known values."""
        return key in self._pairs

    def store(self, key: int, row: Row | None) -> bool:
        """Store the current values of a row, or remove the key if there are none; returns whether there are any."""
        for kind, _ in self._pairs.get(key, ()):
            self.known[kind].discard(key)
        pairs: list[tuple[type, object]] = []
        if row is not None:
            for kind, value in row.items():
                if kind in self.known:
                    self.known[kind].add(key)
                    pairs.append((kind, value))
        if cython.compiled:
            self._store_pairs(key, pairs, row)
        # Last: if this is interrupted, the next call stores the values again.
        if pairs:
            self._pairs[key] = tuple(pairs)
        else:
            self._pairs.pop(key, None)
        return bool(pairs)

    def changed(self, table: Table) -> list[int]:
        """Return the keys whose known values are not all the same, in no order. O(known keys).

        Kinds that were added do not count: see `gained`.
        """
        return self._changed_compiled(table) if cython.compiled else self._changed_plain(table)

    def _changed_plain(self, table: Table) -> list[int]:
        """Compute `changed` in plain Python, inlined because calls dominate the cost."""
        found: list[int] = []
        for key, pairs in self._pairs.items():
            if key not in table:
                found.append(key)
                continue
            row = table[key]
            for kind, value in pairs:
                if kind not in row or row[kind] is not value:
                    found.append(key)
                    break
        return found

    def gained(self, table: Table, listed: Listed) -> set[int]:
        """Return the keys listed under a kind that they were not known to have.

        Store the lost values first, so that equal counts mean equal sets. O(kinds) if nothing was gained, O(new keys)
        if only new keys gained something, else O(listed keys).
        """
        found: set[int] = set()
        fresh: list[int] | None = None
        for kind, known in self.known.items():
            now = listed.get(kind)
            if now is not None and len(now) != len(known):
                fresh = self._new_keys(table) if fresh is None else fresh
                gained = [key for key in fresh if key in now]
                found.update(gained if len(known) + len(gained) == len(now) else now - known)
        return found

    def _new_keys(self, table: Table) -> list[int]:
        """Return the keys that were added to the table after all known keys."""
        found: list[int] = []
        for key in reversed(table):
            if key in self._pairs:
                break
            found.append(key)
        return found

    @cython.cfunc
    def _store_pairs(self, key: object, pairs: list, row: object) -> cython.void:  # type: ignore[type-arg]
        """Store the pairs for the compiled pass, or free the key's slot. Compiled only."""
        if cython.compiled:
            slot: cython.Py_ssize_t = self._slots.get(key, -1)
            at: cython.Py_ssize_t
            if not pairs:
                if slot >= 0:
                    self.tags_view[slot * self.stride] = 0
                    self._keys[slot] = None
                    self._free_slots.append(self._slots.pop(key))
                return
            if slot < 0:
                slot = self._allocate_slot(key)
            at = slot * self.stride
            for kind, value in pairs:
                self.tags_view[at] = cython.cast(cython.int, self._kind_numbers[kind]) | _NO_GUESS << 8
                self.addresses_view[at] = cython.cast(cython.size_t, cython.cast(cython.pointer[PyObject], value))
                at += 1
            if at < (slot + 1) * self.stride:
                self.tags_view[at] = 0
            self.stamps_view[slot] = stamp_of(cython.cast(cython.pointer[PyObject], row)) if self._stamped else 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _allocate_slot(self, key: object) -> cython.Py_ssize_t:
        """Return a new slot for a key. Compiled only."""
        slot: cython.Py_ssize_t = len(self._keys)
        if cython.compiled:
            if self._free_slots:
                slot = self._free_slots.pop()
                self._keys[slot] = key
            else:
                self._keys.append(key)
                if slot == len(self.positions):
                    self._grow(max(64, 2 * slot))
            self._slots[key] = slot
            self.positions_view[slot] = 0
            self.key_addresses_view[slot] = cython.cast(cython.size_t, cython.cast(cython.pointer[PyObject], key))
        return slot

    def _grow(self, slots: int) -> None:
        more = slots - len(self.positions)
        key_addresses, stamps = (
            self.key_addresses + array("Q", bytes(8 * more)),
            self.stamps + array("Q", bytes(8 * more)),
        )
        positions, tags = (
            self.positions + array("q", bytes(8 * more)),
            self.tags + array("H", bytes(2 * more * self.stride)),
        )
        addresses = self.addresses + array("Q", bytes(8 * more * self.stride))
        self.key_addresses, self.stamps, self.positions = key_addresses, stamps, positions
        self.tags, self.addresses = tags, addresses
        self._update_views()

    @cython.cfunc
    def _changed_compiled(self, table: dict) -> list:  # type: ignore[type-arg]
        """Compute `changed` at C level. Compiled only."""
        found: list = []  # type: ignore[type-arg]
        if cython.compiled:
            first: cython.Py_ssize_t
            slot: cython.Py_ssize_t
            end: cython.Py_ssize_t
            count: cython.Py_ssize_t = len(self._keys)
            self._update_positions(table)
            for first in range(0, count, _BLOCK):
                end = min(first + _BLOCK, count)
                self._prefetch_rows(table, first, end)
                for slot in range(first, end):
                    if self.tags_view[slot * self.stride] != 0 and not self._is_unchanged(
                        slot, self.block_rows[slot - first]
                    ):
                        found.append(self._keys[slot])
        return found

    @cython.cfunc
    def _update_positions(self, table: dict) -> cython.void:  # type: ignore[type-arg]
        """Read the positions of the keys added since the pass before last, or of all keys if many have moved.

        Keys added between those passes were stored only after the last one.
        """
        if cython.compiled:
            key: cython.pointer[PyObject] = cython.NULL
            row: cython.pointer[PyObject] = cython.NULL
            known: cython.pointer[PyObject] = cython.NULL
            slot: cython.Py_ssize_t = 0
            position: cython.Py_ssize_t = (
                0 if self.moved_count * _MOVED_SHARE > len(self._slots) else self._previous_end
            )
            self.moved_count = self.compared_count = 0
            while PyDict_Next(table, cython.address(position), cython.address(key), cython.address(row)):
                known = PyDict_GetItemWithError(self._slots, cython.cast(object, key))
                if known != cython.NULL:
                    slot = cython.cast(object, known)
                    self.positions_view[slot] = position - 1
                    self._keys[slot] = cython.cast(object, key)  # a reference keeps the address unique
                    self.key_addresses_view[slot] = cython.cast(cython.size_t, key)
            self._previous_end, self._end = min(self._end, position), position

    @cython.cfunc
    def _prefetch_rows(self, table: dict, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:  # type: ignore[type-arg]
        """Write the rows of slots `first` to `end` to `block_rows`, NULL for a missing key, and prefetch them."""
        if cython.compiled:
            slot: cython.Py_ssize_t
            row: cython.pointer[PyObject] = cython.NULL
            for slot in range(first, end):
                row = self._row(table, slot) if self.tags_view[slot * self.stride] != 0 else cython.NULL
                self.block_rows[slot - first] = row
                if row != cython.NULL:
                    fetch(row)
            for slot in range(first, end):
                row = self.block_rows[slot - first]
                if row != cython.NULL and stamp_of(row) != self.stamps_view[slot]:
                    fetch_values(row)

    @cython.cfunc  # noqa: RET503 - compiled only
    @cython.inline
    def _row(self, table: dict, slot: cython.Py_ssize_t) -> cython.pointer[PyObject]:  # type: ignore[type-arg, name-defined]
        """Return the row of a slot's key, looked up if it is not at its position, or NULL. Compiled only."""
        if cython.compiled:
            position: cython.Py_ssize_t = self.positions_view[slot]
            key: cython.pointer[PyObject] = cython.NULL
            row: cython.pointer[PyObject] = cython.NULL
            if not (
                PyDict_Next(table, cython.address(position), cython.address(key), cython.address(row))
                and cython.cast(cython.size_t, key) == self.key_addresses_view[slot]
            ):
                row = PyDict_GetItemWithError(table, self._keys[slot])
                self.moved_count += row != cython.NULL
            return row

    @cython.cfunc
    @cython.inline
    def _is_unchanged(self, slot: cython.Py_ssize_t, row: cython.pointer[PyObject]) -> cython.bint:  # type: ignore[name-defined]
        """Return whether a slot's key still has its known values in its current row."""
        if cython.compiled:
            if row == cython.NULL:
                return False
            if self.stamps_view[slot] != 0 and self.stamps_view[slot] == stamp_of(row):
                return True
            self.compared_count += 1
            if not self._has_values(cython.cast(object, row), slot * self.stride):
                return False
            self.stamps_view[slot] = stamp_of(row) if self._stamped else 0
        return True

    @cython.cfunc
    @cython.inline
    def _has_values(self, row: object, at: cython.Py_ssize_t) -> cython.bint:
        """Return whether the row has the known values from tag `at` on, by address. Compiled only."""
        if cython.compiled:
            end: cython.Py_ssize_t = at + self.stride
            place: cython.Py_ssize_t = 0
            kind: cython.pointer[PyObject] = cython.NULL
            value: cython.pointer[PyObject] = cython.NULL
            while at < end and self.tags_view[at] != 0:
                place = self.tags_view[at] >> 8
                if not (
                    PyDict_Next(row, cython.address(place), cython.address(kind), cython.address(value))
                    and cython.cast(cython.size_t, kind)
                    == cython.cast(cython.size_t, self.kind_addresses_view[self.tags_view[at] & 255])
                    and cython.cast(cython.size_t, value) == cython.cast(cython.size_t, self.addresses_view[at])
                ) and not self._find_value(row, at):
                    return False
                at += 1
        return True

    @cython.cfunc
    def _find_value(self, row: object, at: cython.Py_ssize_t) -> cython.bint:
        """Search the row for the value of tag `at`, and store its position as the next guess."""
        if cython.compiled:
            number: cython.int = self.tags_view[at] & 255
            place: cython.Py_ssize_t = 0
            guess: cython.Py_ssize_t = 0
            kind: cython.pointer[PyObject] = cython.NULL
            value: cython.pointer[PyObject] = cython.NULL
            while PyDict_Next(row, cython.address(place), cython.address(kind), cython.address(value)):
                if cython.cast(cython.size_t, kind) == cython.cast(cython.size_t, self.kind_addresses_view[number]):
                    if cython.cast(cython.size_t, value) != cython.cast(cython.size_t, self.addresses_view[at]):
                        return False
                    self.tags_view[at] = number | (guess if guess < _NO_GUESS else _NO_GUESS) << 8
                    return True
                guess = place
        return False


seal(ComponentDiff)
