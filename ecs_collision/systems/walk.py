# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Whether everything known still stands: one walk over plain dicts that compares identities.

A table maps keys to rows, a row maps kinds to values (an entity's components by type). The walk remembers
which values of which kinds each key had, and tells the keys for which that is no longer so.

Exact on purpose. Not taken: comparing key sets and counting new values, which is a little faster but misses
values that already existed and were exchanged between two keys or put back from a drawer. Compiled, the
walk costs 25 to 45 ns a key (cache misses): it guesses each value's place in its row from the last time and looks it up
only where the guess fails. Run as plain Python it costs about ten times that.
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

Row = dict[type, object]
"""What one key has: values by kind."""
Table = dict[int, Row]

MOST_KINDS = 15
"""A tag is one byte: the kind (from 1) in the low half, the guessed place in the high half."""
_NO_GUESS = 15


@cython.cclass
class Walk:
    """What each key is known to have, of a few kinds of values.

    `known[kind]` is the set of keys that have one. The caller keeps to one rule, which esper keeps too: a
    key is listed under a kind exactly when its row has that kind.
    """

    def __init__(self, kinds: tuple[type, ...]) -> None:
        if len(kinds) > MOST_KINDS:
            raise ValueError(f"a walk compares at most {MOST_KINDS} kinds, not {len(kinds)}")
        self.known: dict[type, set[int]] = {kind: set() for kind in kinds}
        self.stride = len(kinds)
        self._held: dict[int, tuple[tuple[type, object], ...]] = {}  # strong, so that no address is used twice
        # The same once more for the compiled walk: `stride` tags and addresses for each slot.
        self._slots: dict[int, int] = {}
        self._free: list[int] = []
        self._keys: list[int | None] = []
        self._numbers = {kind: number for number, kind in enumerate(kinds, 1)}
        self._kinds = array("Q", [0] + [id(kind) for kind in kinds])
        self._tags = array("B")
        self._addresses = array("Q")
        self._see()

    def _see(self) -> None:
        """Take the views anew after an array has changed its place."""
        self.kind_at = self._kinds
        self.tags = self._tags
        self.addresses = self._addresses

    def __len__(self) -> int:
        """Return the number of keys known."""
        return len(self._held)

    def __contains__(self, key: int) -> bool:
        """Return whether something is known of the key."""
        return key in self._held

    def learn(self, key: int, row: Row | None) -> bool:
        """Remember what the row has now, or forget the key if that is nothing; returns whether it has something."""
        for kind, _ in self._held.pop(key, ()):
            self.known[kind].discard(key)
        pairs = tuple([pair for pair in row.items() if pair[0] in self.known]) if row else ()
        if pairs:
            self._held[key] = pairs
            for kind, _ in pairs:
                self.known[kind].add(key)
        if cython.compiled:
            self._tag(key, pairs)
        return bool(pairs)

    def changed(self, table: Table) -> list[int]:
        """Return the keys, in no order, that no longer have exactly the values known of their kinds.

        Kinds they have gained do not count: see `gained`. O(keys known).
        """
        return self._changed(table) if cython.compiled else self._changed_plainly(table)

    def _changed_plainly(self, table: Table) -> list[int]:
        """Return what `changed` does; without a call per key, for interpreted it is calls that cost."""
        found: list[int] = []
        for key, pairs in self._held.items():
            if key not in table:
                found.append(key)
                continue
            row = table[key]
            for kind, value in pairs:
                if kind not in row or row[kind] is not value:
                    found.append(key)
                    break
        return found

    def gained(self, listed: dict[type, set[int]]) -> set[int]:
        """Return the keys listed under a kind they were not known to have.

        What was lost must be learnt before, so that equal counts mean equal sets. O(kinds) when nothing
        was gained.
        """
        found: set[int] = set()
        for kind, known in self.known.items():
            now = listed.get(kind)
            if now is not None and len(now) != len(known):
                found |= now - known
        return found

    def _tag(self, key: int, pairs: tuple[tuple[type, object], ...]) -> None:
        """Note the pairs for the compiled walk; without any, free the slot."""
        slot = self._slots.get(key)
        if slot is None:
            if not pairs:
                return
            slot = self._slots[key] = self._allot(key)
        first = slot * self.stride
        for index, (kind, value) in enumerate(pairs):
            self._tags[first + index] = self._numbers[kind] | _NO_GUESS << 4
            self._addresses[first + index] = id(value)
        if len(pairs) < self.stride:
            self._tags[first + len(pairs)] = 0
        if not pairs:
            self._keys[slot] = None
            self._free.append(self._slots.pop(key))

    def _allot(self, key: int) -> int:
        if self._free:
            slot = self._free.pop()
            self._keys[slot] = key
            return slot
        self._keys.append(key)
        if len(self._keys) * self.stride > len(self._tags):
            room = max(64, 2 * len(self._keys)) * self.stride
            self._tags = array("B", bytes(self._tags) + bytes(room - len(self._tags)))
            self._addresses = array("Q", bytes(self._addresses) + bytes(8 * (room - len(self._addresses))))
            self._see()
        return len(self._keys) - 1

    @cython.cfunc
    def _changed(self, table: dict) -> list:  # type: ignore[type-arg]
        """Return what `changed` does, at C level; only ever called compiled."""
        found: list = []  # type: ignore[type-arg]
        if cython.compiled:
            at: cython.Py_ssize_t = 0
            row: cython.pointer[PyObject] = cython.NULL
            for key in self._keys:
                if self.tags[at] != 0:
                    row = PyDict_GetItemWithError(table, key)
                    if row == cython.NULL or not self._holds(cython.cast(object, row), at):
                        found.append(key)
                at += self.stride
        return found

    @cython.cfunc
    @cython.inline
    def _holds(self, row: object, at: cython.Py_ssize_t) -> cython.bint:
        """Whether the row has the values known from tag `at` on, by address; only ever called compiled."""
        if cython.compiled:
            end: cython.Py_ssize_t = at + self.stride
            place: cython.Py_ssize_t = 0
            kind: cython.pointer[PyObject] = cython.NULL
            value: cython.pointer[PyObject] = cython.NULL
            while at < end and self.tags[at] != 0:
                place = self.tags[at] >> 4
                if not (
                    PyDict_Next(row, cython.address(place), cython.address(kind), cython.address(value))
                    and cython.cast(cython.size_t, kind) == cython.cast(cython.size_t, self.kind_at[self.tags[at] & 15])
                    and cython.cast(cython.size_t, value) == cython.cast(cython.size_t, self.addresses[at])
                ) and not self._found(row, at):
                    return False
                at += 1
        return True

    @cython.cfunc
    def _found(self, row: object, at: cython.Py_ssize_t) -> cython.bint:
        """Search the row for the value of tag `at`, and guess its place for the next time."""
        if cython.compiled:
            number: cython.int = self.tags[at] & 15
            place: cython.Py_ssize_t = 0
            guess: cython.Py_ssize_t = 0
            kind: cython.pointer[PyObject] = cython.NULL
            value: cython.pointer[PyObject] = cython.NULL
            while PyDict_Next(row, cython.address(place), cython.address(kind), cython.address(value)):
                if cython.cast(cython.size_t, kind) == cython.cast(cython.size_t, self.kind_at[number]):
                    if cython.cast(cython.size_t, value) != cython.cast(cython.size_t, self.addresses[at]):
                        return False
                    self.tags[at] = number | (guess if guess < _NO_GUESS else _NO_GUESS) << 4
                    return True
                guess = place
        return False
