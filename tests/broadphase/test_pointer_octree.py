"""The pointer octree: the faults of its source, and where its nodes are."""

from __future__ import annotations

import gc
import itertools
import random

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, Twins, box, found, pairs_of, put

from ecs_collision.broadphase.choices import PointerOctree
from ecs_collision.broadphase.pointer_octree import BIAS, TOP_LEVEL, Node, PointerOctreeIndex

FAR = UNIT << 19


def tree_of(*boxes: Faces, flat: bool = False, max_depth: int = 21, bin_shift: int = 16) -> PointerOctreeIndex:
    """Return a tree with boxes in slots 0, 1, 2 and so on, each of an owner of its own."""
    tree = PointerOctreeIndex(bin_shift, max_depth)
    tree.set_flat(flat)
    for faces in boxes:
        put(tree, faces)
    return tree


def node_of(tree: PointerOctreeIndex, slot: int) -> Node:
    return tree.slot_nodes[slot]


def plane(level: int, number: int = 0) -> int:
    """Return the face where the upper half of a node of a level begins, for bins of one unit."""
    return ((2 * number + 1) * (1 << (level - 1)) - BIAS) * UNIT


# The faults of the source.


def test_a_small_box_lands_deep_and_not_at_the_root():
    tree = tree_of(box(-900, -900, -900), box(900, 900, 900), box(3.25, 7.25, 1.25, 0.5, 0.5, 0.5))
    small = node_of(tree, 2)
    assert tree.lowest_level == small.level < tree.root.level - 5
    assert 0 == tree.root.box_count
    assert [2] == found(tree, box(3, 7, 1))
    tree.check()


@pytest.mark.parametrize("axis", range(3), ids="xyz")
@pytest.mark.parametrize("level", [2, 5, 12, 20])
def test_boxes_on_both_sides_of_a_centre_plane_that_touch_are_a_pair(level: int, axis: int):
    at = plane(level, (BIAS >> level))
    low, high = [0, 0, 0, 9, 9, 9], [0, 0, 0, 9, 9, 9]
    low[axis], low[axis + 3] = at - UNIT, at
    high[axis], high[axis + 3] = at, at + 9
    for boxes in itertools.permutations((tuple(low), tuple(high))):
        tree = tree_of(*boxes)
        assert [(0, 1)] == pairs_of(tree, tree, False)
        other = tree_of(boxes[0])
        assert [(0, 0), (0, 1)] == pairs_of(other, tree, False)


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("max_depth", [1, 4, 21])
def test_points_and_coincident_boxes_end_at_the_smallest_nodes(max_depth: int, flat: bool):
    z = (-UNIT // 2, UNIT // 2) if flat else (5, 5)
    tree = tree_of(*[(5, 5, z[0], 5, 5, z[1])] * 200, flat=flat, max_depth=max_depth)
    assert (TOP_LEVEL - max_depth, 200) == (tree.root.level, tree.root.box_count)
    assert 199 * 100 == tree.find_pairs(tree, False)
    tree.check()


# Nodes.


def test_nodes_are_made_on_demand_and_removed_when_empty():
    tree = tree_of()
    assert (0, 0, None) == (tree.cell_count, tree.node_count, tree.root)
    put(tree, box(0.25, 0.25, 0.25, 0.5, 0.5, 0.5))
    assert (1, 1) == (tree.cell_count, tree.node_count)
    for n in range(1, 40):
        put(tree, box(n * 37.25, -n * 11.25, n * n, 0.5, 0.5, 0.5))
        tree.check()
    assert tree.node_count > tree.cell_count > 30
    for slot in range(39, 0, -1):
        tree.remove(slot, 1)
        tree.check()
    assert (1, 1) == (tree.cell_count, tree.node_count)
    tree.remove(0, 1)
    assert (0, 0, None) == (tree.cell_count, tree.node_count, tree.root)


def test_nodes_do_not_depend_on_the_history():
    rng = random.Random(5)
    boxes = [
        box(*(rng.uniform(-400, 400) for _ in range(3)), *(rng.choice((0.5, 1, 9)) for _ in range(3)))
        for _ in range(60)
    ]
    expected = sorted(tree_of(*boxes).outlines())
    for _ in range(5):
        rng.shuffle(boxes)
        tree = tree_of(*boxes)
        slots = list(range(60))
        for _ in range(200):
            slot, by = rng.choice(slots), [rng.randint(-FAR, FAR) for _ in range(3)]
            tree.shift(slot, 1, *by)
            extra = put(tree, box(*(rng.uniform(-3000, 3000) for _ in range(3))))
            tree.shift(slot, 1, *(-each for each in by))
            tree.remove(extra, 1)
        tree.check()
        assert expected == sorted(tree.outlines())


def test_the_root_grows_to_the_whole_index_and_shrinks_again():
    tree = tree_of(box(0, 0, 0))
    limit = tree.boxes.limit
    level = tree.root.level
    corners = [put(tree, (x, y, z, x, y, z)) for x, y, z in itertools.product((-limit, limit - 1), repeat=3)]
    tree.check()
    assert TOP_LEVEL == tree.root.level
    assert 9 == tree.collect(*EVERYWHERE)
    whole = put(tree, (-limit, -limit, -limit, limit - 1, limit - 1, limit - 1))
    assert node_of(tree, whole) is tree.root
    assert 9 == tree.find_pairs(tree, False)
    for slot in (whole, *corners):
        tree.remove(slot, 1)
        tree.check()
    assert level == tree.root.level


def test_a_world_around_the_origin_has_a_small_root():
    for size in (1, 3, 10, 50, 200, 5000):
        tree = tree_of(box(-size, -size, -size), box(size - 1, size - 1, size - 1))
        assert 2 * size <= 1 << tree.root.level <= 8 * size


def test_a_box_that_moves_within_its_node_changes_nothing():
    tree = tree_of(*(box(n, 0.25, 0.25, 0.25, 0.25, 0.25) for n in range(9)))
    tree.cell_changes = 0
    tree.shift(0, 1, 0, 9, 9)
    assert 0 == tree.cell_changes
    tree.shift(0, 1, 8 * UNIT, 0, 0)
    assert 2 == tree.cell_changes
    tree.check()


def test_sleeping_boxes_are_searched_only_where_there_are_some():
    rng = random.Random(2)
    tree = tree_of(*(box(*(rng.uniform(-60, 60) for _ in range(3))) for _ in range(500)))
    assert 0 == tree.collect_asleep(*EVERYWHERE)
    tree.set_awake(77, 1, False)
    tree.cells_visited = 0
    assert 1 == tree.collect_asleep(*EVERYWHERE)
    assert tree.cells_visited <= 10
    tree.cells_visited = 0
    assert 500 == tree.collect(*EVERYWHERE)
    assert tree.cells_visited == tree.cell_count > 100


def test_no_node_is_left_behind():
    def alive() -> int:
        return sum(isinstance(each, Node) for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = alive()
        rng = random.Random(3)
        tree = tree_of(*(box(*(rng.uniform(-60, 60) for _ in range(3))) for _ in range(900)))
        for _ in range(3000):
            tree.shift(rng.randrange(900), 1, *(rng.choice((-1, 1)) * rng.randint(0, 9 * UNIT) for _ in range(3)))
        assert alive() - before == tree.node_count
        for slot in range(900):
            tree.remove(slot, 1)
        assert alive() == before
        for _ in range(300):
            put(tree, box(*(rng.uniform(-60, 60) for _ in range(3))))
        tree.clear()
        assert before == alive()
    finally:
        gc.enable()


def test_size_and_outlines():
    tree = tree_of(box(0.25, 0.25, 0.25, 0.5, 0.5, 0.5), box(30, 3, 3), max_depth=20)
    size = tree.measure()
    assert (2, tree.node_count) == (size.entries, size.nodes)
    assert size.depth == tree.root.level - 2 + 1
    assert size.bytes > 100 * size.nodes
    root = tree.root
    side = UNIT << root.level
    assert ((root.x, root.y, root.z, root.x + side, root.y + side, root.z + side), root.level - 2) in tree.outlines()
    flat = tree_of((0, 0, -UNIT // 2, 9, 9, UNIT // 2), flat=True)
    assert [(-UNIT // 2, UNIT // 2, 0)] == [(faces[2], faces[5], level) for faces, level in flat.outlines()]
    with pytest.raises(IndexError, match="max_depth is 22; it must be 1 to 21"):
        PointerOctreeIndex(16, 22)


# Against brute force.


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("max_depth", [21, 17])
def test_boxes_that_end_at_planes_have_the_pairs_of_brute_force(flat: bool, max_depth: int):
    rng = random.Random(f"{flat} {max_depth}")
    twins = Twins({"tree": PointerOctree(max_depth=max_depth)}, flat=flat)

    def a_face() -> int:
        level = rng.randint(1, 7)
        return plane(level, (BIAS >> level) + rng.randint(-1, 1)) + rng.choice((0, 0, 0, -1, 1))

    for _ in range(32):
        for _ in range(3):
            ends = [sorted((a_face(), a_face() if rng.random() < 0.7 else 0)) for _ in range(3)]
            if flat:
                ends[2] = [-UNIT // 2, UNIT // 2]
            faces = tuple(lo for lo, _ in ends) + tuple(hi for _, hi in ends)
            twins.add([faces], side=rng.randrange(2), awake=rng.random() < 0.3)
        for awake_only in (False, True):
            twins.compare_pairs(0, 0, awake_only=awake_only)
            twins.compare_pairs(0, 1, awake_only=awake_only)
        owner = rng.choice(list(twins.runs))
        twins.compare(rng.randrange(2), "collect", *twins.boxes(owner)[0])
    assert twins.compare_pairs(0, 1, awake_only=False) > 50
    twins.check()
