# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""A log of pairs of entity ids, appended to in any order and sorted when somebody reads it."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer
from ecs_collision.sealing import seal

_FEW = cython.declare(cython.Py_ssize_t, 48)
"""Up to so many entries are sorted by insertion."""

_DIGIT = cython.declare(cython.int, 11)
_DIGITS = cython.declare(cython.int, 1 << 11)
_WIDEST = cython.declare(cython.longlong, 1 << 60)


@cython.final
@cython.cclass
class PairLog:
    """Entries (first, second, code): `firsts[:count]`, `seconds[:count]` and `codes[:count]`. Nothing is kept empty."""

    def __init__(self) -> None:
        self.count = self.room = 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.count

    @cython.ccall
    def add(self, first: cython.longlong, second: cython.longlong, code: cython.int) -> cython.void:
        """Append an entry; O(1) amortised."""
        if self.count == self.room:
            if self.room == 0:
                self.firsts, self.seconds, self.codes = array("q"), array("q"), array("b")
            room: cython.Py_ssize_t = max(16, 2 * self.room)
            firsts, seconds, codes = longer(self.firsts, room), longer(self.seconds, room), longer(self.codes, room)
            self.firsts, self.seconds, self.codes = firsts, seconds, codes
            self.first, self.second, self.code = self.firsts, self.seconds, self.codes
            self.room = room
        self.first[self.count] = first
        self.second[self.count] = second
        self.code[self.count] = code
        self.count += 1

    @cython.ccall
    def rollback(self, count: cython.Py_ssize_t) -> cython.void:
        """Forget all entries behind the first `count`; none must have been sorted since there were so many."""
        self.count = count

    @cython.ccall
    def sort(self) -> cython.void:
        """Order the entries by first, then second, equal ones as they came. O(n digits): a counting sort a digit."""
        if self.is_sorted():
            return
        if self.count <= _FEW:
            self.insert_each()
            return
        self._order, self._spare = array("i", range(self.count)), array("i", bytes(4 * self.count))
        self._counts = array("i", bytes(4 * _DIGITS))
        self.order, self.spare, self.counts = self._order, self._spare, self._counts
        self.order_by(self.second)
        self.order_by(self.first)
        self.arrange()

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_sorted(self) -> cython.bint:
        """Whether the entries are in order."""
        at: cython.Py_ssize_t
        for at in range(1, self.count):
            if self.first[at - 1] > self.first[at] or (
                self.first[at - 1] == self.first[at] and self.second[at - 1] > self.second[at]
            ):
                return False
        return True

    @cython.cfunc
    def insert_each(self) -> cython.void:
        """Sort a few entries by exchanging neighbours: no entry is lost wherever that is interrupted."""
        first: cython.longlong[::1] = self.first
        second: cython.longlong[::1] = self.second
        code: cython.schar[::1] = self.code
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        for at in range(1, self.count):
            to = at
            while to > 0 and (
                first[to - 1] > first[to] or (first[to - 1] == first[to] and second[to - 1] > second[to])
            ):
                first[to - 1], first[to] = first[to], first[to - 1]
                second[to - 1], second[to] = second[to], second[to - 1]
                code[to - 1], code[to] = code[to], code[to - 1]
                to -= 1

    @cython.cfunc
    def order_by(self, column: cython.longlong[::1]) -> cython.void:
        """Bring `order` into the order of a column, equal ones as they are."""
        at: cython.Py_ssize_t
        digit: cython.Py_ssize_t
        total: cython.int
        shift: cython.int = 0
        least: cython.longlong = column[0]
        greatest: cython.longlong = column[0]
        for at in range(self.count):
            least = min(least, column[at])
            greatest = max(greatest, column[at])
        if (greatest >> 1) - (least >> 1) >= _WIDEST:  # the difference may not fit
            self._order = array("i", sorted(self._order, key=lambda entry: column[entry]))
            self.order = self._order
            return
        while (greatest - least) >> shift > 0:
            for digit in range(_DIGITS):
                self.counts[digit] = 0
            for at in range(self.count):
                self.counts[((column[at] - least) >> shift) & (_DIGITS - 1)] += 1
            total = 0
            for digit in range(_DIGITS):
                total += self.counts[digit]
                self.counts[digit] = total - self.counts[digit]
            for at in range(self.count):
                digit = ((column[self.order[at]] - least) >> shift) & (_DIGITS - 1)
                self.spare[self.counts[digit]] = self.order[at]
                self.counts[digit] += 1
            self._order, self._spare = self._spare, self._order
            self.order, self.spare = self._order, self._spare
            shift += _DIGIT

    @cython.cfunc
    def arrange(self) -> cython.void:
        """Put the entries into their order, in copies."""
        at: cython.Py_ssize_t
        firsts, seconds, codes = self.firsts[:], self.seconds[:], self.codes[:]
        first: cython.longlong[::1] = firsts
        second: cython.longlong[::1] = seconds
        code: cython.schar[::1] = codes
        for at in range(self.count):
            first[at] = self.first[self.order[at]]
            second[at] = self.second[self.order[at]]
            code[at] = self.code[self.order[at]]
        self.firsts, self.seconds, self.codes = firsts, seconds, codes
        self.first, self.second, self.code = firsts, seconds, codes


seal(PairLog)
