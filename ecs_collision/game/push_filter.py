"""Limits pushes beyond force and inertia: one-way things, the game's own hook, and falling (rule P15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from ecs_collision.bodies import Bodies
from ecs_collision.fixed_point import AXES
from ecs_collision.game.naming import Names

CanPush = Callable[[str, str, str, float], bool | None]
"""`can_push(pusher, pushed, axis, force)` with names: False forbids, True allows, None applies the push rule."""


_NO_CONTEXT: AbstractContextManager[None] = nullcontext()


class PushFilter:
    """The push hook of a game's world. While things fall, every falling thing may push and no other hook is called.

    A hook does not receive the direction of a push along its axis. For motions made by the game the direction is known;
    for requests it follows from the positions of the two bodies.

    one_way: the direction in which each one-way thing may be pushed, by id.
    """

    def __init__(self, can_push: CanPush | None) -> None:
        self._can_push = can_push
        self._names: Names | None = None
        self._bodies: Bodies | None = None
        self._direction: tuple[float, float] | None = None
        self.one_way: dict[int, tuple[int, int]] = {}
        self._falling: dict[int, bool] | None = None

    def bind(self, names: Names, bodies: Bodies) -> None:
        """Set the names and bodies of the world, which is created after its hook."""
        self._names, self._bodies = names, bodies

    @property
    def has_hook(self) -> bool:
        """Whether the game has a hook of its own."""
        return self._can_push is not None

    def moving(self, dx: float, dy: float) -> AbstractContextManager[None]:
        """Return a context for motions in a known direction."""
        return self._moving(dx, dy) if self.one_way else _NO_CONTEXT

    @contextmanager
    def _moving(self, dx: float, dy: float) -> Iterator[None]:
        before, self._direction = self._direction, (dx, dy)
        try:
            yield
        finally:
            self._direction = before

    @contextmanager
    def falling(self, verdicts: dict[int, bool]) -> Iterator[None]:
        """Return a context for falling: only force and inertia count, except for bodies with a verdict."""
        self._falling = verdicts
        try:
            yield
        finally:
            self._falling = None

    def __call__(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the verdict on one push."""
        if self._falling is not None:
            return self._falling.get(pushed)
        if self.one_way and not self._is_allowed_for_group(pusher, pushed, AXES.index(axis)):
            return False
        if self._can_push is None or self._names is None:
            return None
        return self._can_push(self._names.display_name(pusher), self._names.display_name(pushed), axis, force)

    def _is_allowed_for_group(self, pusher: int, pushed: int, axis: int) -> bool:
        """Return whether a push agrees with every one-way thing in the pushed group."""
        assert self._bodies is not None
        group = self._bodies.groups.of(pushed)
        directions = {self.one_way[id] for id in ((pushed,) if group is None else group.members) if id in self.one_way}
        return all(self._is_allowed(pusher, pushed, axis, direction) for direction in directions)

    def _is_allowed(self, pusher: int, pushed: int, axis: int, allowed: tuple[int, int]) -> bool:
        if axis == 2 or not allowed[axis]:
            return False
        if self._direction is not None:
            return self._direction[axis] * allowed[axis] > 0
        return self._direction_between(pusher, pushed, axis) * allowed[axis] > 0

    def _direction_between(self, pusher: int, pushed: int, axis: int) -> int:
        """Return the sign of the direction from pusher to pushed; if the boxes interlock, from their middles."""
        assert self._bodies is not None
        pusher_boxes, pushed_boxes = (self._bodies.boxes(self._bodies.row(id)) for id in (pusher, pushed))
        ahead = any(a[axis + 3] <= b[axis] for a in pusher_boxes for b in pushed_boxes)
        behind = any(b[axis + 3] <= a[axis] for a in pusher_boxes for b in pushed_boxes)
        if ahead != behind:
            return 1 if ahead else -1
        return _middle(pushed_boxes, axis) - _middle(pusher_boxes, axis)


def _middle(boxes: list[tuple[int, int, int, int, int, int]], axis: int) -> int:
    return min(box[axis] for box in boxes) + max(box[axis + 3] for box in boxes)
