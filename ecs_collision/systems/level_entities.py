"""The things of a level as entities of the current esper world, for `Puzzle` and `CollisionSystem.spawn`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import esper

from ecs_collision.components import COMPONENT_TYPES
from ecs_collision.errors import CollisionError, CollisionTypeError, CollisionValueError, LevelError
from ecs_collision.fixed_point import items_of, shown
from ecs_collision.game.game_world import KINDS
from ecs_collision.levels.level import Level, Thing, listed
from ecs_collision.levels.registry import BUILTIN_COMPONENTS, ComponentFactory
from ecs_collision.levels.spawning import ORIGIN, Place, parts_of, spawn_error
from ecs_collision.settings import LEVEL_SETTINGS, Settings
from ecs_collision.similar import did_you_mean
from ecs_collision.world import CollisionWorld

if TYPE_CHECKING:
    from ecs_collision.systems.collision_system import CollisionSystem

IGNORABLE = (*LEVEL_SETTINGS, "gravity")
"""What a spawned level may ask for and a running system may not have."""


@dataclass(frozen=True, slots=True)
class ThingName:
    """The `name` and `kind` of a thing: a component of every entity of a level, scenery included."""

    name: str
    kind: str


class SpawnedLevel(Mapping[str, int]):
    """The entities of a level in a running system, by the names of its things, scenery included. Made by `spawn`.

    level: the level.
    at: the place of its origin. `remove()` deletes the entities.
    """

    def __init__(self, level: Level, at: Place, system: CollisionSystem, entities: Mapping[str, int]) -> None:
        self.level, self.at = level, at
        self._system, self._entities = system, dict(entities)
        self._names = {entity: esper.component_for_entity(entity, ThingName) for entity in entities.values()}

    def __getitem__(self, name: str) -> int:
        """Return the entity of a thing; raises UnknownEntity with the known names."""
        return self._entities[self.level[name].name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entities)

    def __len__(self) -> int:
        return len(self._entities)

    def __repr__(self) -> str:
        return f"SpawnedLevel({self.level.title!r}, {len(self)} things at {self.at})"

    def remove(self, immediate: bool = False) -> None:
        """Delete the entities that the game has not deleted itself; `immediate` is that of `esper.delete_entity`.

        The esper world of the system must be current, otherwise it raises WorldError.
        """
        self._system._require_binding()
        for entity, name in self._names.items():
            if esper.entity_exists(entity) and esper.try_component(entity, ThingName) is name:  # ids may be used again
                esper.delete_entity(entity, immediate=immediate)


def create_entities(
    level: Level, makers: Mapping[str, ComponentFactory], world: CollisionWorld, at: Place = ORIGIN
) -> dict[str, int]:
    """Create an entity for every thing and return them by name, bodies first; all of them or none.

    makers: the game's own components that the level names. world: that of the system in the current esper world; all
    changes must be applied.
    """
    things = sorted(level.things, key=lambda thing: not thing.is_body)
    entities: dict[str, int] = {}
    try:
        entities.update((thing.name, esper.create_entity()) for thing in things)
        bodies = {thing.name: entities[thing.name] for thing in things if thing.is_body}
        made = {thing.name: _components(level, thing, bodies, makers, at) for thing in things}
        for name, components in made.items():
            for component in components:
                esper.add_component(entities[name], component)
        world.apply_changes()
    except BaseException as problem:
        for entity in entities.values():
            if esper.entity_exists(entity):
                esper.delete_entity(entity, immediate=True)
        world.apply_changes()
        if isinstance(problem, LevelError) or not isinstance(problem, CollisionError):
            raise
        raise spawn_error(level, problem, entities) from problem
    return entities


def _components(
    level: Level, thing: Thing, bodies: Mapping[str, int], makers: Mapping[str, ComponentFactory], at: Place
) -> list[Any]:
    names = [name for name in thing.components if not BUILTIN_COMPONENTS.is_builtin(name)]
    own = [_make_component(level, thing, name, makers) for name in names]
    builtin = parts_of(level, thing, bodies, at) if thing.is_body else ()
    return [ThingName(thing.name, thing.kind), *own, *(part for part in builtin if part is not None)]


def _make_component(level: Level, thing: Thing, name: str, makers: Mapping[str, ComponentFactory]) -> Any:
    """Return a component of the game, built from the fields in the level."""
    maker = makers.get(name)
    if maker is None:
        raise LevelError(
            level.source, found=f"{thing.name!r} with the component {name!r}",
            expected=f"one that is registered: {listed([*KINDS, *makers], 20)}",
            remedy=f"pass its class: components={{{name!r}: ...}}",
        )  # fmt: skip
    try:
        component = maker(**(thing.fields(name) or {}))
    except Exception as problem:
        raise LevelError(
            level.source, found=f"{name} of {thing.name!r}, which cannot be made: {problem}",
            expected=f"fields that {name} takes", remedy="correct the fields in the level",
        ) from problem  # fmt: skip
    if isinstance(component, (*COMPONENT_TYPES, ThingName)):
        raise LevelError(
            level.source, found=f"{name} of {thing.name!r}, which made {component!r}",
            expected="a component of the game's own", remedy=f"register a class of the game under {name!r}",
        )  # fmt: skip
    return component


def check_arguments(level: object, components: object, ignore: object) -> tuple[str, ...]:
    """Raise CollisionTypeError or CollisionValueError for wrong arguments of `spawn`; return the names to ignore."""
    if not isinstance(level, Level):
        raise CollisionTypeError(f"spawn needs a Level, not {shown(level)}; load_level(path) reads one")
    if not isinstance(components, Mapping):
        raise CollisionTypeError(f"components is {shown(components)}; give a mapping such as {{'Health': Health}}")
    names = items_of(ignore)
    if names is None:
        raise CollisionTypeError(f"ignore is {shown(ignore)}; give a list of names, as in ignore=['rule']")
    for name in names:
        if not isinstance(name, str) or name not in IGNORABLE:
            raise CollisionValueError(
                f"ignore has {shown(name)}; it may name {', '.join(IGNORABLE)}{did_you_mean(name, IGNORABLE)}"
            )
    return names


def check_fits(level: Level, settings: Settings, ignore: Collection[str]) -> None:
    """Raise CollisionValueError if a level asks for other settings than those of a running system.

    ignore: the names of settings, or "gravity", that may differ.
    """
    given: dict[str, Any] = dict(level.settings)
    wanted = Settings(**given)
    differing = [
        name for name in level.settings
        if name not in ignore and getattr(wanted, name) != getattr(settings, name)
    ]  # fmt: skip
    asked = [f"{name}={getattr(wanted, name)!r}" for name in differing]
    found = [f"{name}={getattr(settings, name)!r}" for name in differing]
    remedies = [f"create CollisionSystem({', '.join(asked)})"] if asked else []
    if level.gravity is not None and "gravity" not in ignore:
        differing.append("gravity")
        asked.append(f"gravity {level.gravity}")
        found.append("no gravity")
        remedies.append("play it as a Puzzle")
    if differing:
        raise CollisionValueError(
            f"{level.source} asks for {' and '.join(asked)}, but this system has {' and '.join(found)}; "
            f"{' and '.join(remedies)}, or pass ignore={differing!r}"
        )
