"""The sorted list of entries: order, new boxes, pairs, and the faults of its sources."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from twin_grids import EVERYWHERE, UNIT, Faces, GridPair, box, pairs_of, random_box

from ecs_collision.broadphase.z_order_sweep import ZOrderSweepIndex

LIMIT = 2**36
"""The limit of an index whose bins are one unit."""


class Twin(GridPair):
    """A list of entries and brute force with the same boxes, one in each slot; `slots` are those in use."""

    def __init__(self, *, flat: bool = False, bin_shift: int = 16) -> None:
        self.sweep = ZOrderSweepIndex(bin_shift)
        super().__init__(self.sweep, flat=flat, bin_shift=bin_shift)
        self.owner_of: dict[int, int] = {}
        self.owners = itertools.count()

    @property
    def slots(self) -> list[int]:
        return list(self.owner_of)

    def add_each(self, *boxes: Faces, awake: bool = True) -> None:
        """Add boxes, each with an owner of its own."""
        for faces in boxes:
            owner = next(self.owners)
            self.owner_of[self.add(owner, faces, awake=awake)] = owner

    def remove_slot(self, slot: int) -> None:
        self.remove(self.owner_of.pop(slot))

    def move(self, slot: int, dx: int, dy: int = 0, dz: int = 0) -> int:
        """Move a box; return how many entries were added and removed."""
        return self.shift(self.owner_of[slot], dx, dy, dz)

    def compared(self, region: Faces = EVERYWHERE) -> list[int]:
        """Return the boxes that meet a region, after comparing them."""
        expected = self.expected(region)
        assert expected == self.found(region)
        return expected


def verify_pairs(twin: Twin, other: Twin) -> list[tuple[int, int]]:
    """Compare the pairs of two lists with those of brute force."""
    expected = pairs_of(twin.plain, other.plain, False)
    assert expected == pairs_of(twin.sweep, other.sweep, False)
    return expected


def entries(twin: Twin) -> list[tuple[int, int, int]]:
    """Return code, level and slot of all entries, in their order."""
    twin.sweep.find_pairs(twin.sweep, False)  # sorts them
    return list(twin.sweep.inspection().entries())


# The faults of the sources.


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
def test_a_cell_comes_before_those_it_contains_that_have_the_same_corner(flat: bool) -> None:
    """Sorted by code only, the small box could come first, and the scan from it would not find the large one."""
    small, large = box(0.25, 0.25, -0.5, 0.5, 0.5, 1), box(0.25, 0.25, -0.5, 7, 7, 1 if flat else 7)
    for boxes in ((small, large), (large, small)):
        twin = Twin(flat=flat)
        twin.add_each(*boxes)
        assert [(0, 1)] == verify_pairs(twin, twin)
        levels = [level for code, level, _ in entries(twin) if code == entries(twin)[0][0]]
        assert sorted(levels, reverse=True) == levels
        assert {0, 3} == set(levels)


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
def test_a_pair_that_shares_all_its_cells_comes_once(flat: bool) -> None:
    twin, other = Twin(flat=flat), Twin(flat=flat)
    for each in (twin, other):
        each.add_each(box(0.5, 0.5, -0.5), box(0.5, 0.5, -0.5))
        each.verify(EVERYWHERE)
    assert len(entries(twin)) == (8 if flat else 16)
    assert 1 == twin.sweep.find_pairs(twin.sweep, False)
    assert 4 == twin.sweep.find_pairs(other.sweep, False)
    assert [(0, 1)] == verify_pairs(twin, twin)


@pytest.mark.parametrize("bins", [1 << 10, 1 << 16, 1 << 20])
def test_boxes_1024_bins_or_more_apart_are_in_different_cells(bins: int) -> None:
    twin = Twin(bin_shift=8)
    twin.add_each((1, 1, 1, 9, 9, 9), (1 - bins * 256, 1, 1, 9 - bins * 256, 9, 9), (1, 1 - bins * 256, 1, 9, 9, 9))
    codes = [code for code, level, _ in entries(twin) if level == 0]
    assert len(codes) == len(set(codes))
    twin.verify((1, 1, 1, 9, 9, 9))


@pytest.mark.parametrize("bin_shift", [8, 16, 20])
@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
def test_the_last_cells_of_the_index_are_found(flat: bool, bin_shift: int) -> None:
    """The code after the last cell of an octree would be 2**63."""
    twin = Twin(flat=flat, bin_shift=bin_shift)
    end = (1 << (20 + bin_shift)) - 1
    z = (-UNIT // 2, UNIT // 2) if flat else (end - 5, end)
    low = -end - 1
    whole = (low, low, z[0] if flat else low, end, end, z[1])
    twin.add_each(
        (end - 5, end - 5, z[0], end, end, z[1]), (end, end, z[1], end, end, z[1]) if not flat else whole, whole
    )
    twin.add_each((low, low, whole[2], low, low, z[1]))
    twin.verify((end, end, z[0], end, end, z[1]))
    twin.verify(EVERYWHERE)
    verify_pairs(twin, twin)
    verify_pairs(twin, other := Twin(flat=flat, bin_shift=bin_shift))
    other.add_each(whole)
    assert [(slot, 0) for slot in range(4)] == verify_pairs(twin, other)
    assert [(0, slot) for slot in range(4)] == verify_pairs(other, twin)


# Entries.


def test_a_box_has_at_most_8_entries_and_4_while_the_world_is_flat() -> None:
    rng = random.Random(8)
    for flat, most in ((True, 4), (False, 8)):
        twin = Twin(flat=flat)
        twin.add_each(*(random_box(rng, flat) for _ in range(300)))
        twin.verify(EVERYWHERE)
        counts = Counter(slot for _, _, slot in entries(twin)).values()
        assert most == max(counts)
        assert sum(counts) == twin.sweep.cell_count == twin.sweep.measure().entries


def test_entries_are_sorted_by_code_and_level() -> None:
    twin = Twin(flat=True)
    twin.add_each(
        box(0.25, 0.25, -0.5, 0.5, 0.5, 1),  # one bin
        box(0.25, 0.25, -0.5, 0.5, 0.5, 1),
        box(0.25, 0.25, -0.5, 1.5, 1.5, 1),  # one cell of 2 by 2
        box(1.25, 0.25, -0.5, 14, 14, 1),  # one cell of 16 by 16
        box(9.25, 9.25, -0.5, 0.5, 0.5, 1),
    )
    assert [(4, 3), (1, 2), (0, 0), (0, 1), (0, 4)] == [(level, slot) for _, level, slot in entries(twin)]


def test_a_box_that_stays_in_its_cells_changes_no_entry() -> None:
    twin = Twin()
    twin.add_each(*(box(3 * x + 0.125, 0.25, 0.5, 0.25, 0.25, 0.25) for x in range(200)))
    twin.verify(EVERYWHERE)
    assert 0 == twin.move(7, UNIT // 2, UNIT // 4)
    assert (0, 0) == (twin.sweep.new_count, twin.sweep.dead_count)
    assert 3 == twin.move(7, UNIT // 4, 0, UNIT - 1)  # from one cell to 2 by 1 by 2, one of them the same
    twin.verify(box(21, 0, 0, 2, 2, 2))


# Changes between queries.


@pytest.mark.once
def test_moved_boxes_are_new_until_testing_them_has_cost_as_much_as_merging() -> None:
    rng = random.Random(1)
    twin = Twin(flat=True)
    twin.add_each(*(box(rng.uniform(0, 60), rng.uniform(0, 60), -0.5) for _ in range(1000)))
    twin.verify(EVERYWHERE)
    counts = []
    for turn in range(400):
        twin.move(rng.choice(twin.slots), rng.choice((UNIT, -UNIT)), UNIT)
        region = twin.plain.boxes.faces[8 * turn : 8 * turn + 6]
        twin.compared(tuple(region))
        counts.append(twin.sweep.new_count)
        if turn % 10 == 0:
            twin.sweep.check()
    assert 60 < max(counts) < 400
    assert 2 <= sum(before > after == 0 for before, after in itertools.pairwise(counts)) < 15
    twin.verify(EVERYWHERE)


def test_an_entry_that_is_merged_comes_after_the_larger_cell_with_its_code() -> None:
    twin = Twin(flat=True)
    twin.add_each(box(0.25, 0.25, -0.5, 7, 7, 1), box(9.25, 9.25, -0.5, 0.5, 0.5, 1))
    assert [(3, 0), (0, 1)] == [(level, slot) for _, level, slot in entries(twin)]
    twin.move(1, -9 * UNIT, -9 * UNIT)
    assert [(3, 0), (0, 1)] == [(level, slot) for _, level, slot in entries(twin)]
    twin.verify(EVERYWHERE)


def test_after_many_changes_without_a_query_all_entries_are_sorted_at_once() -> None:
    rng = random.Random(2)
    twin = Twin()
    twin.add_each(*(box(*(rng.uniform(0, 9) for _ in range(3))) for _ in range(300)))
    assert 300 == twin.sweep.new_count
    twin.verify(box(3, 3, 3))
    assert 0 == twin.sweep.new_count
    for slot in twin.slots:
        twin.move(slot, UNIT, -UNIT)
    twin.sweep.check()
    assert (300, twin.sweep.count) == (twin.sweep.new_count, twin.sweep.dead_count)
    verify_pairs(twin, twin)
    assert (0, 0) == (twin.sweep.new_count, twin.sweep.dead_count)
    twin.verify(EVERYWHERE)


def test_a_slot_that_is_used_again_does_not_bring_back_its_old_box() -> None:
    twin = Twin(flat=True)
    twin.add_each(*(box(3 * x + 0.25, 0.25, -0.5, 0.5, 0.5, 1) for x in range(100)))
    twin.verify(EVERYWHERE)
    twin.remove_slot(10)
    twin.verify(EVERYWHERE)
    twin.add_each(box(3 * 10 + 1.25, 0.25, -0.5, 1.5, 0.5, 1))
    assert 10 == twin.slots[-1]
    twin.verify(box(30, 0, -0.5, 2.99, 1, 1))
    twin.verify(EVERYWHERE)


# Queries.


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
def test_long_runs_are_divided_and_every_box_is_offered_once(flat: bool) -> None:
    rng = random.Random(4)
    twin = Twin(flat=flat)
    twin.add_each(*(random_box(rng, flat, 60) for _ in range(400)))
    twin.verify(EVERYWHERE)
    for size in (0, 1, 3, 10, 30, 100):
        for _ in range(10):
            corner = [rng.uniform(-60, 60) for _ in range(2)]
            twin.sweep.cells_visited = 0
            region = box(*corner, -0.5, size, size, 1 if flat else size)
            assert len(twin.compared(region)) <= twin.sweep.cells_visited <= len(entries(twin))


def test_the_boxes_around_a_region_of_several_cells_are_offered_once() -> None:
    twin = Twin()
    twin.add_each(*(box(-7.5, -7.5, -7.5, side, side, side) for side in (9, 10, 14, 15, 60, 1000)))
    twin.verify_all()  # which merges the new boxes
    twin.verify(box(-0.75, -0.75, -0.75, 1.5, 1.5, 1.5))
    twin.verify(box(0.25, 0.25, 0.25, 0.5, 0.5, 0.5))


# Size, pictures and checks.


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
def test_the_outlines_are_cells_that_contain_the_boxes(flat: bool) -> None:
    rng = random.Random(7)
    twin = Twin(flat=flat)
    twin.add_each(*(random_box(rng, flat) for _ in range(50)))
    outlines = twin.sweep.outlines()
    assert len(outlines) == len(set(outlines))
    for slot in twin.slots:
        faces, level = twin.sweep.boxes.faces[8 * slot : 8 * slot + 6], twin.sweep.boxes.levels[slot]
        inside = [cell for cell, each in outlines if each == level and contains(cell, faces[:3])]
        assert len(inside) == 1
    size = twin.sweep.measure()
    assert (twin.sweep.cell_count, len({level for _, level in outlines})) == (size.nodes, size.depth)
    assert size.bytes > 4 * len(twin.slots)


def contains(cell: Faces, point: object) -> bool:
    return all(
        low <= at < high or at == high == UNIT // 2 for low, at, high in zip(cell[:3], point, cell[3:], strict=True)
    )  # type: ignore[call-overload]
