"""Advice on levels and scripts, with the names of things."""

from __future__ import annotations

from pathlib import Path

import pytest
from rooms import room

from ecs_collision import Puzzle, puzzles
from ecs_collision.doctor.handlers import MIN_FRAMES
from ecs_collision.game import Game
from ecs_collision.levels import load_level, parse_level
from ecs_collision.plays.replaying import script_of

WRONG = """\
legend
# wall: Static
@ player: Motion(1), Collider(layer="player")
o eye: Trigger(mask="palyer")
map
######
#@ o #
######
"""


@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_finding_names_the_things(kind: type[Game]) -> None:
    game = kind(parse_level(WRONG))
    id = game.ids["eye"]
    assert [
        f"'eye' (entity {id}): its Trigger.mask names the layer 'palyer', which no body has; did you mean 'player'?"
    ] == game.doctor()
    assert [(id,)] == [advice.entities for advice in game.doctor()]
    if isinstance(game, Puzzle):
        game.close()


def test_a_level_of_scenery_alone_is_named() -> None:
    game = Game(parse_level("legend\n# wall\nmap\n##\n##\n"))
    (line,) = game.doctor()
    assert "things of the level has components, so there are no bodies" in line
    assert line.startswith("none of the ")


def test_a_handler_of_a_script_that_no_event_matched_is_named() -> None:
    game = Game(room("########", "#@ $ _ #", "########"))

    @game.on_enter("plate", by="crate")
    def pressed(event: object) -> None:
        pass

    @game.on_move("player")
    def moved(event: object) -> None:
        pass

    for _ in range(MIN_FRAMES // 2 + 1):
        game.turn("R" if game.cell("player") == (1, 1) else "L")
    while game.world.frame_number < MIN_FRAMES:
        game.turn(".")
    (line,) = game.doctor()
    assert line.startswith("the handler on_enter('plate', 'crate') pressed has matched no event in ")
    game.play("RRR")
    assert [] == game.doctor()


@pytest.mark.parametrize("name", puzzles.names())
def test_the_included_puzzles_are_clean_at_the_start_and_when_solved(name: str) -> None:
    path = Path(puzzles.path(name))
    script = script_of(path)
    game = Game(load_level(path), script=script if script.exists() else None)
    assert [] == game.doctor()
    moves = path.with_suffix(".play").read_text(encoding="utf-8").split("moves: ")[1].split("\n")[0]
    game.play(moves)
    assert game.solved
    assert [] == game.doctor()
