"""`Puzzle`: a level being played in an esper world of its own, so that processors of the game see its things.

Everything a `Game` can do, a puzzle can: the rules, handlers and history are the same code. What differs is the engine
below: bodies are entities, a frame is `esper.process()`, and the world is current whenever it is used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

from ecs_collision.errors import CollisionTypeError
from ecs_collision.game.game_world import GameWorld
from ecs_collision.game.game import Game
from ecs_collision.levels.level import Level
from ecs_collision.levels.load import load_level
from ecs_collision.levels.registry import ComponentFactory
from ecs_collision.systems.collision_system import CollisionSystem
from ecs_collision.systems.esper_game_world import EsperGameWorld


class Puzzle(Game):
    """A level in an esper world: every thing is an entity with its components and a `ThingName`.

    world_name: the esper world to use, a new one where None or where there is none of this name. components: those of
    the game's own that the level names, name to class; they are made of the fields given there. All else as for `Game`.

    A turn calls `esper.process()` in that world, once a round, so processors of the game run; the world that was
    current before is so again afterwards. What undo takes back is what this package knows of, and `state`: components
    of the game's own are not. `close()` deletes the world; a puzzle is a context manager that closes itself.
    """

    def __init__(
        self,
        level: Level | str | os.PathLike[str],
        *,
        world_name: str | None = None,
        components: Mapping[str, ComponentFactory] | None = None,
        **how: Any,
    ) -> None:
        if world_name is not None and (not isinstance(world_name, str) or not world_name):
            raise CollisionTypeError(f"world_name is {world_name!r}; give the name of an esper world, or None")
        self._world_name, self._makers = world_name, dict(components or {})
        super().__init__(level if isinstance(level, Level) else load_level(level, components=self._makers), **how)

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
        """The entities of all things by name, those of scenery too."""
        return self._esper.entities

    def entity(self, name: str) -> int:
        """Return the entity of a thing; raises UnknownEntity with the names there are."""
        self.level[name]
        return self._esper.entities[name]

    @property
    def process_arguments(self) -> tuple[Any, ...]:
        """What `esper.process` is given in every frame, such as (dt,); processors of the game may ask for it."""
        return self._esper.process_arguments

    @process_arguments.setter
    def process_arguments(self, arguments: tuple[Any, ...]) -> None:
        self._esper.process_arguments = tuple(arguments)

    def close(self) -> None:
        """Delete the esper world; in one that was there before, only the entities and the system of the puzzle."""
        self._esper.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
