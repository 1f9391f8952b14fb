"""Playing a level: turns, scripts with handlers, undo, and the win condition."""

from ecs_collision._lazy import dir_of
from ecs_collision.game.game import Game
from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.named_events import NamedEvent
from ecs_collision.game.turn import Turn

__all__ = ["Game", "Mechanic", "NamedEvent", "Turn"]


def __dir__() -> list[str]:
    return dir_of(__name__, __all__)
