"""Sweep and prune: the order of its records through every change, what queries visit, and the faults of the sources.

test_protocol.py compares its results with brute force.
"""

from __future__ import annotations

import random

import pytest
from boards import sometimes
from twin_grids import EVERYWHERE, UNIT, GridPair, box, pairs_of

from ecs_collision.broadphase.sweep_and_prune import MANY, PASSES, SweepAndPruneIndex

BIT = 1 / UNIT
"""One lattice unit, in world units."""


class SweepPair(GridPair):
    """Sweep and prune and brute force with the same boxes."""

    def __init__(self, axis: int = 0, *, flat: bool = False) -> None:
        super().__init__(SweepAndPruneIndex(16, axis), flat=flat)

    def row(self, count: int, gap: float = 2) -> None:
        """Add unit boxes from left to right, one in each slot."""
        for owner in range(count):
            self.add(owner, box(gap * owner, 0, 0))

    def order(self) -> list[int]:
        """Return the slots in the order of the records, after a query has brought it up to date."""
        self.grid.collect(*EVERYWHERE)
        count = self.grid.record_count
        return [self.grid.records[5 * at + 4] for at in range(count) if self.grid.records[5 * at + 1] > -(2**62)]

    def sorted_slots(self) -> list[int]:
        """Return the slots sorted by low end and slot."""
        faces, owner = self.plain.boxes.faces, self.plain.boxes.owner
        slots = [slot for slot in range(self.plain.boxes.slot_count) if owner[slot] >= 0]
        return sorted(slots, key=lambda slot: (faces[8 * slot + self.grid.sweep_axis], slot))

    def verify_all(self) -> None:
        """Compare what meets each box, and all pairs, and the order."""
        super().verify_all()
        assert self.sorted_slots() == self.order()


@pytest.mark.parametrize("axis", range(3), ids="xyz")
def test_boxes_that_touch_on_the_axis_meet(axis: int) -> None:
    """Of equal ends, a low one comes before a high one; a region that ends where a box begins meets it too."""
    twin = SweepPair(axis)
    for owner in (3, 1, 0, 2, 4):
        corner = [0, 0, 0]
        corner[axis] = owner
        twin.add(owner, box(*corner))
    twin.add(5, box(*(2 if each == axis else 0 for each in range(3)), *(0 if each == axis else 1 for each in range(3))))
    assert 4 + 2 == len(pairs_of(twin.grid, twin.grid, False))
    twin.verify_all()


@pytest.mark.parametrize("axis", range(3), ids="xyz")
def test_boxes_of_two_indexes_that_touch_on_the_axis_meet(axis: int) -> None:
    twin, other = SweepPair(axis), SweepPair(axis)
    for owner in range(5):
        corner = [0, 0, 0]
        corner[axis] = 2 * owner
        twin.add(owner, box(*corner))
        corner[axis] += 1
        other.add(owner, box(*corner))
    assert 9 == len(pairs_of(twin.grid, other.grid, False)) == len(pairs_of(other.grid, twin.grid, False))


def test_equal_low_ends_are_in_the_order_of_slots() -> None:
    twin = SweepPair()
    for owner in range(40):
        twin.add(owner, box(5, owner % 7, 0))
    assert list(range(40)) == twin.order()
    for owner in (30, 2, 17):
        twin.shift(owner, UNIT, 0, 0)
    twin.verify_all()
    for owner in (17, 30, 2):
        twin.shift(owner, -UNIT, 0, 0)
    assert list(range(40)) == twin.order()
    twin.verify_all()


@pytest.mark.parametrize("distance", [1, 2, 3, 40, 250, 500])
@pytest.mark.parametrize("sign", [1, -1], ids=["up", "down"])
def test_a_moved_record_reaches_its_place(distance: int, sign: int) -> None:
    count = 540
    twin = SweepPair()
    twin.row(count)
    assert list(range(count)) == twin.order()
    mover = 9 if sign > 0 else count - 9
    twin.shift(mover, sign * (2 * distance * UNIT + UNIT), 0, 0)
    twin.verify(EVERYWHERE)
    assert twin.sorted_slots() == twin.order() != list(range(count))
    twin.grid.check()
    twin.shift(mover, -sign * (2 * distance * UNIT + UNIT), 0, 0)
    assert list(range(count)) == twin.order()
    twin.grid.check()


def test_a_move_that_passes_no_box_changes_the_ends() -> None:
    twin = SweepPair()
    twin.row(10)
    twin.verify_all()
    twin.shift(4, UNIT - 1, UNIT // 2, 0)
    twin.verify_all()
    assert list(range(10)) == twin.order()
    assert [] == twin.found(box(7.5, 0, 0, 1.25, 1))
    assert [4] == twin.found(box(8 + 1.5, 0, 0, 0.25, 1))


@pytest.mark.parametrize("share", sometimes([1, 2 * MANY, 12 * MANY], [2 * MANY]))
def test_all_moved_records_reach_their_places(share: int) -> None:
    rng = random.Random(share)
    twin = SweepPair(flat=True)
    for owner in range(300):
        twin.add(owner, box(rng.uniform(-40, 40), rng.uniform(-9, 9), -0.5))
    for _ in range(8):
        for owner in rng.sample(range(300), 300 // share):
            twin.shift(owner, rng.randint(-UNIT, UNIT), rng.randint(-UNIT, UNIT), 0)
        twin.verify(box(rng.uniform(-40, 40), 0, 0, 3, 3))
    twin.verify_all()


@pytest.mark.parametrize("share", [1, MANY + 1])
def test_boxes_that_change_their_order_altogether_are_sorted_again(share: int) -> None:
    """Many boxes at once, and fewer that would pass more others than sorting is worth."""
    count = 20 * PASSES
    twin = SweepPair()
    twin.row(count)
    twin.verify(EVERYWHERE)
    for owner in range(0, count, share):
        twin.shift(owner, (count - 2 * owner) * 2 * UNIT, 0, 0)
    assert twin.sorted_slots() == twin.order() != list(range(count))
    twin.verify_all()


def test_a_removed_box_takes_both_ends_along() -> None:
    twin = SweepPair()
    twin.row(60, 0.75)
    twin.verify(EVERYWHERE)
    for owner in range(0, 60, 7):
        faces = twin.boxes(owner)[0]
        twin.remove(owner)
        twin.verify(faces)
        twin.verify_all()
    assert 9 == twin.grid.gap_count
    slot = twin.add(60, box(90, 0, 0))
    assert twin.plain.boxes.slot_count == 60
    twin.verify_all()
    twin.shift(55, 2 * UNIT, 0, 0)  # past the gap of the slot that the new box has
    twin.verify_all()
    twin.shift(60, -80 * UNIT, 0, 0)
    twin.verify_all()
    assert slot in twin.found(box(10, 0, 0))


def test_gaps_are_closed() -> None:
    twin = SweepPair()
    twin.row(100)
    twin.verify(EVERYWHERE)
    for owner in range(0, 100, 2):
        twin.remove(owner)
    twin.verify_all()
    assert 50 == twin.grid.gap_count
    twin.add(100, box(-5, 0, 0))
    twin.verify_all()
    assert (0, 51) == (twin.grid.gap_count, twin.grid.record_count)


@pytest.mark.parametrize("count", sometimes([0, 1, 16, 17, 256, 300], [256, 300]))
def test_blocks_of_all_sizes_are_searched(count: int) -> None:
    twin = SweepPair()
    twin.row(count)
    for at in (0, 15, 16, 31, 255, 256, 299):
        twin.verify(box(2 * at + 0.5, 0, 0, 0.1, 0.1))
        twin.verify(box(2 * at + 1, 0, 0, 1 - BIT, 1))
    twin.verify_all()


def test_a_long_box_does_not_make_queries_test_all_boxes() -> None:
    """At its other end, a query compares the block of the long box and that of the boxes there."""
    index = SweepAndPruneIndex(16, 0)
    first = index.allocate(3001)
    for at in range(3000):
        index.place(first + at, at, True, *box(2 * at, 0, 0))
    region = box(5990.5, 0, 0, 0.1, 0.1)
    assert 1 == index.collect(*region)
    assert index.records_tested <= 16
    index.place(first + 3000, 3000, True, *box(-5, 0, 0, 50_000, 1, 1))
    assert 2 == index.collect(*region)
    assert index.records_tested <= 3 * 16


def test_a_flat_index_that_sweeps_z_sweeps_x() -> None:
    twin = SweepPair(2)
    for owner in range(20):
        twin.add(owner, box(-owner, 0, -0.5))
    twin.verify_all()
    assert (2, list(range(20))) == (twin.grid.sweep_axis, twin.order())
    twin.set_flat(True)
    twin.shift(3, UNIT // 2, 0, 0)
    twin.verify_all()
    assert (0, 19) == (twin.grid.sweep_axis, twin.order()[0])
    twin.set_flat(False)
    twin.shift(3, UNIT // 2, 0, 5 * UNIT)
    twin.remove(7)
    twin.add(30, box(1, 1, 1))
    twin.verify_all()
    assert 2 == twin.grid.sweep_axis
    for each in twin.both:
        each.clear()
    twin.runs.clear()
    twin.verify_all()
