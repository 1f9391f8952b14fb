"""A seeded driver that plays with real esper worlds and holds them to the model of the rules.

Run it as `python -m tests.soak --operations N --seed S`. A play is a list of plain operations, so a failure can be
played again, shrunk, and printed as a script that needs nothing of this package.
"""

from . import asking, costs, frames, homes, moving, structure  # what they hold are the operations
from .game import DEEDS, Divergence, Game, Play
from .generate import a_play

__all__ = ["DEEDS", "Divergence", "Game", "Play", "a_play", "asking", "costs", "frames", "homes", "moving", "structure"]
