"""The Hypothesis strategies: their values are valid, shrink to small ones, and have a repr that recreates them."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from typing import Any

import esper
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from material import HOUSE
from worlds import fresh_world

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionValueError,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Motion,
    OrientedBox,
    OrientedBoxCollider,
    Sleeping,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.levels import parse_level
from ecs_collision.testing import Scene, push, scene
from ecs_collision.testing import strategies as cst
from tests.model.oracle import check_scene, checked

KINDS = (
    Transform, BoxCollider, SphereCollider, CapsuleCollider, OrientedBoxCollider, CompoundCollider, Box, Sphere,
    Capsule, OrientedBox, Inertia, Motion, Sleeping, Static, Trigger, Fused, Contact,
)  # fmt: skip
NAMES: dict[str, Any] = {kind.__name__: kind for kind in KINDS} | {"scene": scene, "push": push, "inf": math.inf}

quick = settings(max_examples=10)


def smallest(strategy: st.SearchStrategy[Any], condition: Any, max_tries: int = 300) -> Any:
    """Return the simplest example that Hypothesis finds."""
    options = settings(max_examples=max_tries, database=None, derandomize=True, phases=[Phase.generate, Phase.shrink])
    return find(strategy, condition, settings=options)


def of_any_shapes(strategy: Any, **more: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for scenes with several layers and settings, of boxes alone or of all shapes."""
    more |= {"masks": True, "layers": ("a", "b"), "overlapping": True, "settings": cst.world_settings()}
    return st.booleans().flatmap(lambda shapes: strategy(shapes=shapes, **more))


# Valid.


@quick
@given(of_any_shapes(cst.scenes, depth=True))
def test_every_scene_makes_a_valid_world_on_the_lattice(drawn):
    world = drawn.world()
    world.step()
    world.check()
    assert 1 <= len(world) <= 6
    for parts in drawn.bodies.values():
        assert all(value * 2 == int(value * 2) for value in parts.transform.position)


@quick
@given(cst.scenes(max_bodies=9, reach=2.0) | cst.scenes(max_bodies=9, reach=2.0, shapes=True))
def test_solid_bodies_do_not_overlap_unless_they_may(drawn):
    assert drawn.world().space.pairs() == []


def test_solid_bodies_overlap_where_allowed():
    assert smallest(cst.scenes(overlapping=True, kinds=["rock"]), lambda drawn: drawn.world().space.pairs())


@quick
@given(cst.pushed_scenes(max_bodies=4))
def test_a_push_in_esper_has_the_same_result(drawn):
    made, pushes = drawn
    with fresh_world():
        esper.create_entity()
        system, entities = made.spawn()
        world = made.world()
        for each in pushes:
            assert each.make(system, entities).moved == each.make(world).moved


@pytest.mark.parametrize(
    "more",
    [{"fused": True}, {"shapes": True, "one_way": True}],
    ids=["fused", "of all shapes, one-way"],
)
@quick
@given(data=st.data())
def test_drawn_scenes_follow_the_rules_H4_H5_M5(more, data):
    rules = cst.world_settings()
    made, pushes = data.draw(cst.pushed_scenes(max_bodies=4, max_pushes=3, overlapping=True, settings=rules, **more))
    assert check_scene(made, pushes).checks == 2 * len(pushes)


@pytest.mark.parametrize("kind", [OrientedBoxCollider, Sphere])
def test_all_shapes_are_drawn_on_request_and_may_be_turned(kind):
    def has_one(drawn):
        return any(
            drawn.transform.rotation and isinstance(part, kind)
            for part in getattr(drawn.collider, "parts", [drawn.collider])
        )

    drawn = smallest(cst.scenes(shapes=True, max_bodies=1), lambda drawn: has_one(drawn.bodies[1]), 3000)
    assert not any(isinstance(part, Box) for part in getattr(drawn.bodies[1].collider, "parts", ()))
    with pytest.raises(NoSuchExample):
        smallest(cst.scenes(max_bodies=1), lambda drawn: has_one(drawn.bodies[1]), 50)


@quick
@given(cst.pushed_scenes(max_bodies=5, max_pushes=3, overlapping=True, fused=True, reach=2.0, kinds=["crate", "zone"]))
def test_drawn_scenes_follow_the_rules_after_a_restore(drawn):
    made, pushes = drawn
    world = made.world()
    with checked(world) as oracle:
        for each in pushes:
            each.make(world)
            data = world.snapshot()
            world.step()
            world.restore(data)
            world.step()
    assert oracle.checks == 4 * len(pushes)


def test_bodies_are_fused_only_on_request():
    kinds = cst.scenes(min_bodies=2, kinds=["crate", "wall"], fused=True)
    fused = smallest(kinds, lambda drawn: any(parts.fused for parts in drawn.bodies.values()))
    assert [None, 1] == [parts.fused and parts.fused.to for parts in fused.bodies.values()]
    with pytest.raises(NoSuchExample):
        smallest(cst.scenes(min_bodies=2), lambda drawn: any(parts.fused for parts in drawn.bodies.values()), 50)


@pytest.mark.parametrize("kind", cst.KINDS)
def test_a_body_has_the_requested_kind(kind):
    extra = smallest(cst.bodies([kind]), lambda components: True)[2:]
    expected = {
        "crate": [Inertia], "wall": [Static], "player": [Motion, Inertia], "rock": [], "zone": [Trigger],
        "sleeper": [Inertia, Sleeping], "cart": [Inertia], "reporter": [Inertia, Contact],
    }  # fmt: skip
    assert expected[kind] == [type(part) for part in extra]


@quick
@given(cst.boards(5, 3, once="@D"))
def test_a_board_has_each_required_letter_once(drawing):
    rows = drawing.split("\n")
    assert 1 <= len(rows) <= 3
    assert len({len(row) for row in rows}) == 1 <= len(rows[0]) <= 5
    assert (drawing.count("@"), drawing.count("D")) == (1, 1)
    assert set(drawing) <= set(".#$_@D\n")


@quick
@given(cst.boards(), cst.moves())
def test_a_board_is_a_level_map_and_moves_are_turns(drawing, moves):
    from ecs_collision.game import Game

    legend = "# wall: Static\n@ player: Motion(1.5)\n$ crate: Inertia(1)\n_ plate: Trigger\n. ="
    game = Game(parse_level(f"legend\n{legend}\nmap\n{drawing}"))
    game.play(moves)
    game.world.check()


# Small.


BOX = "BoxCollider(0.5, 0.5, 0.5)"
POINT = "Box(0.5, 0.5, 0.5, offset=(0.0, 0.0, 0.0))"

SMALLEST: dict[str, tuple[st.SearchStrategy[Any], Any, str]] = {
    "positions": (cst.positions(), lambda at: at[0] > 1, r"\(1.5, 0.0, 0.0\)"),
    "colliders": (cst.colliders(), lambda it: True, re.escape(BOX)),
    "a compound": (
        cst.colliders(), lambda it: isinstance(it, CompoundCollider),
        re.escape(f"CompoundCollider([{POINT}, {POINT}])"),
    ),
    "scenes": (
        cst.scenes(), lambda drawn: True, rf"scene\({{1: \(Transform\(0.0, 0.0, 0.0\), {re.escape(BOX)}.*\)}}\)",
    ),
    "two bodies": (
        cst.scenes(kinds=["crate"]), lambda drawn: len(drawn.bodies) == 2,
        re.escape(
            f"scene({{1: (Transform(0.0, 0.0, 0.0), {BOX}, Inertia(1.0)), "
            f"2: (Transform(1.0, 0.0, 0.0), {BOX}, Inertia(1.0))}})"
        ),
    ),
    "boards": (cst.boards(), lambda drawing: True, "'@'"),
    "a crate on a board": (cst.boards(), lambda drawing: "$" in drawing, r"'(@\$|\$@|@\\n\$|\$\\n@)'"),
    "rules": (cst.world_settings(), lambda rules: True, "{.*}"),
    "moves": (cst.moves(), lambda moves: len(moves) > 2, "'RRR'"),
}  # fmt: skip


@pytest.mark.parametrize(("strategy", "condition", "shown"), SMALLEST.values(), ids=SMALLEST)
def test_examples_shrink_to_small_values_near_the_origin(strategy, condition, shown):
    assert re.fullmatch(shown, repr(smallest(strategy, condition)))


def test_a_push_shrinks_to_two_bodies_and_one_step():
    strategy = cst.pushed_scenes(kinds=["crate"], max_bodies=3, max_pushes=2, boxes=1)
    made, pushes = smallest(strategy, lambda drawn: any(each.make(drawn[0].world()).pushed for each in drawn[1]))
    assert (len(made.bodies), len(pushes)) == (2, 1)
    assert sorted(map(abs, pushes[0].by)) == [0.0, 0.0, 0.5]


# Text forms.


@quick
@given(of_any_shapes(cst.pushed_scenes, overriding=True))
def test_the_repr_of_an_example_recreates_it(drawn):
    made, pushes = drawn
    again = eval(repr(made), NAMES)
    assert isinstance(again, Scene)
    assert again.world().state_hash() == made.world().state_hash()
    assert eval(repr(pushes), NAMES) == pushes


# Refused.

REFUSALS: dict[str, tuple[Any, str]] = {
    "unknown kinds": (lambda: cst.bodies(["crate", "cat"]), r"kinds is \['crate', 'cat'\]; choose from 'crate'"),
    "no kinds": (lambda: cst.bodies([]), r"kinds is \[\]; choose from"),
    "only walls": (lambda: cst.pushed_scenes(kinds=["wall"]), "so no body can be pushed; add one of"),
    "no body to push": (
        lambda: cst.pushes(scene({1: (Transform(0, 0), BoxCollider(1, 1), Static())})), "has only Static bodies, so"
    ),
    "a board that is too small": (lambda: cst.boards(1, 1, once="@D"), "a board of 1 by 1 cells has no room for '@D'"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "message"), REFUSALS.values(), ids=REFUSALS)
def test_impossible_arguments_are_refused_with_a_remedy(make, message):
    with pytest.raises(CollisionValueError, match=message):
        smallest(make(), lambda drawn: True)


def test_only_strategies_import_hypothesis_and_report_when_it_is_missing():
    program = (
        "import sys\n"
        "sys.modules['hypothesis'] = None\n"
        "import ecs_collision.testing as testing\n"
        "[getattr(testing, name) for name in testing.__all__]\n"
        "try:\n"
        "    import ecs_collision.testing.strategies\n"
        "except ImportError as missing:\n"
        "    print(missing)\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=HOUSE, check=True, capture_output=True, text=True
    ).stdout
    assert output.strip() == (
        "ecs_collision.testing.strategies needs hypothesis, which is not installed; run: "
        "pip install 'ecs-collision[testing]' (in a checkout: pip install -e '.[testing]')"
    )
