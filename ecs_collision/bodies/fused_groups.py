"""Which bodies are welded into groups: the graph that `Fused` components draw, and what is connected in it.

Every body is fused to at most one other and cycles are refused, so the graph is a forest, and what is connected has
exactly one root: the member that is fused to none of the others. A disabled body connects nobody (E9). What kernels
need of a group stands in the columns of its root: the links name it as the leader, and its inertia is the group's.

The graph is kept as bodies come and go, the groups are formed anew at the end of a take-in, of what was touched only.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ecs_collision.bodies.columns import ENABLED, PUSHABLE, SOLID, Columns
from ecs_collision.bodies.group_links import GroupLinks


class Group(NamedTuple):
    """The entities that are one body, sorted, and which of them is the root."""

    root: int
    members: tuple[int, ...]


class Regrouping(NamedTuple):
    """The groups that are no more, those that are new, and those that were touched and are as they were.

    `entities` are those whose group is another now: welded, freed, or welded to others.
    """

    dissolved: list[Group]
    formed: list[Group]
    unchanged: list[Group]
    entities: list[int]


class GroupsMark(NamedTuple):
    """What was welded."""

    partner: dict[int, int]
    followers: dict[int, set[int]]
    group_of: dict[int, Group]
    own_inertia: dict[int, tuple[list[float], int]]
    leader: array[int]
    next_row: array[int]
    fused_count: int


class FusedGroups:
    """The welds of a world: `partner` is whom an entity is fused to, `followers` who is fused to it."""

    def __init__(self, columns: Columns, links: GroupLinks, row_of: dict[int, int]) -> None:
        self.partner: dict[int, int] = {}
        self.followers: dict[int, set[int]] = {}
        self._columns = columns
        self._links = links
        self._row_of = row_of
        self._group_of: dict[int, Group] = {}
        self._own_inertia: dict[int, tuple[list[float], int]] = {}
        """By row of a root: inertia and PUSHABLE of that body alone."""
        self._dirty: set[int] = set()
        self._dissolved: set[int] = set()

    # Looking.

    def of(self, entity: int) -> Group | None:
        """Return the group of an entity, None while it is a body of its own."""
        return self._group_of.get(entity)

    def all(self) -> list[Group]:
        """Return every group, by root."""
        return [group for entity, group in sorted(self._group_of.items()) if entity == group.root]

    def has_links(self, entity: int) -> bool:
        """Return whether an entity is fused, or another to it."""
        return entity in self.partner or entity in self.followers

    def root_of(self, row: int) -> int:
        """Return the entity that stands for the body of a row: the root of its group, else its own."""
        return int(self._columns.ids[self._links.leader[row]])

    def solid_rows(self, row: int) -> list[int]:
        """Return the rows of a group that are no triggers; all of them where all are."""
        rows: list[int] = self._links.rows_of(row)
        return [each for each in rows if self._columns.flags[each] & SOLID] or rows

    # Changing: what is noted here holds when `regroup` is called.

    def fuse(self, entity: int, to: int | None) -> None:
        """Note whom an entity is fused to, None for nobody."""
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
        """Note that a body is about to change; the columns of a root show its own inertia until `regroup`."""
        if self.has_links(entity) or entity in self._group_of:
            self._dirty.add(entity)
            self._restore_inertia(self._row_of[entity])

    def dissolve(self, entity: int) -> None:
        """Take a body that is going out of its group: all others of it are on their own until `regroup`."""
        group = self._group_of.get(entity)
        if group is not None:
            self._dirty.update(group.members)
            self._dissolved.add(group.root)
            self._unfuse(group)

    def regroup(self) -> Regrouping | None:
        """Make the groups of all that was touched anew; None where nothing was. O(them and their groups)."""
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
        """Return entities with all that was or is in a group with any of them."""
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
        """Yield the groups that these entities, which lack nobody connected to them, make now."""
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
        """Return whom an entity is connected to by one weld."""
        if not self._is_enabled(entity):
            return []
        near = [*self.followers.get(entity, ()), *(to for to in (self.partner.get(entity),) if to is not None)]
        return [other for other in near if self._is_enabled(other)]

    def _is_enabled(self, entity: int) -> bool:
        row = self._row_of.get(entity)
        return row is not None and bool(self._columns.flags[row] & ENABLED)

    # What kernels see.

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
        """Let a root have the inertia of its group: the largest of the solid members', infinite where one has none."""
        flags, inertia = self._columns.flags, self._columns.inertia
        self._own_inertia[row] = (inertia[3 * row : 3 * row + 3].tolist(), flags[row] & PUSHABLE)
        solid = self.solid_rows(row)
        pushable = all(flags[each] & PUSHABLE for each in solid)
        for axis in range(3):
            inertia[3 * row + axis] = max([inertia[3 * each + axis] for each in solid])
        flags[row] = flags[row] | PUSHABLE if pushable else flags[row] & ~PUSHABLE

    def _restore_inertia(self, row: int) -> None:
        """Let a root have its own inertia again."""
        if row in self._own_inertia:
            (x, y, z), pushable = self._own_inertia[row]
            at, inertia, flags = 3 * row, self._columns.inertia, self._columns.flags
            inertia[at], inertia[at + 1], inertia[at + 2] = x, y, z
            flags[row] = flags[row] & ~PUSHABLE | pushable
            del self._own_inertia[row]

    # Taking back.

    def mark(self) -> GroupsMark | None:
        """Return what is welded, for `rollback`; None where nothing is. O(welds and rows)."""
        if not (self.partner or self._group_of or self._dirty):
            return None
        followers = {entity: set(others) for entity, others in self.followers.items()}
        links = self._links.leader[:], self._links.next_row[:], self._links.count
        return GroupsMark(dict(self.partner), followers, dict(self._group_of), dict(self._own_inertia), *links)

    def rollback(self, before: GroupsMark | None) -> None:
        """Restore the groups; every root has its own inertia then, and the columns of rows are restored elsewhere."""
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
