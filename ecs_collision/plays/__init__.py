"""Recorded plays: reads, writes, records and verifies them."""

from ecs_collision._lazy import dir_of
from ecs_collision.plays.files import Play, parse_play, play_text, read_play, write_play
from ecs_collision.plays.replaying import Verdict, record, replay, verify

__all__ = ["Play", "Verdict", "parse_play", "play_text", "read_play", "record", "replay", "verify", "write_play"]


def __dir__() -> list[str]:
    return dir_of(__name__, __all__)
