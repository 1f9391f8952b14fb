"""Where the bodies of a game live: what little a game needs to know of it, and the plain case without an ECS."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from ecs_collision.components import Collider, Fused, Inertia, Motion, Parts, Sleeping, Static, Transform, Trigger
from ecs_collision.errors import CollisionTypeError
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.spawning import spawn
from ecs_collision.world import CollisionWorld, Frame

KINDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Transform, Collider, Inertia, Motion, Sleeping, Static, Trigger, Fused)
}
"""What `Game.get` and `Game.set` call the components of this package."""

_HERE: AbstractContextManager[None] = nullcontext()


class Restorable(Protocol):
    """What takes snapshots: a world, or the system of one."""

    def snapshot(self) -> bytes:
        """Return the state as bytes."""

    def restore(self, data: bytes) -> None:
        """Set the state back to a snapshot, or raise and leave it."""

    def state_hash(self) -> str:
        """Return the hash of the state."""


class GameWorld(Protocol):
    """The bodies of a level in a world; `ids` are those of its things by name.

    runs_code: whether a frame may run code of the program.
    """

    ids: dict[str, int]
    runs_code: bool

    @property
    def world(self) -> CollisionWorld:
        """The engine with no ECS; use it inside `in_world` only."""

    @property
    def restorable(self) -> Restorable:
        """What takes snapshots and restores them."""

    def in_world(self) -> AbstractContextManager[None]:
        """Return the context in which the world may be used."""

    def make_current(self) -> None:
        """Come back into that context, wherever a handler has gone."""

    def step(self) -> Frame:
        """Do one frame."""

    def set_fused(self, id: int, parts: Parts, fused: Fused | None) -> None:
        """Give a body that has these components another Fused, or none; the next take-in applies it."""

    def component(self, id: int, kind: str | type[Any]) -> Any:
        """Return a component of a body by its name or class, None where it has none; raises for what is no kind."""

    def close(self) -> None:
        """Let go of every component."""


class PlainGameWorld:
    """The bodies of a level in a `CollisionWorld` of their own."""

    runs_code = False

    def __init__(self, level: Level, settings: Mapping[str, Any]) -> None:
        self.world = CollisionWorld(**settings)
        self.restorable = self.world
        self.ids = spawn(level, self.world)

    def in_world(self) -> AbstractContextManager[None]:
        """Return a context that does nothing: the world may always be used."""
        return _HERE

    def make_current(self) -> None:
        """Do nothing: there is no other world to come back from."""

    def step(self) -> Frame:
        """Do one frame."""
        return self.world.step()

    def set_fused(self, id: int, parts: Parts, fused: Fused | None) -> None:
        """Give a body that has these components another Fused, or none."""
        self.world.stage(id, parts._replace(fused=fused))

    def component(self, id: int, kind: str | type[Any]) -> Any:
        """Return a component of a body by its name or class, None where it has none."""
        return component_of(self.world, id, kind)

    def close(self) -> None:
        """Let go of every component."""
        self.world.release_all()


def component_of(world: CollisionWorld, id: int, kind: str | type[Any]) -> Any:
    """Return a component of this package that a body has, None where it has none; raises for what is no kind."""
    known = KINDS.get(kind) if isinstance(kind, str) else kind
    for part in world.bodies.of(world.bodies.row(id)):
        if isinstance(known, type) and isinstance(part, known):
            return part
    if known not in KINDS.values() and not (isinstance(known, type) and issubclass(known, Collider)):
        raise CollisionTypeError(f"{kind!r} is no component here; there are {listed(KINDS, 20)}")
    return None
