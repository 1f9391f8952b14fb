# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""A log of pairs of entity ids, appended to in any order and sorted when it is read."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer

_FEW = cython.declare(cython.Py_ssize_t, 48)
"""Up to this many entries are sorted by insertion."""

_DIGIT = cython.declare(cython.int, 11)
_DIGITS = cython.declare(cython.int, 1 << 11)
_WIDEST = cython.declare(cython.longlong, 1 << 60)


@cython.final
@cython.cclass
class PairLog:
    """Entries (first, second, code): `firsts[:count]`, `seconds[:count]`, `codes[:count]`; no arrays while empty."""

    def __init__(self) -> None:
        self.count = self.capacity = 0

    def __len__(self) -> int:
        """Return the number of entries."""
        return self.count

    @cython.ccall
    def add(self, first: cython.longlong, second: cython.longlong, code: cython.int) -> cython.void:
        """Append an entry; O(1) amortised."""
        if self.count == self.capacity:
            if self.capacity == 0:
                self.firsts, self.seconds, self.codes = array("q"), array("q"), array("b")
            capacity: cython.Py_ssize_t = max(16, 2 * self.capacity)
            firsts, seconds, codes = (
                longer(self.firsts, capacity),
                longer(self.seconds, capacity),
                longer(self.codes, capacity),
            )
            self.firsts, self.seconds, self.codes = firsts, seconds, codes
            self.firsts_view, self.seconds_view, self.codes_view = self.firsts, self.seconds, self.codes
            self.capacity = capacity
        self.firsts_view[self.count] = first
        self.seconds_view[self.count] = second
        self.codes_view[self.count] = code
        self.count += 1

    @cython.ccall
    def rollback(self, count: cython.Py_ssize_t) -> cython.void:
        """Remove all entries after the first `count`; the log must not have been sorted since."""
        self.count = count

    @cython.ccall
    def sort(self) -> cython.void:
        """Sort the entries by first, then second; stable. O(n digits): a radix sort."""
        if self.is_sorted():
            return
        if self.count <= _FEW:
            self.insert_each()
            return
        self.order, self.spare = array("i", range(self.count)), array("i", bytes(4 * self.count))
        self.counts = array("i", bytes(4 * _DIGITS))
        self.order_view, self.spare_view, self.counts_view = self.order, self.spare, self.counts
        self.order_by(self.seconds_view)
        self.order_by(self.firsts_view)
        self.arrange()

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_sorted(self) -> cython.bint:
        """Return whether the entries are in order."""
        at: cython.Py_ssize_t
        for at in range(1, self.count):
            if self.firsts_view[at - 1] > self.firsts_view[at] or (
                self.firsts_view[at - 1] == self.firsts_view[at] and self.seconds_view[at - 1] > self.seconds_view[at]
            ):
                return False
        return True

    @cython.cfunc
    def insert_each(self) -> cython.void:
        """Sort a few entries by exchanging neighbours, so that an interrupt loses no entry."""
        firsts_view: cython.longlong[::1] = self.firsts_view
        seconds_view: cython.longlong[::1] = self.seconds_view
        codes_view: cython.schar[::1] = self.codes_view
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t
        for at in range(1, self.count):
            to = at
            while to > 0 and (
                firsts_view[to - 1] > firsts_view[to]
                or (firsts_view[to - 1] == firsts_view[to] and seconds_view[to - 1] > seconds_view[to])
            ):
                firsts_view[to - 1], firsts_view[to] = firsts_view[to], firsts_view[to - 1]
                seconds_view[to - 1], seconds_view[to] = seconds_view[to], seconds_view[to - 1]
                codes_view[to - 1], codes_view[to] = codes_view[to], codes_view[to - 1]
                to -= 1

    @cython.cfunc
    def order_by(self, column: cython.longlong[::1]) -> cython.void:
        """Sort `order` by a column; stable."""
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
            self.order = array("i", sorted(self.order, key=lambda entry: column[entry]))
            self.order_view = self.order
            return
        while (greatest - least) >> shift > 0:
            for digit in range(_DIGITS):
                self.counts_view[digit] = 0
            for at in range(self.count):
                self.counts_view[((column[at] - least) >> shift) & (_DIGITS - 1)] += 1
            total = 0
            for digit in range(_DIGITS):
                total += self.counts_view[digit]
                self.counts_view[digit] = total - self.counts_view[digit]
            for at in range(self.count):
                digit = ((column[self.order_view[at]] - least) >> shift) & (_DIGITS - 1)
                self.spare_view[self.counts_view[digit]] = self.order_view[at]
                self.counts_view[digit] += 1
            self.order, self.spare = self.spare, self.order
            self.order_view, self.spare_view = self.order, self.spare
            shift += _DIGIT

    @cython.cfunc
    def arrange(self) -> cython.void:
        """Reorder the entries, in copies of the arrays."""
        at: cython.Py_ssize_t
        firsts, seconds, codes = self.firsts[:], self.seconds[:], self.codes[:]
        firsts_view: cython.longlong[::1] = firsts
        seconds_view: cython.longlong[::1] = seconds
        codes_view: cython.schar[::1] = codes
        for at in range(self.count):
            firsts_view[at] = self.firsts_view[self.order_view[at]]
            seconds_view[at] = self.seconds_view[self.order_view[at]]
            codes_view[at] = self.codes_view[self.order_view[at]]
        self.firsts, self.seconds, self.codes = firsts, seconds, codes
        self.firsts_view, self.seconds_view, self.codes_view = firsts, seconds, codes
