"""Worst cases cost no more than the bodies concerned, by the counters of a frame, not by the clock (B1, B4, S3)."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import pytest
from boards import trials

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Stats,
    Transform,
    Trigger,
)
from ecs_collision.bodies.nested import lies_inside, outer_first

MANY = max(40, trials(1000))


def add(world: CollisionWorld, x: float, y: float, hx: float = 0.5, hy: float = 0.5, **parts: Any) -> int:
    more = {name: parts.pop(name) for name in ("layer", "mask") if name in parts}
    return world.add(**{"transform": Transform(x, y), "collider": BoxCollider(hx, hy, **more), **parts})


def next_stats(world: CollisionWorld) -> Stats:
    return world.step().stats


def at_one_position(world: CollisionWorld, count: int) -> list[int]:
    """Add this many bodies at one position, every tenth of them a trigger."""
    return [add(world, 0.5, 0.5, **({} if at % 10 else {"trigger": Trigger()})) for at in range(count)]


def test_with_all_bodies_at_one_position_a_mover_is_tested_once_against_each():
    """The first frame tests every pair, at most from both sides, because all are new; later only those of the mover.

    (A join from nothing looks at bodies that are no triggers too: for it they are boxes like all.)
    """
    world = CollisionWorld()
    ids = at_one_position(world, MANY)
    first = next_stats(world)
    assert first.pairs_tested <= MANY * (MANY - 1)
    assert first.cells <= MANY // 5 + 4, "five boxes are in a bucket"
    assert first.bin_changes <= 4 * MANY
    assert next_stats(world).pairs_tested == 0
    assert repr(world.stats).startswith(f"Stats(frame=2, bodies={MANY}, awake={MANY}, moved=0, ")
    for mover in (ids[0], ids[1]):
        world.teleport(mover, 0.25, 0.25)
        moved = next_stats(world)
        assert moved.pairs_tested <= 2 * MANY
        assert moved.bin_changes <= 8
    world.teleport(ids[1], 90, 90)
    assert next_stats(world).pairs_tested <= 2 * MANY
    assert [] == world.space.touching(ids[1])


def test_with_all_bodies_at_one_position_a_push_searches_only_its_path():
    """Bodies inside each other do not meet (P9): a motion searches only along its own path."""
    world = CollisionWorld()
    ids = [add(world, 0, 0, inertia=Inertia(1), motion=Motion(5)) for _ in range(MANY)]
    next_stats(world)
    assert world.move(ids[0], 3).moved == (3, 0, 0)
    stats = next_stats(world)
    assert (stats.moved, stats.pairs_tested) == (1, 0)
    assert stats.expansions <= 4


@pytest.mark.parametrize("side", [4.0, 200.0, 2.0**18])
def test_one_box_over_the_world_searches_the_strips_that_it_enters_and_leaves(side):
    """A trigger over bodies at distance 1 that moves by a quarter visits those near two of its sides."""
    world = CollisionWorld()
    across = max(8, int(MANY**0.5))
    crates = [add(world, x, y, 0.25, 0.25) for x in range(across) for y in range(across)]
    giant = add(world, 0, 0, side / 2, side / 2, trigger=Trigger())
    assert next_stats(world).pairs_tested <= 2 * len(crates)
    world.move(giant, 0.25)
    moved = next_stats(world)
    assert moved.bin_changes <= 16
    assert moved.pairs_tested <= 6 * across
    assert moved.cells_visited <= max(6 * across, 2 * moved.cells) + 64, "for two strips, at worst all cells"
    world.teleport(crates[0], 0.125, 0.125)
    assert next_stats(world).pairs_tested <= 2


@pytest.mark.parametrize("gap", [0, 1, 100])
def test_a_train_of_any_length_costs_a_few_queries_per_carriage(gap):
    """Each body reached searches the remaining distance: a few queries, each four times as long as the last."""
    world = CollisionWorld()
    engine = add(world, 0, 0, motion=Motion(5))
    for at in range(1, MANY):
        add(world, at * (1 + gap), 0, inertia=Inertia(1))
    next_stats(world)
    result = world.move(engine, MANY * gap + 1)
    assert result.moved == (MANY * gap + 1, 0, 0)
    assert len(result.pushed) == MANY - 1
    stats = next_stats(world)
    assert stats.moved == MANY
    assert stats.expansions <= 8 * MANY
    assert stats.bin_changes <= 8 * MANY


def test_a_path_across_the_whole_empty_range_costs_a_few_queries():
    world = CollisionWorld()
    mover = add(world, 0, 0, motion=Motion(1))
    add(world, 0, 5)
    next_stats(world)
    result = world.move(mover, 2.0**20, 2.0**20)
    assert [stop.reason.name for stop in result.stops] == ["BOUNDS", "BOUNDS"]
    assert next_stats(world).expansions <= 2 * 24
    assert world.space.cast(mover, (-(2.0**21), -(2.0**21))) is None


@pytest.mark.parametrize("bin_size", [2.0**-8, 1.0, 2.0**16])
def test_at_the_ends_of_the_range_a_body_is_in_as_few_cells_as_anywhere(bin_size):
    """Four cells in 2D, eight in 3D: all bodies change cells when one leaves the plane; a mover leaves and enters."""
    world = CollisionWorld(bin_size=bin_size)
    far = 2.0**20 * bin_size - bin_size
    corners = [(x * far, y * far) for x in (-1, 1) for y in (-1, 1)]
    ids = [add(world, x, y, bin_size / 2, bin_size / 2, trigger=Trigger()) for x, y in corners]
    ids += [add(world, x, y, bin_size / 4, bin_size / 4, motion=Motion(1)) for x, y in corners]
    first = next_stats(world)
    assert first.cells <= 8 * len(ids)
    assert first.pairs_tested <= 2 * len(ids)
    for mover in ids[4:]:
        world.move(mover, bin_size, bin_size, bin_size)
    moved = next_stats(world)
    assert moved.bin_changes <= (4 + 8) * len(ids) + (8 + 8) * 4
    assert moved.pairs_tested <= 8 * len(ids)


def test_a_layer_for_each_body_costs_a_byte_per_pair_of_layers():
    """The relation is a matrix of the filters in use, at most twice as wide as their number; it shrinks again."""
    count = min(MANY, 200)
    world = CollisionWorld()
    tracemalloc.start()
    try:
        ids = [add(world, 2 * at, 0, layer=f"layer {at}", mask=(f"layer {at + 1}",)) for at in range(count)]
        world.step()
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert size <= 2 * (2 * count) ** 2 + 8000 * count
    width = len(world._bodies.filters._filters)
    for _ in range(3):
        for at, id in enumerate(ids):
            world.remove(id)
            ids[at] = add(world, 2 * at, 0, layer=f"another {at}")
        assert next_stats(world).pairs_tested == 0
    assert len(world._bodies.filters._filters) <= width + 1


def test_sleepers_under_triggers_cost_nothing_and_a_mover_its_neighbours():
    world = CollisionWorld()
    across = max(10, int((10 * MANY) ** 0.5))
    for x in range(across):
        for y in range(across):
            add(world, 2 * x, 2 * y, inertia=Inertia(1), sleeping=Sleeping(asleep=True))
    for at in range(across):
        add(world, 2 * at, 2 * at, 3, 3, trigger=Trigger(linger=9), sleeping=Sleeping(asleep=True))
    mover = add(world, -3, 0, motion=Motion(5))
    next_stats(world)
    for _ in range(40):
        next_stats(world)
    still = next_stats(world)
    assert (still.pairs_tested, still.cells_visited, still.bin_changes, still.moved) == (0, 0, 0, 0)
    world.move(mover, 0.25)
    assert next_stats(world).pairs_tested <= 8


def test_interlocked_combs_are_expanded_once_per_body_and_axis():
    """Two interlocked combs: every tooth has one of the other body ahead, but they are two nodes (P2)."""
    teeth = max(8, MANY // 20)
    world = CollisionWorld()
    for side in (0, 1):
        boxes = [Box(0.25, 2, offset=(at + side / 2, 0)) for at in range(teeth)]
        parts = {"motion": Motion(9)} if side == 0 else {"inertia": Inertia(1)}
        world.add(transform=Transform(0, side), collider=CompoundCollider(boxes), **parts)
    add(world, teeth + 4, 0, 0.5, 9, static=Static())
    next_stats(world)
    result = world.move(1, teeth + 9)
    assert result.pushed.keys() == {2}
    stats = next_stats(world)
    assert stats.expansions <= 2 * 2 * teeth * 10
    assert stats.moved == 2


def test_moves_without_frames_store_only_their_events():
    """Every blocked motion is an event of the next frame (T10) of four numbers; displacements are summed."""
    world = CollisionWorld()
    mover = add(world, 0, 0, motion=Motion(1))
    add(world, 2, 0)
    world.step()
    log = world._step.log.displacement_log
    for _ in range(MANY):
        world.move(mover, 3)
        world.move(mover, -1)
    assert log.stop_count == MANY
    assert log.entry_count <= 4096
    assert len([event for event in world.step().events if type(event).__name__ == "Blocked"]) == MANY
    assert len(world._step.log.displacement_log) == 0


# Boxes at one position: a compound costs as much as its different boxes, and nested boxes are queried together.

PARTS = max(60, trials(4000))
ALIKE = [Box(0.5, 0.5)] * PARTS
NESTED = [Box(0.5 + part / 8192, 0.5 + part / 8192) for part in range(PARTS)]
SOME_NESTED = [Box(0.5 + part / 8192, 0.5 + part / 8192) for part in range(400)]
"""Small enough that a fault that visits all pairs of parts still ends."""


def a_yard(parts: list[Box]) -> tuple[CollisionWorld, int]:
    """Return a world with a compound that pushes a crate through a trigger against a wall."""
    world = CollisionWorld()
    mover = world.add(transform=Transform(0, 0), collider=CompoundCollider(parts), motion=Motion(3), inertia=Inertia(1))
    add(world, 3, 0, inertia=Inertia(1))
    add(world, 6, 0, trigger=Trigger(swept=len(parts) == 1 or parts is ALIKE))
    add(world, 9, 0, static=Static())
    return world, mover


def outcome_of(parts: list[Box]) -> tuple[list[object], list[int]]:
    """Return the visible results of a few frames, and the counters of each."""
    world, mover = a_yard(parts)
    seen, counted = [], []
    for dx, dy in ((0, 0), (2, 0), (4, 0), (9, 0), (-1, 2), (0.25, 0)):
        world.request(mover, dx, dy)
        frame = world.step()
        space = world.space
        about = (space.overlapping(mover, triggers=True), space.touching(mover), space.cast(mover, (3, -2)))
        seen.append((frame.events, dict(frame.results), about, space.pairs()))
        stats = frame.stats
        counted += [stats.pairs_tested, stats.cells_visited, stats.bin_changes, stats.expansions]
    return seen, counted


def test_equal_parts_cost_as_much_as_one_of_them_P8():
    one, cost = outcome_of([Box(0.5, 0.5)])
    many, costs = outcome_of(ALIKE)
    assert one == many
    assert cost == costs
    world, mover = a_yard(ALIKE)
    assert PARTS == len(world._bodies.of(world._bodies.row(mover)).collider.parts)
    saved = world.snapshot()
    world.move(mover, 2)
    world.restore(saved)
    assert saved == world.snapshot()
    world.check()


def test_nested_parts_are_queried_together_P2():
    """Once each part was queried alone and visited all others: as many visits of cells as parts."""
    world, mover = a_yard(NESTED)
    world.step()
    visited = world._bodies.dynamic.cells_visited
    world.move(mover, 4)
    world.move(mover, -1, 2)
    assert world._bodies.dynamic.cells_visited - visited <= 60 < PARTS


def past_a_trigger(mover: list[Box], trigger: list[Box], **how: bool) -> tuple[list[object], list[int]]:
    """Return the events as a compound moves past a trigger, back into it and on inside, and the pairs tested."""
    world = CollisionWorld()
    id = world.add(transform=Transform(0, 0), collider=CompoundCollider(mover), motion=Motion(3))
    world.add(transform=Transform(6, 0), collider=CompoundCollider(trigger), trigger=Trigger(**how))
    events, tested = [], []
    for dx, dy in ((0, 0), (12, 1), (-6, -1), (0.125, 0), (0, 0.125), (0, 1.5)):
        world.move(id, dx, dy)
        frame = world.step()
        events.append(frame.events)
        tested.append(frame.stats.pairs_tested)
    return events, tested


@pytest.mark.parametrize("how", [{"swept": True}, {"touching": True}, {"swept": True, "touching": True}], ids=str)
@pytest.mark.parametrize("nested", ["mover", "trigger", "both"])
def test_parts_inside_another_part_are_not_tested_against_triggers_T2_T4(nested, how):
    """What overlaps a part overlaps the one around it. Once all pairs of parts were tested, sixteen million of them."""
    outer, inner = SOME_NESTED[-1:], SOME_NESTED
    expected, _ = past_a_trigger(outer, outer, **how)
    mover, trigger = outer if nested == "trigger" else inner, outer if nested == "mover" else inner
    events, tested = past_a_trigger(mover, trigger, **how)
    assert expected == events
    assert max(tested) <= 2 * len(inner)


@pytest.mark.parametrize("seed", range(40))
def test_the_outer_boxes_of_a_body_contain_all_others_L4(seed):
    dice = random.Random(seed)
    lows = [[dice.randint(0, 9) for _ in range(3)] for _ in range(dice.randint(17, 200))]
    shape = list({(*low, *(face + dice.randint(0, 9) for face in low)) for low in lows})
    boxes, outer = outer_first(shape)
    assert sorted(shape) == sorted(boxes)
    assert 0 < outer < len(shape)
    assert all(any(lies_inside(box, other) for other in boxes[:outer]) for box in boxes[outer:])


def test_two_compounds_that_meet_with_many_parts_are_linked_once_P16():
    """An edge of the push graph for each pair of parts once needed memory for sixteen million edges."""
    parts = [Box(0.5, 0.5 - part / 8192) for part in range(max(60, trials(1000)))]
    world = CollisionWorld()
    for x in (0, 2):
        body = {"collider": CompoundCollider(parts), "motion": Motion(3), "inertia": Inertia(1)}
        world.add(transform=Transform(x, 0), **body)
    world.move(1, 0.5)
    tracemalloc.start()
    try:
        result = world.move(1, 2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [(1, 2, "x", 0.5)] == [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links]
    assert peak < 24 * len(parts) ** 2 / 2
