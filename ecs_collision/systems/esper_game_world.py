"""The things of a level as entities of an esper world, for `Puzzle`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import esper

from ecs_collision.components import Fused, Parts
from ecs_collision.doctor import Advice
from ecs_collision.errors import WorldError
from ecs_collision.game.game_world import KINDS, component_of
from ecs_collision.levels.level import Level
from ecs_collision.levels.registry import ComponentFactory
from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.level_entities import create_entities
from ecs_collision.systems.world_binding import WorldBinding, switch_to
from ecs_collision.world import CollisionWorld, Frame

_numbers = itertools.count(1)


class EsperGameWorld:
    """The things of a level as entities of an esper world."""

    runs_code = True

    def __init__(
        self, level: Level, settings: Mapping[str, Any], world_name: str | None, makers: Mapping[str, ComponentFactory]
    ) -> None:
        name = world_name if world_name is not None else _fresh_name()
        self.owns_world = name not in esper.list_worlds()
        self.process_arguments: tuple[Any, ...] = ()
        self.entities: dict[str, int] = {}
        self.makers = makers
        before = esper.current_world
        esper.switch_world(name)
        try:
            self._binding = WorldBinding()
            try:
                self.system = CollisionSystem(**settings)
            except BaseException:
                self._delete_own_world()
                raise
            try:
                esper.add_processor(self.system)
                self._spawn(level)
            except BaseException:
                self.close()
                raise
        finally:
            switch_to(before)

    def _spawn(self, level: Level) -> None:
        """Create an entity for every thing, or none; bodies first, so that ids have the same order as in a `Game`."""
        self.world.apply_changes()
        self.entities = create_entities(level, self.makers, self.world)
        self.ids = {thing.name: self.entities[thing.name] for thing in level.things if thing.is_body}

    # The GameWorld protocol.

    @property
    def name(self) -> str:
        """The name of the esper world."""
        return self._binding.name

    @property
    def world(self) -> CollisionWorld:
        """The engine of the system."""
        return self.system._world

    @property
    def restorable(self) -> CollisionSystem:
        """The object that takes and restores snapshots: the system."""
        return self.system

    def in_world(self) -> AbstractContextManager[None]:
        """Return a context in which the world is current."""
        return self.world._access if self._binding.is_current else self._visit()

    @contextmanager
    def _visit(self) -> Iterator[None]:
        with self.world._access, self._binding.visit() as exists:
            if not exists:
                raise self._deleted_error()
            yield

    def make_current(self) -> None:
        """Make the world current again after a handler switched to another one."""
        if not self._binding.make_current():
            raise self._deleted_error()

    def _deleted_error(self) -> WorldError:
        return WorldError(
            f"the esper world {self._binding.name!r} of this puzzle was deleted or closed; create another puzzle"
        )

    def step(self) -> Frame:
        """Run one frame: all processors of the world."""
        esper.process(*self.process_arguments)
        return self.world.frame

    def set_fused(self, id: int, parts: Parts, fused: Fused | None) -> None:
        """Replace or remove the Fused component of a body."""
        if fused is not None:
            esper.add_component(id, fused)
        elif esper.has_component(id, Fused):
            esper.remove_component(id, Fused)

    def component(self, id: int, kind: str | type[Any]) -> Any:
        """Return a component of a thing by its name or class, or None."""
        known = self.makers.get(kind) if isinstance(kind, str) else kind
        if isinstance(known, type) and known not in KINDS.values():
            return esper.try_component(id, known)
        return component_of(self.world, id, kind)

    def doctor(self) -> list[Advice]:
        """Return advice on the system, with ids."""
        return self.system.doctor()

    def close(self) -> None:
        """Delete the world, or only the puzzle's entities if the world existed before."""
        with self._binding.visit() as exists:
            if not exists:
                return
            self.system.close()
            for entity in self.entities.values():
                if esper.entity_exists(entity):
                    esper.delete_entity(entity, immediate=True)
        self._delete_own_world()

    def _delete_own_world(self) -> None:
        if self.owns_world:
            if self._binding.is_current:
                esper.switch_world(
                    next((name for name in esper.list_worlds() if name != self._binding.name), "default")
                )
            esper.delete_world(self._binding.name)


def _fresh_name() -> str:
    """Return a name that no esper world has."""
    taken = set(esper.list_worlds())
    return next(name for name in (f"puzzle {number}" for number in _numbers) if name not in taken)
