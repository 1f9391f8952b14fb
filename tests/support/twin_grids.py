"""Broad phases beside brute force: the same boxes added, moved and removed in all, the same queries run in all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ecs_collision import CollisionValueError
from ecs_collision.broadphase.brute_force import BruteForceIndex
from ecs_collision.broadphase.buckets import BucketIndex
from ecs_collision.broadphase.choices import (
    CHOICES,
    BroadPhase,
    FootprintGrid,
    LinearOctree,
    Octree,
    PointerOctree,
    Quadtree,
    SweepAndPrune,
)
from ecs_collision.broadphase.make_index import index_of
from ecs_collision.broadphase.protocol import Index, Size
from ecs_collision.fixed_point import from_units

UNIT = 65536
EVERYWHERE = (*[-(2**40)] * 3, *[2**40] * 3)
Faces = tuple[int, int, int, int, int, int]


def box(x: float, y: float, z: float, wide: float = 1, high: float = 1, deep: float = 1) -> Faces:
    """Return the faces of a box from its lower corner and its sides in world units."""
    lo = [int(v * UNIT) for v in (x, y, z)]
    return (*lo, lo[0] + int(wide * UNIT), lo[1] + int(high * UNIT), lo[2] + int(deep * UNIT))


class GridPair:
    """A grid, or another index, and brute force with the same boxes in the same slots."""

    grid: Any

    def __init__(self, grid: Index | None = None, *, flat: bool = False, bin_shift: int = 16) -> None:
        self.grid, self.plain = grid or BucketIndex(bin_shift), BruteForceIndex(bin_shift)
        self.both: tuple[Index, Index] = (self.grid, self.plain)
        self.runs: dict[int, tuple[int, int]] = {}
        self.set_flat(flat)

    def add(self, owner: int, *parts: Faces, awake: bool = True) -> int:
        first, same = (each.allocate(len(parts)) for each in self.both)
        assert first == same
        for slot, faces in enumerate(parts, first):
            self.place(slot, owner, awake, faces)
        self.runs[owner] = (first, len(parts))
        return first

    def place(self, slot: int, owner: int, awake: bool, faces: Faces) -> None:
        for each in self.both:
            each.place(slot, owner, awake, *faces)

    def remove(self, owner: int) -> None:
        run = self.runs.pop(owner)
        for each in self.both:
            each.remove(*run)

    def shift(self, owner: int, dx: int, dy: int, dz: int) -> int:
        """Shift the boxes of an owner; return the number of grid cells left and entered."""
        before: int = self.grid.cell_changes
        for each in self.both:
            each.shift(*self.runs[owner], dx, dy, dz)
        return self.grid.cell_changes - before

    def set_awake(self, owner: int, awake: bool) -> None:
        for each in self.both:
            each.set_awake(*self.runs[owner], awake)

    def set_flat(self, flat: bool) -> None:
        for each in self.both:
            each.set_flat(flat)

    def boxes(self, owner: int) -> list[Faces]:
        first, count = self.runs[owner]
        faces = self.plain.boxes.faces
        return [tuple(faces[8 * slot : 8 * slot + 6]) for slot in range(first, first + count)]  # type: ignore[misc]

    def found(self, region: Faces) -> list[int]:
        count = self.grid.collect(*region)
        return sorted(self.grid.hits[:count])

    def expected(self, region: Faces) -> list[int]:
        count = self.plain.collect(*region)
        return sorted(self.plain.hits[:count])

    def verify(self, *regions: Faces) -> None:
        """Check the grid before the queries and after them."""
        self.grid.check()
        for region in regions:
            assert self.expected(region) == self.found(region)
        self.grid.check()

    def verify_all(self) -> None:
        """Compare what meets each box, and all pairs."""
        self.verify(EVERYWHERE, *(faces for owner in self.runs for faces in self.boxes(owner)))
        assert pairs_of(self.plain, self.plain, False) == pairs_of(self.grid, self.grid, False)


def random_box(rng: random.Random, flat: bool, spread: float = 12) -> Faces:
    """Return a box of a size from 0 to a thousand; often on bin borders."""
    size = rng.choice((0, 0.25, 0.5, 1, 1, 1, 2, 3, 7, 40, 1000) if rng.random() < 0.5 else (0.5, 1))
    sides = [size * rng.choice((1, 1, 0.5, 0)) for _ in range(3)]
    corner = [
        float(rng.randint(-int(spread), int(spread))) if rng.random() < 0.6 else rng.uniform(-spread, spread)
        for _ in range(3)
    ]
    if rng.random() < 0.3:
        corner = [c - side for c, side in zip(corner, sides, strict=True)]
    if flat:
        corner[2], sides[2] = -0.5, 1
    return box(*corner, *sides)


# All structures beside brute force.

ALL_LEVELS = (1 << 22) - 1
DYNAMIC, STATIC = 0, 1

DEFAULTS: dict[str, BroadPhase] = {name: each() for name, each in CHOICES.items()}
"""Every broad phase with its default options, by name."""

AWKWARD: dict[str, BroadPhase] = {
    "pointer_octree 1 deep": PointerOctree(max_depth=1),
    "pointer_octree 15 deep": PointerOctree(max_depth=15),
    "linear_octree 1 deep": LinearOctree(max_depth=1),
    "linear_octree 15 deep": LinearOctree(max_depth=15),
    "octree of 1": Octree(capacity=1),
    "octree of 1, 1 deep": Octree(capacity=1, max_depth=1),
    "quadtree of 1": Quadtree(capacity=1),
    "quadtree of 1, 1 deep": Quadtree(capacity=1, max_depth=1),
    "quadtree of 2 without x": Quadtree(capacity=2, ignored_axis="x"),
    "quadtree of 2 without y": Quadtree(capacity=2, ignored_axis="y"),
    "footprint_grid of 1 cell": FootprintGrid(lo=(0, 0), hi=(0.5, 0.5), cell_size=1),
    "footprint_grid off the origin": FootprintGrid(lo=(-7.75, 0.25), hi=(3.5, 5.125)),
    "footprint_grid of small cells": FootprintGrid(lo=(-3, -2), hi=(2, 4), cell_size=0.25),
    "footprint_grid of large cells": FootprintGrid(lo=(-30, -30), hi=(20, 20), cell_size=8),
    "footprint_grid elsewhere": FootprintGrid(lo=(900, -900), hi=(1000, -890)),
    "sweep_and_prune y": SweepAndPrune(axis="y"),
    "sweep_and_prune z": SweepAndPrune(axis="z"),
}
"""Broad phases with options that divide space far too much, hardly at all, or elsewhere."""

VARIANTS = DEFAULTS | AWKWARD


MAX_CELLS = 1 << 12
"""The most cells of a footprint grid here: a check visits all of them."""


def fitting(choice: BroadPhase, bin_shift: int) -> BroadPhase:
    """Return a choice, or a smaller footprint grid if the choice would have too many cells for these bins."""
    small = FootprintGrid(lo=(-8, -8), hi=(8, 8), cell_size=0.25)
    if not isinstance(choice, FootprintGrid):
        return choice
    try:
        columns, rows = choice.cells(from_units(1 << bin_shift))
    except CollisionValueError:
        return small
    return choice if columns * rows <= MAX_CELLS else small


class Run(NamedTuple):
    """The slots of an owner: of the dynamic or the static index, the first, how many, how many of them have boxes."""

    side: int
    first: int
    count: int
    used: int


class Twins:
    """A dynamic and a static index of each of several broad phases, and of brute force, with the same boxes.

    Each change is made in all of them. `verify` compares the answers of all queries, and checks every structure.
    """

    def __init__(self, choices: dict[str, BroadPhase], *, flat: bool = False, bin_shift: int = 16) -> None:
        self.plain = (BruteForceIndex(bin_shift), BruteForceIndex(bin_shift))
        self.tested: dict[str, tuple[Index, Index]] = {
            name: (index_of(choice, bin_shift), index_of(choice, bin_shift))
            for name, choice in ((name, fitting(choice, bin_shift)) for name, choice in choices.items())
        }
        self.runs: dict[int, Run] = {}
        self.next_owner = self.turn = 0
        self.set_flat(flat)

    @property
    def flat(self) -> bool:
        return bool(self.plain[0].boxes.flat)

    @property
    def limit(self) -> int:
        return int(self.plain[0].boxes.limit)

    def indexes(self, side: int) -> list[Index]:
        """Return the dynamic or the static index of all, that of brute force first."""
        return [self.plain[side], *(pair[side] for pair in self.tested.values())]

    def boxes(self, owner: int) -> list[Faces]:
        run = self.runs[owner]
        faces = self.plain[run.side].boxes.faces
        return [tuple(faces[8 * slot : 8 * slot + 6]) for slot in range(run.first, run.first + run.used)]  # type: ignore[misc]

    def is_awake(self, owner: int) -> bool:
        run = self.runs[owner]
        return bool(self.plain[run.side].boxes.awake[run.first])

    # Changes.

    def add(self, parts: list[Faces], *, spare: int = 0, side: int = DYNAMIC, awake: bool = True) -> int:
        """Add an owner with these boxes, and some empty slots after them; returns the owner."""
        owner = self.next_owner
        self.next_owner += 1
        self._put(owner, parts, len(parts) + spare, side, awake)
        return owner

    def _put(self, owner: int, parts: list[Faces], count: int, side: int, awake: bool) -> None:
        (first,) = {each.allocate(count) for each in self.indexes(side)}
        for each in self.indexes(side):
            for slot, faces in enumerate(parts, first):
                each.place(slot, owner, awake, *faces)
        self.runs[owner] = Run(side, first, count, len(parts))

    def place(self, owner: int, at: int, faces: Faces) -> None:
        """Replace a box of an owner, or put one into its first empty slot."""
        run, awake = self.runs[owner], self.is_awake(owner)
        for each in self.indexes(run.side):
            each.place(run.first + at, owner, awake, *faces)
        self.runs[owner] = run._replace(used=max(run.used, at + 1))

    def remove(self, owner: int) -> None:
        run = self.runs.pop(owner)
        for each in self.indexes(run.side):
            each.remove(run.first, run.count)

    def shift(self, owner: int, dx: int, dy: int, dz: int) -> bool:
        """Move the boxes of an owner, up to the first that would leave the index; returns whether all moved."""
        run, results = self.runs[owner], set()
        for name, each in zip(["brute force", *self.tested], self.indexes(run.side), strict=True):
            with named(name):
                before = each.cell_changes
                results.add(moves(each, run, dx, dy, dz))
                assert each.cell_changes >= before
                assert (dx, dy, dz) != (0, 0, 0) or each.cell_changes == before
        (result,) = results
        return result

    def set_awake(self, owner: int, awake: bool) -> None:
        run = self.runs[owner]
        for each in self.indexes(run.side):
            each.set_awake(run.first, run.count, awake)

    def switch(self, owner: int) -> None:
        """Move an owner from the dynamic index to the static one, or back."""
        run, parts, awake = self.runs[owner], self.boxes(owner), self.is_awake(owner)
        self.remove(owner)
        self._put(owner, parts, run.count, 1 - run.side, awake)

    def set_flat(self, flat: bool) -> None:
        for each in self.indexes(DYNAMIC) + self.indexes(STATIC):
            each.set_flat(flat)

    def clear(self) -> None:
        self.runs.clear()
        for each in self.indexes(DYNAMIC) + self.indexes(STATIC):
            each.clear()

    # Comparisons.

    def check(self) -> None:
        """Check every structure, and the numbers that it gives of itself."""
        for name, pair in self.tested.items():
            for index in pair:
                with named(name):
                    index.check()
                    check_size(index)

    def compare(self, side: int, question: str, *given: int) -> list[int]:
        """Run a query in all; returns the hits, sorted by slot."""
        plain, *others = self.indexes(side)
        count = getattr(plain, question)(*given)
        expected = sorted(plain.hits[:count])
        for name, index in zip(self.tested, others, strict=True):
            count, visited = getattr(index, question)(*given), index.cells_visited
            with named(name):
                assert expected == sorted(index.hits[: index.hit_count]), (side, question, given)
                assert len(expected) == count
                assert index.cells_visited >= visited >= 0
        return expected

    def compare_pairs(self, a: int, b: int, *, awake_only: bool) -> int:
        """Find the pairs of two indexes, or of one, in all; returns how many there are."""
        expected = pairs_of(self.plain[a], self.plain[b], awake_only)
        for name, pair in self.tested.items():
            with named(name):
                assert expected == pairs_of(pair[a], pair[b], awake_only), (a, b, awake_only)
        return len(expected)

    def compare_mixed_pairs(self, a: int, b: int, *, awake_only: bool) -> None:
        """Find the pairs of the dynamic index of each structure and the static one of the next, or the reverse."""
        assert a != b
        expected = pairs_of(self.plain[a], self.plain[b], awake_only)
        every = {"brute force": self.plain, **self.tested}
        names = list(every)
        for name, other in zip(names, names[1:] + names[:1], strict=True):
            with named(f"{name} with {other}"):
                found = pairs_of(every[name][a], every[other][b], awake_only)
                assert expected == found, (a, b, awake_only)


def put(index: Index, faces: Faces, awake: bool = True) -> int:
    """Add a box with an owner of its own; returns its slot."""
    slot: int = index.allocate(1)
    index.place(slot, slot, awake, *faces)
    return slot


def found(index: Index, region: Faces) -> list[int]:
    """Return the slots of the boxes that meet a region, sorted."""
    count = index.collect(*region)
    return sorted(index.hits[:count])


def moves(index: Index, run: Run, dx: int, dy: int, dz: int) -> bool:
    """Move the boxes of a run; returns whether all stay within the index."""
    try:
        index.shift(run.first, run.used, dx, dy, dz)
    except IndexError:
        return False
    return True


def pairs_of(index: Index, other: Index, awake_only: bool) -> list[tuple[int, int]]:
    """Return the pairs that an index finds, sorted; within one index the lower slot first."""
    count = index.find_pairs(other, awake_only)
    assert count == index.pair_count
    flat = index.pairs[: 2 * count]
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    return sorted((min(pair), max(pair)) for pair in pairs) if index is other else sorted(pairs)


def check_size(index: Index) -> None:
    """Verify that the numbers that a structure gives of itself agree."""
    size, count = index.measure(), index.boxes.box_count
    assert size.entries >= count, "each box is at least one entry"
    assert min(size) >= 0
    assert 0 <= index.cell_count <= size.nodes
    assert (size.bytes > 0) == (size != Size(count, 0, 0, 0)) or count == 0
    for faces, level in index.outlines():
        assert all(low <= high for low, high in zip(faces[:3], faces[3:], strict=True))
        assert level >= 0


# Random changes and queries.


def a_box(rng: random.Random, flat: bool, limit: int) -> Faces:
    """Return a box of any size, sometimes at an edge of the index, or as large as the index."""
    faces = random_box(rng, flat)
    if max(map(abs, faces)) >= limit:
        return (0, 0, -UNIT // 2, 9, 9, UNIT // 2)
    if rng.random() < 0.9:
        return faces
    if rng.random() < 0.1 and not flat:
        return (*[-limit] * 3, *[limit - 1] * 3)
    by = [rng.choice((0, -limit - lo, limit - 1 - hi)) for lo, hi in zip(faces[:3], faces[3:], strict=True)]
    if flat:
        by[2] = 0
    return tuple(face + step for face, step in zip(faces, by * 2, strict=True))  # type: ignore[return-value]


def a_step(rng: random.Random, flat: bool) -> list[int]:
    """Return a displacement in units: often none, one unit or one bin; rarely far."""
    step = [rng.choice((0, 1, -1, UNIT, -UNIT, rng.randint(-9 * UNIT, 9 * UNIT))) for _ in range(3)]
    if rng.random() < 0.05:
        step[rng.randrange(3)] = rng.choice((-1, 1)) * rng.choice((1 << 30, 1 << 35, 1 << 37))
    if flat:
        step[2] = 0
    return step


def add(twins: Twins, rng: random.Random) -> None:
    count = rng.choice((1, 1, 1, 2, 3, 9))
    boxes = [a_box(rng, twins.flat, twins.limit) for _ in range(count)]
    if rng.random() < 0.2:
        boxes = [boxes[0]] * count
    side = STATIC if rng.random() < 0.4 else DYNAMIC
    twins.add(boxes, spare=rng.choice((0, 0, 2)), side=side, awake=rng.random() < 0.4)


def resize(twins: Twins, rng: random.Random) -> None:
    owner = rng.choice(list(twins.runs))
    run = twins.runs[owner]
    twins.place(owner, rng.randrange(min(run.count, run.used + 1)), a_box(rng, twins.flat, twins.limit))


def move(twins: Twins, rng: random.Random) -> None:
    twins.shift(rng.choice(list(twins.runs)), *a_step(rng, twins.flat))


def sleep(twins: Twins, rng: random.Random) -> None:
    twins.set_awake(rng.choice(list(twins.runs)), False)


def wake(twins: Twins, rng: random.Random) -> None:
    twins.set_awake(rng.choice(list(twins.runs)), True)


def switch(twins: Twins, rng: random.Random) -> None:
    twins.switch(rng.choice(list(twins.runs)))


def remove(twins: Twins, rng: random.Random) -> None:
    twins.remove(rng.choice(list(twins.runs)))


def change_plane(twins: Twins, rng: random.Random) -> None:
    """Remove all owners that are not in the plane, and set it; or allow all boxes again."""
    if not twins.flat:
        for owner in list(twins.runs):
            if any((lo, hi) != (-UNIT // 2, UNIT // 2) for _, _, lo, _, _, hi in twins.boxes(owner)):
                twins.remove(owner)
    twins.set_flat(not twins.flat)


def clear(twins: Twins, rng: random.Random) -> None:
    twins.clear()


CHANGES: dict[Callable[[Twins, random.Random], None], float] = {
    add: 6, resize: 2, move: 6, sleep: 2, wake: 2, switch: 1.5, remove: 2, change_plane: 0.2, clear: 0.1,
}  # fmt: skip
"""What can happen to boxes, with weights. All but `add`, `change_plane` and `clear` need a box."""

WITHOUT_BOXES = (add, change_plane, clear)


def change(twins: Twins, rng: random.Random) -> None:
    """Make a random change."""
    changes = [each for each in CHANGES if twins.runs or each in WITHOUT_BOXES]
    rng.choices(changes, [CHANGES[each] for each in changes])[0](twins, rng)


def a_region(rng: random.Random, twins: Twins) -> Faces:
    """Return a region: a box that exists or one near it, a point, everything, or one at an edge of the index."""
    kind = rng.random()
    if twins.runs and kind < 0.4:
        return rng.choice(twins.boxes(rng.choice(list(twins.runs))))
    if kind < 0.5:
        return a_box(rng, False, twins.limit)
    return EVERYWHERE if kind < 0.55 else random_box(rng, False, 20)


def verify(twins: Twins, rng: random.Random) -> None:
    """Check every structure, and compare every query with brute force."""
    twins.check()
    side, awake_only = rng.randrange(2), rng.random() < 0.5
    region, levels = a_region(rng, twins), rng.getrandbits(22)
    twins.compare(side, "collect", *region)
    twins.compare(side, "collect_levels", levels, *region)
    twins.compare(side, "collect_inset", ALL_LEVELS, rng.choice((0, 1)), *region)
    for each in twins.indexes(side):
        each.begin_pass()
    twins.compare(side, "collect_asleep", *region)
    for each in twins.indexes(side):
        each.end_pass()
        assert 0 <= each.cells_skipped <= each.cell_count
    twins.compare_pairs(side, side, awake_only=awake_only)
    twins.compare_pairs(side, 1 - side, awake_only=awake_only)
    if len(twins.tested) > 1:
        twins.compare_mixed_pairs(side, 1 - side, awake_only=awake_only)
    twins.turn += 1
    if twins.turn % 2:  # so every other time it is the next query that brings the structure up to date
        for each in twins.indexes(DYNAMIC) + twins.indexes(STATIC):
            each.defer()


@contextmanager
def named(name: str) -> Iterator[None]:
    """Add the name of a structure to exceptions."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in {name}")
        raise
