"""The linear octree: location codes, the table of nodes, and searches by masks and neighbours."""

from __future__ import annotations

import itertools
import random

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, box, found, pairs_of, put

from ecs_collision.broadphase.linear_octree import (
    MAX_DEPTH,
    ROOT,
    LinearOctreeIndex,
    code_of,
    depth_of,
    parent_of,
)
from ecs_collision.broadphase.morton import ORIGIN

STEPS = [step for step in itertools.product((-1, 0, 1), repeat=3) if any(step)]


def tree_of(*boxes: Faces, flat: bool = False, max_depth: int = 20, bin_shift: int = 16) -> LinearOctreeIndex:
    """Return a tree with boxes in slots 0, 1, 2 and so on, each of an owner of its own."""
    tree = LinearOctreeIndex(bin_shift, max_depth)
    tree.set_flat(flat)
    for faces in boxes:
        put(tree, faces)
    return tree


def code_at(tree: LinearOctreeIndex, slot: int) -> int:
    return tree.codes[tree.slot_nodes[slot]]


# Codes.


def test_the_sentinel_tells_the_same_path_at_different_depths_apart():
    codes = [code_of(0, 0, 0, depth) for depth in range(MAX_DEPTH + 1)]
    assert [8**depth for depth in range(MAX_DEPTH + 1)] == codes
    assert (ROOT, 0) == (codes[0], parent_of(ROOT))
    assert list(range(MAX_DEPTH + 1)) == [depth_of(code) for code in codes]
    last = 2**MAX_DEPTH - 1
    assert 2 ** (3 * MAX_DEPTH + 1) - 1 == code_of(last, last, last, MAX_DEPTH) < 2**63
    with pytest.raises(IndexError, match="max_depth is 21; it must be 1 to 20"):
        LinearOctreeIndex(16, 21)


@pytest.mark.parametrize("depth", range(1, MAX_DEPTH + 1))
def test_the_parent_of_a_node_has_half_its_coordinates(depth: int):
    rng = random.Random(depth)
    for _ in range(20):
        at = [rng.randrange(1 << depth) for _ in range(3)]
        code = code_of(*at, depth)
        assert depth == depth_of(code)
        assert depth - 1 == depth_of(parent_of(code))
        assert code_of(*(each >> 1 for each in at), depth - 1) == parent_of(code)
        assert code & 7 == sum((each & 1) << axis for axis, each in enumerate(at))


@pytest.mark.parametrize("depth", [1, 2, 5, MAX_DEPTH])
def test_pairs_across_the_middle_of_the_root_come_once(depth: int):
    """A carry that stopped would miss them; neighbours that wrapped around at the edge would find them twice."""
    lows = itertools.product((-1, 0), repeat=3)
    tree = tree_of(*((*low, *(at + 1 for at in low)) for low in lows), max_depth=depth)
    assert 8 == tree.cell_count
    assert list(itertools.combinations(range(8), 2)) == pairs_of(tree, tree, False)


# Nodes.


def test_nodes_come_and_go_with_their_boxes_and_their_ancestors():
    tree = tree_of()
    assert (0, 0, -1) == (tree.cell_count, tree.node_count, tree.find(ROOT))
    near, far = box(0, 0, 0), box(-700, 300, 5)
    for first, second in ((near, far), (far, near)):
        a = put(tree, first)
        assert (1, 21) == (tree.cell_count, tree.node_count)
        tree.check()
        b = put(tree, second)
        tree.check()
        assert (2, 41) == (tree.cell_count, tree.node_count)
        tree.remove(a, 1)
        tree.check()
        assert (1, 21) == (tree.cell_count, tree.node_count)
        tree.remove(b, 1)
        tree.check()
        assert (0, 0) == (tree.cell_count, tree.node_count)


def test_the_table_finds_every_node_while_many_come_and_go():
    rng, tree, slots = random.Random(4), tree_of(), []
    for _ in range(600):
        if slots and rng.random() < 0.45:
            tree.remove(slots.pop(rng.randrange(len(slots))), 1)
        else:
            slots.append(put(tree, box(rng.randint(-30, 30), rng.randint(-30, 30), rng.randint(-3, 3))))
        assert all(tree.find(code_at(tree, slot)) == tree.slot_nodes[slot] for slot in slots)
    tree.check()
    for slot in slots:
        tree.remove(slot, 1)
    assert 0 == tree.node_count
    assert all(
        tree.find(code_of(ORIGIN >> 1, y, ORIGIN >> 1, 20)) == -1 for y in range((ORIGIN >> 1) - 20, (ORIGIN >> 1) + 20)
    )


# Searches.


def test_a_box_is_found_from_nodes_that_it_reaches_into():
    for level in range(1, 20):
        side = UNIT << level
        tree = tree_of(
            (-side, -side, -side, 0, 0, 0), (side - 1, side - 1, side - 1, 2 * side - 1, 2 * side - 1, 2 * side - 1)
        )
        assert [0] == found(tree, (0, 0, 0, 0, 0, 0))
        assert [1] == found(tree, (2 * side - 1,) * 6)
        assert [] == found(tree, (2 * side, side, side, 2 * side, side, side))
        assert [0, 1] == found(tree, (0, 0, 0, side - 1, side - 1, side - 1))


def test_a_search_begins_near_its_region_and_visits_only_nodes_in_reach():
    tree = tree_of(*(box(2 * x, 2 * y, 0) for x, y in itertools.product(range(-20, 20), repeat=2)))
    assert 1600 == tree.cell_count
    for at in (4.25, -9.75, 0.25, -1.75):
        tree.cells_visited = 0
        assert found(tree, box(at, at, 0.25, 0.5, 0.5, 0.5))
        assert tree.cells_visited <= 9
    tree.cells_visited = 0
    assert 1600 == tree.collect(*EVERYWHERE)
    assert 1600 == tree.cells_visited


def test_nodes_of_other_levels_and_without_sleepers_are_not_visited():
    tree = tree_of(*(box(n, 0, 0, size, 1, 1) for n, size in enumerate((1, 2, 4, 8, 16, 1, 2, 4, 8, 16))))
    tree.cells_visited = 0
    assert 2 == tree.collect_levels(1 << 4, *EVERYWHERE)
    assert 1 == tree.cells_visited
    tree.set_awake(3, 1, False)
    tree.cells_visited = 0
    assert 1 == tree.collect_asleep(*EVERYWHERE)
    assert 1 == tree.cells_visited


# Pairs.


@pytest.mark.once
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (1, 7), (7, 1), (1, 500), (40, 2)])
def test_boxes_that_touch_in_any_direction_are_a_pair(a: int, b: int):
    """The second box touches the first one on the side of the step, from many places in the nodes."""
    rng = random.Random(f"{a} {b}")
    for step in STEPS * 8:
        low = [rng.randint(-2 * (a + b), 2 * (a + b)) for _ in range(3)]
        beside = [at - b if by < 0 else at + a if by > 0 else at for at, by in zip(low, step, strict=True)]
        boxes = (box(*low, a, a, a), box(*beside, b, b, b))
        tree = tree_of(*boxes)
        assert [(0, 1)] == pairs_of(tree, tree, False)
        one, other = (tree_of(each) for each in boxes)
        assert [(0, 0)] == pairs_of(one, other, False) == pairs_of(other, one, False)
        tree.set_awake(0, 1, False)
        assert [(0, 1)] == pairs_of(tree, tree, True)
        tree.set_awake(0, 1, True)
        tree.set_awake(1, 1, False)
        assert [(0, 1)] == pairs_of(tree, tree, True)
        tree.set_awake(0, 1, False)
        assert [] == pairs_of(tree, tree, True)


# The rest.


def test_size_and_outlines():
    tree = tree_of(box(0, 0, 0), box(30, 3, 3))
    size = tree.measure()
    assert (2, tree.node_count, 21) == (size.entries, size.nodes, size.depth)
    assert size.bytes > 30 * size.nodes
    limit = tree.boxes.limit
    assert ((0, 0, 0, 2 * UNIT, 2 * UNIT, 2 * UNIT), 0) in tree.outlines()
    assert ((-limit, -limit, -limit, limit, limit, limit), 20) in tree.outlines()
    flat = tree_of((0, 0, -UNIT // 2, 9, 9, UNIT // 2), flat=True)
    assert {(-UNIT // 2, UNIT // 2)} == {(faces[2], faces[5]) for faces, level in flat.outlines()}
