"""A film: all that a page needs to show what a world did, step by step, as plain JSON values.

A step is an act of the world: a frame, a motion, a change by the game, a step of dynamics, a restore. It has what
differs from the step before, so a film of many frames in which little moves is small. Positions are whole lattice
units; everything else that is a length is in world units. `page/src/film.ts` has the types.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from ecs_collision.bodies.columns import ASLEEP
from ecs_collision.bodies.drawn import Kind, Outline, is_enabled, kind_of, outlines_of
from ecs_collision.components import Parts, Transform, Velocity
from ecs_collision.debug.event_labels import KINDS
from ecs_collision.debug.instrument import Act, Listener, listen
from ecs_collision.events import Blocked, ContactBegan, ContactEnded, Event, Impact, TriggerLeft
from ecs_collision.game.named_events import FIELDS, others_of, sentence
from ecs_collision.levels.spawning import with_names
from ecs_collision.results import MoveResult, inertia_along
from ecs_collision.shapes.rotation import Rotation
from ecs_collision.world import CollisionWorld

VERSION = 1

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Look:
    """What only a written component changes."""

    outlines: tuple[Outline, ...]
    kind: Kind
    components: list[str]
    shown: bool


@dataclass(slots=True)
class _Seen:
    """What the film has of a body: its index, and its state in the last step."""

    index: int
    position: tuple[int, int, int]
    rotation: Rotation
    asleep: bool
    look: _Look
    group: int = -1


@dataclass(slots=True)
class _Step:
    """A step while it is filled: `moved` are rows of index, x, y, z; the others are items of the lists in the film."""

    label: str
    act: str
    frame: int
    moved: list[tuple[int, int, int, int]] = field(default_factory=list)
    lists: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, key: str, item: Any) -> None:
        """Add an item to one of the lists."""
        self.lists.setdefault(key, []).append(item)

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in it."""
        return not (self.moved or self.lists)

    def data(self) -> Json:
        """Return the step as in the film."""
        data: Json = {"label": self.label, "act": self.act, "frame": self.frame, **self.lists}
        if self.moved:
            columns = dict(zip("ixyz", map(list, zip(*self.moved, strict=True)), strict=True))
            data["moved"] = {name: column for name, column in columns.items() if name == "i" or any(column)}
        return data


class Film(Listener):
    """Films a world from now on, until `stop`; `data` is the film so far.

    title: shown above it. remarks: further lines. name_of: the name of an entity, or "entity 3". Each step costs a
    comparison of all positions, and more for each body that changed.
    """

    def __init__(
        self,
        world: CollisionWorld,
        title: str,
        remarks: Iterable[str] = (),
        name_of: Callable[[int], str] = "entity {}".format,
    ) -> None:
        self.world = world
        self.title, self.remarks = title, list(remarks)
        self.chapter = ""
        """What the coming steps belong to, such as a turn of a game; in front of their labels."""
        self.open_at = 0
        self._name_of = name_of
        self._bodies: list[Json] = []
        self._seen: dict[int, _Seen] = {}
        self._steps: list[_Step] = []
        self._flat = True
        self._written: set[int] = set()
        self._has_changes = False  # since the last step, applied but by no act
        self._records, self._ids = array("q"), array("q")
        world.apply_changes()
        self._take("start", "start")
        self.stop = listen(world, self)
        """Stop filming."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self._steps) - 1

    def note(self, text: str) -> None:
        """Add a remark to the last step, such as a difference from a recording; the page opens at the first."""
        self._steps[-1].add("notes", text)
        self.open_at = self.open_at or self.last

    def data(self) -> Json:
        """Return the film, as plain values of JSON."""
        self._take_changes()
        return {
            "version": VERSION,
            "title": self.title,
            "remarks": self.remarks,
            "flat": self._flat,
            "bin": 1 << self.world._bodies.bin_shift,
            "bodies": self._bodies,
            "steps": [step.data() for step in self._steps],
            "open_at": self.open_at,
        }

    # Listening.

    def _before_changes(self, staged: dict[int, Parts | None], placed: list[int], rewritten: list[int]) -> None:
        self._written.update(staged, rewritten)
        self._has_changes = True

    def _before(self, act: Act) -> None:
        self._take_changes()

    def _after(self, act: Act) -> None:
        if act.kind == "keep":
            return
        if act.kind == "back":  # a restore writes no component, but replaces what they hold
            self._written.update(self.world._bodies.row_of)
        step = self._take(self._label(act), "dynamics" if act.kind == "movement" else act.kind)  # for the page one kind
        if act.error is not None:
            step.add("notes", f"{type(act.error).__name__}: {act.error}")
        results = [] if act.result is None else [act.result]
        if act.frame is not None:
            results += [result for _, result in sorted(act.frame.results.items()) if result.links or result.stops]
            for event in act.frame._events_of(KINDS):
                step.add("events", self._event(event))
        for result in results:
            step.add("results", self._result(result))

    def _label(self, act: Act) -> str:
        labels = {
            "frame": f"frame {self.world.frame_number}", "dynamics": "step of dynamics", "movement": "step of movement",
            "back": "restore",
        }  # fmt: skip
        if act.kind in labels:
            return labels[act.kind]
        name = self._name_of(act.entity)
        if act.kind == "impulse":
            return f"impulse on {name}"
        by = ", ".join(f"{axis} {value:+g}" for axis, value in zip("xyz", act.by, strict=True) if value)
        return f"{'move' if act.kind == 'move' else 'plan for'} {name}{' by ' * bool(by)}{by}"

    def _take_changes(self) -> None:
        """Add a step for what was written since the last one, if that can be seen."""
        if self._has_changes:
            self._take("change by the game", "change", only_if_seen=True)

    # Steps.

    def _take(self, label: str, act: str, *, only_if_seen: bool = False) -> _Step:
        """Add a step with all that differs from the last one."""
        step = _Step(f"{self.chapter}, {label}" if self.chapter else label, act, self.world.frame_number)
        bodies, self._has_changes = self.world._bodies, False
        self._flat = self._flat and bodies.flat
        for entity in sorted(self._changed()):
            row = bodies.row_of.get(entity, -1)
            if row < 0:
                self._hide(entity, step)
            else:
                self._compare(entity, row, step)
        if self._written or act == "start":
            self._compare_groups(step)
            self._written.clear()
        if not only_if_seen or not step.is_empty:
            self._steps.append(step)
        return step

    def _changed(self) -> set[int]:
        """Return the entities that may differ from the last step."""
        bodies, columns = self.world._bodies, self.world._bodies.columns
        found = self._written | {bodies.entity(row) for row in bodies.moving_rows}
        if columns.ids != self._ids:
            found.update(self._seen, bodies.row_of)
        elif columns.pos != self._records:
            pairs = enumerate(zip(columns.pos, self._records, strict=True))
            found.update([bodies.entity(at // 8) for at, (now, old) in pairs if now != old])
        self._records, self._ids = array("q", bytes(columns.pos)), columns.ids[:]
        return found

    def _compare(self, entity: int, row: int, step: _Step) -> None:
        """Add what differs in a body."""
        bodies, old = self.world._bodies, self._seen.get(entity)
        parts, position, asleep = bodies.of(row), bodies.position(row), bodies.has(row, ASLEEP)
        assert parts.transform is not None
        rotation = parts.transform.rotation
        if old is None:
            new = _Seen(len(self._bodies), position, rotation, asleep, _look(parts))
            self._seen[entity] = new
            self._bodies.append(self._first_state(entity, new, is_start=step.act == "start"))
            if step.act != "start" and new.look.shown:
                step.add("shown", new.index)
            return
        index = old.index
        if position != old.position:
            (x, y, z), (old_x, old_y, old_z) = position, old.position
            step.moved.append((index, x - old_x, y - old_y, z - old_z))
        if rotation != old.rotation:
            step.add("turned", [index, rotation])
        if asleep != old.asleep:
            step.add("slept" if asleep else "woke", index)
        old.position, old.rotation, old.asleep = position, rotation, asleep
        if entity in self._written:
            look, before = _look(parts), old.look
            if look.outlines != before.outlines:
                step.add("shapes", [index, list(map(_outline, look.outlines))])
            if look.kind != before.kind:
                step.add("kinds", [index, look.kind])
            if look.components != before.components:
                step.add("components", [index, look.components])
            if look.shown != before.shown:
                step.add("shown" if look.shown else "hidden", index)
            old.look = look

    def _first_state(self, entity: int, seen: _Seen, *, is_start: bool) -> Json:
        name = self._name_of(entity)
        return {
            "id": entity,
            "name": "" if name == f"entity {entity}" else name,
            "kind": seen.look.kind,
            "at": list(seen.position),
            "rotation": seen.rotation,
            "parts": list(map(_outline, seen.look.outlines)),
            "group": -1,
            "asleep": int(seen.asleep),
            "shown": int(is_start and seen.look.shown),
            "components": seen.look.components,
        }

    def _hide(self, entity: int, step: _Step) -> None:
        """Note that a body was removed."""
        seen = self._seen.get(entity)
        if seen is not None and seen.look.shown:
            seen.look = replace(seen.look, shown=False)
            step.add("hidden", seen.index)

    def _compare_groups(self, step: _Step) -> None:
        """Add the fused groups that are others than in the last step; a group has the index of its root."""
        groups = self.world._bodies.groups.all()
        group_of = {entity: self._seen[group.root].index for group in groups for entity in group.members}
        for entity, seen in self._seen.items():
            group = group_of.get(entity, -1)
            if group != seen.group:
                seen.group = group
                step.add("groups", [seen.index, group])

    # Events and results.

    def _event(self, event: Event) -> Json:
        reason = f": {event.reason.value}" if isinstance(event, Blocked | TriggerLeft | ContactEnded) else ""
        entities = [getattr(event, FIELDS[type(event)][0]), *others_of(event)]
        data: Json = {
            "name": type(event).__name__,
            "text": sentence(event, self._name_of) + reason,
            "bodies": [self._seen[entity].index for entity in entities if entity in self._seen],
        }
        if isinstance(event, ContactBegan | Impact):
            data["normal"] = list(event.normal)
        return data

    def _result(self, result: MoveResult) -> Json:
        named = {result.entity, *result.pushed, *(id for link in result.links for id in (link.pusher, link.pushed))}
        named.update(blocker for stop in result.stops for blocker in stop.blockers)
        index = {entity: self._seen[entity].index for entity in named}
        return {
            "body": index[result.entity],
            "text": with_names(result.explain(), self._name_of),
            "requested": list(result.requested),
            "moved": list(result.moved),
            "force": result.force if isfinite(result.force) else None,  # JSON has no infinity
            "pushed": [[index[entity], *moved, _inertia(result, entity)] for entity, moved in result.pushed.items()],
            "links": [[index[link.pusher], index[link.pushed], link.axis, link.gap] for link in result.links],
            "stops": [
                {
                    "axis": stop.axis,
                    "reason": stop.reason.value,
                    "allowed": stop.allowed,
                    "blockers": [index[blocker] for blocker in stop.blockers],
                    "direction": list(stop.direction),
                }
                for stop in result.stops
            ],
        }


def _look(parts: Parts) -> _Look:
    # Transform and Velocity change in every frame; the page shows positions by itself.
    texts = [repr(part) for part in parts if part is not None and not isinstance(part, Transform | Velocity)]
    return _Look(outlines_of(parts), kind_of(parts), texts, is_enabled(parts))


def _inertia(result: MoveResult, entity: int) -> str:
    """Return the inertia of a pushed body along the axes on which it moved."""
    inertia = result.inertias[entity]
    return "" if inertia is None else inertia_along(inertia, result.pushed[entity])


def _outline(outline: Outline) -> list[Any]:
    """Return a part as the page reads it: centre and half extents of the core, radius, whether it turns, its matrix."""
    (lox, loy, loz, hix, hiy, hiz), radius, matrix = outline.part
    centre = [(lox + hix) / 2, (loy + hiy) / 2, (loz + hiz) / 2]
    halves = [(hix - lox) / 2, (hiy - loy) / 2, (hiz - loz) / 2]
    return [*centre, *halves, radius, int(outline.turns), *([list(matrix)] if matrix is not None else [])]
