"""The table of bodies: their rows, components, and boxes in the index."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator

from ecs_collision._arrays import aligned, zeros
from ecs_collision.bodies.columns import (
    ASKS,
    ASLEEP,
    CARRIES,
    ENABLED,
    LINGERS,
    MOVER,
    NO_INERTIA,
    ONE_WAY,
    PUSHABLE,
    REPORTER,
    SLEEPABLE,
    SOLID,
    STATIC,
    SWEPT,
    TRIGGER,
    Columns,
    GroupLinks,
    RowById,
    plane_of_form,
)
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.bodies.filters import Filters, filter_of
from ecs_collision.bodies.fused_groups import FusedGroups
from ecs_collision.bodies.nested import outer_of
from ecs_collision.bodies.passing import Passing
from ecs_collision.bodies.placement import Placement, flags_of
from ecs_collision.broadphase.choices import DEFAULT, BroadPhase
from ecs_collision.broadphase.make_index import index_of
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components import Faces, Form, Parts, Transform
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.errors import UnknownEntity
from ecs_collision.fixed_point import LATTICE, MAX_INTEGER, is_whole, plain_int, shown
from ecs_collision.shapes.bounds import NO_FORM
from ecs_collision.shapes.part import Part

NO_PARTS = Parts(None, None)


class Bodies:
    """Rows of bodies. Games see a row as its entity id and its components.

    `dynamic` and `static` are the two indexes (B6); a disabled body has a row but no boxes in them (E9).
    `overlay` belongs to the planner and is empty except during a motion (P1); it always has buckets. Two fields
    tell the snapshot cache what to update: `rewritten_rows` are rows with changed fields other than the position, and
    `is_restructured` is set when bodies or components were added or removed. `all_rewritten` stands for every row.
    `moving_rows` are the rows with a Velocity and a Mass.
    `mover_rows` are those with a Velocity and a Motion and without a Mass (M1),
    `belt_rows` the static ones with a Velocity (M7), `path_rows`, `lifetime_rows` and `gripping_rows` those with a
    Path, a Lifetime and a Grips; `mover_version` counts the changes of the movers. `passing` are the pairs that pass
    through each other (M8, M9).
    """

    def __init__(self, bin_shift: int, broad_phase: BroadPhase = DEFAULT) -> None:
        self.bin_shift, self.broad_phase = bin_shift, broad_phase
        self.columns = Columns()
        self.dynamic = index_of(broad_phase, bin_shift)
        self.static = index_of(broad_phase, bin_shift)
        self.overlay = index_of(DEFAULT, bin_shift)
        self.filters = Filters(self.columns)
        self.group_links = GroupLinks()
        self.row_of = RowById()
        self.groups = FusedGroups(self.columns, self.group_links, self.row_of)
        self.parts: list[Parts | None] = []
        self.forms = self.columns.forms
        self.dirty_transforms = DirtyTransforms(self)
        self.dirty_rows = DirtyRows()
        self.reserve(1)
        self.placement = Placement(
            self.columns, self.group_links, self.dynamic, self.static, self.dirty_rows, self.dirty_transforms
        )
        self.rewritten_rows = self.placement.rewritten_rows
        self.placement.parts = self.parts
        self.requests: set[int] = set()
        self.is_restructured = self.all_rewritten = True
        self.refresh: Callable[[], None] = lambda: None
        self.stay_rows: set[int] = set()
        self.moving_rows: set[int] = set()
        self.mover_rows: set[int] = set()
        self.belt_rows: set[int] = set()
        self.mover_version = 0
        self.path_rows: set[int] = set()
        self.lifetime_rows: set[int] = set()
        self.gripping_rows: set[int] = set()
        self._stay_and_linger: dict[int, tuple[bool, int]] = {}
        self.trigger_count = 0
        self.swept_count = 0
        self.asking_count = 0
        self.mass_of: Callable[[Parts], float] = lambda parts: math.inf
        """The mass of a body whose Mass is a density; set by the world."""
        self.held_with: Callable[[int], list[int]] = lambda row: []
        """The rows that a step of dynamics left in contact with one; set by the world."""
        self.awake_count = 0
        self._free: list[int] = []
        self.passing = Passing(self)
        self._set_flat(True)

    # Reading.

    def __len__(self) -> int:
        """Return the number of bodies."""
        return len(self.row_of)

    def rows_of(self, entities: Iterable[int]) -> array[int]:
        """Return the rows of entities, or of a view of 64-bit ids; raises UnknownEntity for the first that has none."""
        if type(entities) is memoryview:
            rows = zeros("i", len(entities))
            if self.row_of.find_all(entities, rows):
                return rows
        ids = entities if type(entities) is list else list(entities)
        rows = zeros("i", len(ids))
        return rows if self.row_of.find(ids, rows) else array("i", map(self.row, [*map(self.id_of, ids)]))

    def id_of(self, entity: object) -> int:
        """Return an entity id as an int; raises UnknownEntity for what is no id."""
        if not is_whole(entity):
            raise UnknownEntity(
                f"{shown(entity)} is not a body of this world: an entity id is a whole number, not a "
                f"{type(entity).__name__}; pass the id that create_entity or add returned"
            )
        if not 0 <= (id := plain_int(entity)) <= MAX_INTEGER:
            raise _unknown(id)
        return id

    def row(self, entity: int) -> int:
        """Return the row of an entity; raises UnknownEntity if it is not a body."""
        row = self.row_of.get(entity if type(entity) is int else self.id_of(entity))
        if row is None:
            raise _unknown(entity)
        return row

    def entity(self, row: int) -> int:
        """Return the entity id of a row."""
        return int(self.columns.ids[row])

    def of(self, row: int) -> Parts:
        """Return the components of a row."""
        parts = self.parts[row]
        assert parts is not None
        return parts

    def transform(self, row: int) -> Transform:
        """Return the Transform of a row."""
        transform = self.of(row).transform
        assert transform is not None
        return transform

    def rows(self) -> Iterator[int]:
        """Iterate the rows in use in the order of entity ids."""
        return iter(self.row_of.values())

    def has(self, row: int, flag: int) -> bool:
        """Return whether a flag of `columns.py` is set."""
        return bool(self.columns.flags[row] & flag)

    def grid_of(self, row: int) -> Index:
        """Return the index that holds the boxes of a body."""
        return self.static if self.columns.flags[row] & STATIC else self.dynamic

    def position(self, row: int) -> tuple[int, int, int]:
        """Return a position in units."""
        pos = self.columns.pos
        return (pos[8 * row], pos[8 * row + 1], pos[8 * row + 2])

    def written_position(self, row: int) -> tuple[int, int, int]:
        """Return the position in the Transform of a row, in units."""
        return self.dirty_transforms.position_of(row)

    def boxes(self, row: int) -> list[Faces]:
        """Return the faces of the boxes of a body, in units; none while it is disabled."""
        faces, first = self.grid_of(row).boxes.faces, self.columns.first[row]
        return [_six(faces, slot) for slot in range(first, first + self.columns.count[row])]

    def outer_boxes(self, row: int) -> list[Faces]:
        """Return the faces of the outer boxes of a body, in units; none while it is disabled."""
        faces, first = self.grid_of(row).boxes.faces, self.columns.first[row]
        return [_six(faces, slot) for slot in range(first, first + self.columns.outer[row])]

    def boxes_if_enabled(self, row: int) -> list[Faces]:
        """Return the faces of the boxes of a body, in units, also while it is disabled."""
        x, y, z = self.position(row)
        return [(x + a, y + b, z + c, x + d, y + e, z + f) for a, b, c, d, e, f in self.forms[row].boxes]

    def outer_boxes_if_enabled(self, row: int) -> list[Faces]:
        """Return the faces of the outer boxes of a body, in units, also while it is disabled."""
        boxes = self.boxes_if_enabled(row)
        return boxes if self.forms[row].shape else outer_of(boxes)

    def parts_if_enabled(self, row: int) -> list[Part]:
        """Return the parts of a body in the world, also while it is disabled."""
        x, y, z = self.position(row)
        return [part.shifted(x, y, z) for part in self.forms[row].all_parts]

    # Adding and removing. The caller has checked that the components make a body.

    def add(self, entity: int, parts: Parts, frame: int) -> int:
        """Give an entity a row, fill its columns, bind its components and add its boxes; returns the row."""
        row = self._free.pop() if self._free else len(self.parts)
        if row == len(self.parts):
            self.reserve(row + 1)
            self.parts.append(None)
            self.forms.append(NO_FORM)
        columns = self.columns
        columns.ids[row], columns.flags[row] = entity, 0
        self.row_of[entity] = row
        self.bind(row, parts)
        inertia = self.inertia_of(parts)
        columns.set_inertia(row, inertia or NO_INERTIA)
        columns.classes[row] = self.filters.acquire(filter_of(parts))
        columns.one_way[row], columns.carries[row] = directions_of(parts)
        asleep = parts.sleeping is not None and parts.sleeping.asleep
        flags = self.placement.begin(row, flags_of(parts, inertia is not None, asleep), frame)
        self._count_flags(flags, 1)
        if flags & REPORTER:
            self._set_stay_and_linger(row)
        self.update_flat()
        return row

    def remove(self, row: int) -> None:
        """Remove a body: its boxes leave the index, its components are unbound, its row is freed."""
        if self.columns.passing_count:
            self.passing.release(row)
        self._leave_cells(row)
        self._count_flags(self.columns.flags[row], -1)
        self.set_form_and_plane(row, NO_FORM, 0)
        self.filters.release(self.columns.classes[row])
        self.unbind(row)
        del self.row_of[self.entity(row)]
        self.columns.flags[row] = 0
        self.parts[row] = None
        self.dirty_transforms.remove(row)
        self.dirty_rows.remove(row)
        self.requests.discard(row)
        self.rewritten_rows.discard(row)
        self.is_restructured = True
        self.stay_rows.discard(row)
        self._stay_and_linger.pop(row, None)
        self.columns.set_velocity(row, None)
        self._note_moving(row, NO_PARTS)
        self._free.append(row)

    def reserve(self, capacity: int) -> None:
        """Make room for so many rows, and for at least a quarter more than before if it grows."""
        before = self.columns.capacity
        if capacity <= before:
            return
        capacity = max(capacity, before + before // 4 + 64)
        records = aligned(8 * capacity)
        self.group_links.grow(records)
        self.dirty_transforms.grow(capacity)
        self.dirty_rows.grow(records)
        self.columns.grow(records)  # last: their capacity is that of the table

    def unbind(self, row: int) -> None:
        """Unbind the components of a row; they keep their values."""
        for component in self.of(row).present:
            if component._dirty_transforms is self.dirty_transforms and component._row == row:
                component._unbind()

    def bind(self, row: int, parts: Parts) -> None:
        """Bind components to a row."""
        parts.bind(row, self.dirty_transforms)
        if parts.motion is not None:
            parts.motion._requests = self.requests
            if parts.motion._has_request():
                self.requests.add(row)
        self.columns.set_velocity(row, parts.velocity)
        self._note_moving(row, parts)
        self.parts[row] = parts
        if not self.all_rewritten:
            self.rewritten_rows.add(row)
        self.is_restructured = True

    def _note_moving(self, row: int, parts: Parts) -> None:
        """Update the rows that move by a velocity. From the first one on, changed rows are noted for the next step."""
        if not parts.has_rare and not (
            self.moving_rows
            or self.belt_rows
            or self.mover_rows
            or self.path_rows
            or self.lifetime_rows
            or self.gripping_rows
        ):
            return
        has_velocity = parts.velocity is not None
        if _update_set(self.moving_rows, row, has_velocity and parts.mass is not None):
            self.dirty_rows.start_noting()
        _update_set(self.belt_rows, row, has_velocity and parts.static is not None)
        _update_set(self.path_rows, row, parts.path is not None)
        _update_set(self.lifetime_rows, row, parts.lifetime is not None)
        _update_set(self.gripping_rows, row, parts.grips is not None)
        is_mover = has_velocity and parts.motion is not None and parts.mass is None and parts.path is None
        if is_mover or row in self.mover_rows:
            self.mover_version += 1
            if _update_set(self.mover_rows, row, is_mover):
                self.dirty_rows.start_stirring()

    def gripped_by(self, row: int) -> list[int]:
        """Return the rows that a row and its fused group grip: solid, enabled bodies of this world (M12)."""
        found = []
        for each in self.group_links.rows_of(row) if self.gripping_rows else ():
            grips = self.of(each).grips if each in self.gripping_rows else None
            to = None if grips is None else self.row_of.get(grips.to)
            if to is not None and self.columns.flags[to] & SOLID and self.columns.flags[to] & ENABLED:
                found.append(to)
        return found

    # Updating a row from its components.

    def flags_of(self, parts: Parts, asleep: bool) -> int:
        """Return the flags of a body with these components."""
        return flags_of(parts, self.inertia_of(parts) is not None, asleep)

    def inertia_of(self, parts: Parts) -> tuple[float, float, float] | None:
        """Return the inertia of a body by axis; that of one that moves by itself is its mass (P3); None without one."""
        if parts.inertia is not None:
            return parts.inertia._x, parts.inertia._y, parts.inertia._z
        if parts.mass is None or parts.velocity is None or parts.static is not None:
            return None
        mass = self.mass_of(parts) if parts.mass.density else parts.mass.value
        if mass == math.inf:
            return None
        mass = math.floor(mass / LATTICE + 0.5) * LATTICE
        return mass, mass, mass

    def update(self, row: int, asleep: bool) -> tuple[bool, bool, bool]:
        """Update a row from its components.

        Returns whether the position changed, whether anything else that matters to contacts changed, and whether the
        body must wake.
        """
        parts, columns = self.of(row), self.columns
        assert parts.collider is not None
        self.rewritten_rows.add(row)
        flags, old_flags = self.flags_of(parts, asleep), columns.flags[row]
        filter_changed = self._update_filter(row)
        inertia_changed = self._update_inertia(row)
        form, target = form_of(parts), self.written_position(row)
        old = self.position(row)
        moved = target != old
        form_changed = form is not self.forms[row] and form != self.forms[row]
        relevant_flags = ~(ASLEEP | SLEEPABLE | PUSHABLE | LINGERS | MOVER)
        directions = directions_of(parts)
        turned = directions != (columns.one_way[row], columns.carries[row])
        columns.one_way[row], columns.carries[row] = directions
        replaced = form_changed or ((flags ^ old_flags) & (ENABLED | STATIC | ONE_WAY)) != 0
        if replaced:
            self._leave_cells(row)
        self.set_form_and_plane(row, form, target[2])
        if flags != old_flags:
            self._count_flags(old_flags, -1)
            self._count_flags(flags, 1)
            columns.flags[row] = flags
        linger_changed = self._set_stay_and_linger(row)
        columns.pos[8 * row], columns.pos[8 * row + 1], columns.pos[8 * row + 2] = target
        if replaced:
            if flags & ENABLED:
                self.placement.enter_cells(row)
        elif moved and columns.count[row]:
            self.grid_of(row).shift(
                columns.first[row], columns.count[row], target[0] - old[0], target[1] - old[1], target[2] - old[2]
            )
        if (flags ^ old_flags) & ASLEEP and columns.count[row] and not replaced:
            self.grid_of(row).set_awake(columns.first[row], columns.count[row], not asleep)
        kind = turned or ((flags ^ old_flags) & relevant_flags) != 0
        altered = form_changed or filter_changed or kind
        wakes = moved or altered or inertia_changed or linger_changed or ((flags ^ old_flags) & PUSHABLE) != 0
        return moved, altered, wakes

    def set_asleep(self, row: int, asleep: bool) -> None:
        """Set whether a body sleeps: in its row, its cells and its component."""
        if self.has(row, ASLEEP) == asleep:
            return
        columns = self.columns
        self.save_sleep(row)
        self._count_flags(columns.flags[row], -1)
        columns.flags[row] ^= ASLEEP
        self._count_flags(columns.flags[row], 1)
        if columns.count[row]:
            self.grid_of(row).set_awake(columns.first[row], columns.count[row], not asleep)
        sleeping = self.of(row).sleeping
        if sleeping is not None:
            sleeping._asleep = asleep

    def save_sleep(self, row: int) -> None:
        """Save the flags of a row and when it was disturbed, while an undo record is open."""
        if self.dirty_rows.sleep_undo is not None:
            self.dirty_rows.sleep_undo.append((row, self.columns.flags[row], self.dirty_rows.disturbed[row]))

    def _set_stay_and_linger(self, row: int) -> bool:
        """Update the `stay` and `linger` of a reporter; returns whether they changed."""
        old, new = self._stay_and_linger.pop(row, None), stay_and_linger_of(self.of(row))
        self.stay_rows.discard(row)
        if new is not None:
            self._stay_and_linger[row] = new
            if new[0]:
                self.stay_rows.add(row)
        return new != old

    def _update_filter(self, row: int) -> bool:
        classes, new = self.columns.classes, filter_of(self.of(row))
        old = classes[row]
        if old >= 0 and self.filters.of(old) == new:
            return False
        classes[row] = self.filters.acquire(new)
        if old >= 0:
            self.filters.release(old)
        return True

    def _update_inertia(self, row: int) -> bool:
        values = self.inertia_of(self.of(row)) or NO_INERTIA
        if self.columns.inertia_of(row) == values:
            return False
        self.columns.set_inertia(row, values)
        return True

    def _count_flags(self, flags: int, by: int) -> None:
        if flags & (REPORTER | ONE_WAY | CARRIES):
            self.trigger_count += by * bool(flags & TRIGGER)
            self.swept_count += by * bool(flags & SWEPT)
            self.asking_count += by * bool(flags & ASKS)
            self.columns.static_reporter_count += by * bool(flags & REPORTER and flags & STATIC)
            self.columns.one_way_count += by * bool(flags & ONE_WAY)
            self.columns.carrying_count += by * bool(flags & CARRIES)
        self.awake_count += by * (flags != 0 and not flags & (ASLEEP | STATIC))

    # The index.

    def _leave_cells(self, row: int) -> None:
        if self.columns.count[row]:
            self.grid_of(row).remove(self.columns.first[row], self.columns.count[row])
            self.columns.count[row] = self.columns.outer[row] = 0

    # While no two bodies can be apart along z, the indexes leave z out (B1, B2).

    @property
    def flat(self) -> bool:
        """Return whether every body shares the z range of 2D, so that an index may leave z out (B1)."""
        return bool(self.columns.uneven_count == 0)

    def set_form_and_plane(self, row: int, form: Form, z: int) -> None:
        """Set the form of a row, and how it lies to the plane at height `z`."""
        if form is not self.forms[row]:
            self.set_form(row, form)
        self.columns.set_plane(row, plane_of_form(form, z))
        self.update_flat()

    def set_form(self, row: int, form: Form) -> None:
        """Set the form of a row."""
        self.placement.set_form(row, form)

    def count_plane(self, row: int) -> None:
        """Update how a row lies to the plane. Call `update_flat` afterwards."""
        self.columns.set_plane(row, plane_of_form(self.forms[row], self.columns.pos[8 * row + 2]))

    def update_flat(self) -> None:
        """Make the indexes ignore z exactly while `flat`; O(boxes) when that changes."""
        if self.dynamic.boxes.flat != (self.columns.uneven_count == 0):
            self._set_flat(self.flat)

    def _set_flat(self, flat: bool) -> None:
        for grid in (self.dynamic, self.static, self.overlay):
            grid.set_flat(flat)
        for row in self.moving_rows:  # a density is one of areas then, or of volumes
            mass = self.of(row).mass
            if mass is not None and mass.density and not self.group_links.is_fused(row):
                self._update_inertia(row)


def _update_set(rows: set[int], row: int, belongs: bool) -> bool:
    """Add a row to a set, or remove it; returns whether it belongs there."""
    if belongs:
        rows.add(row)
    else:
        rows.discard(row)
    return belongs


def _unknown(entity: int) -> UnknownEntity:
    return UnknownEntity(
        f"entity {shown(entity)} is not a body of this world: it needs a Transform and a collider, and must not be "
        "deleted"
    )


def _six(faces: object, slot: int) -> Faces:
    row = [int(value) for value in faces[8 * slot : 8 * slot + 6]]  # type: ignore[index]
    return (row[0], row[1], row[2], row[3], row[4], row[5])


def form_of(parts: Parts) -> Form:
    """Return the form of a body with these components."""
    assert parts.collider is not None and parts.transform is not None
    return parts.collider._form(parts.transform.rotation)


def directions_of(parts: Parts) -> tuple[int, int]:
    """Return the directions of the `OneWay` and the `Carries` of a body, as in `Columns`."""
    if not parts.has_rare:
        return (0, 0)
    return (
        0 if parts.one_way is None else signed_axis(parts.one_way.direction),
        0 if parts.carries is None else signed_axis(parts.carries.up),
    )


def signed_axis(direction: tuple[float, float, float]) -> int:
    """Return the axis of a unit vector along one axis, plus 1, negative for the negative direction."""
    x, y, z = direction
    return int(x + 2.0 * y + 3.0 * z)


def stay_and_linger_of(parts: Parts) -> tuple[bool, int] | None:
    """Return whether a trigger reports stays, and for how many frames a reporter keeps contacts; None for others."""
    if parts.trigger is not None:
        return parts.trigger.stay, parts.trigger.linger
    return None if parts.contact is None else (False, parts.contact.linger)


def to_floats(x: int, y: int, z: int) -> tuple[float, float, float]:
    """Return a vector of units in world units."""
    return (x * LATTICE, y * LATTICE, z * LATTICE)
