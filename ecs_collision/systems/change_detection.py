"""Detects what esper's entities have become, at a cost that follows change (rules E2, E3, E8).

While nothing structural changes esper gives out the same list for a kind nobody uses: one comparison, made by a
watch (dirty_check.py) where esper's tables can be read. When it gave another, every component known is compared by
identity (component_diff.py), so entities that are none of ours cost nothing and an exchange of old instances is seen as well
as a new one.

Not taken: comparing the sets of esper and counting births. It is no faster, and it misses instances that
were swapped between entities or kept in a drawer (rule E6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import esper

from ecs_collision.components import (
    COMPONENT_TYPES,
    Collider,
    Fused,
    Inertia,
    Motion,
    Parts,
    Sleeping,
    Static,
    Transform,
    Trigger,
    part_of,
)
from ecs_collision.systems.esper_internals import Kind, Row, TableReader, EntityTables, reader_for
from ecs_collision.systems.component_diff import ComponentDiff
from ecs_collision.systems.dirty_check import Owner, DirtyCheck
from ecs_collision.world import CollisionWorld

KINDS: tuple[Kind, ...] = (*COMPONENT_TYPES, type)
"""What is looked for. A class given instead of an instance is listed by esper under `type`."""

_COLLIDERS = tuple(kind for kind in COMPONENT_TYPES if issubclass(kind, Collider))
_FIELDS: dict[Kind, str] = {kind: part_of(kind) for kind in COMPONENT_TYPES}
_NEEDING_COLLIDER = ("motion", "trigger", "fused")
"""Without a collider these are refused; the others are then without effect, and `idle` names them."""


class _Sentinel:
    """The kind nobody uses."""


class Change(NamedTuple):
    """An entity as it was and as it is since a take-in; None where it had or has nothing of ours."""

    number: int
    entity: int
    old: Parts | None
    new: Parts | None


class ChangeDetector:
    """Stages in a world what the entities of one esper world have become.

    `look` is called before every take-in, `settle` after a frame. `touched` is what entities of ours had before changes
    the world is not known to have taken in, `applied` the changes it took in since the last `settle`, `applied_count`
    the number of all it ever took in.
    """

    def __init__(self, world: CollisionWorld, reader: TableReader | None = None) -> None:
        self._world = world
        self._reader = reader or reader_for(KINDS)
        self._diff = ComponentDiff(KINDS)
        self._sentinel: object = None
        self._marked_count = 0
        self._marked: set[int] = set()
        self._unstaged: set[int] = set()
        self._parts: dict[int, Parts] = {}
        self._staged: dict[int, Parts] = {}
        self.pending: dict[int, Parts | None] = {}
        self.applied: list[Change] = []
        self.applied_count = 0

    def detect(self) -> None:
        """Stage every entity that is not what it was at the last look; O(1) when nothing structural changed."""
        sentinel, marked_count = esper.get_component(_Sentinel), self._reader.marked_count()
        if sentinel is self._sentinel and marked_count == self._marked_count:
            return
        self._compare(self._reader.read())
        self._sentinel, self._marked_count = sentinel, marked_count

    def make_dirty_check(self, owner: Callable[[], Owner | None]) -> DirtyCheck | None:
        """Return a watch for an owner, to be set after every look; None where looking is all that can be done."""
        return self._reader.dirty_check(owner, _Sentinel)

    def arm(self, check: DirtyCheck, world: object) -> None:
        """Let a watch tell when anything is no longer as it was at the last look, or another world is current."""
        check.arm(world, self._sentinel, self._marked_count)

    def parts(self, entity: int) -> Parts | None:
        """Return what an entity of ours has, None if it has nothing or is marked for deletion."""
        return self._parts.get(entity)

    def applied_changes(self) -> list[Change]:
        """Return the changes that the world has taken in since the last `applied` list was taken away, in order."""
        if self.pending:
            self._collect_applied()
        return self.applied

    def unused_components(self) -> list[str]:
        """Return a line for each component that has no effect because its entity has no collider (rule E8)."""
        return [
            f"entity {entity}: {type(part).__name__} has no effect without a collider; "
            f"add a BoxCollider or remove the {type(part).__name__}"
            for entity, parts in sorted(self._parts.items())
            if entity not in self._staged
            for part in parts[1:]
            if part is not None
        ]

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with what is known of the entities of esper; everything has been taken in."""
        tables = self._reader.read()
        rows, marked = tables.rows, tables.marked
        gained = self._diff.gained(rows, tables.listed)
        if self._diff.changed(rows) or any(entity in rows for entity in gained):  # esper lists ids that never existed
            yield "what entities have is known otherwise than esper says"
        if self._marked != {entity for entity in marked if entity in self._diff}:
            yield "who is marked for deletion is known otherwise than esper says"
        parts = {entity: found for entity, row in rows.items() if entity not in marked and (found := parts_of(row))}
        if self._parts != parts:
            yield "the parts of entities are known otherwise than esper says"
        staged = {entity: each for entity, each in self._parts.items() if is_body_candidate(each)}
        bodies = self._world.bodies
        if self._staged != staged or staged != {entity: bodies.of(row) for entity, row in bodies.row_of.items()}:
            yield "the bodies of the world are not those of esper's entities"

    def _collect_applied(self) -> None:
        """Note the changes of the last take-in, if it was not refused, before others come on top."""
        bodies, touched = self._world.bodies, dict(self.pending)
        applied, count = list(self.applied), self.applied_count
        for entity in sorted(self.pending):
            row = bodies.row_of.get(entity)
            if (None if row is None else bodies.of(row)) is self._staged.get(entity):
                applied.append(Change(count, entity, touched.pop(entity), self._parts.get(entity)))
                count += 1
        self.pending, self.applied, self.applied_count = touched, applied, count

    def _compare(self, tables: EntityTables) -> None:
        """Learn and stage what changed; where this is broken off, the next comparison learns and stages it again."""
        self._collect_applied()
        diff, rows, touched = self._diff, tables.rows, self._unstaged
        touched.update(diff.changed(rows))
        for entity in touched:
            diff.store(entity, rows.get(entity))
        for entity in diff.gained(rows, tables.listed):
            if entity in rows:  # esper lists ids that never existed after a wrong `add_component`
                touched.add(entity)
                diff.store(entity, rows[entity])
        marked = {entity for entity in tables.marked if entity in diff}
        touched |= marked ^ self._marked
        self._marked = marked
        for entity in sorted(touched):
            row = rows.get(entity)
            if row is None or entity in marked:
                self._stage(entity, None, ())
            else:
                self._stage(entity, parts_of(row), collider_conflicts(entity, row))
        touched.clear()

    def _stage(self, entity: int, parts: Parts | None, faults: tuple[str, ...]) -> None:
        is_body = parts is not None and is_body_candidate(parts)
        if is_body or entity in self._staged:
            self._world.stage(entity, parts if is_body else None, faults)
        self.pending.setdefault(entity, self._parts.get(entity))
        if parts is None:
            self._parts.pop(entity, None)
        else:
            self._parts[entity] = parts
        if is_body:
            assert parts is not None
            self._staged[entity] = parts
        else:
            self._staged.pop(entity, None)


def parts_of(row: Row) -> Parts | None:
    """Return the parts an entity has, faulty ones included; None if it has none of ours."""
    get = row.get
    collider = None
    for kind in _COLLIDERS:
        if kind in row:
            collider = row[kind]
            break
    parts = Parts(
        *(get(Transform), collider, get(Inertia), get(Motion), get(Sleeping), get(Static), get(Trigger), get(Fused))
    )
    if type in row and row[type] in _FIELDS:
        parts = parts._replace(**{_FIELDS[row[type]]: row[type]})
    for part in parts:
        if part is not None:
            return parts
    return None


def collider_conflicts(entity: int, row: Row) -> tuple[str, ...]:
    """Return what is wrong with an entity that has several colliders."""
    if sum(map(row.__contains__, _COLLIDERS)) < 2:
        return ()
    names = [kind.__name__ for kind in _COLLIDERS if kind in row]
    return (
        f"entity {entity}: several colliders, {' and '.join(names)}; a body has one: remove the others or join them "
        "in a CompoundCollider",
    )


def is_body_candidate(parts: Parts) -> bool:
    """Return whether the world has to judge these parts: a body, or what was meant to be one (rule E8)."""
    if parts.collider is not None or any(isinstance(part, type) for part in parts):
        return True
    return any(getattr(parts, name) is not None for name in _NEEDING_COLLIDER)


def is_same_entity(old: Parts | None, new: Parts | None) -> bool:
    """Return whether an entity is still the same: its Transform or its collider stayed (rule E3)."""
    if old is None or new is None:
        return False
    same_place = old.transform is not None and old.transform is new.transform
    return same_place or (old.collider is not None and old.collider is new.collider)
