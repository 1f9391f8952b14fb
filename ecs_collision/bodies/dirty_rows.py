# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The rows that changed since the last contact update, and the frame in which each row was last disturbed.

In a world with bodies that move by themselves, also the rows that changed since the last step of dynamics. Saves the
state of rows before they are displaced, so an interrupted change can be rolled back.
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import column, grown, longer, zeros
from ecs_collision.bodies.columns import DISTURBED, INDEX, Columns
from ecs_collision.shapes.bounds import Form


@cython.final
@cython.cclass
class DirtyRows:
    """The rows whose contacts may have changed: `rows[:count]`, each once, in no particular order.

    `indices[row]` is the index of a row in `rows`, or -1; there, `altered` is set if more than its position changed.
    `disturbed[row]` is the last frame in which a row was not quiet (S2). `grow` replaces the arrays, so take their
    views again after it.

    `noted_rows[:noted_count]` are the rows that changed since the last step of dynamics (I7), each once. `notes[row]`
    is 2 if more than the position changed, 1 if not, 0 if it is not listed; `note_indices[row]` is its index there.
    Rows are listed from when `is_noting` is set; before, these arrays are empty.

    `stirred_rows[:stirred_count]` are the rows that changed since the last step of movement (M1), each once;
    `stirred[row]` is set for them. They are listed from when `is_stirring` is set, before which these arrays are empty;
    `all_stirred` stands for every row.

    `saved_rows[:saved_count]` are the rows displaced since `start_undo`. `saved` holds five items for each: x, y, z,
    `disturbed` and flags. `saved_forms` are the forms of the rows that were turned. `sleep_undo` lists the state of
    rows before they woke or rested, for `UndoLog.rollback`; None while no undo record is open.
    """

    def __init__(self) -> None:
        self.rows, self.altered = array("i"), array("b")
        self.indices, self.disturbed = memoryview(array("i")), memoryview(array("q"))
        self.saved_rows, self.saved = zeros("i", 16), zeros("q", 5 * 16)
        self.saved_rows_view, self.saved_view = self.saved_rows, self.saved
        self.noted_rows, self.note_indices, self.notes = array("i"), array("i"), array("b")
        self.stirred_rows, self.stirred = array("i"), array("b")
        self.saved_forms: dict[int, Form] = {}
        self.sleep_undo: list[tuple[int, int, int]] | None = None
        self.count = self.saved_count = self.noted_count = self.stirred_count = 0
        self.is_noting = self.is_stirring = self.all_stirred = False
        self.capacity = 0

    def grow(self, records: Any) -> cython.void:
        """Grow to as many rows as there are new records, and keep the contents."""
        row: cython.Py_ssize_t
        capacity: cython.Py_ssize_t = len(records) // 8
        rows, altered = grown(capacity, self.rows, self.altered)
        indices, disturbed = column(records, "i", INDEX, self.indices), column(records, "q", DISTURBED, self.disturbed)
        self.rows, self.indices, self.altered, self.disturbed = rows, indices, altered, disturbed
        self.rows_view, self.indices_view = self.rows, self.indices
        self.altered_view, self.disturbed_view = self.altered, self.disturbed
        for row in range(self.capacity, capacity):
            self.indices_view[row] = -1
        if self.is_noting:
            self.start_noting()
        if self.is_stirring:
            self.start_stirring()
        self.capacity = capacity

    def start_noting(self) -> cython.void:
        """List changed rows for the steps of dynamics from here on."""
        capacity: cython.Py_ssize_t = len(self.rows)
        if len(self.notes) < capacity:
            rows, indices, notes = grown(capacity, self.noted_rows, self.note_indices, self.notes)
            self.noted_rows, self.note_indices, self.notes = rows, indices, notes
            self.noted_rows_view, self.note_indices_view, self.notes_view = rows, indices, notes
        self.is_noting = True

    def start_stirring(self) -> cython.void:
        """List changed rows for the steps of movement from here on."""
        if len(self.stirred) < len(self.rows):
            self.stirred_rows, self.stirred = grown(len(self.rows), self.stirred_rows, self.stirred)
            self.stirred_rows_view, self.stirred_view = self.stirred_rows, self.stirred
        self.is_stirring = True

    def add(self, row: cython.int, altered: cython.bint) -> cython.void:
        """List a row as changed; `altered` if more than its position changed. O(1)."""
        if self.indices_view[row] < 0:
            self.indices_view[row] = cython.cast(cython.int, self.count)
            self.rows_view[self.count] = row
            self.altered_view[self.count] = False
            self.count += 1
        if altered:
            self.altered_view[self.indices_view[row]] = True
        if self.is_noting or self.is_stirring:
            self.note(row, 2 if altered else 1)

    def altered_rows(self) -> list[int]:
        """Return the listed rows of which more than the position changed."""
        return [self.rows[at] for at in range(self.count) if self.altered[at]]

    def note(self, row: cython.int, note: cython.int) -> cython.void:
        """List a row as changed for the next step of dynamics, and for that of movement. O(1)."""
        if self.is_stirring:
            self.stir(row)
        if not self.is_noting:
            return
        if self.notes_view[row] == 0:
            self.note_indices_view[row] = cython.cast(cython.int, self.noted_count)
            self.noted_rows_view[self.noted_count] = row
            self.noted_count += 1
        if self.notes_view[row] < note:
            self.notes_view[row] = note

    def stir(self, row: cython.int) -> cython.void:
        """List a row as changed, or removed, for the next step of movement. O(1)."""
        if not self.stirred_view[row]:
            self.stirred_view[row] = True
            self.stirred_rows_view[self.stirred_count] = row
            self.stirred_count += 1

    def clear_stirred(self) -> cython.void:
        """Empty the list of the rows that changed since the last step of movement; O(rows listed)."""
        at: cython.Py_ssize_t
        for at in range(self.stirred_count):
            self.stirred_view[self.stirred_rows_view[at]] = False
        self.stirred_count = 0
        self.all_stirred = False

    def clear_notes(self) -> cython.void:
        """Empty the list of noted rows; O(rows listed)."""
        at: cython.Py_ssize_t
        for at in range(self.noted_count):
            self.notes_view[self.noted_rows_view[at]] = 0
        self.noted_count = 0

    def remove(self, row: cython.int) -> cython.void:
        """Remove a row from the lists, if it is listed. O(1)."""
        last: cython.int
        if self.is_stirring:
            self.stir(row)
        if self.is_noting and self.notes_view[row] != 0:
            self.noted_count -= 1
            last = self.noted_rows_view[self.noted_count]
            self.noted_rows_view[self.note_indices_view[row]] = last
            self.note_indices_view[last] = self.note_indices_view[row]
            self.notes_view[row] = 0
        if self.indices_view[row] >= 0:
            self.count -= 1
            last = self.rows_view[self.count]
            self.rows_view[self.indices_view[row]] = last
            self.altered_view[self.indices_view[row]] = self.altered_view[self.count]
            self.indices_view[last] = self.indices_view[row]
            self.indices_view[row] = -1

    def check(self) -> None:
        """Verify that `indices` matches `rows`; raises IndexError otherwise."""
        listed = {self.rows_view[at]: at for at in range(self.count)}
        if len(listed) != self.count:
            raise IndexError("a row is listed twice as changed")
        noted = {self.noted_rows[at]: at for at in range(self.noted_count)}
        if len(noted) != self.noted_count or any((note != 0) != (row in noted) for row, note in enumerate(self.notes)):
            raise IndexError("the rows noted for dynamics differ from their notes")
        if any(self.note_indices[row] != at for row, at in noted.items()):
            raise IndexError("a row noted for dynamics is listed at another index")
        for row in range(self.capacity):
            index = listed.get(row, -1)
            if self.indices_view[row] != index:
                raise IndexError(f"row {row} is listed as changed at index {self.indices_view[row]}, not {index}")
            if index >= 0 and self.altered_view[index] not in (0, 1):
                raise IndexError(f"the altered flag of row {row} is {self.altered_view[index]}")

    def clear(self) -> cython.void:
        """Empty the list after a contact update; O(rows listed)."""
        at: cython.Py_ssize_t
        for at in range(self.count):
            self.indices_view[self.rows_view[at]] = -1
        self.count = 0

    def reset(self) -> cython.void:
        """Empty the list. Works at any point of an interrupted change; O(capacity)."""
        row: cython.Py_ssize_t
        for row in range(self.capacity):
            self.indices_view[row] = -1
            if self.is_noting:
                self.notes_view[row] = 0
            if self.is_stirring:
                self.stirred_view[row] = False
        self.count = self.noted_count = self.stirred_count = 0
        self.all_stirred = True

    # Undo.

    def start_undo(self) -> cython.void:
        """Discard the saved rows. A row that is saved again before the next call has its first state restored."""
        self.saved_count = 0
        self.saved_forms.clear()

    def reserve_undo(self, count: cython.Py_ssize_t) -> cython.void:
        """Reserve room for `count` more saved rows."""
        needed: cython.Py_ssize_t = self.saved_count + count
        if needed > len(self.saved_rows_view):
            self.saved_rows, self.saved = longer(self.saved_rows, 2 * needed), longer(self.saved, 10 * needed)
            self.saved_rows_view, self.saved_view = self.saved_rows, self.saved

    def save(self, row: cython.int, columns: Columns) -> cython.void:
        """Save the position, `disturbed` and flags of a row before it is displaced."""
        at: cython.Py_ssize_t = 5 * self.saved_count
        self.saved_view[at] = columns.pos_view[8 * row]
        self.saved_view[at + 1] = columns.pos_view[8 * row + 1]
        self.saved_view[at + 2] = columns.pos_view[8 * row + 2]
        self.saved_view[at + 3] = self.disturbed_view[row]
        self.saved_view[at + 4] = columns.flags_view[row]
        self.saved_rows_view[self.saved_count] = row
        self.saved_count += 1
