"""Random scenes of boxes and compounds: the engine against the oracles, and what must never change the outcome."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import chances
from oracles.chances import Wish, plights
from oracles.pushing import shortest_gaps, unit_steps
from oracles.scenes import AXES, Body, Box, Scene, overlapping_pairs
from oracles.staging import Stage, assert_foretold

from ecs_collision import LATTICE

BIN_SIZES = (1.0, 4.0, 16.0, 64.0)
FEWER = settings(max_examples=max(5, settings.default.max_examples // 3))
"""For what plays several scenes at once."""
MANY = settings(max_examples=2 * settings.default.max_examples)
"""For the comparisons with an oracle."""
SEEDS = st.integers(0, 2**32 - 1)


def played(scene: Scene, wish: Wish, **how: object) -> Stage:
    """Return the stage after the wish."""
    stage = Stage(scene, wish.rules, **how)
    stage.result = stage.push(wish.mover, wish.way)
    return stage


@given(plight=plights())
@MANY
def test_o2_the_engine_and_unit_steps_agree_under_any_rules(plight):
    """Property O2."""
    scene, wish = plight
    stage = played(scene, wish)
    assert unit_steps(scene, wish.mover, wish.way, wish.rules) == stage.shifts()
    stage.world.check()


@given(plight=plights(plain=True, room=6), rule=st.sampled_from(["each", "sum"]))
@MANY
def test_o2_the_engine_and_unit_steps_agree_where_it_is_crowded(plight, rule):
    """Property O2, with nothing but the two rules of P4."""
    scene, wish = plight
    wish = replace(wish, rules=replace(wish.rules, rule=rule))
    stage = played(scene, wish)
    assert unit_steps(scene, wish.mover, wish.way, wish.rules) == stage.shifts()


@given(plight=plights())
@MANY
def test_p16_a_result_explains_itself_as_the_rules_foretell(plight):
    """Rule P16: who was pushed by whom over which gap, what stopped it and why."""
    scene, wish = plight
    outcome = shortest_gaps(scene, wish.mover, wish.way, wish.rules)
    stage = played(scene, wish)
    assert_foretold(stage.result, outcome, scene.step)
    assert outcome.shifts(wish.mover) == stage.shifts()


@given(plight=plights(spread=60, reach=700, bodies=14, room=6), bin_size=st.sampled_from((0.0625, 1.0, 8.0, 256.0)))
@MANY
def test_p02_wide_gaps_and_long_bodies_are_judged_as_exactly(plight, bin_size):
    """Rule P2: the way is long, in cells, and so are some of the bodies."""
    scene, wish = plight
    wish = replace(wish, rules=replace(wish.rules, bounds=None))
    outcome = shortest_gaps(scene, wish.mover, wish.way, wish.rules)
    stage = played(scene, wish, bin_size=bin_size)
    assert_foretold(stage.result, outcome, scene.step)
    assert outcome.shifts(wish.mover) == stage.shifts()
    stage.world.check()


@given(plight=plights(spread=10, reach=99, bodies=30, room=12), bin_size=st.sampled_from((0.25, 1.0, 16.0)))
@FEWER
def test_p02_many_bodies_are_judged_as_exactly(plight, bin_size):
    """Rule P2, in a crowd."""
    scene, wish = plight
    stage = played(scene, wish, bin_size=bin_size)
    assert_foretold(stage.result, shortest_gaps(scene, wish.mover, wish.way, wish.rules), scene.step)


@pytest.mark.parametrize("corner", [-(2**20), 2**20], ids=["lowest", "highest"])
@given(plight=plights(room=6, reach=60), bin_size=st.sampled_from((2.0**-8, 1.0, 2.0**16)))
def test_p18_at_the_edge_of_the_index_its_range_is_the_bounds(corner, plight, bin_size):
    """Rules B2 and P18, in lattice steps: nothing wraps, and the highest face is one step below the range."""
    scene, wish = plight
    edge = corner * int(bin_size / LATTICE)
    off = 30 if corner < 0 else -50
    there = Scene({entity: body.by((edge + off,) * 3) for entity, body in _of(scene)}, step=LATTICE)
    reach = Box((-abs(edge),) * 3, (abs(edge) - 1,) * 3)
    stage = Stage(there, replace(wish.rules, bounds=None), bin_size=bin_size)
    result = stage.push(wish.mover, wish.way)
    outcome = shortest_gaps(there, wish.mover, wish.way, replace(wish.rules, bounds=reach))
    assert_foretold(result, outcome, LATTICE)
    assert outcome.shifts(wish.mover) == stage.shifts()
    stage.world.check()


@given(plight=plights(flat=True))
def test_l5_a_flat_scene_is_a_scene_like_any_other(plight):
    """Rule L5."""
    scene, wish = plight
    stage = played(scene, wish)
    assert_foretold(stage.result, shortest_gaps(scene, wish.mover, wish.way, wish.rules), scene.step)


@given(plight=plights(bodies=14, room=9), bin_size=st.sampled_from(BIN_SIZES))
def test_o1_no_motion_makes_a_new_overlap(plight, bin_size):
    """Property O1."""
    scene, wish = plight
    stage = played(scene, wish, bin_size=bin_size)
    assert overlapping_pairs(stage.now()) <= overlapping_pairs(scene)


# --- O4: what must not matter -----------------------------------------------------------------------------------------


@given(plight=plights(), bin_size=st.sampled_from((0.25, *BIN_SIZES)))
def test_o4_the_bin_size_does_not_matter(plight, bin_size):
    """Property O4."""
    scene, wish = plight
    assert played(scene, wish).result == played(scene, wish, bin_size=bin_size).result


@given(plight=plights(), seed=SEEDS)
def test_o4_who_was_made_first_does_not_matter(plight, seed):
    """Property O4."""
    scene, wish = plight
    made = random.Random(seed).sample(list(scene.bodies), len(scene.bodies))
    assert played(scene, wish).result == played(scene, wish, made=made).result


@given(plight=plights(), seed=SEEDS)
def test_o4_who_sleeps_does_not_matter(plight, seed):
    """Property O4, rule S1."""
    scene, wish = plight
    sleepers = [entity for entity in scene.bodies if random.Random(seed + entity).random() < 0.5]
    asleep = played(scene, wish, sleepers=sleepers)
    assert played(scene, wish).result == asleep.result
    asleep.world.check()


@given(plight=plights(), axis=st.integers(0, 2))
def test_o4_a_mirrored_scene_moves_as_in_a_mirror(plight, axis):
    """Property O4."""
    scene, wish = plight
    flip = lambda vector: tuple(-value if index == axis else value for index, value in enumerate(vector))  # noqa: E731
    bodies = {entity: _boxes(body, lambda box: _sorted(flip(box.lo), flip(box.hi))) for entity, body in _of(scene)}
    bounds = wish.rules.bounds and _sorted(flip(wish.rules.bounds.lo), flip(wish.rules.bounds.hi))
    rules = replace(wish.rules, bounds=bounds)
    mirrored = played(replace(scene, bodies=bodies), Wish(wish.mover, flip(wish.way), rules))
    straight = played(scene, wish)
    assert {entity: flip(shift) for entity, shift in straight.shifts().items()} == mirrored.shifts()
    assert straight.result.stops == mirrored.result.stops
    assert straight.result.links == mirrored.result.links


@given(plight=plights(), turn=st.permutations(range(3)))
def test_o4_axes_may_be_renamed_with_their_order(plight, turn):
    """Property O4."""
    scene, wish = plight
    swap = lambda vector: tuple(vector[turn[index]] for index in range(3))  # noqa: E731
    box_of = lambda box: Box(swap(box.lo), swap(box.hi))  # noqa: E731
    bodies = {entity: _boxes(body, box_of) for entity, body in _of(scene)}
    bodies = {entity: replace(body, inertia=body.inertia and swap(body.inertia)) for entity, body in bodies.items()}
    order = "".join(AXES[turn.index(AXES.index(name))] for name in wish.rules.axis_order)
    rules = replace(wish.rules, axis_order=order, bounds=wish.rules.bounds and box_of(wish.rules.bounds))
    turned = played(replace(scene, bodies=bodies), Wish(wish.mover, swap(wish.way), rules))
    assert {entity: swap(shift) for entity, shift in played(scene, wish).shifts().items()} == turned.shifts()


@given(plight=plights(), by=st.tuples(*[st.integers(-5000, 5000)] * 3))
def test_o4_the_place_of_the_scene_does_not_matter(plight, by):
    """Property O4."""
    scene, wish = plight
    bounds = wish.rules.bounds and wish.rules.bounds.by(by)
    elsewhere = replace(scene, bodies={entity: body.by(by) for entity, body in _of(scene)})
    there = played(elsewhere, replace(wish, rules=replace(wish.rules, bounds=bounds)))
    assert played(scene, wish).result == there.result


def _of(scene: Scene):
    return scene.bodies.items()


def _boxes(body: Body, change) -> Body:
    return replace(body, boxes=tuple(map(change, body.boxes)))


def _sorted(a, b) -> Box:
    return Box(*map(tuple, zip(*(sorted(pair) for pair in zip(a, b, strict=True)), strict=True)))


# --- O5 and O6: more, and in parts ------------------------------------------------------------------------------------

MORE = [(1.0, 2.5), (2.5, 5.0), (5.0, float("inf"))]


@pytest.mark.parametrize(("little", "much"), MORE)
@given(plight=plights(plain=True, room=6), rule=st.sampled_from(["each", "sum"]))
@FEWER
def test_o5_more_force_never_goes_less_far(little, much, plight, rule):
    """Property O5, along one axis."""
    scene, wish = plight
    way = (wish.way[0], 0, 0)
    reached = [
        abs(played(scene, Wish(wish.mover, way, replace(wish.rules, force=force, rule=rule))).result.moved[0])
        for force in (little, much)
    ]
    assert reached == sorted(reached)


@given(plight=plights(room=6), more=st.integers(1, 9))
def test_o5_a_longer_request_never_goes_less_far(plight, more):
    """Property O5, along one axis, in partial mode."""
    scene, wish = plight
    rules = replace(wish.rules, all_or_nothing=False)
    longer = wish.way[0] + (more if wish.way[0] > 0 else -more)
    reached = [abs(played(scene, Wish(wish.mover, (x, 0, 0), rules)).result.moved[0]) for x in (wish.way[0], longer)]
    assert reached == sorted(reached)


@given(plight=plights(room=6), seed=SEEDS)
def test_o5_one_more_wall_never_lets_it_go_further(plight, seed):
    """Property O5, along one axis, in partial mode."""
    scene, wish = plight
    wish = Wish(wish.mover, (wish.way[0], 0, 0), replace(wish.rules, all_or_nothing=False))
    pick = random.Random(seed).randint
    corner = (pick(-6, 15), pick(-2, 9), pick(-2, 3))
    wall = Body(99, (Box(corner, (corner[0] + 2, corner[1] + 2, corner[2] + 2)),), static=True)
    narrower = replace(scene, bodies={**scene.bodies, 99: wall})
    assert abs(played(narrower, wish).result.moved[0]) <= abs(played(scene, wish).result.moved[0])


@given(plight=plights(room=6), parts=st.lists(st.integers(0, 6), min_size=2, max_size=4), axis=st.integers(0, 2))
def test_o6_a_motion_in_parts_ends_where_the_whole_ends(plight, parts, axis):
    """Property O6: one mover, one axis, partial mode."""
    scene, wish = plight
    rules = replace(wish.rules, all_or_nothing=False)
    sign = -1 if wish.way[0] < 0 else 1
    way = lambda length: tuple(sign * length if index == axis else 0 for index in range(3))  # noqa: E731
    whole, pieces = Stage(scene, rules), Stage(scene, rules)
    whole.push(wish.mover, way(sum(parts)))
    for length in parts:
        pieces.push(wish.mover, way(length))
    assert whole.shifts() == pieces.shifts()


# --- many motions, one after the other --------------------------------------------------------------------------------


@given(scene=chances.scenes(bodies=12, room=9), seed=SEEDS, bin_size=st.sampled_from(BIN_SIZES))
@FEWER
def test_o7_after_many_motions_the_index_is_that_of_a_new_world(scene, seed, bin_size):
    """Property O7, rule B5."""
    pick = random.Random(seed).randint
    stage = Stage(scene, sleepers=[entity for entity in scene.bodies if entity % 2], bin_size=bin_size)
    for _ in range(8):
        wish = chances.wish(pick, scene, plain=True)
        before = stage.now()
        stage.push(wish.mover, wish.way, force=wish.rules.force)
        expected = before.by(shortest_gaps(before, wish.mover, wish.way, wish.rules).shifts(wish.mover))
        assert expected == stage.now()
        stage.world.check()
    rebuilt = Stage(stage.now(), bin_size=bin_size)
    assert list(rebuilt.world.space.cells) == list(stage.world.space.cells)
    assert rebuilt.world.space.pairs() == stage.world.space.pairs()
    stage.world.step()
    stage.world.check()


@given(plight=plights(), seed=SEEDS)
def test_u02_a_plan_foretells_the_move_exactly(plight, seed):
    scene, wish = plight
    stage = Stage(scene, wish.rules, sleepers=[entity for entity in scene.bodies if (seed >> entity) % 2])
    plan = stage.world.plan(
        wish.mover, *(scene.step * length for length in wish.way), force=wish.rules.force, rule=wish.rules.rule,
        max_chain=wish.rules.max_chain, all_or_nothing=wish.rules.all_or_nothing,
    )  # fmt: skip
    assert {} == stage.shifts()
    plan.commit()
    expected = played(scene, wish)
    assert expected.result == plan.result
    assert expected.shifts() == stage.shifts()
