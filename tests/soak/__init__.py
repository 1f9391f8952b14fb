"""A seeded driver that runs random operations in esper worlds and compares them with the model of the rules.

Run it as `python -m tests.soak --operations N --seed S`. A play is a list of plain operations, so a failure can be
repeated, shrunk, and printed as a script that does not need this package.
"""

from . import frames, moving, queries, structure, worlds  # importing them registers the operations
from .game import OPERATIONS, Divergence, Game, Play
from .play_generator import a_play

__all__ = [
    "OPERATIONS", "Divergence", "Game", "Play", "a_play", "frames", "moving", "queries", "structure", "worlds",
]  # fmt: skip
