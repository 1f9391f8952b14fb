"""`Puzzle`: a level played in an esper world of its own, so that the game's processors can use its things.

A puzzle has all features of a `Game`: mechanics, handlers and history are the same code. Only the engine differs:
bodies are entities, a frame is `esper.process()`, and the world is current whenever it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Self, Unpack

from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import items_of
from ecs_collision.game.game import Game, GameOptions
from ecs_collision.game.game_world import GameWorld
from ecs_collision.game.naming import text
from ecs_collision.levels.level import Level
from ecs_collision.levels.load import load_level
from ecs_collision.levels.registry import ComponentFactory
from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.esper_game_world import EsperGameWorld


class Puzzle(Game):
    """A level in an esper world: every thing is an entity with its components and a `ThingName`.

    world_name: the esper world to use; a new one if None or if no world has this name. components: the game's own
    components that the level names, name to class; they are created from the fields in the level. All other arguments
    are those of `Game`.

    A turn calls `esper.process()` in that world once a round, so processors of the game run. Afterwards the world that
    was current before is current again. Undo restores the components of this package and `state`, but not the game's
    own components. `close()` deletes the world; a puzzle is a context manager that closes itself.
    """

    def __init__(
        self,
        level: Level | str | os.PathLike[str],
        *,
        world_name: str | None = None,
        components: Mapping[str, ComponentFactory] | None = None,
        script: Callable[[Self], object] | str | os.PathLike[str] | None = None,
        **options: Unpack[GameOptions],
    ) -> None:
        if world_name is not None and (not isinstance(world_name, str) or not world_name):
            raise CollisionTypeError(f"world_name is {world_name!r}; give the name of an esper world, or None")
        self._world_name, self._makers = world_name, dict(components or {})
        level = level if isinstance(level, Level) else load_level(level, components=self._makers)
        super().__init__(level, script=script, **options)

    def _make_world(self, level: Level, settings: Mapping[str, Any]) -> GameWorld:
        self._esper = EsperGameWorld(level, settings, self._world_name, self._makers)
        return self._esper

    @property
    def system(self) -> CollisionSystem:
        """The processor of the bodies."""
        return self._esper.system

    @property
    def esper_world(self) -> str:
        """The name of the esper world."""
        return self._esper.name

    @property
    def entities(self) -> Mapping[str, int]:
        """The entities of all things by name, scenery included."""
        return self._esper.entities

    def entity(self, name: str) -> int:
        """Return the entity of a thing; raises UnknownEntity with the known names."""
        return self._esper.entities[self.level[text(name)].name]

    @property
    def process_arguments(self) -> tuple[Any, ...]:
        """The arguments of `esper.process` in every frame, such as (dt,), for processors of the game."""
        return self._esper.process_arguments

    @process_arguments.setter
    def process_arguments(self, arguments: tuple[Any, ...]) -> None:
        given = items_of(arguments)
        if given is None:
            raise CollisionTypeError(f"process_arguments is {arguments!r}; give a tuple, such as (dt,)")
        self._esper.process_arguments = given

    def close(self) -> None:
        """Delete the esper world; if it existed before, only the entities and the system of the puzzle."""
        self._esper.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
