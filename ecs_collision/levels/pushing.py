"""Who may push whom, beyond force and inertia: the game's own hook, and what falls (rule P15)."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.levels.naming import Names

CanPush = Callable[[str, str, str, float], bool | None]
"""`can_push(pusher, pushed, axis, force)` in names: False vetoes, True allows, None leaves it to the rule."""


class Pushing:
    """The hook of a game's world. What falls takes along all that falls, and asks nobody."""

    def __init__(self, can_push: CanPush | None) -> None:
        self._can_push = can_push
        self.names: Names | None = None
        self.falling: frozenset[int] | None = None
        """While things fall: those that do so without inertia."""

    @property
    def is_asked(self) -> bool:
        """Whether the game has a hook of its own."""
        return self._can_push is not None

    def __call__(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the verdict on one push."""
        if self.falling is not None:
            return True if pushed in self.falling else None
        if self._can_push is None or self.names is None:
            return None
        return self._can_push(self.names.called(pusher), self.names.called(pushed), axis, force)
