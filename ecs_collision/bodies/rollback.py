"""The part of the undo log that restores bodies.

An interrupt, a full stack or lack of memory may end any function anywhere. Rows are marked before they change, and
restored after a failure. The index, lists and counts may then be in any state, so they are rebuilt from the rows in
O(bodies). Only failures pay for that.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ecs_collision.bodies.columns import ASLEEP, ENABLED, IN_PLANE
from ecs_collision.components import Component, Form, Parts
from ecs_collision.shapes.bounds import NO_FORM

if TYPE_CHECKING:
    from ecs_collision.bodies.table import Bodies


class RowMark(NamedTuple):
    """State of a row that cannot be derived; `kind` says which of its fields were written."""

    row: int
    entity: int
    parts: Parts
    kind: int
    flags: int
    filter: int
    position: tuple[int, int, int]
    inertia: tuple[float, float, float]
    directions: tuple[int, int]
    form: Form
    stay_and_linger: tuple[bool, int] | None
    disturbed: int
    asleep: bool


class ChangedRows:
    """The rows that are about to change: those of `staged` entities, and `rows`."""

    def __init__(self, bodies: Bodies, staged: Mapping[int, Parts | None], rows: Iterable[int]) -> None:
        self._bodies, self._staged = bodies, staged
        self._rows = {row for entity in staged if (row := bodies.row_of.get(entity)) is not None}
        self._rows.update(rows)

    def mark(self) -> list[RowMark]:
        """Return the state of the rows."""
        return [self._mark(row) for row in self._rows]

    def _mark(self, row: int) -> RowMark:
        bodies = self._bodies
        columns, parts = bodies.columns, bodies.of(row)
        return RowMark(
            row,
            columns.ids[row],
            parts,
            bodies.dirty_transforms.kind_of(row),
            columns.flags[row],
            columns.classes[row],
            bodies.position(row),
            columns.inertia_of(row),
            (columns.one_way[row], columns.carries[row]),
            bodies.forms[row],
            bodies._stay_and_linger.get(row),
            bodies.dirty_rows.disturbed[row],
            parts.sleeping is not None and parts.sleeping._asleep,
        )

    def rollback(self, marks: list[RowMark]) -> None:
        """Restore the bodies, their rows and their dirty marks. Call `rebuild` afterwards."""
        bodies = self._bodies
        for entity in self._staged:
            row = bodies.row_of.pop(entity, None)
            if row is not None:
                bodies.parts[row] = None
                bodies.dirty_transforms.remove(row)
        self._bind([mark for mark in marks if mark.entity in self._staged])
        for mark in marks:
            self._restore(mark)

    def _bind(self, marks: list[RowMark]) -> None:
        """Bind the marked components to their rows; unbind them and the staged ones first."""
        bodies = self._bodies
        for parts in (*self._staged.values(), *(mark.parts for mark in marks)):
            for component in parts or ():
                if isinstance(component, Component) and component._dirty_transforms is bodies.dirty_transforms:
                    component._unbind()
        for mark in marks:
            bodies.columns.ids[mark.row] = mark.entity
            bodies.row_of[mark.entity] = mark.row
            bodies.bind(mark.row, mark.parts)

    def _restore(self, mark: RowMark) -> None:
        bodies, row, at = self._bodies, mark.row, 8 * mark.row
        columns, dirty_transforms = bodies.columns, bodies.dirty_transforms
        columns.ids[row], columns.flags[row], columns.classes[row] = mark.entity, mark.flags, mark.filter
        columns.pos[at : at + 3] = array("q", mark.position)
        columns.set_inertia(row, mark.inertia)
        columns.one_way[row], columns.carries[row] = mark.directions
        bodies.set_form(row, mark.form)
        bodies._stay_and_linger.pop(row, None)
        if mark.stay_and_linger is not None:
            bodies._stay_and_linger[row] = mark.stay_and_linger
        bodies.dirty_rows.disturbed[row] = mark.disturbed
        if mark.parts.sleeping is not None:
            mark.parts.sleeping._asleep = mark.asleep
        dirty_transforms.remove(row)
        if mark.kind:
            dirty_transforms.add(row, mark.kind)


def restore_sleep(bodies: Bodies, row: int, flags: int, disturbed: int) -> None:
    """Restore whether a row is asleep and when it was last disturbed."""
    bodies.columns.flags[row] = flags
    bodies.dirty_rows.disturbed[row] = disturbed
    parts = bodies.parts[row]
    if parts is not None and parts.sleeping is not None:
        parts.sleeping._asleep = bool(flags & ASLEEP)


def restore_displaced(bodies: Bodies) -> list[int]:
    """Restore the rows that kernels displaced or turned, from `dirty_rows`; returns these rows.

    Backwards, because a step of movement may displace a row several times.
    """
    pos, dirty_rows = bodies.columns.pos, bodies.dirty_rows
    rows: list[int] = dirty_rows.saved_rows[: dirty_rows.saved_count].tolist()
    for row, form in dirty_rows.saved_forms.items():
        bodies.set_form(row, form)
    for number, row in reversed([*enumerate(rows)]):
        x, y, z, disturbed, flags = dirty_rows.saved[5 * number : 5 * number + 5]
        pos[8 * row : 8 * row + 3] = array("q", (x, y, z))
        restore_sleep(bodies, row, flags, disturbed)
    return rows


def rebuild(bodies: Bodies) -> None:
    """Rebuild everything that is derived from rows. Works at any point of an interrupted change; O(bodies).

    Every row counts as changed, so the next contact update checks all reporters.
    """
    columns = bodies.columns
    for grid in (bodies.dynamic, bodies.static, bodies.overlay):
        grid.clear()
    bodies.dirty_rows.reset()
    bodies.requests.clear()
    bodies.stay_rows.clear()
    bodies.moving_rows.clear()
    bodies.mover_rows.clear()
    bodies.belt_rows.clear()
    bodies.path_rows.clear()
    bodies.lifetime_rows.clear()
    bodies.rewritten_rows.clear()
    bodies.trigger_count = bodies.swept_count = bodies.asking_count = 0
    bodies.awake_count = columns.static_reporter_count = columns.one_way_count = columns.carrying_count = 0
    bodies.gripping_rows.clear()
    for row in range(columns.capacity):
        columns.count[row] = columns.outer[row] = 0
        columns.set_plane(row, IN_PLANE)
    del bodies.parts[len(bodies.forms) :]  # a row that was being added
    bodies._free = sorted({*range(len(bodies.parts))} - {*bodies.row_of.values()}, reverse=True)
    for row in bodies._free:  # clear rows whose addition was rolled back
        bodies.parts[row], columns.flags[row] = None, 0
        columns.set_velocity(row, None)
        bodies.set_form(row, NO_FORM)
        bodies._stay_and_linger.pop(row, None)
    columns.shaped_count = sum(form.shape is not None for form in bodies.forms)
    for row in bodies.rows():
        _rebuild_row(bodies, row)
    bodies.update_flat()
    for row in bodies.rows():
        if columns.flags[row] & ENABLED:
            bodies.placement.enter_cells(row)
    bodies.is_restructured = bodies.all_rewritten = True


def _rebuild_row(bodies: Bodies, row: int) -> None:
    parts, stay_and_linger = bodies.of(row), bodies._stay_and_linger.get(row)
    bodies.dirty_rows.add(row, True)
    bodies._count_flags(bodies.columns.flags[row], 1)
    bodies.count_plane(row)
    bodies.columns.set_velocity(row, parts.velocity)
    bodies._note_moving(row, parts)
    if stay_and_linger is not None and stay_and_linger[0]:
        bodies.stay_rows.add(row)
    if parts.motion is not None and parts.motion._has_request():
        bodies.requests.add(row)
