# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Applies written positions and rotations: all are checked first, then all are applied (rules L3 and P12)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import plane_of_form
    from cython.cimports.ecs_collision.broadphase.box_pool import prefetch
    from cython.cimports.ecs_collision.components.dirty_transforms import rounded
else:
    from ecs_collision.components.dirty_transforms import rounded

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import (
    ASKS,
    ASLEEP,
    CARRIES,
    ENABLED,
    LINGERS,
    MOVER,
    ONE_WAY,
    PUSHABLE,
    SHAPED,
    SLEEPABLE,
    SOLID,
    STATIC,
    STATICS,
    SWEPT,
    TOUCHING,
    TRIGGER,
    Columns,
    GroupLinks,
    plane_of_form,
)
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.bodies.nested import outer_first
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components.dirty_transforms import PLACED, SPED, TURNED, DirtyTransforms
from ecs_collision.components.fields import ColliderFields, TransformFields
from ecs_collision.components.parts import Parts
from ecs_collision.fixed_point import MAX_COORDINATE
from ecs_collision.shapes.bounds import Form, Formed
from ecs_collision.shapes.part import Faces
from ecs_collision.shapes.rotation import Rotation

_LONGS = array("q", [0])

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_ENABLED = cython.declare(cython.int, ENABLED)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_ASLEEP = cython.declare(cython.int, ASLEEP)
_PLACED = cython.declare(cython.int, PLACED)
_SPED = cython.declare(cython.int, SPED)
_TURNED = cython.declare(cython.int, TURNED)
_SLEEPABLE = cython.declare(cython.int, SLEEPABLE)
_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)

_AHEAD = cython.declare(cython.Py_ssize_t, 8)
"""How many rows ahead memory is fetched."""


def flags_of(parts: Parts, is_pushable: cython.bint, asleep: cython.bint) -> cython.int:
    """Return the flags of a body with these components, which has an inertia or not."""
    flags: cython.int = SOLID if parts.trigger is None else TRIGGER
    enabled: cython.bint = cython.cast(ColliderFields, parts.collider)._enabled
    if parts.trigger is not None:
        trigger: Any = parts.trigger
        enabled = enabled and trigger.enabled
        flags |= TOUCHING if trigger.touching else 0
        flags |= SWEPT if trigger.swept else 0
        flags |= LINGERS if trigger.linger else 0
        flags |= STATICS if trigger.statics else 0
    elif parts.contact is not None:
        flags |= ASKS | TOUCHING | (LINGERS if parts.contact.linger else 0)
        flags |= STATICS if parts.static is None else 0
    rotation = cython.cast(TransformFields, parts.transform)._rotation
    form: Form = cython.cast(ColliderFields, parts.collider)._formed.form_of(rotation)
    flags |= ENABLED if enabled else 0
    flags |= STATIC if parts.static is not None else 0
    flags |= SHAPED if form.shape is not None else 0
    flags |= PUSHABLE if is_pushable else 0
    flags |= SLEEPABLE if parts.sleeping is not None else 0
    if parts.has_rare:
        flags |= ONE_WAY if parts.one_way is not None and parts.trigger is None else 0
        flags |= CARRIES if parts.carries is not None else 0
        flags |= MOVER if parts.mover is not None else 0
    return flags | (ASLEEP if asleep else 0)


@cython.final
@cython.cclass
class Placement:
    """Moves and turns bodies as written to their Transforms.

    `deferred[:deferred_count]` are the written rows that need more than that, or whose position is refused.
    `woken` are the displaced rows that slept or are fused. `moved_count` and `static_count` count the bodies displaced
    by `apply`. `parts` and `forms` are those of the table, `rewritten_rows` is its set. No face of a body has been
    farther from its position than `reach`.
    """

    def __init__(
        self,
        columns: Columns,
        group_links: GroupLinks,
        dynamic: Index,
        static: Index,
        dirty_rows: DirtyRows,
        dirty_transforms: DirtyTransforms,
    ) -> None:
        self.columns = columns
        self.group_links = group_links
        self.dynamic = dynamic
        self.static = static
        self.dirty_rows = dirty_rows
        self.dirty_transforms = dirty_transforms
        self.parts: list[Any] = []
        self.forms: list[Form] = columns.forms
        self.rewritten_rows: set[int] = set()
        self.rotations: dict[int, Rotation] = {}
        self.deferred, self.woken = array("i"), array("i")
        self.reach = 0
        self.deferred_count = self.woken_count = self.moved_count = self.static_count = 0

    # New rows and forms.

    def begin(self, row: cython.int, flags: cython.int, frame: cython.longlong) -> cython.int:
        """Fill the columns of a new row, whose components are bound, and add its boxes to the index; returns flags."""
        axis: cython.Py_ssize_t
        form: Form = self.formed_of(row).form_of(self.transform_of(row)._rotation)
        self.columns.flags_view[row] = flags
        self.columns.first_view[row] = self.columns.count_view[row] = self.columns.outer_view[row] = 0
        for axis in range(3):
            self.columns.pos_view[8 * row + axis] = self.dirty_transforms.records_view[4 * row + axis]
        self.set_form(row, form)
        self.columns.set_plane(row, plane_of_form(form, self.columns.pos_view[8 * row + 2]))
        if flags & _ENABLED:
            self.enter_cells(row)
        self.dirty_rows.add(row, True)
        self.dirty_rows.disturbed_view[row] = frame
        return flags

    def enter_cells(self, row: cython.int) -> cython.void:
        """Add the boxes of a row to the index."""
        slot: cython.int
        form: Form = cython.cast(Form, self.forms[row])
        flags: cython.int = self.columns.flags_view[row]
        grid: Index = self.static if flags & _STATIC else self.dynamic
        x: cython.longlong = self.columns.pos_view[8 * row]
        y: cython.longlong = self.columns.pos_view[8 * row + 1]
        z: cython.longlong = self.columns.pos_view[8 * row + 2]
        if form.is_box():
            slot = grid.allocate(1)
            self.columns.first_view[row] = slot
            self.columns.count_view[row] = self.columns.outer_view[row] = 1
            grid.place(
                slot,
                row,
                not flags & _ASLEEP,
                x + form.lox,
                y + form.loy,
                z + form.loz,
                x + form.hix,
                y + form.hiy,
                z + form.hiz,
            )
            return
        boxes: Sequence[Faces] = form.boxes
        outer = len(boxes)
        if outer > 1 and form.shape is None and not flags & _ONE_WAY:  # it matters also inside another one (M5)
            boxes, outer = outer_first(boxes)
        slot = grid.allocate(len(boxes))
        self.columns.first_view[row] = slot
        self.columns.count_view[row], self.columns.outer_view[row] = len(boxes), outer
        for a, b, c, d, e, f in boxes:
            grid.place(slot, row, not flags & _ASLEEP, x + a, y + b, z + c, x + d, y + e, z + f)
            slot += 1

    def set_form(self, row: cython.int, form: Form) -> cython.void:
        """Set the form of a row."""
        before: Form = cython.cast(Form, self.forms[row])
        self.columns.shaped_count += (form.shape is not None) - (before.shape is not None)
        self.forms[row] = form
        if form.is_box():
            self.columns.z_reach = max(self.columns.z_reach, form.hiz - form.loz)
            self.reach = max(self.reach, -min(form.lox, form.loy, form.loz), max(form.hix, form.hiy, form.hiz))
            return
        for faces in form.boxes:
            self.columns.z_reach = max(self.columns.z_reach, faces[5] - faces[2])
            self.reach = max(self.reach, -min(faces), max(faces))

    # Written rows.

    def room_for_rows(self) -> cython.void:
        """Grow the work arrays to hold all dirty rows."""
        count: cython.Py_ssize_t = self.dirty_transforms.count
        if len(self.deferred) < count:
            deferred, woken = longer(self.deferred, 2 * count), longer(self.woken, 2 * count)
            self.deferred, self.woken = deferred, woken
            self.deferred_view, self.woken_view = self.deferred, self.woken

    def find_deferred(self, low: cython.longlong, high: cython.longlong) -> cython.Py_ssize_t:
        """Fill `deferred` with the dirty rows that need more than a place within the range; return their count.

        Positions so far inside that any body would fit there are not compared with the boxes of their body.
        """
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        kind: cython.int
        form: Form | None
        dirty: DirtyTransforms = self.dirty_transforms
        self.room_for_rows()
        dirty.sort()
        self.deferred_count = 0
        first: cython.longlong = low + self.reach
        last: cython.longlong = high - self.reach
        rows: cython.int[::1] = dirty.rows_view
        records: cython.longlong[::1] = dirty.records_view
        counts: cython.int[:] = self.columns.count_view
        for at in range(dirty.count):
            row = rows[at]
            x: cython.longlong = records[4 * row]
            y: cython.longlong = records[4 * row + 1]
            z: cython.longlong = records[4 * row + 2]
            if records[4 * row + 3] & 15 == _PLACED and counts[row] != 0:  # as most
                if first <= x <= last and first <= y <= last and first <= z <= last:
                    continue
            kind = self.kind_of(row)
            if kind == 0:
                continue
            form = None if kind == _PLACED else self.turned_form(row, kind)
            if self.is_deferred(row, kind, form) or not self.fits(row, form, low, high):
                self.deferred_view[self.deferred_count] = row
                self.deferred_count += 1
        return self.deferred_count

    def fetch(self, at: cython.Py_ssize_t) -> cython.void:
        """Fetch what later written rows have in memory, before it is needed: columns, then boxes, then buckets."""
        row: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        if cython.compiled:
            if at + 3 * _AHEAD < self.dirty_transforms.count:
                row = self.dirty_transforms.rows_view[at + 3 * _AHEAD]
                prefetch(cython.address(self.columns.pos_view[8 * row]))
            if at + 2 * _AHEAD < self.dirty_transforms.count:
                row = self.dirty_transforms.rows_view[at + 2 * _AHEAD]
                slot = self.columns.first_view[row]  # perhaps of a static box, or of none
                if slot < self.dynamic.boxes.capacity:
                    prefetch(cython.address(self.dynamic.boxes.faces_view[8 * slot]))
        if at + _AHEAD < self.dirty_transforms.count:
            row = self.dirty_transforms.rows_view[at + _AHEAD]
            if self.columns.count_view[row] and not self.columns.flags_view[row] & _STATIC:
                self.dynamic.touch_home(self.columns.first_view[row])

    def kind_of(self, row: cython.int) -> cython.int:
        """Return what was written: 0 if only what needs no update."""
        kind: cython.int = self.dirty_transforms.records_view[4 * row + 3] & 15
        if not kind & _SPED:
            return kind
        if self.columns.flags_view[row] & _SLEEPABLE or self.group_links.is_fused(row):
            return kind
        return kind & ~_SPED

    def transform_of(self, row: cython.int) -> TransformFields:
        """Return the Transform of a row."""
        return cython.cast(TransformFields, cython.cast(Parts, self.parts[row]).transform)

    def formed_of(self, row: cython.int) -> Formed:
        """Return the form of the collider of a row, with the rotation that was asked for last."""
        return cython.cast(ColliderFields, cython.cast(Parts, self.parts[row]).collider)._formed

    def turned_form(self, row: cython.int, kind: cython.int) -> Form | None:
        """Return the form of a body as it will be turned; None if it is not, or if it needs more than `turn`.

        That is the case if it is static or disabled, or if a part does not turn, or is or becomes a plain box.
        """
        form: Form
        if not kind & _TURNED or kind & ~(_PLACED | _TURNED) or self.columns.flags_view[row] & _STATIC:
            return None
        if self.columns.count_view[row] == 0 or cython.cast(Form, self.forms[row]).shape is None:
            return None
        formed: Formed = self.formed_of(row)
        if formed.solids is None or not formed.solids.turns:
            return None
        form = formed.form_of(self.transform_of(row)._rotation)
        return form if form.shape is not None and form.shape.count == self.columns.count_view[row] else None

    def is_deferred(self, row: cython.int, kind: cython.int, form: Form | None) -> cython.bint:
        """Return whether a written row needs more than a new position and a new form."""
        return form is None and (kind != _PLACED or self.columns.count_view[row] == 0)

    def fits(self, row: cython.int, form: Form | None, low: cython.longlong, high: cython.longlong) -> cython.bint:
        """Return whether the written position of a body keeps all its boxes, or those of a new form, in the range."""
        grid: Index = self.static if self.columns.flags_view[row] & _STATIC else self.dynamic
        first: cython.Py_ssize_t = self.columns.first_view[row]
        faces: cython.longlong[::1] = grid.boxes.faces_view
        step: cython.Py_ssize_t = 8
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.longlong = self.dirty_transforms.records_view[4 * row]
        y: cython.longlong = self.dirty_transforms.records_view[4 * row + 1]
        z: cython.longlong = self.dirty_transforms.records_view[4 * row + 2]
        if form is None:
            x -= self.columns.pos_view[8 * row]
            y -= self.columns.pos_view[8 * row + 1]
            z -= self.columns.pos_view[8 * row + 2]
        else:
            first, step, faces = 0, 6, form.shape.bounds  # type: ignore[union-attr]
        for slot in range(first, first + self.columns.count_view[row]):
            at = step * slot
            if min(faces[at] + x, faces[at + 1] + y, faces[at + 2] + z) < low:
                return False
            if max(faces[at + 3] + x, faces[at + 4] + y, faces[at + 5] + z) > high:
                return False
        return True

    def apply(self, frame: cython.longlong) -> cython.void:
        """Move and turn the dirty rows that need only that, and collect the others in `deferred`.

        The previous state of moved rows is saved in `dirty_rows`. The caller clears `dirty_transforms` at the end.
        """
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        dirty: DirtyTransforms = self.dirty_transforms
        count: cython.Py_ssize_t = dirty.count
        columns: Columns = self.columns
        dirty_rows: DirtyRows = self.dirty_rows
        grid: Index = self.dynamic
        boxes: BoxPool = grid.boxes
        self.room_for_rows()
        self.deferred_count = self.woken_count = self.moved_count = self.static_count = 0
        dirty_rows.start_undo()
        dirty_rows.reserve_undo(count)
        rows: cython.int[::1] = dirty.rows_view
        records: cython.longlong[::1] = dirty.records_view
        counts: cython.int[:] = columns.count_view
        flags: cython.int[:] = columns.flags_view
        firsts: cython.int[:] = columns.first_view
        pos: cython.longlong[::1] = columns.pos_view
        next_rows: cython.int[:] = self.group_links.next_row_view
        saved: cython.longlong[::1] = dirty_rows.saved_view
        saved_rows: cython.int[::1] = dirty_rows.saved_rows_view
        disturbed: cython.longlong[:] = dirty_rows.disturbed_view
        for at in range(count):
            if not grid.is_stale:
                self.fetch(at)
            row = rows[at]
            if records[4 * row + 3] & 15 != _PLACED or counts[row] != 1 or flags[row] & _STATIC:
                self.apply_to(row, frame)
                continue
            # As most. What follows is `dirty_rows.save` and `place`, for a single box.
            x: cython.longlong = pos[8 * row]
            y: cython.longlong = pos[8 * row + 1]
            z: cython.longlong = pos[8 * row + 2]
            base: cython.Py_ssize_t = 5 * dirty_rows.saved_count
            saved[base], saved[base + 1], saved[base + 2] = x, y, z
            saved[base + 3], saved[base + 4] = disturbed[row], flags[row]
            saved_rows[dirty_rows.saved_count] = row
            dirty_rows.saved_count += 1
            disturbed[row] = frame
            x = records[4 * row] - x
            y = records[4 * row + 1] - y
            z = records[4 * row + 2] - z
            if x == 0 and y == 0 and z == 0:
                continue
            if grid.is_stale:
                boxes.displace(firsts[row], x, y, z)
            else:
                grid.move(firsts[row], x, y, z)
            pos[8 * row] += x
            pos[8 * row + 1] += y
            pos[8 * row + 2] += z
            if z != 0:
                columns.update_plane(row, boxes)
            dirty_rows.add(row, False)
            self.moved_count += 1
            if flags[row] & _ASLEEP or next_rows[row] != row:
                self.woken_view[self.woken_count] = row
                self.woken_count += 1

    def apply_to(self, row: cython.int, frame: cython.longlong) -> cython.void:
        """Move and turn a dirty row if it needs only that, or add it to `deferred`."""
        kind: cython.int = self.kind_of(row)
        form: Form | None = None if kind == _PLACED else self.turned_form(row, kind)
        if kind != 0 and self.is_deferred(row, kind, form):
            self.deferred_view[self.deferred_count] = row
            self.deferred_count += 1
            return
        self.dirty_rows.save(row, self.columns)
        self.dirty_rows.disturbed_view[row] = frame
        if self.dirty_transforms.records_view[4 * row + 3] & _SPED:
            self.dirty_rows.note(row, 1)
        if form is not None:
            self.turn(row, form)
        elif kind != 0:
            self.place(row)

    def place(self, row: cython.int) -> cython.void:
        """Move a body and its boxes to its written position."""
        x: cython.longlong = self.dirty_transforms.records_view[4 * row] - self.columns.pos_view[8 * row]
        y: cython.longlong = self.dirty_transforms.records_view[4 * row + 1] - self.columns.pos_view[8 * row + 1]
        z: cython.longlong = self.dirty_transforms.records_view[4 * row + 2] - self.columns.pos_view[8 * row + 2]
        flags: cython.int = self.columns.flags_view[row]
        grid: Index = self.static if flags & _STATIC else self.dynamic
        if x == 0 and y == 0 and z == 0:
            return
        grid.shift(self.columns.first_view[row], self.columns.count_view[row], x, y, z)
        self.columns.pos_view[8 * row] += x
        self.columns.pos_view[8 * row + 1] += y
        self.columns.pos_view[8 * row + 2] += z
        if z != 0:
            self.columns.update_plane(row, grid.boxes)
        self.dirty_rows.add(row, False)
        self.moved_count += 1
        if flags & _STATIC:
            self.static_count += 1
        if flags & _ASLEEP or self.group_links.next_row_view[row] != row:
            self.woken_view[self.woken_count] = row
            self.woken_count += 1

    def turn(self, row: cython.int, form: Form) -> cython.void:
        """Move a body and its boxes to its written position, turned to a form with as many parts as it has."""
        number: cython.int
        first: cython.int = self.columns.first_view[row]
        flags: cython.int = self.columns.flags_view[row]
        b: cython.longlong[::1] = form.shape.bounds  # type: ignore[union-attr]
        x: cython.longlong = self.dirty_transforms.records_view[4 * row]
        y: cython.longlong = self.dirty_transforms.records_view[4 * row + 1]
        z: cython.longlong = self.dirty_transforms.records_view[4 * row + 2]
        self.rewritten_rows.add(row)
        self.dirty_rows.note(row, 2)
        before: Form = cython.cast(Form, self.forms[row])
        if form is before or form.shape.equals(before.shape):  # type: ignore[union-attr, arg-type]
            self.place(row)
            return
        self.dirty_rows.saved_forms[row] = before
        self.forms[row] = form
        for number in range(self.columns.count_view[row]):
            self.dynamic.place(
                first + number,
                row,
                not flags & _ASLEEP,
                x + b[6 * number],
                y + b[6 * number + 1],
                z + b[6 * number + 2],
                x + b[6 * number + 3],
                y + b[6 * number + 4],
                z + b[6 * number + 5],
            )
            self.columns.z_reach = max(self.columns.z_reach, b[6 * number + 5] - b[6 * number + 2])
            self.reach = max(self.reach, -b[6 * number], -b[6 * number + 1], -b[6 * number + 2])
            self.reach = max(self.reach, b[6 * number + 3], b[6 * number + 4], b[6 * number + 5])
        if (
            x != self.columns.pos_view[8 * row]
            or y != self.columns.pos_view[8 * row + 1]
            or z != self.columns.pos_view[8 * row + 2]
        ):
            self.moved_count += 1
        self.columns.pos_view[8 * row] = x
        self.columns.pos_view[8 * row + 1] = y
        self.columns.pos_view[8 * row + 2] = z
        self.columns.update_plane(row, self.dynamic.boxes)
        self.dirty_rows.add(row, True)
        if self.group_links.is_fused(row) or flags & _ASLEEP:
            self.woken_view[self.woken_count] = row
            self.woken_count += 1

    # Rotations that a step of dynamics writes.

    def written_ways(self) -> tuple[array[int], array[int]]:
        """Return the written entities, and by how much each will be displaced: three numbers for each."""
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        row: cython.int
        count: cython.Py_ssize_t = self.dirty_transforms.count
        ids, ways = _LONGS * count, _LONGS * (3 * count)
        ids_view: cython.longlong[::1] = ids
        ways_view: cython.longlong[::1] = ways
        for at in range(count):
            row = self.dirty_transforms.rows_view[at]
            ids_view[at] = self.columns.ids_view[row]
            for axis in range(3):
                ways_view[3 * at + axis] = (
                    self.dirty_transforms.records_view[4 * row + axis] - self.columns.pos_view[8 * row + axis]
                )
        return ids, ways

    def start_turns(self) -> cython.void:
        """Forget which rotations were written: `revert_rotations` will restore those that are written from here on."""
        self.rotations.clear()

    def write_rotation(self, row: cython.int, rotation: Rotation) -> cython.void:
        """Write a rotation, a float or four in a tuple, as a game does with `transform.rotation`, without its checks.

        If the body looks the same, nothing waits to be applied.
        """
        transform: TransformFields = self.transform_of(row)
        formed: Formed = self.formed_of(row)
        if row not in self.rotations:
            self.rotations[row] = transform._rotation
        transform._rotation = rotation
        if formed.solids is not None and formed.solids.looks_same:
            self.rewritten_rows.add(row)
        else:
            self.dirty_transforms.add(row, _TURNED)

    def revert_rotations(self) -> cython.void:
        """Restore the rotations since `start_turns`, and discard all that was written to these rows."""
        for row, rotation in self.rotations.items():
            self.transform_of(row)._rotation = rotation
        self.revert(array("i", self.rotations))
        self.rotations.clear()

    # Many rows at once.

    def write(self, rows: array[int], positions: cython.double[:, ::1]) -> int:
        """Write a position for each row and return -1; two columns leave z as it is.

        If a position is invalid, write nothing and return its index.
        """
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        axes: cython.Py_ssize_t = positions.shape[1]
        rows_view: cython.int[::1] = rows
        count: cython.Py_ssize_t = len(rows)
        row: cython.int
        for at in range(count):
            for axis in range(axes):
                if not (-_MAX_COORDINATE <= positions[at, axis] <= _MAX_COORDINATE):
                    return at
        for at in range(count):
            if cython.compiled:
                if at + _AHEAD < count:
                    prefetch(cython.address(self.dirty_transforms.records_view[4 * rows_view[at + _AHEAD]]))
            row = rows_view[at]
            self.dirty_transforms.add(row, _PLACED)
            for axis in range(axes):
                self.dirty_transforms.records_view[4 * row + axis] = rounded(positions[at, axis])
        return -1

    def write_units(self, rows: array[int], positions: array[int]) -> None:
        """Write a position in lattice units for each row, three numbers for each."""
        at: cython.Py_ssize_t
        rows_view: cython.int[::1] = rows
        units: cython.longlong[::1] = positions
        for at in range(len(rows)):
            self.dirty_transforms.write(rows_view[at], units[3 * at], units[3 * at + 1], units[3 * at + 2])

    def revert(self, rows: array[int]) -> None:
        """Discard the written positions of rows."""
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        rows_view: cython.int[::1] = rows
        for at in range(len(rows)):
            for axis in range(3):
                self.dirty_transforms.records_view[4 * rows_view[at] + axis] = self.columns.pos_view[
                    8 * rows_view[at] + axis
                ]
            self.dirty_transforms.remove(rows_view[at])
