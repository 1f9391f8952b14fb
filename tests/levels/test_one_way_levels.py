"""One-way bodies in level files of every format, and in games (rule M5)."""

from __future__ import annotations

import pytest
from ldtk_projects import an_entity, entities_of, entity_def, read_one
from tiled_maps import level_of, objects, properties

from ecs_collision import CollisionWorld, LevelError
from ecs_collision.game import Game
from ecs_collision.levels import Level, parse_level, spawn, write_text

PLATFORM = """legend
# wall: Static
@ player: Motion(1)
= platform: Static, OneWay({direction})

map
#####
#   #
# = #
# @ #
#####
"""


def direction_in(level: Level, name: str) -> tuple[float, float, float]:
    """Return the direction of a one-way thing in a new world."""
    world = CollisionWorld()
    one_way = world._bodies.of(world._bodies.row_of[spawn(level, world)[name]]).one_way
    assert one_way is not None
    return one_way.direction


@pytest.mark.parametrize("written", ["up", '"up"', "[0, -1]", "direction=up"])
def test_a_level_has_one_way_things_as_text_M5(written):
    level = parse_level(PLATFORM.format(direction=written))
    assert (0.0, -1.0, 0.0) == direction_in(level, "platform")
    assert (0.0, -1.0, 0.0) == direction_in(parse_level(write_text(level)), "platform")


def test_a_tiled_object_and_an_ldtk_entity_may_be_one_way_M5():
    inside = properties(Static=True, OneWay="left")
    tiled = level_of(objects(f'<object id="1" name="p" x="0" y="0" width="16" height="16">{inside}</object>'))
    assert (-1.0, 0.0, 0.0) == direction_in(tiled, "p")
    door = entity_def(11, "Door", {"OneWay_direction": "String", "Static": "Bool"})
    ldtk = read_one(entities_of(an_entity(door, 0, 0, {"OneWay_direction": "right", "Static": True}), of=door))
    assert (1.0, 0.0, 0.0) == direction_in(ldtk, "Door")


def test_a_direction_that_is_none_is_refused_with_its_place_M5():
    with pytest.raises(LevelError, match="upwards"):
        spawn(parse_level(PLATFORM.format(direction="upwards")), CollisionWorld())


def test_a_player_of_a_puzzle_passes_a_one_way_thing_and_cannot_return_M5():
    game = Game(parse_level(PLATFORM.format(direction="up")))
    game.play("UU")
    assert (2, 1) == game.cell("player")
    game.play("D")
    assert (2, 1) == game.cell("player")
    game.undo(3)
    assert (2, 3) == game.cell("player")
