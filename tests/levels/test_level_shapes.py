"""Things that are spheres, capsules and oriented boxes: named as components in every format, written, drawn, undone."""

from __future__ import annotations

import math
import warnings

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    LatticeWarning,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
)
from ecs_collision.components import Parts
from ecs_collision.game import Game
from ecs_collision.levels import Level, Thing, parse_level, spawn, write_text
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.solver import solve

BALLS = """legend
# wall: Static
@ player: Motion(1.5)
o ball: Inertia(1), SphereCollider(0.25), Collider(layer=balls)
/ plank: Trigger, OrientedBoxCollider(0.5, hy=0.125), Transform(0.5)

map
######
#@o /#
######
"""


def parts_in(level: Level, name: str) -> Parts:
    """Return the components of a thing in a new world."""
    world = CollisionWorld()
    return world._bodies.of(world._bodies.row_of[spawn(level, world)[name]])


def test_a_thing_has_the_collider_that_it_names_around_its_position():
    level = parse_level(BALLS)
    ball, plank = parts_in(level, "ball"), parts_in(level, "plank")
    assert ball.transform is not None and plank.transform is not None
    assert "SphereCollider(0.25, layer='balls')" == repr(ball.collider)
    assert ((2.5, 1.5, 0.0), None) == (ball.transform.position, ball.transform.rotation)
    assert "OrientedBoxCollider(0.5, 0.125, 0.5)" == repr(plank.collider)
    assert ((4.5, 1.5, 0.0), 0.5) == (plank.transform.position, plank.transform.rotation)
    assert parse_level(write_text(level)) == level


def test_kinds_may_give_a_collider_to_things_of_any_file():
    shape = {"SphereCollider": {"radius": 0.5}, "Transform": {"rotation": [0, 0, 1, 1]}}
    level = parse_level("#####\n#@$.#\n#####\n", "xsb", kinds={"crate": {"Inertia": 1, **shape}})
    crate = parts_in(level, "crate")
    assert crate.transform is not None
    assert ("SphereCollider(0.5)", (0.0, 0.0, 1.0, 1.0)) == (repr(crate.collider), crate.transform.rotation)
    with pytest.raises(CollisionValueError, match=r"SphereCollider\.radius is -1\.0, but it must not be negative"):
        parse_level("#####\n#@$.#\n#####\n", "xsb", kinds={"crate": {"SphereCollider": -1}})


ONE = FrozenMap({"Trigger": FrozenMap()})
COLLIDERS = {
    "Sphere": ((Sphere(0.5, (1, 0)),), SphereCollider(0.5, offset=(1, 0))),
    "Capsule": ((Capsule(0.5, 1, "x"),), CapsuleCollider(0.5, 1, "x")),
    "OrientedBox": ((OrientedBox(0.5, 1),), OrientedBoxCollider(0.5, 1)),
    "turned": ((OrientedBox(0.5, 1, rotation=1),), CompoundCollider([OrientedBox(0.5, 1, rotation=1)])),
    "Box": ((Box(0.5, 1),), BoxCollider(0.5, 1)),
    "none": ((), BoxCollider(0.5, 0.5)),
    "several": ((Box(0.5, 1), Sphere(1)), CompoundCollider([Box(0.5, 1), Sphere(1)])),
}


@pytest.mark.parametrize(("parts", "collider"), COLLIDERS.values(), ids=COLLIDERS)
def test_the_parts_of_a_thing_become_its_collider(parts, collider):
    thing = Thing("a", "a", (2.0, 1.0, 0.0), parts, ONE)
    assert repr(collider) == repr(parts_in(Level("level", (4, 4), (thing,)), "a").collider)


def test_a_thing_that_is_not_made_of_whole_cells_cannot_be_written():
    level = Level("level", (4, 4), (Thing("a", "a", (0.5, 0.5, 0.0), (Sphere(0.5),), ONE),))
    with pytest.raises(CollisionValueError, match=r"'a' at .* does not fill whole cells"):
        write_text(level)


def test_pixels_are_the_rectangle_around_what_is_turned():
    turn = FrozenMap({**ONE, "Transform": FrozenMap({"rotation": math.pi / 2})})
    bar = Thing("bar", "bar", (2.0, 2.0, 0.0), (OrientedBox(1, 0.5), Sphere(0.5, (1, 0))), turn)
    level = Level("level", (4, 4), (bar,))
    assert (15.0, 10.0, 10.0, 25.0) == level.pixels(bar, cell=(10, 10))
    nothing = Thing("nothing", "nothing", (2.0, 1.0, 0.0))
    assert (20.0, 10.0, 0.0, 0.0) == level.pixels(nothing, cell=(10, 10))


def test_sizes_off_the_lattice_warn_once_for_a_level_L1():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        spawn(parse_level(BALLS.replace("0.25", "0.3"), name="balls.txt"), CollisionWorld())
    assert [LatticeWarning] == [each.category for each in seen]
    assert str(seen[0].message).startswith("balls.txt: thing 'ball': SphereCollider.radius 0.3 is not on the lattice")


def test_undo_restores_a_written_rotation_and_shape():
    game = Game(parse_level(BALLS))

    @game.on_move("player")
    def turn(event: object) -> None:
        game.set("plank", "Transform", rotation=1.25)
        game.set("ball", "Collider", radius=0.375)

    before = game.state_hash()
    game.play("R")
    after = game.state_hash()
    assert (1.25, 0.375) == (game.get("plank", "Transform").rotation, game.get("ball", "Collider").radius)
    game.undo()
    assert (0.5, 0.25) == (game.get("plank", "Transform").rotation, game.get("ball", "Collider").radius)
    assert before == game.state_hash() != after
    game.redo()
    assert (1.25, 0.375) == (game.get("plank", "Transform").rotation, game.get("ball", "Collider").radius)
    assert after == game.state_hash()


def test_crates_that_are_not_boxes_of_a_cell_are_solved_by_the_general_search():
    text = "win: all crate on goal\nlegend\n# wall: Static\n@ player: Motion(1.5)\n$ crate: {}\n. goal: Trigger\n"
    drawn = "map\n#######\n#@$ . #\n#######\n"
    whole, small = (text.format(more) + drawn for more in ("Inertia(1)", "Inertia(1), SphereCollider(0.25)"))
    assert len(solve(parse_level(whole)).moves) == len(solve(parse_level(small)).moves) == 2
