"""Fused groups: the graph of `Fused` components and its connected sets.

Every body is fused to at most one other and cycles are refused, so the graph is a forest. Each connected set has
exactly one root: the member that is fused to none of the others. A disabled body connects nothing (E9). Kernels read
a group from the row of its root: the links name that row as the leader, and its inertia is that of the group.

The graph follows every change of a body. The groups are recomputed at the end of `apply_changes`, only where they
may have changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ecs_collision.bodies.columns import ENABLED, PUSHABLE, SOLID, Columns, GroupLinks, RowById


class Group(NamedTuple):
    """The members of a fused group, sorted, and its root."""

    root: int
    members: tuple[int, ...]


class Regrouping(NamedTuple):
    """The groups dissolved, formed, and recomputed without a change.

    `entities` are those whose group is now another one.
    """

    dissolved: list[Group]
    formed: list[Group]
    unchanged: list[Group]
    entities: list[int]


class GroupsMark(NamedTuple):
    """Saved state of `FusedGroups`."""

    partner: dict[int, int]
    followers: dict[int, set[int]]
    group_of: dict[int, Group]
    own_inertia: dict[int, tuple[tuple[float, float, float], int]]
    leader: array[int]
    next_row: array[int]
    fused_count: int


class FusedGroups:
    """The fused groups of a world. `partner` is the entity one is fused to, `followers` are those fused to it."""

    def __init__(self, columns: Columns, links: GroupLinks, row_of: RowById) -> None:
        self.partner: dict[int, int] = {}
        self.followers: dict[int, set[int]] = {}
        self._columns = columns
        self._links = links
        self._row_of = row_of
        self._group_of: dict[int, Group] = {}
        self._own_inertia: dict[int, tuple[tuple[float, float, float], int]] = {}
        """Inertia and PUSHABLE flag of the root alone, by its row."""
        self._dirty: set[int] = set()
        self._dissolved: set[int] = set()

    # Reading.

    def of(self, entity: int) -> Group | None:
        """Return the group of an entity, or None."""
        return self._group_of.get(entity)

    def all(self) -> list[Group]:
        """Return every group, by root."""
        return [group for entity, group in sorted(self._group_of.items()) if entity == group.root]

    def has_links(self, entity: int) -> bool:
        """Return whether an entity is fused to another, or another to it."""
        return entity in self.partner or entity in self.followers

    def root_of(self, row: int) -> int:
        """Return the root of the group of a row, or the entity of the row if it has no group."""
        return int(self._columns.ids[self._links.leader[row]])

    def solid_rows(self, row: int) -> list[int]:
        """Return the rows of a group that are not triggers, or all if all are."""
        rows: list[int] = self._links.rows_of(row)
        return [each for each in rows if self._columns.flags[each] & SOLID] or rows

    # Changing; groups follow with `regroup`.

    def fuse(self, entity: int, to: int | None) -> None:
        """Set the entity that another is fused to, or None."""
        old = self.partner.pop(entity, None)
        if old is not None:
            self.followers[old].discard(entity)
            if not self.followers[old]:
                del self.followers[old]
        if to is not None:
            self.partner[entity] = to
            self.followers.setdefault(to, set()).add(entity)
        if old is not None or to is not None:
            self._dirty.add(entity)

    def note_change(self, entity: int) -> None:
        """Announce that a body is about to change. The row of a root has its own inertia until `regroup`."""
        if self.has_links(entity) or entity in self._group_of:
            self._dirty.add(entity)
            self._restore_inertia(self._row_of[entity])

    def dissolve(self, entity: int) -> None:
        """Dissolve the group of a body that is being removed, until `regroup` forms the groups of the others."""
        group = self._group_of.get(entity)
        if group is not None:
            self._dirty.update(group.members)
            self._dissolved.add(group.root)
            self._unfuse(group)

    def regroup(self) -> Regrouping | None:
        """Recompute the groups of changed entities; None if there are none. O(these entities and their groups)."""
        if not self._dirty:
            return None
        reached = self._reach(self._dirty)
        old = {group.root: group for entity in reached if (group := self._group_of.pop(entity, None))}
        new = {group.root: group for group in self._groups_in(reached)}
        unchanged = {root for root in old.keys() & new.keys() if old[root] == new[root] and root not in self._dissolved}
        for root, group in old.items():
            if root not in self._dissolved:
                self._unfuse(group)
        for group in new.values():
            self._fuse_group(group)
        self._dirty.clear()
        self._dissolved.clear()
        dissolved = [group for root, group in sorted(old.items()) if root not in unchanged]
        formed = [group for root, group in sorted(new.items()) if root not in unchanged]
        changed = {entity for group in (*dissolved, *formed) for entity in group.members if entity in self._row_of}
        return Regrouping(dissolved, formed, [new[root] for root in sorted(unchanged)], sorted(changed))

    def _reach(self, entities: Iterable[int]) -> set[int]:
        """Return the entities and all that are, or were, in a group with one of them."""
        found: set[int] = set()
        roots: set[int] = set()
        waiting = list(entities)
        while waiting:
            entity = waiting.pop()
            if entity in found:
                continue
            found.add(entity)
            waiting += self._neighbours(entity)
            group = self._group_of.get(entity)
            if group is not None and group.root not in roots:
                roots.add(group.root)
                waiting += group.members
        return found

    def _groups_in(self, entities: set[int]) -> Iterator[Group]:
        """Yield the connected sets among entities, which must include all that are connected to one of them."""
        waiting = set(entities)
        for entity in sorted(entities):
            members: set[int] = set()
            edge = [entity] if entity in waiting else []
            while edge:
                member = edge.pop()
                waiting.discard(member)
                members.add(member)
                edge += [other for other in self._neighbours(member) if other in waiting]
            if len(members) > 1:
                root = next(member for member in members if self.partner.get(member) not in members)
                yield Group(root, tuple(sorted(members)))

    def _neighbours(self, entity: int) -> list[int]:
        """Return the entities that are directly connected to one."""
        if not self._is_enabled(entity):
            return []
        near = [*self.followers.get(entity, ()), *(to for to in (self.partner.get(entity),) if to is not None)]
        return [other for other in near if self._is_enabled(other)]

    def _is_enabled(self, entity: int) -> bool:
        row = self._row_of.get(entity)
        return row is not None and bool(self._columns.flags[row] & ENABLED)

    # Rows, for kernels.

    def _fuse_group(self, group: Group) -> None:
        rows = [self._row_of[entity] for entity in group.members]
        root = self._row_of[group.root]
        rows.remove(root)
        self._links.fuse([root, *rows])
        self._group_of.update(dict.fromkeys(group.members, group))
        self._set_group_inertia(root)

    def _unfuse(self, group: Group) -> None:
        row = next((row for entity in group.members if (row := self._row_of.get(entity)) is not None), None)
        if row is not None:
            self._restore_inertia(self._links.leader[row])
            self._links.unfuse(row)

    def _set_group_inertia(self, row: int) -> None:
        """Give a root the inertia of its group: the largest of its solid members, infinite if one has no Inertia."""
        columns, flags = self._columns, self._columns.flags
        self._own_inertia[row] = (columns.inertia_of(row), flags[row] & PUSHABLE)
        solid = self.solid_rows(row)
        pushable = all(flags[each] & PUSHABLE for each in solid)
        x, y, z = map(max, zip(*map(columns.inertia_of, solid), strict=True))
        columns.set_inertia(row, (x, y, z))
        flags[row] = flags[row] | PUSHABLE if pushable else flags[row] & ~PUSHABLE

    def _restore_inertia(self, row: int) -> None:
        """Give a root its own inertia again."""
        if row in self._own_inertia:
            inertia, pushable = self._own_inertia[row]
            flags = self._columns.flags
            self._columns.set_inertia(row, inertia)
            flags[row] = flags[row] & ~PUSHABLE | pushable
            del self._own_inertia[row]

    # Undo.

    def mark(self) -> GroupsMark | None:
        """Return the current state, for `rollback`; None if nothing is fused. O(groups and rows)."""
        if not (self.partner or self._group_of or self._dirty):
            return None
        followers = {entity: set(others) for entity, others in self.followers.items()}
        links = array("i", self._links.leader), array("i", self._links.next_row), self._links.count
        return GroupsMark(dict(self.partner), followers, dict(self._group_of), dict(self._own_inertia), *links)

    def rollback(self, before: GroupsMark | None) -> None:
        """Restore the marked state. Every root gets its own inertia; other columns are restored by the caller."""
        for row in list(self._own_inertia):
            self._restore_inertia(row)
        for known in (self.partner, self.followers, self._group_of, self._own_inertia, self._dirty, self._dissolved):
            known.clear()
        self._links.unfuse_all()
        if before is not None:
            self.partner.update(before.partner)
            self.followers.update(before.followers)
            self._group_of.update(before.group_of)
            self._own_inertia.update(before.own_inertia)
            self._links.rollback(before.leader, before.next_row, before.fused_count)
