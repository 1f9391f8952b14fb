"""The world of a game's bodies: the protocol that a game needs, and the implementation without an ECS."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ecs_collision.components import BODY_KINDS, Collider, Fused, Parts
from ecs_collision.doctor import Advice
from ecs_collision.errors import CollisionTypeError
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.spawning import spawn
from ecs_collision.world import CollisionWorld, Frame

KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in BODY_KINDS}
"""The names of this package's components for `Game.get` and `Game.set`."""


class Restorable(Protocol):
    """Takes and restores snapshots: a world, or the system of one."""

    def snapshot(self) -> bytes:
        """Return the state as bytes."""

    def restore(self, data: bytes) -> None:
        """Restore a snapshot, or raise and change nothing."""

    def state_hash(self) -> str:
        """Return the hash of the state."""


class GameWorld(Protocol):
    """The bodies of a level in a world; `ids` are the ids of its things by name.

    runs_code: whether a frame may run code of the program.
    """

    ids: dict[str, int]
    runs_code: bool

    @property
    def world(self) -> CollisionWorld:
        """The engine without an ECS; use it only inside `in_world`."""

    @property
    def restorable(self) -> Restorable:
        """The object that takes and restores snapshots."""

    def in_world(self) -> AbstractContextManager[None]:
        """Return the context in which the world may be used, and not by other threads."""

    def make_current(self) -> None:
        """Return to that context after a handler left it."""

    def step(self) -> Frame:
        """Run one frame."""

    def set_fused(self, id: int, parts: Parts, fused: Fused | None) -> None:
        """Replace or remove the Fused of a body with these components; takes effect when changes are applied."""

    def component(self, id: int, kind: str | type[Any]) -> Any:
        """Return a component of a body by its name or class, or None; raises if there is no such kind."""

    def doctor(self) -> list[Advice]:
        """Return advice on the world, with ids."""

    def close(self) -> None:
        """Release every component."""


class PlainGameWorld:
    """The bodies of a level in a `CollisionWorld` of their own."""

    runs_code = False

    def __init__(self, level: Level, settings: Mapping[str, Any]) -> None:
        self.world = CollisionWorld(**settings)
        self.restorable = self.world
        self.ids = spawn(level, self.world)

    def in_world(self) -> AbstractContextManager[None]:
        """Return a context in which other threads may not use the world."""
        return self.world._access

    def make_current(self) -> None:
        """Do nothing: there is no other world."""

    def step(self) -> Frame:
        """Run one frame."""
        return self.world.step()

    def set_fused(self, id: int, parts: Parts, fused: Fused | None) -> None:
        """Replace or remove the Fused of a body with these components."""
        self.world._stage(id, parts._replace(fused=fused))

    def component(self, id: int, kind: str | type[Any]) -> Any:
        """Return a component of a body by its name or class, or None."""
        return component_of(self.world, id, kind)

    def doctor(self) -> list[Advice]:
        """Return advice on the world, with ids."""
        return self.world.doctor()

    def close(self) -> None:
        """Release every component."""
        self.world._release_all()


def component_of(world: CollisionWorld, id: int, kind: str | type[Any]) -> Any:
    """Return a component of this package that a body has, or None; raises if there is no such kind."""
    known = KINDS.get(kind) if isinstance(kind, str) else kind
    if isinstance(known, type):
        for part in world._bodies.of(world._bodies.row(id)):
            if isinstance(part, known):
                return part
        if known in KINDS.values() or issubclass(known, Collider):
            return None
    raise CollisionTypeError(f"{kind!r} is not a component here; the components are {listed(KINDS, 20)}")
