"""The win condition: words, or a function of the script."""

from __future__ import annotations

from ecs_collision.errors import CollisionError, CollisionTypeError, LevelError
from ecs_collision.game.handlers import Function
from ecs_collision.game.things import Things
from ecs_collision.levels.conditions import Condition, parse_condition
from ecs_collision.levels.level import Level


class Win:
    """Whether a level is solved, by the condition of the level unless `set` replaced it."""

    def __init__(self, level: Level, things: Things) -> None:
        self._things = things
        self.condition: Condition | Function | None = None
        if level.win is None:
            return
        try:
            self.set(level.win)
        except CollisionError as problem:
            raise LevelError(
                level.source, found=f"the win condition {level.win!r}: {problem}", remedy="correct the condition",
                expected="a condition about things and triggers of the level",
            ) from problem  # fmt: skip

    def set(self, condition: str | Condition | Function | None) -> None:
        """Set the condition: words, a Condition, a function without arguments, or None (never)."""
        if isinstance(condition, str):
            condition = parse_condition(condition)
        if isinstance(condition, Condition):
            condition.check(self._things)
        elif condition is not None and not callable(condition):
            raise CollisionTypeError(f'win is {condition!r}; give one such as "all crate on goal", a function, or None')
        self.condition = condition

    @property
    def runs_code(self) -> bool:
        """Whether the condition is a function of the script."""
        return self.condition is not None and not isinstance(self.condition, Condition)

    def is_met(self) -> bool:
        """Return whether the level is solved in its current state."""
        condition = self.condition
        if condition is None:
            return False
        return condition.is_met(self._things) if isinstance(condition, Condition) else bool(condition())
