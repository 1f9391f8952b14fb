"""The things of a level by name: where they are, and what a script does to them."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import Any, Never

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import LATTICE, finite, flag, shown
from ecs_collision.game.game_world import Engine
from ecs_collision.game.geometry import fits, on_trigger
from ecs_collision.game.naming import Names, text
from ecs_collision.levels.level import Level, listed
from ecs_collision.results import MoveResult
from ecs_collision.world import CollisionWorld, Plan

Position = tuple[float, float, float]


class Things:
    """A level that stands in a world. Every call takes names; one that takes a selector takes a kind as well."""

    def __init__(self, level: Level, engine: Engine) -> None:
        self.level = level
        self._engine = engine
        self._names = Names(level, engine.ids)
        self._triggers: set[str] = set()

    # Names.

    @property
    def world(self) -> CollisionWorld:
        """The world of the bodies."""
        return self._engine.world

    @property
    def ids(self) -> Mapping[str, int]:
        """The ids of the bodies, by name."""
        return self._names.ids

    def id(self, name: str) -> int:
        """Return the id of a body; raises UnknownEntity with the names there are."""
        return self._names.id(name)

    def name(self, id: int) -> str:
        """Return the name of a body; raises UnknownEntity where the level has none with this id."""
        return self._names.name(id)

    def select(self, selector: str) -> list[str]:
        """Return the names of the bodies that a name or a kind means; raises UnknownEntity where there is none."""
        return [self._names.name(id) for id in self._names.members(selector)]

    def members(self, selector: str, *, trigger: bool = False) -> tuple[int, ...]:
        """Return the ids of the bodies that a name or a kind means; with `trigger`, all of them must be triggers."""
        found = self._names.members(selector)
        if flag(trigger, "trigger") and selector not in self._triggers:
            for id in found:
                if self._engine.parts(id).trigger is None:
                    raise CollisionValueError(
                        f"{self._names.called(id)!r} is no trigger, so nothing is on it; give it Trigger in the level"
                    )
            self._triggers.add(selector)
        return found

    # Looking.

    def position(self, name: str) -> Position:
        """Return the position (x, y, z) of a thing; of scenery that in the level."""
        id = self.ids.get(text(name))
        if id is None:
            return self.level[name].position
        transform = self._engine.parts(id).transform
        assert transform is not None
        return transform.position

    def cell(self, name: str) -> tuple[int, int]:
        """Return the column and the row of the cell in which the position of a thing lies."""
        x, y, _ = self.position(name)
        return math.floor(x), math.floor(y)

    def at(self, column: int, row: int) -> list[str]:
        """Return the names of the things that cover the middle of a cell, triggers too; the disabled ones do not."""
        with self._engine.at_home():
            middle = (finite(column, "column") + 0.5, finite(row, "row") + 0.5)
            found = self.world.space.at(*middle, triggers=True)
        return [self._names.called(id) for id in found]

    def inside(self, trigger: str) -> list[str]:
        """Return the names of what is in a trigger, or in any of those of a kind, at the end of the last frame."""
        found: set[int] = set()
        for id in self.members(trigger, trigger=True):
            found.update(self.ids_inside(id))
        return [self._names.called(id) for id in sorted(found)]

    def ids_inside(self, trigger: int) -> list[int]:
        """Return the ids of what is in a trigger at the end of the last frame, each of a fused group by itself."""
        with self._engine.at_home():
            return on_trigger(self.world, trigger)

    def touching(self, name: str) -> list[str]:
        """Return the names of the bodies that touch a thing now."""
        with self._engine.at_home():
            return [self._names.called(id) for id in self.world.touching(self.id(name))]

    def is_enabled(self, name: str) -> bool:
        """Return whether a thing takes part."""
        return self.is_there(self.id(name))

    def is_there(self, id: int) -> bool:
        """Return whether a body takes part, by its id."""
        parts = self._engine.parts(id)
        trigger = parts.trigger
        return parts.collider is not None and parts.collider.enabled and (trigger is None or trigger.enabled)

    def fits(self, name: str, x: float | None = None, y: float | None = None) -> bool:
        """Return whether a thing, there or where it is, would overlap no solid body that it meets (P14).

        What it is fused to goes along. Bodies with Static do not count where it is now: a door may be set into a wall.
        """
        id = self.id(name)
        with self._engine.at_home():
            self.world.take_in()
            here = self.place_of(id)
            way = (
                0.0 if x is None else finite(x, f"x of {name!r}") - here[0],
                0.0 if y is None else finite(y, f"y of {name!r}") - here[1],
            )
            return fits(self.world, self.fused_ids(id), way, x is None and y is None)

    def get(self, name: str, component: str | type[Any]) -> Any:
        """Return a component of a thing, such as `game.get("player", "Motion")`; None where it has none."""
        with self._engine.at_home():
            return self._engine.component(self.id(name), component)

    def place_of(self, id: int) -> tuple[float, float]:
        """Return the position (x, y) of a body, by its id."""
        bodies = self.world.bodies
        x, y, _ = bodies.wanted(bodies.row(id))
        return x * LATTICE, y * LATTICE

    def fused_ids(self, id: int) -> tuple[int, ...]:
        """Return the ids of the bodies that are one with a body, itself included, sorted."""
        entity = self._entity(id)
        group = self.world.bodies.groups.of(entity)
        return (entity,) if group is None else group.members

    def _entity(self, id: int) -> int:
        """Return the id of a body as a plain int; raises UnknownEntity where it is that of none."""
        bodies = self.world.bodies
        return bodies.entity(bodies.row(id))

    def fused(self, name: str) -> list[str]:
        """Return the names of the things that are one body with a thing, itself included."""
        with self._engine.at_home():
            self.world.take_in()
            return [self._names.called(id) for id in self.fused_ids(self.id(name))]

    # Doing. All of it holds at once; triggers see it in the next round.

    def move(self, name: str, dx: float = 0.0, dy: float = 0.0, **how: Any) -> MoveResult:
        """Move a thing now, pushing; `how` as for `CollisionWorld.move`: force, rule, max_chain, all_or_nothing."""
        with self._engine.at_home():
            return self.shift(self.id(name), dx, dy, **how)

    def shift(self, id: int, dx: float, dy: float, **how: Any) -> MoveResult:
        """Move a body now, by its id; see `move`."""
        return self.world.move(id, dx, dy, **how)

    def plan(self, name: str, dx: float = 0.0, dy: float = 0.0, **how: Any) -> Plan:
        """Return what `move` would do, without moving anything."""
        with self._engine.at_home():
            return self.forecast(self.id(name), dx, dy, **how)

    def forecast(self, id: int, dx: float, dy: float, **how: Any) -> Plan:
        """Return what `shift` would do."""
        return self.world.plan(id, dx, dy, **how)

    def request(self, name: str, dx: float = 0.0, dy: float = 0.0) -> None:
        """Add to what a thing's Motion asks for in the next frame, for games in real time."""
        with self._engine.at_home():
            self.world.request(self.id(name), dx, dy)

    def teleport(self, name: str, x: float, y: float) -> None:
        """Set the position of a thing and of what it is fused to: nothing is pushed, it may overlap; ask `fits`."""
        id = self.id(name)
        with self._engine.at_home():
            self.world.take_in()
            here = self.place_of(id)
            self.carry(id, finite(x, f"x of {name!r}") - here[0], finite(y, f"y of {name!r}") - here[1])

    def carry(self, id: int, dx: float, dy: float) -> None:
        """Teleport a body and what it is fused to, by its id and as far as is said."""
        way = (finite(dx, f"dx of entity {shown(id)}"), finite(dy, f"dy of entity {shown(id)}"))
        ids = self.fused_ids(id)
        places = [self.place_of(each) for each in ids]
        self.world.set_positions(ids, [(x + way[0], y + way[1]) for x, y in places])

    def weld(self, welds: Mapping[int, int | None]) -> None:
        """Fuse bodies to others, or to nobody (None), by their ids."""
        named = {self._entity(id): None if to is None else self._entity(to) for id, to in welds.items()}
        wanted = {id: to for id, to in named.items() if self.world.bodies.groups.partner.get(id) != to}
        if wanted:
            self._engine.weld(wanted)

    def disable(self, selector: str) -> None:
        """Take things out: they block nothing and are in nothing, until they are enabled again (E9)."""
        self._set_enabled(selector, False)

    def enable(self, selector: str) -> None:
        """Let things take part again, where they are; ask `fits` whether they would overlap something."""
        self._set_enabled(selector, True)

    def _set_enabled(self, selector: str, enabled: bool) -> None:
        for id in self._names.members(selector):
            parts = self._engine.parts(id)
            assert parts.collider is not None
            if parts.collider.enabled != enabled:
                parts.collider.enabled = enabled
            if enabled and parts.trigger is not None and not parts.trigger.enabled:
                parts.trigger.enabled = True

    def set(self, selector: str, component: str | type[Any], *unnamed: Never, **fields: Any) -> None:
        """Set fields of a component of things, as in `game.set("crate", "Inertia", value=2)`: all of them, or none."""
        if unnamed:
            raise CollisionTypeError(
                f"set({selector!r}, {component!r}, ...) got {unnamed[0]!r} and not its field; name the field, "
                'as in set("crate", "Inertia", value=2)'
            )
        with self._engine.at_home():
            targets = [(id, self._engine.component(id, component)) for id in self._names.members(selector)]
        kind = component if isinstance(component, str) else component.__name__
        for id, target in targets:
            if target is None:
                raise CollisionValueError(
                    f"{self._names.called(id)!r} has no {kind}; give it one in the level, none are added later"
                )
            _try(target, kind, fields)
        for _, target in targets:
            for field, value in fields.items():
                setattr(target, field, value)


def _try(target: Any, kind: str, fields: Mapping[str, Any]) -> None:
    """Set the fields of a copy, so that what is refused is refused before anything is set."""
    trial = copy.copy(target)
    for field, value in fields.items():
        known = [name for name in dir(target) if not name.startswith("_") and not callable(getattr(target, name))]
        if field not in known:
            raise CollisionTypeError(f"{kind} has no field {field!r}; it has {listed(known, 20)}")
        setattr(trial, field, value)
