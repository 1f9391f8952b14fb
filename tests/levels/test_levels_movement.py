"""Characters, platforms and lifts in level files (rules M3, M5, M6, M9, M12, M13 and M14)."""

from __future__ import annotations

from typing import Any

import pytest
from ldtk_projects import an_entity, entities_of, entity_def, read_one
from tiled_maps import level_of, objects, properties

from ecs_collision import CollisionWorld, LevelError
from ecs_collision.levels import parse_level, spawn, write_text
from ecs_collision.levels.spawning import parts_of

TEXT = """
legend
# wall: Static
@ hero: Motion(1), Velocity, Character(step_height=0.25, coyote=6, up=up)
= ledge: Static, OneWay(up)
L lift: Motion(8), Velocity, Carries(crushes=true)
* bullet: Motion, Velocity(20), Mover(stop, straight=true, responses=[[ghost, cross]], gravity=0), Lifetime(60)
r rope: Motion(1), Grips(to=lift)

map
 @ * r
 ==  L
######

things
lift: Path([[5.5, 1.5], [5.5, -2]], speed=2, loop=back)
"""


def test_a_text_level_has_all_components_of_movement_and_reads_back():
    level = parse_level(TEXT)
    (again,) = [parse_level(write_text(level))]
    assert again.things == level.things
    ids = {thing.name: number for number, thing in enumerate(level.things, 1) if thing.is_body}
    hero, lift = (parts_of(level, level[name], ids) for name in ("hero", "lift"))
    bullet, rope = (parts_of(level, level[name], ids) for name in ("bullet", "rope"))
    assert repr(hero.character) == "Character(step_height=0.25, coyote=6)"
    assert parts_of(level, level["ledge"], ids).one_way.direction == (0, -1, 0)
    assert repr(lift.path) == "Path(points=[(5.5, 1.5, 0.0), (5.5, -2.0, 0.0)], speed=2.0, loop='back')"
    assert lift.carries.crushes
    assert bullet.mover.responses == (("ghost", "cross"),)
    assert (bullet.mover.response, bullet.mover.straight, bullet.mover.gravity) == ("stop", True, 0)
    assert bullet.lifetime.frames == 60
    assert rope.grips.to == ids["lift"]


def test_a_path_moves_with_the_place_of_its_level_M13():
    level, world = parse_level(TEXT), CollisionWorld()
    ids = spawn(level, world, (100, 50))
    path = world._bodies.of(world._bodies.row(ids["lift"])).path
    assert path is not None
    assert path.points == ((105.5, 51.5, 0), (105.5, 48, 0))
    before = world._bodies.transform(world._bodies.row(ids["lift"])).position
    assert before == path.points[0]
    world.remove(ids["rope"])
    world.step_movement(0.25)
    assert world._bodies.transform(world._bodies.row(ids["lift"])).position == (105.5, 51, 0)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Grips(to=lift)", "Grips(to=lifft)", "found 'rope' gripping 'lifft'; expected the name of another body: .*"),
        ("Grips(to=lift)", "Grips(3)", r"Grips.to must be the name of a thing, not 3"),
        ("Velocity, Carries", "Mass(1), Carries", "Path with Mass: a body with a path moves along it"),
        ("Motion(8), Velocity", "Static", "Path with Static: a body with a path moves along it"),
        ("[5.5, -2]]", "[5.5, -2, 1, 3]]", r"Path.points\[1\] .*"),
        ("OneWay(up)", "OneWay(upp)", r"OneWay.direction must be one of .*, not 'upp'"),
    ],
)
def test_faults_have_a_place_L3(old: str, new: str, message: str):
    assert old in TEXT
    with pytest.raises(LevelError, match=message):
        parse_level(TEXT.replace(old, new))


def test_tiled_maps_have_them_as_properties_and_lists_as_text():
    lift = {
        "Motion": 8.0, "Path.points": "0.5 0.5, 0.5 -3", "Path.speed": 2.0, "Path.loop": "around", "Carries": True,
        "Mover.responses": "ghost cross, wall bounce",
    }  # fmt: skip
    grips = '<properties><property name="Grips.to" type="object" value="1"/></properties>'
    level = level_of(
        objects(
            f'<object id="1" name="lift" x="0" y="0" width="16" height="16">{properties(**lift)}</object>',
            f'<object id="2" name="hand" x="16" y="0" width="16" height="16">{grips}</object>',
        )
    )
    ids = {"lift": 1, "hand": 2}
    parts = parts_of(level, level["lift"], ids)
    assert parts.path.points == ((0.5, 0.5, 0), (0.5, -3, 0))
    assert (parts.path.speed, parts.path.loop) == (2, "around")
    assert parts.mover.responses == (("ghost", "cross"), ("wall", "bounce"))
    assert parts_of(level, level["hand"], ids).grips.to == 1


def line_of(inside: str, more: str = "", **fields: Any) -> str:
    """Return an object of a Tiled map that is a line."""
    return f'<object id="1" name="lift" x="24" y="8" {more}>{properties(**fields)}{inside}</object>'


LIFT = {"Motion": 8.0, "Path.speed": 2.0, "Path.loop": "back"}


@pytest.mark.parametrize("shape", ["polyline", "polygon"])
def test_the_points_of_a_line_in_tiled_are_the_path_of_its_body_M13(shape: str):
    line = f'<{shape} points="0,0 32,0 32,-24.5"/>'
    level = level_of(objects(line_of(line, **LIFT)))
    parts = parts_of(level, level["lift"], {"lift": 1})
    assert parts.path.points == ((1.5, 0.5, 0), (3.5, 0.5, 0), (3.5, -1.03125, 0))
    assert (parts.path.speed, parts.path.loop) == (2, "back")
    assert (level["lift"].position, repr(parts.collider)) == ((1.5, 0.5, 0.0), "BoxCollider(0.5, 0.5, 0.5)")
    wide = {"OrientedBoxCollider.hx": 1.5, "OrientedBoxCollider.hy": 0.25}
    level = level_of(objects(line_of(line, **LIFT, **wide)))
    assert repr(parts_of(level, level["lift"], {"lift": 1}).collider) == "OrientedBoxCollider(1.5, 0.25, 0.5)"
    level = level_of(objects(line_of(line.replace("0,0 32", "16,0 32"), **LIFT)))
    assert level["lift"].position == (2.5, 0.5, 0.0), "it begins at the first point"
    level = level_of(objects(line_of(line)))
    assert (level["lift"].components, level["lift"].parts) == ({}, ()), "without Path it is scenery"


@pytest.mark.parametrize(
    "more, fields, problem",
    [
        ("rotation='30'", {}, "found a polyline with Path, turned by 30 degrees; .*set its rotation to 0"),
        ("rotation='90'", {}, "expected a line that is not turned"),
        ("", {"Path.points": "1 1, 2 2"}, "give it a collider such as SphereCollider"),
        ("", {"Path.speed": "fast"}, "Path.speed must be a number"),
    ],
)
def test_a_line_that_is_no_path_is_refused(more: str, fields: dict[str, Any], problem: str):
    line = '<polyline points="0,0 32,0"/>'
    with pytest.raises(LevelError, match=problem):
        level_of(objects(line_of(line, more, **{**LIFT, **fields})))


def test_ldtk_points_are_a_path_M13():
    fields = {"Path_points": "Array<Point>", "Path_speed": "Float", "Motion": "Float", "Lifetime": "Int"}
    door = entity_def(11, "Door", fields)
    values = {
        "Path_points": [{"cx": 0, "cy": 0}, {"cx": 3, "cy": 2}], "Path_speed": 1.5, "Motion": 2, "Lifetime": 90,
    }  # fmt: skip
    level = read_one(entities_of(an_entity(door, 0, 0, values), of=door))
    parts = parts_of(level, level["Door"], {"Door": 1})
    assert parts.path.points == ((0.5, 0.5, 0), (3.5, 2.5, 0))
    assert (parts.path.speed, parts.lifetime.frames) == (1.5, 90)
