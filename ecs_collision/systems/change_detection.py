"""Detects changes of esper's entities, at a cost that follows the number of changes (rules E2, E3, E8).

While nothing structural changes, esper returns the same list for a sentinel kind that no entity has. Comparing that
list is the whole check, where esper's tables can be read. When the list is another one, every known component is
compared by identity. Both comparisons are in `comparisons.py`. Other entities cost nothing, and an instance that
existed before is found too.

Not taken: comparing esper's sets and counting new instances. It is no faster, and it misses instances that were
exchanged between entities or stored and put back (rule E6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import esper

from ecs_collision.components import COMPONENT_TYPES, Collider, Parts, Static, part_of
from ecs_collision.components.parts import FIELDS
from ecs_collision.systems.comparisons import ComponentDiff, DirtyCheck, Owner
from ecs_collision.systems.esper_internals import EntityTables, Kind, Row, TableReader, reader_for
from ecs_collision.world import CollisionWorld

KINDS: tuple[Kind, ...] = (*COMPONENT_TYPES, type)
"""The kinds to detect. esper lists a class that was given instead of an instance under `type`."""

_COLLIDERS = tuple(kind for kind in COMPONENT_TYPES if issubclass(kind, Collider))
_PLACES: dict[Kind, int] = {kind: FIELDS.index(part_of(kind)) for kind in COMPONENT_TYPES}
"""The place of each kind in `Parts`."""
_COLLIDER = FIELDS.index("collider")
_NEEDING_COLLIDER = (
    *("motion", "trigger", "fused", "contact"),
    *("mover", "character", "one_way", "carries", "grips", "path", "lifetime"),
)
"""These components are refused without a collider. The others have no effect then: see `unused_components`."""


class _Sentinel:
    """The kind that no entity has."""


class Change(NamedTuple):
    """The components of an entity before and after changes were applied; None if it has none of this package's."""

    number: int
    entity: int
    old: Parts | None
    new: Parts | None


class ChangeDetector:
    """Stages the changes of the entities of one esper world in a `CollisionWorld`.

    Call `detect` before changes are applied and `applied_changes` after a frame. `pending` holds the earlier components
    of entities whose changes may not be applied yet. `applied` holds the changes applied since the list was last
    emptied, and `applied_count` counts all changes ever applied.
    """

    def __init__(self, world: CollisionWorld, reader: TableReader | None = None) -> None:
        self._world = world
        self._reader = reader or reader_for(KINDS)
        self._diff = ComponentDiff(KINDS)
        self._sentinel: object = None
        self._marked_count = 0
        self._marked: set[int] = set()
        self._unstaged: set[int] = set()
        self._odd: dict[int, Parts] = {}
        self.pending: dict[int, Parts | None] = {}
        self.applied: list[Change] = []
        self.applied_count = 0

    def detect(self) -> None:
        """Stage every entity that changed since the last call; O(1) if nothing structural changed."""
        sentinel, marked_count = esper.get_component(_Sentinel), self._reader.marked_count()
        if sentinel is self._sentinel and marked_count == self._marked_count:
            return
        self._compare(self._reader.read())
        self._sentinel, self._marked_count = sentinel, marked_count

    def make_dirty_check(self, owner: Callable[[], Owner | None]) -> DirtyCheck | None:
        """Return a dirty check for an owner, to be armed after each `detect`; None if esper has no readable tables."""
        return self._reader.dirty_check(owner, _Sentinel)

    def arm(self, check: DirtyCheck, world: object) -> None:
        """Arm a check: it calls its owner on a change since the last `detect`, or if another world is current."""
        check.arm(world, self._sentinel, self._marked_count)

    def parts(self, entity: int) -> Parts | None:
        """Return the components of an entity; None if it has none of this package's or is marked for deletion."""
        if entity in self._marked:
            return None
        parts = self._diff.parts(entity)
        return self._odd.get(entity) if parts is None and self._odd else parts

    def applied_changes(self) -> list[Change]:
        """Return the changes applied since the `applied` list was last emptied, in order."""
        if self.pending:
            self._collect_applied()
        return self.applied

    def unused_components(self) -> list[tuple[int, str]]:
        """Return entity and name of each component that has no effect because its entity has no collider (E8)."""
        return [
            (entity, type(part).__name__)
            for entity, parts in self._all_parts().items()
            if not is_body_candidate(parts)
            for part in parts.all[1:]
            if part is not None
        ]

    def faults(self) -> Iterator[str]:
        """Yield the differences from the entities of esper; requires that all changes are applied."""
        tables = self._reader.read()
        rows, marked = tables.rows, tables.marked
        gained = self._diff.gained(rows, tables.listed)
        if self._diff.miscounted():
            yield "the known components of a kind are counted wrongly"
        if self._diff.changed(rows) or any(entity in rows for entity in gained):  # esper may list ids without entities
            yield "the known components of entities differ from those in esper"
        if self._marked != {entity for entity in marked if entity in self._diff}:
            yield "the known entities marked for deletion differ from those in esper"
        parts = {entity: found for entity, row in rows.items() if entity not in marked and (found := parts_of(row))}
        if self._all_parts() != parts:
            yield "the stored components of entities differ from those in esper"
        staged = {entity: each for entity, each in self._all_parts().items() if is_body_candidate(each)}
        bodies = self._world._bodies
        if staged != {entity: bodies.of(row) for entity, row in bodies.row_of.items()}:
            yield "the bodies of the world differ from the entities in esper"

    def _collect_applied(self) -> None:
        """Record the changes that were applied, unless they were refused, before further ones are staged."""
        bodies, pending = self._world._bodies, self.pending
        applied, count, left = list(self.applied), self.applied_count, dict[int, Parts | None]()
        for entity in sorted(pending):
            row, parts = bodies.row_of.get(entity), self.parts(entity)
            staged = parts if parts is not None and is_body_candidate(parts) else None
            if (None if row is None else bodies.parts[row]) is staged:
                applied.append(Change(count, entity, pending[entity], parts))
                count += 1
            else:
                left[entity] = pending[entity]
        self.pending, self.applied, self.applied_count = left, applied, count

    def _compare(self, tables: EntityTables) -> None:
        """Store and stage the changes; if interrupted, the next comparison repeats them."""
        self._collect_applied()
        diff, rows, touched = self._diff, tables.rows, self._unstaged
        self._reserve(tables.listed)
        touched.update(diff.changed(rows))
        for entity in touched:
            self._store(entity, rows.get(entity))
        for entity in diff.gained(rows, tables.listed):
            if entity in rows:  # after `add_component` on a missing id, esper lists ids without entities
                touched.add(entity)
                self._store(entity, rows[entity])
        marked = {entity for entity in tables.marked if entity in diff}
        for entity in marked ^ self._marked:
            touched.add(entity)
            self.pending.setdefault(entity, self.parts(entity))
        self._marked = marked
        for entity in sorted(touched):
            self._stage(entity, rows.get(entity))
        touched.clear()

    def _reserve(self, listed: dict[Kind, set[int]]) -> None:
        """Make room for all bodies before what only this comparison needs, so that its memory can be given back."""
        count = sum(len(listed.get(kind, ())) for kind in _COLLIDERS)
        self._world._step.changes.reserve(count, count - len(listed.get(Static, ())))

    def _all_parts(self) -> dict[int, Parts]:
        """Return the components of all entities, by id."""
        return {entity: parts for entity in sorted(self._diff) if (parts := self.parts(entity)) is not None}

    def _store(self, entity: int, row: Row | None) -> None:
        """Store the current components of an entity, and what it had before the changes that are pending."""
        self.pending.setdefault(entity, self.parts(entity))
        parts = None if row is None else parts_of(row)
        if not self._diff.store(entity, row, parts) and parts is not None:
            self._odd[entity] = parts
        elif self._odd:
            self._odd.pop(entity, None)

    def _stage(self, entity: int, row: Row | None) -> None:
        """Stage the stored components of an entity, or that it is no body if it was one or was to be one."""
        changes, parts = self._world._step.changes, self.parts(entity)
        if parts is not None and is_body_candidate(parts):
            changes.stage(entity, parts, collider_conflicts(entity, row) if row and entity in self._odd else ())
        elif entity in changes.staged or entity in self._world._bodies.row_of:
            changes.stage(entity, None)


def parts_of(row: Row) -> Parts | None:
    """Return the components of this package in a row, invalid ones included; None if there is none."""
    found: list[Any] = [None] * len(FIELDS)
    for kind, component in row.items():
        place = _PLACES.get(kind)
        if place == _COLLIDER and found[place] is not None:
            component = next(row[each] for each in _COLLIDERS if each in row)
        if place is not None:
            found[place] = component
    if type in row and row[type] in _PLACES:
        found[_PLACES[row[type]]] = row[type]
    for part in found:
        if part is not None:
            return Parts(*found)
    return None


def collider_conflicts(entity: int, row: Row) -> tuple[str, ...]:
    """Return the message for an entity with several colliders."""
    names = [kind.__name__ for kind in _COLLIDERS if kind in row]
    if len(names) < 2:
        return ()
    return (
        f"entity {entity}: several colliders, {' and '.join(names)}; a body has one: keep one, or combine them "
        "in a CompoundCollider",
    )


def is_body_candidate(parts: Parts) -> bool:
    """Return whether the world must validate these components: a body, or an attempt at one (rule E8)."""
    if parts.collider is not None or any(isinstance(part, type) for part in parts):
        return True
    return any(getattr(parts, name) is not None for name in _NEEDING_COLLIDER)


def is_same_entity(old: Parts | None, new: Parts | None) -> bool:
    """Return whether an entity kept its identity: its Transform or its collider is the same instance (rule E3)."""
    if old is None or new is None:
        return False
    same_place = old.transform is not None and old.transform is new.transform
    return same_place or (old.collider is not None and old.collider is new.collider)
