"""The world a game stands in: what little a game needs to know of where its bodies are.

`Engine` is a `CollisionWorld` of the game's own. A game in an ECS overrides what differs there: how bodies come to
be, what a frame is, and that its world must be the current one while it is used.
"""

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


class Keeper(Protocol):
    """What takes snapshots: a world, or the system of one."""

    def snapshot(self) -> bytes:
        """Return the state as bytes."""

    def restore(self, data: bytes) -> None:
        """Set the state back to a snapshot, or raise and leave it."""

    def state_hash(self) -> str:
        """Return the hash of the state."""


class Engine:
    """The bodies of a level in a world of their own; `ids` are those of its things by name.

    runs_code: whether a frame may run code of the program.
    """

    runs_code = False

    def __init__(self, level: Level, settings: Mapping[str, Any]) -> None:
        self._world = CollisionWorld(**settings)
        self.ids = spawn(level, self._world)

    @property
    def world(self) -> CollisionWorld:
        """The engine with no ECS; use it inside `at_home` only."""
        return self._world

    @property
    def _keeper(self) -> Keeper:
        """Whoever takes snapshots and restores them."""
        return self._world

    def at_home(self) -> AbstractContextManager[None]:
        """Return the context in which the world may be used."""
        return _HERE

    def stay(self) -> None:
        """Come back into that context, wherever a handler has gone."""

    def step(self) -> Frame:
        """Do one frame."""
        return self._world.step()

    def weld(self, welds: Mapping[int, int | None]) -> None:
        """Fuse bodies to others, or to nobody (None)."""
        bodies = self.world.bodies
        before = {id: bodies.of(bodies.row(id)) for id in welds}
        try:
            for id, to in welds.items():
                self._fuse(id, before[id], None if to is None else Fused(to))
            self.world.take_in()
        except BaseException:
            for id, parts in before.items():
                self._fuse(id, before[id], parts.fused)
            raise

    def drop_teleports(self) -> None:
        """Forget the teleports that are written and not taken in yet."""
        bodies = self.world.bodies
        bodies.placing.recall(bodies.rows_of(list(bodies.row_of)))

    def _fuse(self, id: int, parts: Parts, fused: Fused | None) -> None:
        self.world.stage(id, parts._replace(fused=fused))

    def snapshot(self) -> bytes:
        """Return the state of the world as bytes."""
        return self._keeper.snapshot()

    def restore(self, data: bytes) -> None:
        """Set the world back to a snapshot, or raise and leave it."""
        self._keeper.restore(data)

    def state_hash(self) -> str:
        """Return the hash of the state of the world."""
        return self._keeper.state_hash()

    def parts(self, id: int) -> Parts:
        """Return the components of this package that a body has."""
        bodies = self.world.bodies
        return bodies.of(bodies.row(id))

    def component(self, id: int, kind: str | type[Any]) -> Any:
        """Return a component of a body by its name or class, None where it has none; raises for what is no kind."""
        known = KINDS.get(kind) if isinstance(kind, str) else kind
        for part in self.parts(id):
            if isinstance(known, type) and isinstance(part, known):
                return part
        if known not in KINDS.values() and not (isinstance(known, type) and issubclass(known, Collider)):
            raise CollisionTypeError(f"{kind!r} is no component here; there are {listed(KINDS, 20)}")
        return None

    def close(self) -> None:
        """Let go of every component."""
        self._world.release_all()
