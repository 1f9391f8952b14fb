"""The things of a game by id: their positions and relations, and how to move, teleport and fuse them.

`Game` offers the same by name; mechanics and conditions use ids. Use it only inside `game_world.in_world()`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from ecs_collision.bodies.columns import ENABLED
from ecs_collision.bodies.filters import are_solid, filter_of, reports
from ecs_collision.components import Fused, Parts
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import LATTICE, flag, to_units
from ecs_collision.game.game_world import GameWorld
from ecs_collision.game.naming import Names
from ecs_collision.game.push_filter import PushFilter
from ecs_collision.levels.level import Level, listed
from ecs_collision.results import MoveResult
from ecs_collision.settings import MotionOptions
from ecs_collision.shapes.overlap import placed, separation
from ecs_collision.world import CollisionWorld, Plan

Partners = Mapping[int, int | None]
"""The body that each body is fused to, or None."""


class Things:
    """The bodies of a level in a game world."""

    def __init__(self, level: Level, game_world: GameWorld, push_filter: PushFilter) -> None:
        self.game_world = game_world
        self.names = Names(level, game_world.ids)
        self.push_filter = push_filter
        push_filter.bind(self.names, game_world.world._bodies)
        self._triggers: set[str] = set()

    @property
    def world(self) -> CollisionWorld:
        """The world of the bodies."""
        return self.game_world.world

    def members(self, selector: str, *, trigger: bool = False) -> tuple[int, ...]:
        """Return the ids of the bodies that a name or kind selects; with `trigger`, all of them must be triggers."""
        found = self.names.members(selector)
        if flag(trigger, "trigger") and selector not in self._triggers:
            for id in found:
                if self.parts(id).trigger is None:
                    raise CollisionValueError(
                        f"{self.names.display_name(id)!r} is no trigger; give it the component Trigger in the level"
                    )
            self._triggers.add(selector)
        return found

    # Queries.

    def parts(self, id: int) -> Parts:
        """Return the components of this package that a body has."""
        bodies = self.world._bodies
        return bodies.of(bodies.row(id))

    def is_enabled(self, id: int) -> bool:
        """Return whether a body is enabled."""
        parts = self.parts(id)
        trigger = parts.trigger
        return parts.collider is not None and parts.collider.enabled and (trigger is None or trigger.enabled)

    def position_of(self, id: int) -> tuple[float, float]:
        """Return the position (x, y) of a body."""
        bodies = self.world._bodies
        x, y, _ = bodies.written_position(bodies.row(id))
        return x * LATTICE, y * LATTICE

    def fused_ids(self, id: int) -> tuple[int, ...]:
        """Return the ids of the bodies fused to a body, itself included, sorted."""
        bodies = self.world._bodies
        bodies.row(id)
        group = bodies.groups.of(id)
        return (id,) if group is None else group.members

    def ids_inside(self, trigger: int) -> list[int]:
        """Return the ids of the bodies in a trigger at the end of the last frame, with the members of fused groups.

        The world reports a group by its root. Here each member is listed whose own boxes are in the trigger now. A
        group that only lingers is listed by its root.
        """
        inside = self.world.inside(trigger)
        if not self.world._bodies.group_links.count:
            return inside
        found: set[int] = set()
        for id in inside:
            group = self.world._bodies.groups.of(id)
            members = [] if group is None else [each for each in group.members if self._is_in(each, trigger)]
            found.update(members or [id])
        return sorted(found)

    def _is_in(self, id: int, trigger: int) -> bool:
        """Return whether a body alone would be inside a trigger (T2, T6)."""
        bodies, body, place = self.world._bodies, self.parts(id), self.parts(trigger)
        if body.collider is None or body.trigger is not None or place.collider is None:
            return False
        if not reports(filter_of(place), filter_of(body)):
            return False
        rows = bodies.row(id), bodies.row(trigger)
        if not all(bodies.has(row, ENABLED) for row in rows):
            return False
        limit = 1 if place.trigger is not None and place.trigger.touching else 0
        parts, trigger_parts = map(bodies.parts_if_enabled, rows)
        return any(separation(placed(a), placed(b)) <= limit for a in parts for b in trigger_parts)

    def fits(self, ids: Sequence[int], dx: float, dy: float, in_walls: bool = False) -> bool:
        """Return whether displaced bodies would overlap no other solid body; `in_walls` ignores Static ones."""
        world, bodies = self.world, self.world._bodies
        world.apply_changes()
        for id in ids:
            row = bodies.row(id)
            for part in bodies.parts_if_enabled(row):
                there = part.shifted(to_units(dx), to_units(dy), 0)
                for other in world.space._overlapping_part(there, ids):
                    theirs = self.parts(other)
                    if are_solid(bodies.of(row), theirs) and not (in_walls and theirs.static is not None):
                        return False
        return True

    def refuse_static(self, ids: Iterable[int], what: str) -> None:
        """Raise if one of the bodies is Static, since it could not move with the others."""
        for id in ids:
            if self.parts(id).static is not None:
                name = self.names.name(id)
                raise CollisionValueError(f"{what}: {name!r} is Static and never moves; remove Static from it")

    # Changes.

    def move(self, id: int, dx: float, dy: float, **how: Unpack[MotionOptions]) -> MoveResult:
        """Move a body now, pushing; `how` as for `CollisionWorld.move`."""
        with self.push_filter.moving(dx, dy):
            return self.world.move(id, dx, dy, **how)

    def plan(self, id: int, dx: float, dy: float, **how: Unpack[MotionOptions]) -> Plan:
        """Return what `move` would do."""
        with self.push_filter.moving(dx, dy):
            return self.world.plan(id, dx, dy, **how)

    def teleport(self, id: int, dx: float, dy: float) -> None:
        """Teleport a body and what it is fused to, by a displacement."""
        ids = self.fused_ids(id)
        places = [self.position_of(each) for each in ids]
        self.world.set_positions(ids, [(x + dx, y + dy) for x, y in places])

    def set_enabled(self, ids: Iterable[int], enabled: bool) -> None:
        """Enable or disable bodies."""
        for id in ids:
            parts = self.parts(id)
            assert parts.collider is not None
            if parts.collider.enabled != enabled:
                parts.collider.enabled = enabled
            if enabled and parts.trigger is not None and not parts.trigger.enabled:
                parts.trigger.enabled = True

    def set_fields(self, ids: Iterable[int], component: str | type[Any], fields: Mapping[str, Any]) -> None:
        """Set fields of a component of bodies: all of them, or raise and set none."""
        targets = [(id, self.game_world.component(id, component)) for id in ids]
        kind = component if isinstance(component, str) else component.__name__
        for id, target in targets:
            if target is None:
                raise CollisionValueError(
                    f"{self.names.display_name(id)!r} has no {kind}; add it in the level, not during the game"
                )
            _set_on_copy(target, kind, fields)
        for _, target in targets:
            for field, value in fields.items():
                setattr(target, field, value)

    def fuse(self, partners: Partners) -> None:
        """Fuse bodies to others or to none: all of them, or raise and change nothing."""
        known = self.world._bodies.groups.partner
        before = {id: self.parts(id) for id, to in partners.items() if known.get(id) != to}
        if not before:
            return
        try:
            for id, parts in before.items():
                to = partners[id]
                self.game_world.set_fused(id, parts, None if to is None else Fused(to))
            self.world.apply_changes()
        except BaseException:
            for id, parts in before.items():
                self.game_world.set_fused(id, parts, parts.fused)
            raise


def _set_on_copy(target: Any, kind: str, fields: Mapping[str, Any]) -> None:
    """Set the fields on a copy, so that errors are raised before anything is set."""
    trial = copy.copy(target)
    for field, value in fields.items():
        known = [name for name in dir(target) if not name.startswith("_") and not callable(getattr(target, name))]
        if field not in known:
            raise CollisionTypeError(f"{kind} has no field {field!r}; its fields are {listed(known, 20)}")
        setattr(trial, field, value)
