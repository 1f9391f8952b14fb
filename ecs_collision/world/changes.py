# cython: language_level=3, auto_pickle=False
"""Applying changes: all of them are validated before any is applied (rules L3, E3, E6, E8).

Changes are staged bodies (new, replaced or removed) and rows whose components were written. If they are refused, or if
an interrupt or a lack of memory stops their application, the undo log restores the world and the changes stay pending,
so the game can correct them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASLEEP, STATIC
from ecs_collision.bodies.placement import Placement
from ecs_collision.bodies.rollback import ChangedRows
from ecs_collision.bodies.static_moves import StaticMoves
from ecs_collision.components import (
    BODY_KINDS,
    Box,
    BoxCollider,
    Collider,
    Component,
    CompoundCollider,
    Faces,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.components.dirty_transforms import REWRITTEN
from ecs_collision.components.fields import Bound, ColliderFields, TransformFields
from ecs_collision.components.parts import Parts
from ecs_collision.contacts.solid_overlaps import SolidOverlaps
from ecs_collision.contacts.triggers import Triggers
from ecs_collision.dynamics.dynamics import Dynamics
from ecs_collision.errors import InvalidChanges, SetupWarning, warn_caller
from ecs_collision.fixed_point import AXES, LATTICE, shown
from ecs_collision.frame_log import FrameLog
from ecs_collision.settings import FRONT_FIRST, FRONT_FIRST_REFUSAL, Settings
from ecs_collision.shapes.bounds import Form
from ecs_collision.sleep.scheduler import SleepScheduler
from ecs_collision.world.group_update import FusionCheck, GroupUpdate
from ecs_collision.world.stats import Stats
from ecs_collision.world.undo_log import Undoable, UndoLog

_SEEN = cython.declare(cython.int, -2)


@cython.final
@cython.cclass
class Changes:
    """Stores staged bodies and applies them together with the written rows."""

    def __init__(
        self,
        bodies: Bodies,
        settings: Settings,
        triggers: Triggers,
        solid_overlaps: SolidOverlaps,
        sleep: SleepScheduler,
        dynamics: Dynamics,
        undo: UndoLog,
        running: Stats,
    ) -> None:
        self._bodies = bodies
        self._settings = settings
        self._triggers = triggers
        self._solid_overlaps = solid_overlaps
        self._sleep = sleep
        self._dynamics = dynamics
        self._undo = undo
        self._running = running
        self._log = FrameLog()
        self._placement = bodies.placement
        self._group_update = GroupUpdate(bodies, sleep)
        self._has_fused = self._has_rewritten = False
        self._low, self._high = settings.range_low, settings.range_high
        self._columns, self._dirty_transforms = bodies.columns, bodies.dirty_transforms
        self._partner = bodies.groups.partner
        self._has_warned_of_rotation = False
        self._unturned: int | None = None
        self.staged: dict[int, Parts | None] = {}
        self.faults: dict[int, tuple[str, ...]] = {}
        self.static_moves = StaticMoves()
        self.version = 0
        """Number of times that changes were applied, or that applying them began."""

    def stage(self, entity: int, parts: Parts | None, faults: tuple[str, ...] = ()) -> None:
        """Stage the components of an entity; `faults` are reasons found so far why they are invalid."""
        self.staged[entity] = parts
        self._bodies.dirty_transforms.staged = True
        self.faults.pop(entity, None)
        if faults:
            self.faults[entity] = faults

    def reserve(self, count: cython.Py_ssize_t, moving: cython.Py_ssize_t) -> None:
        """Make room for `count` bodies, and for the boxes of the `moving` ones."""
        self._bodies.reserve(count)
        self._placement.dynamic.boxes.reserve_slots(moving)
        self._placement.dynamic.reserve()

    def unstage(self, entity: int) -> None:
        """Discard what was staged for an entity."""
        self.staged.pop(entity, None)
        self._bodies.dirty_transforms.staged = bool(self.staged)
        self.faults.pop(entity, None)

    @property
    def pending(self) -> bool:
        """Whether there is anything to apply."""
        return bool(self.staged) or self._bodies.dirty_transforms.count > 0

    def apply(self, frame: cython.longlong, log: FrameLog, step: Dynamics | None = None) -> cython.void:
        """Validate all changes and apply them, as part of `frame`; raises InvalidChanges naming every fault.

        step: a step of dynamics, whose results are committed with the changes.
        """
        self._log = log
        self.validate()
        if self._unturned is not None and not self._has_warned_of_rotation:
            self._warn_of_rotation(self._unturned)
        self.version += 1  # before anything changes: a plan that is stale too early can be made again
        running, undo = self._running, self._undo
        counts = running.moved, running.static_changes
        try:
            undo.mark(self._parts_to_mark(log, step))
            woken = [] if step is None else step.commit(frame, log)
            self._apply(frame)
            for row in sorted(woken, key=self._bodies.entity) if woken else ():
                self._sleep.wake(row, frame, log)
            undo.release()
        except BaseException:
            running.moved, running.static_changes = counts
            self._group_update.clear()
            undo.rollback(frame - 1)
            raise
        self.staged = {}
        self._dirty_transforms.staged = False
        self._dirty_transforms.clear()  # last: an interrupt after this call finds the changes applied

    def _parts_to_mark(self, log: FrameLog, step: Dynamics | None) -> tuple[Undoable, ...]:
        """Return the parts that will change. The kernel that moves rows records their positions itself."""
        bodies = self._bodies
        if not (self._has_rewritten or self.staged or self._partner):
            few: tuple[Undoable, ...] = (log,) if step is None else (log, step)
            return (*few, bodies.passing) if self._columns.passing_count else few
        changed = self._rewritten_rows() if self._has_rewritten else []
        if bodies.groups.partner:
            changed += [bodies.row_of[group.root] for group in bodies.groups.all()]
        rows = ChangedRows(bodies, self.staged, changed)
        parts = (bodies.groups, rows, bodies.filters, log, self._triggers, self._dynamics, bodies.passing)
        return (*parts, self._solid_overlaps) if self._solid_overlaps.is_tracking else parts

    # Validation.

    def validate(self) -> cython.void:
        """Raise InvalidChanges naming every fault of the changes, if they have any; nothing is applied."""
        problems = self._find_faults()
        if problems:
            raise InvalidChanges(tuple(problems))

    def _find_faults(self) -> list[str]:
        self._unturned, bodies = None, self._bodies
        self._has_rewritten = (
            self._dirty_transforms.count > 0 and self._placement.find_deferred(self._low, self._high) > 0
        )
        if not (self._has_rewritten or self.staged or self._partner):
            return []  # mostly only places were written
        problems: list[str] = []
        owners: dict[int, int] = {}
        fused: list[int] = []
        may_be_plain: cython.bint = not (self.faults or self._shares_components())
        for entity in sorted(self.staged):
            parts = self.staged[entity]
            if parts is None or (may_be_plain and self._is_plain(parts)):
                continue
            faults = self.faults.get(entity) or (
                [] if has_common_kinds(parts) else self._component_faults(entity, parts)
            )
            problems += faults
            problems += self._owner_faults(entity, parts, owners)
            if not faults:
                assert parts.transform is not None
                problems += self._position_faults(entity, parts, parts.transform.units())
            if parts.fused is not None:
                fused.append(entity)
        if self._has_rewritten:
            entities = [bodies.entity(row) for row in self._rewritten_rows()]
            for entity in sorted(entities):
                if entity not in self.staged:
                    row = self._bodies.row_of[entity]
                    problems += self._position_faults(entity, self._bodies.of(row), self._bodies.written_position(row))
                    fused.append(entity)
        if fused or self._partner:
            problems += FusionCheck(self._bodies, self.staged).faults(fused)
        return problems

    def _shares_components(self) -> cython.bint:
        """Return whether two staged bodies have one and the same free component; meanwhile these have another row."""
        shares: cython.bint = False
        free = []
        for parts in self.staged.values():
            if parts is not None:
                free += [part for part in parts.present if isinstance(part, Bound) and is_free(part)]
        try:
            for part in free:
                shares = shares or cython.cast(Bound, part)._row == _SEEN
                cython.cast(Bound, part)._row = _SEEN
        finally:
            for part in free:
                cython.cast(Bound, part)._row = -1
        return shares

    def _is_plain(self, parts: Parts) -> cython.bint:
        """Return whether a staged body needs no further check, as most: all its components are free, it is in range."""
        transform: TransformFields = cython.cast(TransformFields, parts.transform)
        if not has_common_kinds(parts) or transform._rotation is not None:
            return False
        for part in parts.present:
            if not is_free(part):
                return False
        if parts.motion is not None and self._settings.order == FRONT_FIRST:
            return False
        collider: ColliderFields = cython.cast(ColliderFields, parts.collider)
        form: Form = collider._formed.form  # type: ignore[attr-defined]
        x: cython.longlong = transform._x
        y: cython.longlong = transform._y
        z: cython.longlong = transform._z
        return (
            self._low <= min(x + form.lox, y + form.loy, z + form.loz)
            and max(x + form.hix, y + form.hiy, z + form.hiz) <= self._high
        )

    def _rewritten_rows(self) -> list[int]:
        return list(self._placement.deferred[: self._placement.deferred_count])

    def _component_faults(self, entity: int, parts: Parts) -> list[str]:
        return self._kind_faults(entity, parts) or combination_faults(entity, parts)

    def _kind_faults(self, entity: int, parts: Parts) -> list[str]:
        problems = []
        for component, kind in zip(parts, BODY_KINDS, strict=True):
            if component is None or isinstance(component, kind):
                continue
            name = component.__name__ if isinstance(component, type) else type(component).__name__
            if isinstance(component, type):
                problems.append(
                    f"entity {entity}: the class {name} was given instead of an instance; write {name}(...)"
                )
            else:
                problems.append(f"entity {entity}: {shown(component)} was given where a {kind.__name__} belongs")
        return problems

    def _owner_faults(self, entity: int, parts: Parts, owners: dict[int, int]) -> list[str]:
        """Return faults of instances that two entities have, after what these changes release."""
        problems: list[str] = []
        for component in parts:
            if component is None or not isinstance(component, Component):
                continue
            other: int | None = owners.setdefault(id(component), entity)
            if other == entity and component._entity is None:
                continue
            where = ""
            if other == entity:
                other, where = self._owner_after(component)
            if where or other not in (None, entity):
                name = type(component).__name__
                problems.append(
                    f"entity {entity}: its {name} belongs to entity {other}{where} already; a component belongs to one "
                    f"entity, give entity {entity} a copy: {name.lower()}.copy()"
                )
        return problems

    def _owner_after(self, component: Component) -> tuple[int | None, str]:
        """Return the owner of an instance after these changes, or None, and a remark if it is in another world."""
        owner, dirty_transforms = component._entity, component._dirty_transforms
        if owner is None or dirty_transforms is None:
            return None, ""
        if dirty_transforms is not self._bodies.dirty_transforms:
            return (owner, " of another world") if dirty_transforms.alive else (None, "")
        if owner in self.staged:
            parts = self.staged[owner]
            return owner if parts is not None and any(component is part for part in parts) else None, ""
        return owner, ""

    def _position_faults(self, entity: int, parts: Parts, position: tuple[int, int, int]) -> list[str]:
        """Return faults of the position, and others that depend on the settings of the world."""
        problems = []
        assert parts.transform is not None and parts.collider is not None
        if parts.motion is not None and parts.motion.all_or_nothing and self._settings.order == FRONT_FIRST:
            problems.append(f"entity {entity}: Motion.all_or_nothing is True; {FRONT_FIRST_REFUSAL}")
        rotation, collider = parts.transform.rotation, parts.collider
        if rotation is not None and self._unturned is None and has_box(collider):
            self._unturned = entity
        range_low, range_high = self._settings.range_low, self._settings.range_high
        boxes = collider._form(rotation).boxes
        if all(lies_within(faces, position, range_low, range_high) for faces in boxes):
            return problems
        for axis in range(3):
            low, high = extent(boxes, axis)
            if position[axis] + low >= range_low and position[axis] + high <= range_high:
                continue
            if low < range_low or high > range_high:
                field, remedy = size_field(collider, axis, low, high), "make it smaller"
            else:
                field, remedy = f"Transform.{AXES[axis]} is {position[axis] * LATTICE!r}", "move it inside"
            problems.append(
                f"entity {entity}: {field}, which puts its {type(collider).__name__} outside the range of this world, "
                f"+-{-range_low * LATTICE:.16g} at bin_size {self._settings.bin_size:g}; {remedy}, or give the world a "
                f"larger bin_size"
            )
        return problems

    def _warn_of_rotation(self, entity: int) -> None:
        """Warn, once for each world, of a rotation that does not turn the boxes beside it (H3)."""
        self._has_warned_of_rotation = True
        warn_caller(
            f"Transform.rotation of entity {entity} does not turn the boxes of its collider: only spheres, capsules "
            "and oriented boxes turn; use OrientedBoxCollider or OrientedBox, or set rotation to None",
            SetupWarning,
        )

    # Restoring a snapshot.

    def restore_faults(self, changes: Mapping[int, Parts]) -> list[str]:
        """Return faults of the written rows, if those in `changes` get other parts."""
        bodies, settings = self._bodies, self._settings
        has_rewritten = self._placement.find_deferred(settings.range_low, settings.range_high)
        if not (has_rewritten or changes):
            return []
        rows = sorted({*self._rewritten_rows(), *changes}, key=bodies.entity)
        parts = {bodies.entity(row): changes.get(row) or bodies.of(row) for row in rows}
        faults = [
            fault
            for entity, each in parts.items()
            for fault in self._position_faults(entity, each, bodies.written_position(bodies.row_of[entity]))
        ]
        fused = [entity for entity, each in parts.items() if each.fused is not None]
        return [*faults, *FusionCheck(bodies, parts).faults(fused)] if fused else faults

    def restore(self, frame: int) -> None:
        """Apply written positions and fields without events; bodies stay asleep or awake."""
        bodies, changed = self._bodies, self._bodies.dirty_rows
        self._placement.apply(frame)
        bodies.update_flat()
        for row in self._rewritten_rows():
            asleep, parts = bodies.has(row, ASLEEP), bodies.of(row)
            if parts.sleeping is not None:
                parts.sleeping._asleep = asleep
            self._group_update.update_link(row)
            moved, altered, _ = bodies.update(row, asleep)
            if moved or altered:
                changed.add(row, True)
        regrouping = bodies.groups.regroup()
        for entity in regrouping.entities if regrouping is not None else ():
            changed.add(bodies.row_of[entity], True)
        bodies.dirty_transforms.clear()

    # Checks.

    def leftover_faults(self) -> Iterator[str]:
        """Yield faults of changes whose application has not ended."""
        if self.staged or self.faults or self._group_update.is_busy:
            yield "applying changes has not ended"

    # Application. Nothing below refuses a change; the written rows are cleared at the end.

    def _apply(self, frame: cython.longlong) -> cython.void:
        bodies, staged = self._bodies, self.staged
        self._has_fused = bool(self._partner)
        entities = sorted(staged) if staged else []
        if entities and not self._has_fused:
            self._has_fused = any(map(is_fused, staged.values()))
        for entity in entities:
            row = bodies.row_of.get(entity)
            if row is None:
                continue
            parts = staged[entity]
            if parts is None or not is_same_body(bodies.of(row), parts):
                self.release(row)
            else:
                bodies.unbind(row)
        if entities:
            new = [staged[entity] for entity in entities if staged[entity] is not None and entity not in bodies.row_of]
            moving = [parts for parts in new if parts.static is None]  # type: ignore[union-attr]
            self.reserve(len(bodies) + len(new), self._placement.dynamic.boxes.box_count + len(moving))
        for entity in entities:
            parts = staged[entity]
            if parts is None:
                continue
            row = bodies.row_of.get(entity)
            if row is None:
                self._add(entity, parts, frame)
            else:
                bodies.bind(row, parts)
                bodies.dirty_transforms.add(row, REWRITTEN)
        if self._dirty_transforms.count:
            self._apply_writes(frame)
        if self._has_fused:
            self._group_update.finish(frame, self._log)
        if self._columns.passing_count:
            bodies.passing.drop_apart()

    def _apply_writes(self, frame: cython.longlong) -> cython.void:
        placement: Placement = self._placement
        bodies = self._bodies
        if self._triggers.pays_full_pass(self._dirty_transforms.count):
            bodies.dynamic.defer()
        placement.apply(frame)
        if self._solid_overlaps.is_tracking:
            self._solid_overlaps.add_written(bodies.dirty_transforms.rows[: bodies.dirty_transforms.count])
        self._running.moved += placement.moved_count
        self._running.static_changes += placement.static_count
        if placement.dynamic.boxes.flat != (self._columns.uneven_count == 0):
            bodies.update_flat()
        woken = placement.woken[: placement.woken_count] if placement.woken_count else ()
        for row in sorted(woken, key=bodies.entity) if woken else ():
            if not (self._has_fused and self._group_update.is_split(row)):
                self._sleep.wake(row, frame, self._log)
        for row in sorted(self._rewritten_rows(), key=bodies.entity) if placement.deferred_count else ():
            self._update(row, frame)
        if placement.static_count:
            self._note_static_moves(frame)

    def _note_static_moves(self, frame: int) -> None:
        """Note which Static bodies the kernel moved; it saved where all that were written had been."""
        dirty_rows, flags = self._bodies.dirty_rows, self._bodies.columns.flags
        written = dirty_rows.saved_rows[: dirty_rows.saved_count]
        moved = [row for row in written if flags[row] & STATIC]
        if len(moved) > self._placement.static_count:  # some were written where they are
            saved, position = dirty_rows.saved, self._bodies.position
            at = {row: tuple(saved[5 * index : 5 * index + 3]) for index, row in enumerate(written)}
            moved = [row for row in moved if at[row] != position(row)]
        self.static_moves.add(frame, moved)

    def release(self, row: int) -> None:
        """Remove a body from all parts of the world."""
        if self._bodies.has(row, STATIC):
            self._running.static_changes += 1
            self.static_moves.forget(row)
        self._triggers.release(row, self._log)
        self._dynamics.release(row)
        if self._solid_overlaps.is_tracking:
            self._solid_overlaps.release(row)
        if self._has_fused:
            self._group_update.remove(row)
        self._sleep.remove(row)
        self._log.forget_sleep(self._bodies.entity(row))
        self._bodies.remove(row)

    def _add(self, entity: int, parts: Parts, frame: int) -> None:
        row: cython.int = self._bodies.add(entity, parts, frame)
        if parts.sleeping is not None:
            self._sleep.add(row, frame)
        if parts.motion is not None:
            parts.motion._discard_undo()  # the component may have been in another world with the same frame numbers
        if parts.path is not None:
            parts.path._progress = None  # it may have been the path of another body
        if self._has_fused:
            self._group_update.add(row)
        if parts.static is not None:
            self._running.static_changes += 1

    def _update(self, row: int, frame: int) -> None:
        bodies, parts = self._bodies, self._bodies.of(row)
        sleeps_in_group = self._has_fused and self._group_update.begin_update(row)
        was_asleep, was_static = bodies.has(row, ASLEEP), bodies.has(row, STATIC)
        asleep = parts.sleeping is not None and parts.sleeping.asleep
        moved, altered, wakes = bodies.update(row, asleep)
        bodies.dirty_rows.note(row, 2)
        if bodies.dirty_rows.is_noting and bodies.asking_count:  # steps hold only bodies with a mass in contact
            altered = True
        if moved or altered:
            bodies.dirty_rows.add(row, altered)
            self._running.moved += moved
            self._running.static_changes += was_static or bodies.has(row, STATIC)
            if moved and was_static:
                self.static_moves.add(frame, [row])
        if sleeps_in_group:
            self._sleep.disturb(row, frame)
            if wakes:
                self._group_update.mark_woken(row)
            return
        if wakes and asleep:
            bodies.set_asleep(row, False)
        if bodies.has(row, ASLEEP) != was_asleep:
            note = self._log.wake if was_asleep else self._log.rest
            note(bodies.entity(row))
        self._sleep.add(row, frame)


def is_free(component: Any) -> cython.bint:
    """Return whether a component belongs to no body."""
    return cython.cast(Bound, component)._dirty_transforms is None


def is_fused(parts: Parts | None) -> bool:
    """Return whether a staged body has Fused."""
    return parts is not None and parts.fused is not None


def is_same_body(old: Parts, new: Parts) -> bool:
    """Return whether a body stays the same: its Transform or its collider is the same instance (E3)."""
    return old.transform is new.transform or old.collider is new.collider


def has_common_kinds(parts: Parts) -> bool:
    """Return whether parts have the types and the combination of most bodies, which need no further check."""
    if type(parts.transform) is not Transform or type(parts.collider) is not BoxCollider:
        return False
    if not parts.rest:
        return True
    static, trigger = parts.static, parts.trigger
    if parts.inertia is not None and type(parts.inertia) is not Inertia:
        return False
    if parts.motion is not None and type(parts.motion) is not Motion:
        return False
    if parts.sleeping is not None and type(parts.sleeping) is not Sleeping:
        return False
    if static is not None and (type(static) is not Static or parts.inertia is not None or parts.motion is not None):
        return False
    if trigger is not None and type(trigger) is not Trigger:
        return False
    return not parts.has_rare


def lies_within(faces: Faces, position: tuple[int, int, int], low: int, high: int) -> bool:
    """Return whether all faces of a box at a position are within `low` and `high`."""
    x, y, z = position
    lx, ly, lz, hx, hy, hz = faces
    return low <= min(x + lx, y + ly, z + lz) and max(x + hx, y + hy, z + hz) <= high


def extent(boxes: tuple[Faces, ...], axis: int) -> tuple[int, int]:
    """Return the lowest and the highest face of boxes on an axis."""
    return min(box[axis] for box in boxes), max(box[axis + 3] for box in boxes)


def size_field(collider: Collider, axis: int, low: int, high: int) -> str:
    """Return the field that gives a collider its faces `low` and `high` on an axis, and the value, for an error."""
    name = type(collider).__name__
    if not isinstance(collider, BoxCollider):
        reaches = ".parts reach" if isinstance(collider, CompoundCollider) else " reaches"
        return f"{name}{reaches} from {AXES[axis]} {low * LATTICE!r} to {high * LATTICE!r}"
    half = (collider.hx, collider.hy, collider.hz)[axis]
    if abs(collider.offset[axis]) > half:
        return f"{name}.offset {AXES[axis]} is {collider.offset[axis]!r}"
    return f"{name}.h{AXES[axis]} is {half!r}"


def has_box(collider: Collider) -> bool:
    """Return whether a collider has a part that never turns."""
    if isinstance(collider, CompoundCollider):
        return any(isinstance(part, Box) for part in collider.parts)
    return isinstance(collider, BoxCollider)


def combination_faults(entity: int, parts: Parts) -> list[str]:
    """Return faults of the combination of components (E8)."""
    problems = []
    if parts.collider is None:
        needing = (parts.motion, parts.trigger, parts.static, parts.fused, parts.contact, *parts.all[12:])
        for part in [part for part in needing if part is not None]:
            name = part.__name__ if isinstance(part, type) else type(part).__name__
            problems.append(
                f"entity {entity}: {name} without a collider; add a BoxCollider or CompoundCollider, or remove {name}"
            )
    elif parts.transform is None:
        problems.append(
            f"entity {entity}: {type(parts.collider).__name__} without a Transform; add Transform(x, y) to the entity"
        )
    if parts.collider is not None or parts.transform is not None:
        if parts.static is not None and parts.motion is not None:
            problems.append(f"entity {entity}: Static with Motion; a static body does not move, remove one")
        if parts.static is not None and parts.inertia is not None:
            problems.append(f"entity {entity}: Static with Inertia; a static body cannot be pushed, remove one")
        if parts.static is not None and parts.fused is not None:
            problems.append(f"entity {entity}: Static with Fused; a static body does not move, remove one")
        if parts.path is not None:
            problems += path_faults(entity, parts)
        if parts.trigger is not None and parts.contact is not None:
            problems.append(
                f"entity {entity}: Contact with Trigger; a trigger reports what is inside it by itself, and "
                "Trigger(touching=True) what touches it: remove one"
            )
    if (parts.collider is not None and parts.transform is not None) or problems:
        return problems
    return [f"entity {entity}: a body needs a Transform and a collider"]


def path_faults(entity: int, parts: Parts) -> list[str]:
    """Return faults of the components beside a Path (M13)."""
    if parts.static is not None:
        return [f"entity {entity}: Path with Static; a static body does not move, remove one"]
    if parts.mass is not None:
        return [
            f"entity {entity}: Path with Mass; a body with Mass moves by impulses, one with a Path along it: remove one"
        ]
    if parts.motion is None:
        return [f"entity {entity}: Path without Motion; add Motion(force=...), whose force pushes what is in the way"]
    return []
