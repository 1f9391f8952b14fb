"""The quadtree and the octree with node capacity: against brute force, and the faults of their sources."""

from __future__ import annotations

import itertools
import random

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, GridPair

from ecs_collision.broadphase.brute_force import BruteForceIndex
from ecs_collision.broadphase.capacity_tree import CapacityTree
from ecs_collision.broadphase.octree import OctreeIndex
from ecs_collision.broadphase.protocol import Index
from ecs_collision.broadphase.quadtree import QuadtreeIndex

PLANE = (-UNIT // 2, UNIT // 2)
ACTIONS = {"add": 6, "remove": 2, "shift": 5, "sleep": 2, "resize": 1, "flat": 0.05, "clear": 0.05}
KINDS = {"octree": (), "quadtree without x": (0,), "quadtree without y": (1,), "quadtree without z": (2,)}


def tree_of(bin_shift: int = 16, capacity: int = 4, max_depth: int = 21, kind: str = "octree") -> CapacityTree:
    make = QuadtreeIndex if KINDS[kind] else OctreeIndex
    return make(bin_shift, capacity, max_depth, *KINDS[kind])


class TreePair(GridPair):
    """A tree and brute force with the same boxes in the same slots."""

    def __init__(self, tree: CapacityTree, *, flat: bool = False) -> None:
        self.grid, self.plain = tree, BruteForceIndex(tree.boxes.bin_shift)
        self.both = (self.grid, self.plain)
        self.runs: dict[int, tuple[int, int]] = {}
        self.set_flat(flat)


def pairs_of(index: Index, other: Index, awake_only: bool = False) -> list[tuple[int, int]]:
    """Return the pairs that `find_pairs` finds, sorted, and verify that each comes once."""
    count = index.find_pairs(other, awake_only)
    found = [(index.pairs[2 * at], index.pairs[2 * at + 1]) for at in range(count)]
    if other is index:
        found = [(min(pair), max(pair)) for pair in found]
    assert len(found) == len(set(found))
    return sorted(found)


def a_box(rng: random.Random, limit: int, unit: int, flat: bool) -> Faces:
    """Return a box without size, about a bin long, or of any size up to the index; near 0, anywhere, or at an end."""
    sort = rng.random()
    if sort < 0.02:
        sides = [2 * limit - 1] * 3
    elif sort < 0.1:
        sides = [0] * 3
    elif sort < 0.2:
        sides = [rng.randint(0, 2 * limit - 1) >> rng.randint(0, 24) for _ in range(3)]
    else:
        sides = [rng.choice((unit, unit // 2, rng.randint(0, 4 * unit))) for _ in range(3)]
    lo = []
    for side in sides:
        place = rng.choices(
            (-limit, limit, rng.randint(-limit, limit), rng.randint(-8, 8) * unit, rng.randint(-8 * unit, 8 * unit)),
            (3, 3, 4, 30, 60),
        )[0]
        lo.append(max(-limit, min(place, limit - 1 - side)))
    faces = [*lo, *(low + side for low, side in zip(lo, sides, strict=True))]
    if flat:
        faces[2], faces[5] = PLANE
    return tuple(faces)  # type: ignore[return-value]


def change(pair: TreePair, rng: random.Random, ids: itertools.count[int], unit: int, alike: bool) -> None:
    """Do one change in the tree and in brute force."""
    flat, limit = pair.plain.boxes.flat, pair.plain.boxes.limit
    action = rng.choices(list(ACTIONS), list(ACTIONS.values()))[0]
    owner = rng.choice(list(pair.runs)) if pair.runs else -1
    if action in ("flat", "clear"):
        for each in pair.both:
            each.clear()
        pair.runs.clear()
        if action == "flat" or rng.random() < 0.5:
            pair.set_flat(not flat)
    elif action == "add" or owner < 0:
        first = a_box(rng, limit, unit, flat)
        parts = [first if alike else a_box(rng, limit, unit, flat) for _ in range(rng.choice((1, 1, 2, 5)))]
        pair.add(next(ids), *parts, awake=rng.random() < 0.4)
    elif action == "remove":
        pair.remove(owner)
    elif action == "shift":
        near, far = rng.randint(-9 * unit, 9 * unit), rng.randint(-limit, limit)
        step = [rng.choice((0, 1, -1, unit, -unit, near, far)) for _ in range(3)]
        step[2] = 0 if flat else step[2]
        ends = [face + by for faces in pair.boxes(owner) for face, by in zip(faces, step * 2, strict=True)]
        if -limit <= min(ends) and max(ends) < limit:
            pair.shift(owner, *step)
    elif action == "sleep":
        pair.set_awake(owner, rng.random() < 0.3)
    else:
        slot = pair.runs[owner][0]
        pair.place(slot, owner, bool(pair.plain.boxes.awake[slot]), a_box(rng, limit, unit, flat))


def compare(pair: TreePair, question: str, *given: int) -> None:
    """Verify that a query finds the same in the tree as in brute force."""
    counts = [getattr(each, question)(*given) for each in pair.both]
    found, expected = (sorted(each.hits[:count]) for each, count in zip(pair.both, counts, strict=True))
    assert expected == found, (question, given)


@pytest.mark.parametrize("bin_shift", [8, 16, 20])
@pytest.mark.parametrize(("capacity", "max_depth"), [(1, 21), (2, 5), (16, 1), (4, 21)])
@pytest.mark.parametrize("kind", KINDS)
def test_all_queries_and_pairs_equal_brute_force_after_every_change(
    kind: str, capacity: int, max_depth: int, bin_shift: int
) -> None:
    rng = random.Random(f"{kind} {capacity} {bin_shift}")
    first, second = (TreePair(tree_of(bin_shift, capacity, max_depth, kind)) for _ in range(2))
    octree = tree_of(bin_shift, 3, 9)
    ids, unit, alike = itertools.count(), 1 << bin_shift, capacity == 2
    for step in range(150):
        pair = rng.choice((first, second))
        change(pair, rng, ids, unit, alike)
        pair.grid.check()
        near = a_box(rng, pair.plain.boxes.limit, unit, False)
        far = tuple(face + rng.choice((-1, 1)) * 2**39 for face in near)
        for region in (near, far, EVERYWHERE):
            compare(pair, "collect", *region)
            compare(pair, "collect_asleep", *region)
            compare(pair, "collect_levels", rng.getrandbits(22), *region)
            compare(pair, "collect_inset", (1 << 22) - 1, 1, *region)
        if step % 10 == 0:
            for awake_only in (False, True):
                for other in (first, second):
                    expected = pairs_of(first.plain, other.plain, awake_only)
                    assert expected == pairs_of(first.grid, other.grid, awake_only)
                    if other is second:
                        assert expected == pairs_of(first.grid, other.plain, awake_only)
                assert [] == pairs_of(first.grid, octree, awake_only)
