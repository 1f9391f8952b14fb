"""Fused groups while changes are applied: validation of `Fused` (rule L3), and the sleep of groups that change (S4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASLEEP, SOLID
from ecs_collision.bodies.fused_groups import Group, Regrouping
from ecs_collision.components import Fused, Parts, Sleeping
from ecs_collision.frame_log import FrameLog
from ecs_collision.sleep.scheduler import SleepScheduler


class FusionCheck:
    """Validates `Fused` against the bodies as they will be once `staged` is applied."""

    def __init__(self, bodies: Bodies, staged: Mapping[int, Parts | None]) -> None:
        self._bodies = bodies
        self._staged = staged
        self._checked: set[int] = set()

    def faults(self, fused: Iterable[int]) -> list[str]:
        """Return faults of `Fused` of these entities, and of those fused to staged ones, in order of entities."""
        followers = self._bodies.groups.followers
        doubtful = set(fused).union(*(followers[entity] for entity in self._staged if entity in followers))
        return [fault for entity in sorted(doubtful) for fault in self._faults(entity)]

    def _parts(self, entity: int) -> Parts | None:
        if entity in self._staged:
            return self._staged[entity]
        row = self._bodies.row_of.get(entity)
        return None if row is None else self._bodies.of(row)

    def _partner(self, entity: int) -> int | None:
        parts = self._parts(entity)
        return parts.fused.to if parts is not None and isinstance(parts.fused, Fused) else None

    def _faults(self, entity: int) -> list[str]:
        to = self._partner(entity)
        if to is None:
            return []
        field = f"entity {entity}: Fused.to is {to}"
        if to == entity:
            return [f"{field}, the entity itself; name another one, or remove Fused"]
        partner = self._parts(to)
        if partner is None and to in self._bodies.row_of:
            return [
                f"{field}, which is deleted or loses its body; remove Fused from entity {entity}, or delete "
                f"entity {entity} too"
            ]
        if partner is None:
            return [
                f"{field}, which is not a body of this world; name a body, give entity {to} a Transform and a "
                f"collider, or remove Fused"
            ]
        if partner.static is not None:
            return [f"{field}, which is Static and never moves; fuse it to another body, or remove Static from {to}"]
        return self._cycle_faults(entity)

    def _cycle_faults(self, entity: int) -> list[str]:
        """Return the fault if the `Fused` from an entity on lead into a cycle; each cycle is reported once."""
        path: list[int] = []
        at: int | None = entity
        while at is not None and at not in self._checked:
            self._checked.add(at)
            path.append(at)
            at = self._partner(at)
        if at not in path or path[-1] == at:  # an entity that is fused to itself has a fault of its own
            return []
        cycle = path[path.index(at) :]
        first = cycle.index(min(cycle))
        cycle = [*cycle[first:], *cycle[:first]]
        names = " to ".join(map(str, [*cycle, cycle[0]]))
        return [
            f"entity {cycle[0]}: Fused.to is {cycle[1]}, which closes the cycle {names}; remove Fused from one of them"
        ]


class GroupUpdate:
    """Records changes of groups while changes are applied, then sets each group asleep or awake as one.

    A group that breaks up wakes (its root has the event), and so does every body that is newly fused. A new group is
    awake unless all its members were added asleep. An unchanged group stays asleep if no member must wake.
    """

    def __init__(self, bodies: Bodies, sleep: SleepScheduler) -> None:
        self._bodies = bodies
        self._groups = bodies.groups
        self._sleep = sleep
        self._was_asleep: dict[int, bool] = {}
        self._woken: set[int] = set()
        self._added: set[int] = set()
        self._removed: set[int] = set()

    @property
    def is_busy(self) -> bool:
        """Whether changes are being applied."""
        return bool(self._was_asleep or self._woken or self._added or self._removed)

    def remove(self, row: int) -> None:
        """Remove a body from its group, before the body is removed."""
        entity = self._bodies.entity(row)
        self._removed.add(entity)
        group = self._groups.of(entity)
        if group is not None:
            self._note_sleep(group, row)
            self._groups.dissolve(entity)
        self._groups.fuse(entity, None)

    def add(self, row: int) -> None:
        """Record a new body."""
        self._added.add(self._bodies.entity(row))
        self.update_link(row)

    def begin_update(self, row: int) -> bool:
        """Record that a body is updated; returns whether it sleeps and wakes with a group."""
        group = self._groups.of(self._bodies.entity(row))
        if group is not None:
            self._note_sleep(group, row)
        self.update_link(row)
        return group is not None

    def is_split(self, row: int) -> bool:
        """Return whether another member of the group was removed: the rest of the group wakes in `finish`."""
        return self._groups.of(self._bodies.entity(row)) is not None and not self._bodies.group_links.is_fused(row)

    def mark_woken(self, row: int) -> None:
        """Record that a member of a group changed so that the group must wake."""
        group = self._groups.of(self._bodies.entity(row))
        if group is not None:
            self._woken.add(group.root)

    def update_link(self, row: int) -> None:
        """Update the link of a body to its partner; its columns have its own inertia until groups are rebuilt."""
        entity, fused = self._bodies.entity(row), self._bodies.of(row).fused
        to = None if fused is None else fused.to
        if self._groups.partner.get(entity) != to:
            self._groups.fuse(entity, to)
        self._groups.note_change(entity)

    def _note_sleep(self, group: Group, row: int) -> None:
        if group.root not in self._was_asleep:
            self._was_asleep[group.root] = self._sleep.is_asleep(row)

    def finish(self, frame: int, log: FrameLog) -> None:
        """Rebuild the touched groups and set their sleep; rows whose group changed count as changed."""
        change = self._groups.regroup()
        if change is not None:
            rows = [self._bodies.row_of[entity] for entity in change.entities]
            self._wake_broken(change, log)
            self._start_groups(change, rows, frame, log)
            for group in change.unchanged:
                self._update_kept(group, log)
        self.clear()

    def clear(self) -> None:
        """Discard the records; all changes are applied, or none."""
        for entities in (self._was_asleep, self._woken, self._added, self._removed):
            entities.clear()

    def _wake_broken(self, change: Regrouping, log: FrameLog) -> None:
        """Wake the groups that broke up; removed bodies get no event."""
        for group in change.dissolved:
            here = [entity for entity in group.members if entity in self._bodies.row_of and entity not in self._added]
            rows = [self._bodies.row_of[entity] for entity in here]
            rested = self._was_asleep.get(group.root, all(self._bodies.has(row, ASLEEP) for row in self._solid(rows)))
            if rested and group.root in here:
                log.wake(group.root)
            for row in rows:
                self._bodies.set_asleep(row, False)

    def _start_groups(self, change: Regrouping, rows: list[int], frame: int, log: FrameLog) -> None:
        """Wake newly fused bodies, unless a whole group was added asleep, and schedule the sleep of all rows."""
        for row in rows:
            entity = self._bodies.entity(row)
            if self._bodies.has(row, ASLEEP) and entity not in self._added:
                self._bodies.set_asleep(row, False)
                log.wake(entity)
            self._bodies.dirty_rows.add(row, True)
            self._bodies.save_sleep(row)
            self._sleep.disturb(row, frame)
        for group in change.formed:
            row = self._bodies.row_of[group.root]
            rests = self._added.issuperset(group.members) and self._sleep.may_rest(row)
            self._sleep.set_asleep(row, rests and self._sleep.is_asleep(row))
        for row in rows:
            if not self._bodies.group_links.is_fused(row):
                self._sleep.set_asleep(row, self._sleep.is_asleep(row))

    def _update_kept(self, group: Group, log: FrameLog) -> None:
        """Set the sleep of a touched group: it stays asleep, rests because the game wrote `asleep`, or wakes."""
        row = self._bodies.row_of[group.root]
        rested = self._was_asleep.get(group.root, self._sleep.is_asleep(row))
        written = [sleeping.asleep for entity in group.members if (sleeping := self._sleeping(entity)) is not None]
        rests = self._sleep.may_rest(row) and group.root not in self._woken
        rests = rests and (all(written) if rested else any(written))
        self._sleep.set_asleep(row, rests)
        if rests != rested:
            note = log.rest if rests else log.wake
            note(group.root)

    def _solid(self, rows: list[int]) -> list[int]:
        return [row for row in rows if self._bodies.has(row, SOLID)] or rows

    def _sleeping(self, entity: int) -> Sleeping | None:
        return self._bodies.of(self._bodies.row_of[entity]).sleeping
