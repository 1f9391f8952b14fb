"""The oracles against each other: whoever judges the engine is judged first. No engine runs here."""

from __future__ import annotations

import random

import pytest
from oracles import chances, drawing, overlaps
from oracles.pushing import shortest_gaps, unit_steps
from oracles.recursion import recursion
from oracles.scenes import Box, Rules, overlapping_pairs, touching


@pytest.mark.parametrize("batch", range(4))
def test_unit_steps_and_shortest_gaps_agree_on_a_thousand_scenes(batch):
    pushes = 0
    for seed in range(batch * 250, batch * 250 + 250):
        pick = random.Random(seed).randint
        scene = chances.scene(pick)
        wish = chances.wish(pick, scene)
        outcome = shortest_gaps(scene, wish.mover, wish.way, wish.rules)
        stepped = unit_steps(scene, wish.mover, wish.way, wish.rules)
        assert stepped == outcome.shifts(wish.mover), f"seed {seed}"
        pushes += bool(outcome.pushed)
    assert pushes > 30, "scenes in which nothing is pushed prove nothing"


def test_o3_plain_recursion_agrees_where_no_chain_runs_in_a_circle():
    """Property O3."""
    told = circles = 0
    for seed in range(600):
        pick = random.Random(seed).randint
        scene = chances.scene(pick)
        wish = chances.wish(pick, scene, plain=True)
        length = wish.way[0] or 5
        recursed = recursion(scene, wish.mover, 0, length, wish.rules)
        if recursed is None:
            circles += 1
            continue
        outcome = shortest_gaps(scene, wish.mover, (length, 0, 0), wish.rules)
        assert {entity: by for entity, by in recursed.items() if any(by)} == outcome.shifts(wish.mover), f"seed {seed}"
        told += len(outcome.pushed) > 1
    assert told > 10 and circles > 10, "both kinds of scene should have been met"


def test_o1_no_motion_foretold_makes_a_new_overlap():
    """Property O1."""
    for seed in range(400):
        pick = random.Random(seed).randint
        scene = chances.scene(pick)
        wish = chances.wish(pick, scene)
        after = scene.by(shortest_gaps(scene, wish.mover, wish.way, wish.rules).shifts(wish.mover))
        assert overlapping_pairs(after) <= overlapping_pairs(scene), f"seed {seed}"


def test_every_link_has_a_pusher_that_moved_and_a_gap_that_was_closed():
    for seed in range(400):
        pick = random.Random(seed).randint
        scene = chances.scene(pick)
        wish = chances.wish(pick, scene)
        outcome = shortest_gaps(scene, wish.mover, wish.way, wish.rules)
        assert {link.pushed for link in outcome.links} == set(outcome.pushed), f"seed {seed}"
        assert {link.pusher for link in outcome.links} <= {*outcome.pushed, wish.mover}, f"seed {seed}"


def test_a_drawing_reads_back_as_it_was_drawn():
    plan = """
        .bb.#
        A.b.1
    """
    plot = drawing.drawn(plan)
    assert plot.after({}) == ".bb.#\nA.b.1"
    assert plot.after({plot["A"]: (2, 0, 0)}) == ".bb.#\n.Ab.1"


def test_touching_is_a_shared_face_and_never_an_edge():
    cube = Box((0, 0, 0), (2, 2, 2))
    assert touching(cube, cube.by((2, 1, -1)))
    assert not touching(cube, cube.by((2, 2, 0)))
    assert not touching(cube, cube.by((1, 0, 0)))


def test_a_sweep_hits_faces_and_passes_corners_by():
    cube = drawing.drawn("A..#").scene
    wall = [cube.bodies[2]]
    assert overlaps.sweep(cube.bodies[1].boxes, (8, 0, 0), wall) == (2, 0.5)
    assert overlaps.sweep(cube.by({1: (0, 2, 0)}).bodies[1].boxes, (8, 0, 0), wall) is None
    assert overlaps.sweep(cube.bodies[1].boxes, (-8, 0, 0), wall) is None


def test_the_worked_example_p6_by_hand():
    """Rule P6: A wants 4, C is 1 away, B is 2 away with a wall 1 behind it."""
    plot = drawing.drawn("A.c.b.#...")
    for oracle in (unit_steps, lambda *args: shortest_gaps(*args).shifts(args[1])):
        assert plot.after(oracle(plot.scene, plot["A"], (8, 0, 0), Rules(force=5))) == "...Acb#..."
