"""Reading does not change a game: read every frame, read once at the end, checked, or with subscribers.

Work that is deferred until a query must give the same result as without deferring (rules B4, T10, S1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from boards import AS_SHIPPED
from random_games import CROWD, RandomGame, can_push_by_id
from worlds import fresh_world

from ecs_collision import Event, Overlapped

GAMES: dict[str, dict[str, Any]] = {
    "no queries": {"querying": False, "handling": False},
    "a handler writes": {"querying": False},
    "questions on the way": {"handling": False},
    "all of it": {},
    "sums, front first": {"rule": "sum", "order": "front_first", "querying": False, "handling": False},
    "a hook": {"can_push": can_push_by_id, "handling": False},
    "leave": {"overlap_policy": "leave", "querying": False},
    "large bins": {"bin_size": 64.0, "querying": False, "handling": False},
    "small bins": {"bin_size": 2.0**-2, "querying": False, "handling": False},
    "fused groups": {"fusing": True, "handling": False},
    "fused groups and a handler": {"fusing": True, "querying": False},
    "a crowd": {"region": CROWD, "bodies": 150, "actions": 10, "querying": False, "handling": False},
}


def nothing(game: RandomGame) -> None:
    """Read nothing."""


def everything(game: RandomGame) -> None:
    """Read everything, twice."""
    assert [*game.index_lines(), *game.frame_lines(), game.counters_line()] == [
        *game.index_lines(),
        *game.frame_lines(),
        game.counters_line(),
    ]


def the_end_of(seed: int, frames: int, look: Callable[[RandomGame], None], **options: Any) -> list[str]:
    """Play a game, call `look` after every frame, and return everything that can be read at its end."""
    with fresh_world():
        game = RandomGame(seed, **options)
        for _ in range(frames):
            game.frame()
            look(game)
        lines = [*game.index_lines(), *game.frame_lines(), *game.take_log()]
        game.system.check()
        return lines


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
def test_a_game_read_only_at_its_end_equals_one_that_is_read_every_frame(options):
    lengths = (1, 5) if options.get("bodies", 0) > 100 or not AS_SHIPPED else (2, 10)
    for seed, frames in enumerate(lengths):
        expected = the_end_of(seed, frames, everything, **options)
        assert expected == the_end_of(seed, frames, nothing, **options)
        assert expected == the_end_of(seed, frames, lambda game: game.system.check(), **options)


@pytest.mark.parametrize("options", [GAMES["no queries"], GAMES["a handler writes"]], ids=["alone", "with another"])
def test_a_subscriber_to_everything_receives_the_events_of_the_frame_T9(options):
    kinds = sorted(Event.__subclasses__(), key=lambda kind: kind.__name__)
    with fresh_world():
        game, calls = RandomGame(3, **options), []
        for kind in kinds:
            game.system.on(kind, calls.append)
        listened = []
        for _ in range(25):
            game.frame()
            assert list(game.system.events) == calls
            listened.append(game.frame_lines())
            calls.clear()
        game.system.check()
    with fresh_world():
        game = RandomGame(3, **options)
        game.system.on(Overlapped, lambda event: None)  # tracked only for those who subscribe (T11)
        for expected in listened:
            game.frame()
            assert expected == game.frame_lines()


def test_timing_a_frame_changes_nothing_but_the_phases():
    lines = []
    for timing in (True, False):
        with fresh_world():
            game = RandomGame(5)
            game.system.stats.timing = timing
            for _ in range(15):
                game.frame()
            lines.append([*game.frame_lines(), *game.index_lines(), game.counters_line()])
            assert bool(game.system.stats.phases) is timing
    assert lines[0] == lines[1]
