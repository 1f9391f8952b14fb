"""The quadtree and the octree with node capacity: against brute force, and the faults of their sources."""

from __future__ import annotations

import itertools
import random

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, box, found, pairs_of

from ecs_collision.broadphase.capacity_tree import CapacityTree

PLANE = (-UNIT // 2, UNIT // 2)
KINDS = {"octree": (), "quadtree without x": (0,), "quadtree without y": (1,), "quadtree without z": (2,)}


def tree_of(bin_shift: int = 16, capacity: int = 4, max_depth: int = 21, kind: str = "octree") -> CapacityTree:
    return CapacityTree(bin_shift, capacity, max_depth, *KINDS[kind])


# The faults of the sources (see capacity_tree.py).


def filled(tree: CapacityTree, boxes: list[Faces], *, flat: bool = False, awake: bool = True) -> CapacityTree:
    """Return a tree with boxes added, each of an owner of its own, in slots that follow their order."""
    tree.set_flat(flat)
    for owner, faces in enumerate(boxes):
        tree.place(tree.allocate(1), owner, awake, *faces)
    return tree


def tiles(count: int) -> list[Faces]:
    """Return a square of 2D boxes, each a unit long, that touch their neighbours."""
    at = PLANE[0] / UNIT
    return [box(x, y, at) for x in range(count) for y in range(count)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_box_outside_the_root_is_not_lost_but_the_root_grows_towards_it(kind: str) -> None:
    tree = filled(tree_of(capacity=1, kind=kind), [box(0, 0, 0), box(0, 3, 0)])
    limit = tree.boxes.limit
    corners = itertools.product((-limit, limit - 2), repeat=3)
    places = [box(900, 5, -7), *((x, y, z, x + 1, y + 1, z + 1) for x, y, z in corners)]
    for slot, faces in enumerate(places, 2):
        tree.place(tree.allocate(1), slot, True, *faces)
        tree.check()
        assert [slot] == found(tree, faces)
    assert [0, 1] == found(tree, box(0, 0, 0, 1, 3, 1))
    assert len(places) + 2 == tree.collect(*EVERYWHERE)


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_across_the_lines_of_division_searches_all_children(kind: str) -> None:
    corners = [box(*at) for at in itertools.product((-3, 3), repeat=3)]
    tree = filled(tree_of(capacity=1, kind=kind), corners)
    assert tree.node_count > 4
    assert list(range(8)) == found(tree, box(-2, -2, -2, 5, 5, 5))
    assert [] == found(tree, box(-1, -1, -1, 3, 3, 3))


def test_boxes_that_touch_a_line_of_division_meet_those_across_it() -> None:
    for capacity in (1, 4, 16):
        tree = filled(tree_of(capacity=capacity), tiles(12), flat=True)
        assert 2 * 12 * 11 + 2 * 11 * 11 == len(pairs_of(tree, tree, False))
        for x, y in itertools.product(range(1, 11), repeat=2):
            near = [12 * (x + by) + y + up for by in (-1, 0, 1) for up in (-1, 0, 1)]
            assert near == found(tree, box(x, y, -0.5))


def test_boxes_on_lines_of_division_do_not_stay_at_inner_nodes() -> None:
    tree = filled(tree_of(capacity=4), tiles(32), flat=True)
    tree.cells_visited = 0
    assert 9 == tree.collect(*box(15, 15, -0.5))
    assert tree.cells_visited <= 16


@pytest.mark.once
@pytest.mark.parametrize("size", [0, 1, 5])
def test_coincident_boxes_do_not_divide_nodes_without_end(size: int) -> None:
    tree = filled(tree_of(capacity=1), [box(3, 3, 3, size, size, size)] * 1000 + [box(900, 900, 900)])
    tree.check()
    assert tree.node_count <= 23
    assert tree.measure().depth <= 22
    assert 1000 == tree.collect(*box(3, 3, 3))
    assert 1000 * 999 // 2 + 1 == tree.find_pairs(tree, False) + 1
    tree.remove(0, 1)
    tree.check()


@pytest.mark.parametrize("max_depth", [1, 2, 5])
def test_no_node_is_deeper_than_the_maximum_also_after_the_root_has_grown(max_depth: int) -> None:
    tree = tree_of(capacity=1, max_depth=max_depth)
    tree.set_flat(True)
    for slot, faces in enumerate([*tiles(9), box(50, 0, -0.5), box(-500, 0, -0.5), box(0, 7000, -0.5)]):
        tree.place(tree.allocate(1), slot, True, *faces)
        tree.check()
        assert tree.measure().depth <= max_depth + 1
    assert 2 * 9 * 8 + 2 * 8 * 8 == len(pairs_of(tree, tree, False))


@pytest.mark.parametrize("kind", KINDS)
def test_only_children_with_boxes_are_made(kind: str) -> None:
    tree = filled(tree_of(capacity=1, kind=kind), [box(0, 0, 0), box(100, 100, 100)])
    assert 3 == tree.node_count == len(tree.outlines())
    tree.place(tree.allocate(1), 2, True, *box(100, 100, 102))
    tree.check()
    assert tree.cell_count <= 3


def test_removed_nodes_are_used_again_so_boxes_that_move_need_no_more_of_them() -> None:
    rng = random.Random(5)
    tree = filled(tree_of(capacity=2), tiles(12), flat=True)
    most, size = tree.node_count, tree.measure().bytes
    for _ in range(60):
        for slot in range(144):
            x, y = (tree.boxes.faces[8 * slot + axis] for axis in (0, 1))
            to_x, to_y = rng.randint(-9 * UNIT, 9 * UNIT), rng.randint(-9 * UNIT, 9 * UNIT)
            tree.shift(slot, 1, to_x - x, to_y - y, 0)
        most = max(most, tree.node_count)
    tree.check()
    assert tree.used <= most + 40
    assert tree.measure().bytes <= 2 * size


def test_nodes_divide_above_the_capacity_and_merge_only_at_half_of_it() -> None:
    apart = [box(*at, -0.5) for at in ((0, 0), (9, 0), (0, 9), (9, 9), (4, 4))]
    tree = filled(tree_of(capacity=4), apart[:4], flat=True)
    assert 1 == tree.node_count
    tree.place(tree.allocate(1), 4, True, *apart[4])
    assert tree.node_count > 1
    for slot, is_one in ((4, False), (3, False), (2, True)):
        tree.remove(slot, 1)
        tree.check()
        assert is_one == (tree.node_count == 1)
    for slot in (2, 3):
        tree.place(tree.allocate(1), slot, True, *apart[slot])
        assert 1 == tree.node_count
    for slot in range(4):
        tree.remove(slot, 1)
    tree.check()
    assert 0 == tree.node_count == tree.cell_count
    assert (0, 0, 0) == tree.measure()[:3]


def test_a_box_that_moves_within_its_node_changes_no_node() -> None:
    tree = filled(tree_of(capacity=4), tiles(8), flat=True)
    tree.cell_changes = 0
    tree.shift(0, 1, 1, 1, 0)
    assert 0 == tree.cell_changes
    assert [0] == found(tree, box(0, 0, -0.5, 0.5, 0.5))
    tree.shift(0, 1, 7 * UNIT, 0, 0)
    assert 2 == tree.cell_changes
    assert 0 in found(tree, box(7, 0, -0.5))
    tree.check()


def test_queries_for_sleeping_boxes_and_passes_over_awake_pairs_leave_out_subtrees() -> None:
    tree = filled(tree_of(capacity=4), tiles(24), flat=True, awake=False)
    counts = {}
    for state, slots in {"all asleep": (), "one awake": (0,), "one asleep": range(575)}.items():
        for slot in slots:
            tree.set_awake(slot, 1, True)
        tree.check()
        tree.cells_visited = 0
        tree.collect_asleep(*EVERYWHERE)
        asleep, tree.cells_visited = tree.cells_visited, 0
        pairs = tree.find_pairs(tree, True)
        counts[state] = asleep, pairs, tree.cells_visited
    assert (tree.cell_count, 0, 0) == counts["all asleep"]
    assert counts["one awake"][1] == 3
    assert counts["one awake"][2] < 40
    assert counts["one asleep"][0] <= 2
    assert 2 * 24 * 23 + 2 * 23 * 23 == counts["one asleep"][1]


def test_the_octree_does_not_divide_along_z_in_2d() -> None:
    tree = filled(tree_of(capacity=1), tiles(6), flat=True)
    limit = tree.boxes.limit
    assert {(-limit, limit - 1)} == {(faces[2], faces[5]) for faces, _ in tree.outlines()}
    tree.clear()
    tree.set_flat(False)
    filled(tree, [box(0, 0, 0), box(0, 0, 50)])
    assert {(-limit, limit - 1)} != {(faces[2], faces[5]) for faces, _ in tree.outlines()}


@pytest.mark.parametrize("axis", range(3), ids="xyz")
def test_the_quadtree_keeps_boxes_along_the_ignored_axis_in_one_node(axis: int) -> None:
    places = [[0.0] * 3 for _ in range(50)]
    for at, place in enumerate(places):
        place[axis] = 3 * at
    tree = filled(CapacityTree(16, 4, 21, axis), [box(*place) for place in places])
    tree.check()
    assert 1 == tree.cell_count
    assert [7] == found(tree, box(*places[7]))
    assert 0 == tree.find_pairs(tree, False)
    place, sides = [0.0] * 3, [1.0] * 3
    sides[axis] = 900
    tree.place(tree.allocate(1), 50, True, *box(*place, *sides))
    tree.check()
    assert 1 == tree.cell_count
    assert [(at, 50) for at in range(50)] == pairs_of(tree, tree, False)
